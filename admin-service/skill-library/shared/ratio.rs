/// An exact fraction, in lowest terms, the bottom above zero.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ratio {
    top: i128,
    bottom: i128,
}

impl Ratio {
    fn new(top: i128, bottom: i128) -> Option<Ratio> {
        let divisor = common_divisor(top.checked_abs()?, bottom.checked_abs()?);
        if bottom == 0 || divisor == 0 {
            return None;
        }
        let sign = if bottom < 0 { -1 } else { 1 };
        Some(Ratio { top: sign * (top / divisor), bottom: sign * (bottom / divisor) })
    }

    // @if whole
    fn whole(number: i128) -> Ratio {
        Ratio { top: number, bottom: 1 }
    }
    // @end

    /// Reads `12`, `-1.5`, `1,5`, `1,234.50` or `1.234,50`.
    fn parse(text: &str, german: bool) -> Option<Ratio> {
        let text = text.trim().replace('\u{2212}', "-");
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits.trim_start()),
            None => (1, text.strip_prefix('+').unwrap_or(&text)),
        };
        let (whole, fraction) = split_number(digits, german)?;
        let all_digits = whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
        if !all_digits || whole.len() + fraction.len() == 0 || whole.len() > 15 || fraction.len() > 12 {
            return None;
        }
        let number: i128 = format!("{}{}", whole, fraction).parse().ok()?;
        Ratio::new(sign * number, ten_to(fraction.len()))
    }

    // @if plus
    fn plus(self, other: Ratio) -> Option<Ratio> {
        let left = self.top.checked_mul(other.bottom)?;
        let right = other.top.checked_mul(self.bottom)?;
        Ratio::new(left.checked_add(right)?, self.bottom.checked_mul(other.bottom)?)
    }
    // @end

    // @if minus
    fn minus(self, other: Ratio) -> Option<Ratio> {
        self.plus(Ratio { top: other.top.checked_neg()?, bottom: other.bottom })
    }
    // @end

    fn times(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(self.top.checked_mul(other.top)?, self.bottom.checked_mul(other.bottom)?)
    }

    fn over(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(self.top.checked_mul(other.bottom)?, self.bottom.checked_mul(other.top)?)
    }

    /// The number in units of `10^-places`, a half rounded away from zero.
    fn rounded(self, places: usize) -> Option<i128> {
        let scaled = self.top.checked_mul(ten_to(places))?;
        let (quotient, rest) = (scaled / self.bottom, scaled % self.bottom);
        let away = i128::from(rest.checked_abs()?.checked_mul(2)? >= self.bottom);
        quotient.checked_add(if scaled < 0 { -away } else { away })
    }

    /// The number with exactly this many places.
    fn fixed(self, places: usize) -> Option<String> {
        let units = self.rounded(places)?;
        let sign = if units < 0 { "-" } else { "" };
        let (whole, fraction) = (units.abs() / ten_to(places), units.abs() % ten_to(places));
        if places == 0 {
            return Some(format!("{}{}", sign, whole));
        }
        Some(format!("{}{}.{:0places$}", sign, whole, fraction, places = places))
    }

    // @if shown
    /// The number with at most this many places.
    fn shown(self, places: usize) -> Option<String> {
        let text = self.fixed(places)?;
        if places == 0 {
            return Some(text);
        }
        Some(text.trim_end_matches('0').trim_end_matches('.').to_string())
    }
    // @end
}

/// The digits before and after the decimal separator. A lone separator before three digits divides thousands
/// where the language says so: `1,000` in English, `1.000` in German.
fn split_number(digits: &str, german: bool) -> Option<(String, String)> {
    let (comma, point) = (digits.rfind(','), digits.rfind('.'));
    let (decimal, group) = match (comma, point) {
        (None, None) => return Some((digits.to_string(), String::new())),
        (Some(comma), Some(point)) if comma > point => (',', '.'),
        (Some(_), Some(_)) => ('.', ','),
        (None, Some(_)) => ('.', ','),
        (Some(_), None) => (',', '.'),
    };
    let alone = comma.is_none() || point.is_none();
    let thousands = german == (decimal == '.') && !digits.starts_with('0');
    if alone && (digits.matches(decimal).count() > 1 || thousands) {
        if let Some(whole) = without_groups(digits, decimal) {
            return Some((whole, String::new()));
        }
    }
    let (whole, fraction) = digits.rsplit_once(decimal)?;
    if fraction.is_empty() {
        return None;
    }
    Some((without_groups(whole, group)?, fraction.to_string()))
}

fn without_groups(whole: &str, separator: char) -> Option<String> {
    let mut groups = whole.split(separator);
    let mut joined = groups.next()?.to_string();
    let has_head = (1..=3).contains(&joined.len());
    for group in groups {
        if group.len() != 3 || !has_head {
            return None;
        }
        joined.push_str(group);
    }
    Some(joined)
}

fn common_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn ten_to(places: usize) -> i128 {
    (0..places.min(30)).fold(1, |power, _| power * 10)
}

/// Writes a number as the person does: with a comma in German.
fn in_words(number: &str, german: bool) -> String {
    if german {
        number.replace('.', ",")
    } else {
        number.to_string()
    }
}

fn too_large() -> Refusal {
    Refusal::failed("The numbers are too large for me.")
}

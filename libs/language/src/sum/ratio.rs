//! A fraction of whole numbers.

/// A fraction in lowest terms; what is below the line is positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ratio {
    above: i128,
    below: i128,
}

/// The longest number that is read, in digits.
const MAX_READ: usize = 18;
/// The largest exponent.
const MAX_EXPONENT: i128 = 120;
/// The largest number below the line of a fraction that is shown.
const MOST_BELOW: i128 = 1000;
/// To how many parts of one a root is found that is not a fraction.
const ROOT_PARTS: i128 = 1_000_000_000;

impl Ratio {
    fn of(above: i128, below: i128) -> Option<Ratio> {
        let (mut a, mut b) = (above.checked_abs()?, below.checked_abs()?);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let sign = below.signum();
        Some(Ratio { above: above.checked_div(a)? * sign, below: below / a * sign })
    }

    pub(super) fn whole(number: i128) -> Ratio {
        Ratio { above: number, below: 1 }
    }

    /// Reads digits with at most one point.
    pub(super) fn read(text: &str) -> Option<Ratio> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = format!("{whole}{fraction}");
        let is_number =
            !digits.is_empty() && digits.len() <= MAX_READ && digits.bytes().all(|b| b.is_ascii_digit());
        let below = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        is_number.then(|| Ratio::of(digits.parse().ok()?, below)).flatten()
    }

    pub(super) fn is_zero(self) -> bool {
        self.above == 0
    }

    /// Whether it is at least so large.
    pub(super) fn is_over(self, least: i128) -> bool {
        self.above / self.below >= least
    }

    /// Whether it is not less than another.
    pub(super) fn is_least(self, other: Ratio) -> bool {
        self.plus(other.negative()).is_some_and(|more| more.above >= 0)
    }

    /// The fraction as it is written, where what is below the line is not long.
    pub(super) fn fraction(self) -> Option<String> {
        (self.below <= MOST_BELOW).then(|| format!("{}/{}", self.above, self.below))
    }

    /// The fraction, and beside it its whole part where there is one: `23/20 (1 3/20)`.
    pub(super) fn mixed(self) -> String {
        let Ratio { above, below } = self;
        match above / below {
            whole if below == 1 => whole.to_string(),
            0 => format!("{above}/{below}"),
            whole => format!("{above}/{below} ({whole} {}/{below})", (above % below).abs()),
        }
    }

    /// The nearest whole number.
    pub(super) fn nearest(self) -> Option<i128> {
        self.written(0, false).0.parse().ok()
    }

    pub(super) fn negative(self) -> Ratio {
        Ratio { above: -self.above, ..self }
    }

    pub(super) fn plus(self, other: Ratio) -> Option<Ratio> {
        let above = self.above.checked_mul(other.below)?.checked_add(other.above.checked_mul(self.below)?)?;
        Ratio::of(above, self.below.checked_mul(other.below)?)
    }

    pub(super) fn times(self, other: Ratio) -> Option<Ratio> {
        Ratio::of(self.above.checked_mul(other.above)?, self.below.checked_mul(other.below)?)
    }

    pub(super) fn over(self, other: Ratio) -> Option<Ratio> {
        Ratio::of(self.above.checked_mul(other.below)?, self.below.checked_mul(other.above)?)
    }

    /// What a division by another, as whole numbers, leaves.
    pub(super) fn rest(self, other: Ratio) -> Option<Ratio> {
        let times = self.over(other)?;
        let whole = Ratio::whole(times.above.div_euclid(times.below));
        self.plus(other.times(whole)?.negative())
    }

    /// To a whole power that is not negative.
    pub(super) fn power(self, exponent: Ratio) -> Option<Ratio> {
        let is_fit = exponent.below == 1 && (0..=MAX_EXPONENT).contains(&exponent.above);
        let times = u32::try_from(exponent.above).ok().filter(|_| is_fit)?;
        Ratio::of(self.above.checked_pow(times)?, self.below.checked_pow(times)?)
    }

    /// The square root, exact where it is a fraction.
    pub(super) fn root(self) -> Option<Ratio> {
        if self.above < 0 {
            return None;
        }
        let (above, below) = (self.above.isqrt(), self.below.isqrt());
        if above * above == self.above && below * below == self.below {
            return Ratio::of(above, below);
        }
        let parts = self.above.checked_mul(ROOT_PARTS * ROOT_PARTS)?.checked_div(self.below)?;
        Ratio::of(parts.isqrt(), ROOT_PARTS)
    }

    /// The number with at most the given number of digits behind the point, and whether it is rounded.
    pub(super) fn written(self, digits: usize, comma: bool) -> (String, bool) {
        let parts = 10_i128.pow(u32::try_from(digits).expect("a few digits"));
        let Some(scaled) = self.above.checked_mul(parts) else {
            return ((self.above / self.below).to_string(), self.below != 1);
        };
        let half = if scaled < 0 { -self.below / 2 } else { self.below / 2 };
        let rounded = (scaled + half) / self.below;
        let (whole, fraction) = ((rounded / parts).abs(), (rounded % parts).abs());
        let sign = if rounded < 0 { "-" } else { "" };
        let fraction = format!("{fraction:0digits$}");
        let fraction = fraction.trim_end_matches('0');
        let point = match (fraction.is_empty(), comma) {
            (true, _) => "",
            (false, true) => ",",
            (false, false) => ".",
        };
        (format!("{sign}{whole}{point}{fraction}"), scaled % self.below != 0)
    }
}

//! The functions of a source that was learned from examples. The search runs them, and [`crate::write`] copies those that a rule
//! needs, so that a rule answers alike before and after it is compiled. They are written for Rust 1.63. What a function cannot
//! do answers `None`.

use skill_sdk::{Date, lower};

/// The text in small letters.
pub fn lower_case(text: &str) -> Option<String> {
    Some(lower(text))
}

/// The text in capital letters.
pub fn upper_case(text: &str) -> Option<String> {
    Some(text.to_uppercase())
}

/// The first letter as a capital, all others small.
pub fn capital(text: &str) -> Option<String> {
    let first: String = text.chars().take(1).collect();
    let rest: String = text.chars().skip(1).collect();
    Some(first.to_uppercase() + &lower(&rest))
}

/// The same letters from the last to the first.
pub fn backwards(text: &str) -> Option<String> {
    Some(text.chars().rev().collect())
}

/// The digits alone.
pub fn only_digits(text: &str) -> Option<String> {
    Some(text.chars().filter(|c| c.is_ascii_digit()).collect())
}

/// The letters alone.
pub fn only_letters(text: &str) -> Option<String> {
    Some(text.chars().filter(|c| c.is_alphabetic()).collect())
}

/// The capital letters alone.
pub fn only_capitals(text: &str) -> Option<String> {
    Some(text.chars().filter(|c| c.is_uppercase()).collect())
}

/// The text without any blank.
pub fn without_blanks(text: &str) -> Option<String> {
    Some(text.chars().filter(|c| !c.is_whitespace()).collect())
}

/// Whether a letter is a, e, i, o or u.
pub fn is_vowel(letter: char) -> bool {
    "aeiouAEIOU".contains(letter)
}

/// The text without its vowels.
pub fn without_vowels(text: &str) -> Option<String> {
    Some(text.chars().filter(|c| !is_vowel(*c)).collect())
}

/// The text without letters that were in it before.
pub fn each_letter_once(text: &str) -> Option<String> {
    let mut seen = String::new();
    for letter in text.chars() {
        if !seen.contains(letter) {
            seen.push(letter);
        }
    }
    Some(seen)
}

/// Small letters for capitals, and capitals for small letters.
pub fn other_case(text: &str) -> Option<String> {
    let mut changed = String::new();
    for letter in text.chars() {
        if letter.is_uppercase() {
            changed.extend(letter.to_lowercase());
        } else {
            changed.extend(letter.to_uppercase());
        }
    }
    Some(changed)
}

/// The English word for many: cats, boxes, cities. Words in o and f have no rule: photos, but heroes.
pub fn plural(word: &str) -> Option<String> {
    if ["o", "f", "fe", "man"].iter().any(|end| word.ends_with(end)) {
        return None;
    }
    let letters: Vec<char> = word.chars().collect();
    let last = *letters.last()?;
    let before = if letters.len() > 1 { letters[letters.len() - 2] } else { 'a' };
    if last == 'y' && !is_vowel(before) {
        return Some(word[..word.len() - 1].to_owned() + "ies");
    }
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end));
    Some(word.to_owned() + if hisses { "es" } else { "s" })
}

/// The text with `a` before it, or `an` before a vowel.
pub fn with_article(word: &str) -> Option<String> {
    let first = word.chars().next()?;
    Some(format!("{} {}", if is_vowel(first) { "an" } else { "a" }, word))
}

/// The first letters, as many as given.
pub fn first_letters(text: &str, many: i64) -> Option<String> {
    let many = many as usize;
    if text.chars().count() < many {
        return None;
    }
    Some(text.chars().take(many).collect())
}

/// The last letters, as many as given.
pub fn last_letters(text: &str, many: i64) -> Option<String> {
    let before = text.chars().count().checked_sub(many as usize)?;
    Some(text.chars().skip(before).collect())
}

/// The text without its first letters, as many as given.
pub fn without_first_letters(text: &str, many: i64) -> Option<String> {
    if text.chars().count() < many as usize {
        return None;
    }
    Some(text.chars().skip(many as usize).collect())
}

/// The text without its last letters, as many as given.
pub fn without_last_letters(text: &str, many: i64) -> Option<String> {
    let kept = text.chars().count().checked_sub(many as usize)?;
    Some(text.chars().take(kept).collect())
}

/// The text with zeros before it, until it is so long.
pub fn with_zeros(text: &str, length: i64) -> Option<String> {
    let missing = (length as usize).saturating_sub(text.chars().count());
    Some("0".repeat(missing) + text)
}

/// The number without the zeros before it.
pub fn without_zeros(text: &str) -> Option<String> {
    let rest = text.trim_start_matches('0');
    if rest.is_empty() {
        return Some(text.chars().take(1).collect());
    }
    Some(rest.to_owned())
}

/// The text again and again, so often.
pub fn repeated(text: &str, times: i64) -> Option<String> {
    Some(text.repeat(times as usize))
}

/// Each letter moved on in the alphabet, so far; after z comes a.
pub fn moved_letters(text: &str, steps: i64) -> Option<String> {
    let mut moved = String::new();
    for letter in text.chars() {
        let start = if letter.is_ascii_lowercase() { b'a' } else { b'A' };
        if letter.is_ascii_alphabetic() {
            let place = (letter as i64 - i64::from(start) + steps) % 26;
            moved.push((start + place as u8) as char);
        } else {
            moved.push(letter);
        }
    }
    Some(moved)
}

/// Each letter of `from` becomes the one of `to` at the same place. A letter that no example showed has no answer.
pub fn changed_letters(text: &str, from: &str, to: &str) -> Option<String> {
    let mut changed = String::new();
    for letter in text.chars() {
        match from.chars().position(|known| known == letter) {
            Some(place) => changed.push(to.chars().nth(place)?),
            None if letter.is_alphanumeric() => return None,
            None => changed.push(letter),
        }
    }
    Some(changed)
}

/// What stands before the first mark.
pub fn before(text: &str, mark: &str) -> Option<String> {
    Some(text.split_once(mark)?.0.trim().to_owned())
}

/// What stands after the first mark.
pub fn after(text: &str, mark: &str) -> Option<String> {
    Some(text.split_once(mark)?.1.trim().to_owned())
}

/// What stands before the last mark.
pub fn before_last(text: &str, mark: &str) -> Option<String> {
    Some(text.rsplit_once(mark)?.0.trim().to_owned())
}

/// What stands after the last mark.
pub fn after_last(text: &str, mark: &str) -> Option<String> {
    Some(text.rsplit_once(mark)?.1.trim().to_owned())
}

/// The text without any occurrence of a mark.
pub fn without(text: &str, mark: &str) -> Option<String> {
    if !text.contains(mark) {
        return None;
    }
    Some(text.replace(mark, ""))
}

/// The words between blanks.
pub fn words(text: &str) -> Option<Vec<String>> {
    Some(text.split_whitespace().map(|word| word.to_owned()).collect())
}

/// The pieces between marks.
pub fn pieces(text: &str, mark: &str) -> Option<Vec<String>> {
    if !text.contains(mark) {
        return None;
    }
    Some(text.split(mark).map(|piece| piece.trim().to_owned()).collect())
}

/// The single letters.
pub fn letters(text: &str) -> Option<Vec<String>> {
    Some(text.chars().map(|letter| letter.to_string()).collect())
}

/// The groups of digits, such as 31 and 12 in 31.12.
pub fn digit_groups(text: &str) -> Option<Vec<String>> {
    let groups = text.split(|c: char| !c.is_ascii_digit());
    Some(groups.filter(|group| !group.is_empty()).map(|group| group.to_owned()).collect())
}

pub fn letter_groups(text: &str) -> Option<Vec<String>> {
    let groups = text.split(|c: char| !c.is_alphabetic());
    Some(groups.filter(|group| !group.is_empty()).map(|group| group.to_owned()).collect())
}

/// The groups of letters and digits.
pub fn letter_and_digit_groups(text: &str) -> Option<Vec<String>> {
    let groups = text.split(|c: char| !c.is_alphanumeric());
    Some(groups.filter(|group| !group.is_empty()).map(|group| group.to_owned()).collect())
}

/// The numbers, with what follows their decimal point.
pub fn numbers_in(text: &str) -> Option<Vec<String>> {
    let groups = text.split(|c: char| !c.is_ascii_digit() && c != '.');
    let groups = groups.map(|group| group.trim_matches('.'));
    Some(groups.filter(|group| !group.is_empty()).map(|group| group.to_owned()).collect())
}

/// The words of a name such as myFileName: each begins with a capital.
pub fn capital_words(text: &str) -> Option<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    for letter in text.chars() {
        match found.last_mut() {
            Some(word) if !letter.is_uppercase() => word.push(letter),
            _ => found.push(letter.to_string()),
        }
    }
    Some(found)
}

/// One of the list: 1 is the first, -1 the last.
pub fn item(list: &[String], place: i64) -> Option<String> {
    let at = if place > 0 { place - 1 } else { list.len() as i64 + place };
    if at < 0 {
        return None;
    }
    list.get(at as usize).map(|found| found.to_owned())
}

/// All of the list as one text, with a mark between them.
pub fn joined(list: &[String], mark: &str) -> Option<String> {
    Some(list.join(mark))
}

/// The longest of the list; of two, the first.
pub fn longest(list: &[String]) -> Option<String> {
    let most = list.iter().map(|word| word.chars().count()).max()?;
    list.iter().find(|word| word.chars().count() == most).map(|word| word.to_owned())
}

/// The shortest of the list; of two, the first.
pub fn shortest(list: &[String]) -> Option<String> {
    let least = list.iter().map(|word| word.chars().count()).min()?;
    list.iter().find(|word| word.chars().count() == least).map(|word| word.to_owned())
}

/// The list by the alphabet; capitals make no difference.
pub fn sorted(list: &[String]) -> Option<Vec<String>> {
    let mut sorted = list.to_vec();
    sorted.sort_by_key(|word| (lower(word), word.to_owned()));
    Some(sorted)
}

/// The list from its smallest number to its largest.
pub fn sorted_numbers(list: &[String]) -> Option<Vec<String>> {
    let mut sorted = Vec::new();
    for word in list {
        sorted.push((number(word)?, word.to_owned()));
    }
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
    Some(sorted.into_iter().map(|pair| pair.1).collect())
}

/// The list from its shortest to its longest word.
pub fn sorted_by_length(list: &[String]) -> Option<Vec<String>> {
    let mut sorted = list.to_vec();
    sorted.sort_by_key(|word| word.chars().count());
    Some(sorted)
}

/// The list from its end to its beginning.
pub fn turned_around(list: &[String]) -> Option<Vec<String>> {
    Some(list.iter().rev().map(|word| word.to_owned()).collect())
}

/// The list without what was in it before.
pub fn without_repeats(list: &[String]) -> Option<Vec<String>> {
    let mut seen: Vec<String> = Vec::new();
    for word in list {
        if !seen.contains(word) {
            seen.push(word.to_owned());
        }
    }
    Some(seen)
}

/// The list without its first.
pub fn without_first(list: &[String]) -> Option<Vec<String>> {
    Some(list.get(1..)?.to_vec())
}

/// The list without its last.
pub fn without_last(list: &[String]) -> Option<Vec<String>> {
    Some(list.get(..list.len().checked_sub(1)?)?.to_vec())
}

/// Each of the list changed in the same way.
pub fn each(list: &[String], change: impl Fn(&str) -> Option<String>) -> Option<Vec<String>> {
    let mut changed = Vec::new();
    for word in list {
        changed.push(change(word)?);
    }
    Some(changed)
}

/// Those of the list for which something is so.
pub fn those(list: &[String], is_so: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    Some(list.iter().filter(|word| is_so(word)).map(|word| word.to_owned()).collect())
}

/// How many there are in the list.
pub fn count(list: &[String]) -> Option<f64> {
    Some(list.len() as f64)
}

/// The numbers of the list added up.
pub fn sum(list: &[String]) -> Option<f64> {
    let mut sum = 0.0;
    for word in list {
        sum += number(word)?;
    }
    Some(sum)
}

/// The numbers of the list multiplied.
pub fn product(list: &[String]) -> Option<f64> {
    let mut product = 1.0;
    for word in list {
        product *= number(word)?;
    }
    Some(product)
}

/// The first number of the list without all the others.
pub fn difference(list: &[String]) -> Option<f64> {
    let first = number(list.first()?)?;
    Some(2.0 * first - sum(list)?)
}

/// The first number of the list divided by the second.
pub fn quotient(list: &[String]) -> Option<f64> {
    let (first, second) = (number(list.first()?)?, number(list.get(1)?)?);
    if second == 0.0 || list.len() != 2 {
        return None;
    }
    Some(first / second)
}

/// The largest number of the list.
pub fn largest(list: &[String]) -> Option<f64> {
    let mut found = number(list.first()?)?;
    for word in list {
        found = found.max(number(word)?);
    }
    Some(found)
}

/// The smallest number of the list.
pub fn smallest(list: &[String]) -> Option<f64> {
    let mut found = number(list.first()?)?;
    for word in list {
        found = found.min(number(word)?);
    }
    Some(found)
}

/// The middle of the numbers of the list: their sum by their count.
pub fn average(list: &[String]) -> Option<f64> {
    if list.is_empty() {
        return None;
    }
    Some(sum(list)? / count(list)?)
}

/// The text as a number, if it is one of at most 15 digits.
pub fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    if !is_plain || digits.is_empty() || digits.len() > 15 || digits.starts_with('.') || digits.ends_with('.')
    {
        return None;
    }
    text.parse().ok()
}

/// How many letters the text has, blanks and marks included.
pub fn length(text: &str) -> Option<f64> {
    Some(text.chars().count() as f64)
}

/// How many vowels the text has.
pub fn vowels_in(text: &str) -> Option<f64> {
    Some(text.chars().filter(|c| is_vowel(*c)).count() as f64)
}

/// How many capitals the text has.
pub fn capitals_in(text: &str) -> Option<f64> {
    Some(text.chars().filter(|c| c.is_uppercase()).count() as f64)
}

/// How often a letter or mark is in the text.
pub fn times_in(text: &str, mark: &str) -> Option<f64> {
    Some(text.matches(mark).count() as f64)
}

/// The place of a letter in the alphabet: 1 for a, 26 for z.
pub fn place_in_alphabet(text: &str) -> Option<f64> {
    let letter = text.chars().next()?.to_ascii_lowercase();
    if text.chars().count() != 1 || !letter.is_ascii_lowercase() {
        return None;
    }
    Some(letter as u32 as f64 - 96.0)
}

/// The letter at a place of the alphabet: a for 1, z for 26.
pub fn letter_at(place: f64) -> Option<String> {
    if place < 1.0 || place > 26.0 || place.fract() != 0.0 {
        return None;
    }
    Some(((96.0 + place) as u8 as char).to_string())
}

/// A number and one more, so large.
pub fn plus(value: f64, more: f64) -> Option<f64> {
    Some(value + more)
}

/// A number times a factor.
pub fn times(value: f64, factor: f64) -> Option<f64> {
    Some(value * factor)
}

/// A number divided.
pub fn divided(value: f64, by: f64) -> Option<f64> {
    Some(value / by)
}

/// How many whole times another number goes into it.
pub fn whole_times(value: f64, by: f64) -> Option<f64> {
    Some((value / by).floor())
}

/// What is left when it is divided.
pub fn rest(value: f64, by: f64) -> Option<f64> {
    Some(value.rem_euclid(by))
}

/// A number times itself.
pub fn square(value: f64) -> Option<f64> {
    Some(value * value)
}

/// The nearest whole number.
pub fn rounded(value: f64) -> Option<f64> {
    Some(value.round())
}

/// A number as a text, without needless digits.
pub fn plain(value: f64) -> Option<String> {
    if value.abs() > 1e15 {
        return None;
    }
    let text = format!("{:.6}", value);
    Some(text.trim_end_matches('0').trim_end_matches('.').to_owned())
}

/// A number as a text with the given number of digits after its point.
pub fn with_decimals(value: f64, digits: i64) -> Option<String> {
    if value.abs() > 1e12 {
        return None;
    }
    // A tiny step lets 2.675 become 2.68, as on paper.
    Some(format!("{:.*}", digits as usize, value + value.signum() * 1e-9))
}

/// A whole number with a comma after each thousand.
pub fn with_commas(value: f64) -> Option<String> {
    let digits = whole(value)?.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    Some(text)
}

/// A number as a whole one from 0, if it is that.
pub fn whole(value: f64) -> Option<i64> {
    if value.fract() != 0.0 || value < 0.0 || value > 1e15 {
        return None;
    }
    Some(value as i64)
}

/// The signs of Roman numerals, from the largest.
pub const ROMAN: [(&str, i64); 13] = [
    ("M", 1000),
    ("CM", 900),
    ("D", 500),
    ("CD", 400),
    ("C", 100),
    ("XC", 90),
    ("L", 50),
    ("XL", 40),
    ("X", 10),
    ("IX", 9),
    ("V", 5),
    ("IV", 4),
    ("I", 1),
];

/// A number from 1 to 3999 as a Roman numeral.
pub fn roman(value: f64) -> Option<String> {
    let mut rest = whole(value)?;
    if rest < 1 || rest > 3999 {
        return None;
    }
    let mut numeral = String::new();
    for (sign, worth) in ROMAN {
        while rest >= worth {
            numeral.push_str(sign);
            rest -= worth;
        }
    }
    Some(numeral)
}

/// What a Roman numeral is worth, if it is spelled rightly.
pub fn roman_worth(text: &str) -> Option<f64> {
    let mut rest = text;
    let mut total = 0;
    for (sign, worth) in ROMAN {
        while let Some(tail) = rest.strip_prefix(sign) {
            total += worth;
            rest = tail;
        }
    }
    if !rest.is_empty() || roman(total as f64)? != text {
        return None;
    }
    Some(total as f64)
}

/// 1st, 2nd, 3rd, 4th.
pub fn ordinal(value: f64) -> Option<String> {
    let value = whole(value)?;
    let ending = match (value % 10, value % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    Some(format!("{}{}", value, ending))
}

/// The English words for small numbers.
pub const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

/// The English words for the tens.
pub const TENS: [&str; 10] =
    ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// A number from 0 to 99 in English words.
pub fn in_words(value: f64) -> Option<String> {
    let value = whole(value)? as usize;
    if value < 20 {
        return Some(SMALL[value].to_owned());
    }
    let tens = TENS.get(value / 10)?;
    if value % 10 == 0 {
        return Some(tens.to_string());
    }
    Some(format!("{}-{}", tens, SMALL[value % 10]))
}

/// The number that English words mean, from 0 to 99.
pub fn worth_of_words(text: &str) -> Option<f64> {
    let words = lower(text).replace(' ', "-");
    (0..100).map(f64::from).find(|value| in_words(*value).map_or(false, |found| found == words))
}

/// A number in ones and zeros.
pub fn binary(value: f64) -> Option<String> {
    Some(format!("{:b}", whole(value)?))
}

/// The number that ones and zeros mean.
pub fn binary_worth(text: &str) -> Option<f64> {
    if text.len() > 50 {
        return None;
    }
    i64::from_str_radix(text, 2).ok().map(|value| value as f64)
}

/// A number to the base 16.
pub fn hexadecimal(value: f64) -> Option<String> {
    Some(format!("{:x}", whole(value)?))
}

/// The number that digits to the base 16 mean.
pub fn hexadecimal_worth(text: &str) -> Option<f64> {
    if text.len() > 12 {
        return None;
    }
    i64::from_str_radix(text, 16).ok().map(|value| value as f64)
}

/// The English names of the months.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The German names of the months.
pub const MONATE: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

/// The name of the month with a number from 1 to 12.
pub fn month_name(value: f64) -> Option<String> {
    Some(MONTHS.get((whole(value)? as usize).checked_sub(1)?)?.to_string())
}

/// The German name of the month with a number from 1 to 12.
pub fn german_month_name(value: f64) -> Option<String> {
    Some(MONATE.get((whole(value)? as usize).checked_sub(1)?)?.to_string())
}

/// The number of the month with an English name, or with its first three letters.
pub fn month_number(text: &str) -> Option<f64> {
    let name = lower(text);
    let same = |month: &&str| lower(month) == name || (name.len() == 3 && lower(month).starts_with(&name));
    MONTHS.iter().position(same).map(|place| place as f64 + 1.0)
}

/// A date such as 2030-01-31, 31.1.2030 or 31 January 2030.
pub fn date(text: &str) -> Option<Date> {
    Date::parse(text)
}

/// A date such as 1/31/2030: month, day, year.
pub fn american_date(text: &str) -> Option<Date> {
    let parts: Vec<i64> = text.split('/').filter_map(|part| part.parse().ok()).collect();
    if parts.len() != 3 || parts[2] < 1000 {
        return None;
    }
    Date::new(parts[2], parts[0], parts[1])
}

/// A date such as 20300131: year, month, day in eight digits.
pub fn compact_date(text: &str) -> Option<Date> {
    if text.len() != 8 || !text.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    Date::new(text[..4].parse().ok()?, text[4..6].parse().ok()?, text[6..].parse().ok()?)
}

/// The day of the month.
pub fn day_of(date: Date) -> Option<f64> {
    Some(date.day() as f64)
}

/// The month, from 1 to 12.
pub fn month_of(date: Date) -> Option<f64> {
    Some(date.month() as f64)
}

pub fn year_of(date: Date) -> Option<f64> {
    Some(date.year() as f64)
}

/// The English name of the day of the week.
pub fn weekday_of(date: Date) -> Option<String> {
    Some(date.weekday().name().to_owned())
}

/// The date this many days later.
pub fn days_later(date: Date, days: i64) -> Option<Date> {
    date.plus_days(days)
}

/// Whether a mark is in the text.
pub fn has(text: &str, mark: &str) -> bool {
    text.contains(mark)
}

/// Whether the text ends so.
pub fn ends_in(text: &str, ending: &str) -> bool {
    text.ends_with(ending)
}

/// Whether the text has exactly this many words.
pub fn has_words(text: &str, many: i64) -> bool {
    text.split_whitespace().count() as i64 == many
}

/// Whether the text has at least this many letters.
pub fn has_letters(text: &str, many: i64) -> bool {
    text.chars().count() as i64 >= many
}

/// Whether the text is a number that is so large or larger.
pub fn is_at_least(text: &str, least: i64) -> bool {
    number(text).map_or(false, |value| value >= least as f64)
}

/// Whether a number goes into the text's number without a rest.
pub fn is_divided_by(text: &str, by: i64) -> bool {
    number(text).map_or(false, |value| value % by as f64 == 0.0)
}

/// Whether the first letter is a vowel.
pub fn begins_with_vowel(text: &str) -> bool {
    text.chars().take(1).any(is_vowel)
}

/// Whether the first letter is a capital.
pub fn begins_with_capital(text: &str) -> bool {
    text.chars().take(1).any(|c| c.is_uppercase())
}

/// Whether there is a digit in the text.
pub fn has_digits(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit())
}

/// Whether the text is a number.
pub fn is_number(text: &str) -> bool {
    number(text).is_some()
}

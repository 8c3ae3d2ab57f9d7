//! Numbers as people write them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use crate::float;

/// Writes a number with the given number of decimals, at most 30. The digits that are shown without it are rounded,
/// halves away from zero as on paper: `fixed(2.675, 2)` is `2.68`. Numbers that are not finite are `NaN`, `inf` and
/// `-inf`.
pub fn fixed(number: f64, decimals: usize) -> String {
    let text = float::plain(number);
    if !number.is_finite() {
        return text;
    }
    let decimals = decimals.min(MOST_DECIMALS);
    let magnitude = text.trim_start_matches('-');
    let (whole, fraction) = magnitude.split_once('.').unwrap_or((magnitude, ""));
    let zeros = core::iter::repeat(b'0');
    let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes().chain(zeros).take(decimals)).collect();
    if fraction.as_bytes().get(decimals) >= Some(&b'5') {
        add_one(&mut digits);
    }
    let negative = number.is_sign_negative() && digits.iter().any(|digit| *digit != b'0');
    let mut out = String::from(if negative { "-" } else { "" });
    for (at, digit) in digits.iter().enumerate() {
        if decimals > 0 && at + decimals == digits.len() {
            out.push('.');
        }
        out.push(char::from(*digit));
    }
    out
}

/// Writes a number with `separator` between each three digits before its fraction: `grouped(1234567, ",")` is `1,234,567`,
/// and `grouped(fixed(1234.5, 2), ",")` is `1,234.50`. Text before the first digit and after the whole part stays.
pub fn grouped(number: impl Display, separator: &str) -> String {
    let text = number.to_string();
    let is_digit = |sign: char| sign.is_ascii_digit();
    let begins = text.find(is_digit).unwrap_or(text.len());
    let ends =
        text.chars().skip_while(|sign| !is_digit(*sign)).take_while(|sign| is_digit(*sign)).count() + begins;
    let mut out = String::new();
    for (at, sign) in text.char_indices() {
        if at > begins && at < ends && (ends - at) % 3 == 0 {
            out.push_str(separator);
        }
        out.push(sign);
    }
    out
}

/// Adds one to a number of digits.
fn add_one(digits: &mut Vec<u8>) {
    for digit in digits.iter_mut().rev() {
        if *digit != b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
    digits.insert(0, b'1');
}

/// More decimals than a 64-bit float can tell apart.
const MOST_DECIMALS: usize = 30;

#[cfg(test)]
mod tests;

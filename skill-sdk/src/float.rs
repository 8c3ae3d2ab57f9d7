//! Numbers with a fraction as text and back, exactly as Rust itself does it but in a tenth of the code.
//!
//! A module that formats or parses a float on its own brings 20 KB each of functions and tables. Here whole numbers of
//! any length do the work: slower, but only a fraction of the values needs it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Writes a number like `{}`: the shortest digits that are read as the same number, never with an exponent.
pub(crate) fn plain(number: f64) -> String {
    let magnitude = magnitude(number);
    if number.is_nan() {
        return String::from("NaN");
    }
    let mut out = String::from(if number.is_sign_negative() { "-" } else { "" });
    if magnitude == f64::INFINITY {
        out.push_str("inf");
    } else {
        let (digits, point) = shortest(magnitude);
        fill(&mut out, &digits, point, false);
    }
    out
}

/// Writes a number like `{:?}`: with a fraction, or with an exponent where it is very large or very small.
pub(crate) fn exact(number: f64) -> String {
    let magnitude = magnitude(number);
    if !magnitude.is_finite() {
        return plain(number);
    }
    let mut out = String::from(if number.is_sign_negative() { "-" } else { "" });
    let (digits, point) = shortest(magnitude);
    if magnitude == 0.0 || (1e-4..1e16).contains(&magnitude) {
        fill(&mut out, &digits, point, true);
    } else {
        fill(&mut out, &digits, 1, false);
        out.push_str(&format!("e{}", point - 1));
    }
    out
}

/// The number without its sign.
fn magnitude(number: f64) -> f64 {
    f64::from_bits(number.to_bits() & !SIGN)
}

/// Writes digits with the point behind a given number of them, and with zeros where there are too few.
fn fill(out: &mut String, digits: &[u8], point: i32, fraction: bool) {
    let digit = |place: i32| {
        let digit = usize::try_from(place).ok().and_then(|place| digits.get(place));
        char::from(b'0' + digit.copied().unwrap_or(0))
    };
    let length = digits.len() as i32;
    for place in (point - 1).min(0)..point {
        out.push(digit(place));
    }
    if length > point || fraction {
        out.push('.');
        for place in point..length.max(point + 1) {
            out.push(digit(place));
        }
    }
}

/// The shortest digits that are read as this number, and behind how many of them the point stands (Steele and White).
fn shortest(number: f64) -> (Vec<u8>, i32) {
    let (mut digits, mut point) = (Vec::new(), 0);
    if number == 0.0 {
        return (digits, 1);
    }
    let (fraction, exponent) = (number.to_bits() & (HIDDEN - 1), (number.to_bits() >> 52) as i32);
    let mantissa = if exponent == 0 { fraction } else { fraction | HIDDEN };
    let exponent = exponent.max(1) - 1075;
    // What is closer than half the distance to a neighbour, above or below, is read as this number.
    let mut rest = Whole::new(mantissa * 4);
    let mut above = Whole::new(2);
    // Below a power of two numbers are twice as close.
    let mut below = Whole::new(if mantissa == HIDDEN { 1 } else { 2 });
    let mut unit = Whole::new(4);
    for part in [&mut rest, &mut above, &mut below] {
        part.shift(exponent.max(0) as u32);
    }
    unit.shift((-exponent).max(0) as u32);
    // A tie is read as the even one of two neighbours.
    let least = if mantissa % 2 == 0 { Ordering::Equal } else { Ordering::Greater };
    let reaches = |rest: &Whole, above: &Whole, unit: &Whole| {
        let mut gap = unit.clone();
        rest.cmp(unit) != Ordering::Less || {
            gap.subtract(rest);
            above.cmp(&gap) >= least
        }
    };
    while reaches(&rest, &above, &unit) {
        unit.multiply(10, 0);
        point += 1;
    }
    let mut started = false;
    loop {
        for part in [&mut rest, &mut above, &mut below] {
            part.multiply(10, 0);
        }
        started = started || reaches(&rest, &above, &unit);
        if !started {
            point -= 1;
            continue;
        }
        let mut digit = 0;
        while rest.cmp(&unit) != Ordering::Less {
            rest.subtract(&unit);
            digit += 1;
        }
        let (low, high) = (below.cmp(&rest) >= least, reaches(&rest, &above, &unit));
        if low || high {
            rest.multiply(2, 0);
            let up = high && (!low || rest.cmp(&unit) != Ordering::Less);
            digits.push(digit + u8::from(up));
            return (digits, point);
        }
        digits.push(digit);
    }
}

/// Reads a number as Rust does, correctly rounded; words and what is too large are not numbers.
pub(crate) fn parse(text: &str) -> Option<f64> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(text) => (SIGN, text),
        None => (0, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, mut exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, whole_exponent(exponent)?),
        None => (text, 0),
    };
    let (mut digits, mut length) = (Whole::new(0), 0);
    let (mut point, mut any, mut more) = (false, false, false);
    for byte in mantissa.bytes() {
        match byte {
            b'.' if !point => point = true,
            b'0'..=b'9' => {
                any = true;
                exponent -= i64::from(point);
                if length == MOST_DIGITS {
                    exponent += 1;
                    more = more || byte != b'0';
                } else if length > 0 || byte != b'0' {
                    digits.multiply(10, u32::from(byte - b'0'));
                    length += 1;
                }
            }
            _ => return None,
        }
    }
    if more {
        // What follows this many digits only shows that it is not a tie.
        digits.multiply(10, 1);
        exponent -= 1;
    }
    let number = match length + exponent {
        _ if !any => return None,
        _ if length == 0 => 0.0,
        311.. => return None,
        -330..=310 => nearest(digits, exponent as i32),
        _ => 0.0,
    };
    Some(f64::from_bits(number.to_bits() | sign)).filter(|number| number.is_finite())
}

fn whole_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.bytes().fold(0, |size: i64, byte| (size * 10 + i64::from(byte - b'0')).min(1 << 40));
    Some(if text.starts_with('-') { -size } else { size })
}

/// The number that is nearest to `digits` times ten to the power `exponent`, of two the even one.
fn nearest(mut digits: Whole, exponent: i32) -> f64 {
    let power = exponent.unsigned_abs();
    if let (Some(digits), 0..=22) = (digits.small(), power) {
        // Both are exact, so that one rounding is left.
        let power = (0..power).fold(1.0, |power, _| power * 10.0);
        return if exponent < 0 { digits / power } else { digits * power };
    }
    let mut unit = Whole::new(1);
    let scaled = if exponent < 0 { &mut unit } else { &mut digits };
    (0..power).for_each(|_| scaled.multiply(10, 0));
    let mut power = digits.bits() - unit.bits();
    unit.shift(power.max(0) as u32);
    digits.shift((-power).max(0) as u32);
    if digits.cmp(&unit) == Ordering::Less {
        digits.multiply(2, 0);
        power -= 1;
    }
    // From here the number is `digits / unit`, which is at least 1 and less than 2, times two to `power`.
    if power > 1023 {
        return f64::INFINITY;
    }
    let mut mantissa = 0;
    for _ in 0..(power + 1075).min(53) {
        mantissa *= 2;
        if digits.cmp(&unit) != Ordering::Less {
            digits.subtract(&unit);
            mantissa += 1;
        }
        digits.multiply(2, 0);
    }
    let up = match digits.cmp(&unit) {
        Ordering::Less => 0,
        Ordering::Equal => mantissa % 2,
        Ordering::Greater => u64::from(power >= -1075),
    };
    // The hidden bit of the mantissa, or a carry into it, counts the exponent up.
    f64::from_bits((((power + 1022).max(0) as u64) << 52) + mantissa + up)
}

/// A whole number of any size: digits of 32 bits, the lowest first, the highest not 0.
#[derive(Clone)]
struct Whole(Vec<u32>);

impl Whole {
    fn new(number: u64) -> Whole {
        let mut whole = Whole(Vec::from([number as u32, (number >> 32) as u32]));
        whole.trim();
        whole
    }

    /// The number, if it is small enough to be exact.
    fn small(&self) -> Option<f64> {
        let number = match self.0.as_slice() {
            [low] => u64::from(*low),
            [low, high] => u64::from(*low) | u64::from(*high) << 32,
            _ => return None,
        };
        Some(number as f64).filter(|_| number <= HIDDEN * 2)
    }

    fn bits(&self) -> i32 {
        self.0.len() as i32 * 32 - self.0.last().map_or(0, |digit| digit.leading_zeros() as i32)
    }

    fn multiply(&mut self, factor: u32, plus: u32) {
        let mut carry = u64::from(plus);
        for digit in &mut self.0 {
            carry += u64::from(*digit) * u64::from(factor);
            *digit = carry as u32;
            carry >>= 32;
        }
        self.0.push(carry as u32);
        self.trim();
    }

    fn shift(&mut self, bits: u32) {
        for _ in 0..bits / 32 {
            self.0.insert(0, 0);
        }
        self.multiply(1 << (bits % 32), 0);
    }

    /// Subtracts what is not larger.
    fn subtract(&mut self, other: &Whole) {
        let mut borrow = false;
        for (place, digit) in self.0.iter_mut().enumerate() {
            let (less, first) = digit.overflowing_sub(other.0.get(place).copied().unwrap_or(0));
            let (less, second) = less.overflowing_sub(u32::from(borrow));
            *digit = less;
            borrow = first || second;
        }
        self.trim();
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn cmp(&self, other: &Whole) -> Ordering {
        let lengths = self.0.len().cmp(&other.0.len());
        lengths.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

/// The bit of the sign.
const SIGN: u64 = 1 << 63;
/// The bit of the mantissa that is not stored.
const HIDDEN: u64 = 1 << 52;
/// No digit behind these distinguishes two neighbours.
const MOST_DIGITS: i64 = 800;

#[cfg(test)]
mod tests;

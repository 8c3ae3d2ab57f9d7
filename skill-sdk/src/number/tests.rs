use std::format;

use super::*;

#[test]
fn decimals_are_rounded_as_on_paper() {
    for (number, decimals, text) in [
        (2.675, 2, "2.68"),
        (1.005, 2, "1.01"),
        (0.5, 0, "1"),
        (2.5, 0, "3"),
        (-2.5, 0, "-3"),
        (0.125, 2, "0.13"),
        (9.995, 2, "10.00"),
        (99.5, 0, "100"),
        (0.05, 1, "0.1"),
        (0.04, 1, "0.0"),
        (-0.04, 1, "0.0"),
        (-0.0, 2, "0.00"),
        (0.006, 2, "0.01"),
        (0.0004, 2, "0.00"),
        (3.0, 3, "3.000"),
        (1234.5, 1, "1234.5"),
        (1e21, 1, "1000000000000000000000.0"),
        (1e-300, 3, "0.000"),
        (0.1, 99, "0.100000000000000000000000000000"),
        (f64::NAN, 2, "NaN"),
        (f64::NEG_INFINITY, 2, "-inf"),
    ] {
        assert_eq!(fixed(number, decimals), text, "{number} with {decimals}");
    }
}

#[test]
fn without_a_tie_decimals_are_those_of_rust() {
    let mut state = 1_u64;
    for _ in 0..20_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let number = ((state >> 20) as f64 - 8e12) / 7_919.0;
        let digits = float::plain(number).split_once('.').map_or(0, |(_, fraction)| fraction.len());
        for decimals in (0..5).filter(|decimals| decimals + 1 != digits) {
            assert_eq!(fixed(number, decimals), format!("{number:.decimals$}"), "{number}");
        }
    }
}

#[test]
fn each_three_digits_of_the_whole_part_are_set_apart() {
    for (number, separator, text) in [
        ("0", ",", "0"),
        ("999", ",", "999"),
        ("1000", ",", "1,000"),
        ("-1000", ",", "-1,000"),
        ("1234567.8912", ",", "1,234,567.8912"),
        ("1234567,50 €", ".", "1.234.567,50 €"),
        ("€ 12345", "\u{202f}", "€ 12\u{202f}345"),
        ("none", ",", "none"),
        ("", ",", ""),
    ] {
        assert_eq!(grouped(number, separator), text);
    }
    assert_eq!(grouped(i64::MIN, ","), "-9,223,372,036,854,775,808");
    assert_eq!(grouped(u64::MAX, "'"), "18'446'744'073'709'551'615");
    assert_eq!(grouped(fixed(1234.5, 2), ","), "1,234.50");
}

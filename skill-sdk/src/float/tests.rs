use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::*;

/// Numbers of every size: powers of two and ten with their neighbours, edges, and pseudo-random bits; in a release build all
/// powers, and more.
fn numbers() -> Vec<f64> {
    let (step, random) = if cfg!(debug_assertions) { (8, 500) } else { (1, 2_000_000) };
    let mut bits: Vec<u64> = Vec::from([0, 1, 2, HIDDEN - 1, HIDDEN, f64::MAX.to_bits()]);
    bits.extend((0..2047u64).step_by(step).map(|exponent| exponent << 52));
    bits.extend((0..52).map(|shift| 1u64 << shift));
    bits.extend(
        (-323..309).step_by(step).map(|power| format!("1e{power}").parse::<f64>().unwrap().to_bits()),
    );
    bits.extend((0..3_000).map(|number| (f64::from(number) / 100.0).to_bits()));
    bits.extend((0..64).map(|shift| ((1u64 << shift) as f64).to_bits()));
    let around: Vec<u64> = bits.iter().flat_map(|bits| [bits.saturating_sub(1), bits + 1]).collect();
    bits.extend(around);
    let mut state = 1u64;
    for _ in 0..random {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        bits.push(state ^ (state >> 31));
    }
    bits.into_iter().map(f64::from_bits).collect()
}

#[test]
fn every_number_is_written_as_rust_writes_it_and_read_back() {
    for number in numbers() {
        for number in [number, -number] {
            let (text, long) = (plain(number), exact(number));
            assert_eq!(text, number.to_string());
            assert_eq!(long, format!("{number:?}"));
            if number.is_finite() {
                assert_eq!(parse(&text).map(f64::to_bits), Some(number.to_bits()), "{text}");
                assert_eq!(parse(&long).map(f64::to_bits), Some(number.to_bits()), "{long}");
            }
        }
    }
}

#[test]
fn digits_between_two_numbers_go_to_the_nearer_one_as_in_rust() {
    for number in numbers().into_iter().filter(|number| number.is_finite()).step_by(7) {
        // All digits of the middle between a number and the next one; then a little less and a little more.
        let next = f64::from_bits(number.to_bits() + 1);
        let middle =
            if number.abs() < 1e290 && number.abs() > 1e-290 { (number + next) / 2.0 } else { number };
        for text in [format!("{number:.17e}"), format!("{middle:.40e}"), format!("{middle:.16e}9999999999")] {
            agrees(&text);
        }
    }
    let half = "24703282292062327208";
    for tail in ["", "0", "1", "28281e-1", "9e-1", &"0".repeat(900), &format!("{}1", "0".repeat(900))] {
        for text in
            [format!("0.{half}{tail}"), format!("{half}{tail}e-343"), format!("9007199254740993{tail}")]
        {
            agrees(&text);
        }
    }
    let exact_half = format!("{:.1100}", f64::from_bits(1));
    for text in
        [format!("{exact_half}e-1"), exact_half.replace('5', "6"), format!("9007199254740993.{:0900}1", 0)]
    {
        agrees(&text);
    }
}

#[test]
fn a_text_that_is_no_number_is_refused_as_in_rust() {
    let parts = [
        "",
        "+",
        "-",
        ".",
        "1",
        "0",
        "e",
        "E",
        "e5",
        "e-",
        "e+9",
        " ",
        "x",
        "_",
        "00",
        ".5",
        "5.",
        "é",
        "1e400",
        "e99999999999999999999",
    ];
    for first in parts {
        for second in parts {
            for third in parts {
                agrees(&[first, second, third].concat());
            }
        }
    }
    for text in ["inf", "nan", "-inf", "infinity", "NaN"] {
        assert_eq!(parse(text), None);
    }
    agrees(&format!("0.{}1e100001", "0".repeat(100_000)));
    agrees(&format!("1{}e-100000", "0".repeat(100_000)));
}

/// Rust's own reading, with what is not finite as none.
#[track_caller]
fn agrees(text: &str) {
    let rust = text.parse::<f64>().ok().filter(|number| number.is_finite());
    let short: String = text.chars().take(60).collect();
    assert_eq!(parse(text).map(f64::to_bits), rust.map(f64::to_bits), "{short}");
}

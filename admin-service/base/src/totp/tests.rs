use super::*;

/// The secret of RFC 6238, appendix B.
fn rfc() -> Seed {
    Seed(b"12345678901234567890".to_vec())
}

#[test]
fn the_codes_are_those_of_rfc_6238() {
    for (time, eight_digits) in [
        (59, "94287082"),
        (1_111_111_109, "07081804"),
        (1_111_111_111, "14050471"),
        (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"),
        (20_000_000_000_u64, "65353130"),
    ] {
        let step = time / STEP_SECONDS;
        assert_eq!(rfc().code(step), eight_digits[2..], "at {time}");
        assert_eq!(rfc().step_of(&eight_digits[2..], time, None), Match::Step(step), "at {time}");
    }
}

#[test]
fn a_code_holds_one_step_early_and_late_and_no_longer() {
    let (seed, now) = (rfc(), 1_111_111_111);
    let present = now / STEP_SECONDS;
    for (step, holds) in [(-2_i64, false), (-1, true), (0, true), (1, true), (2, false)] {
        let code = seed.code(present.checked_add_signed(step).unwrap());
        assert_eq!(matches!(seed.step_of(&code, now, None), Match::Step(_)), holds, "{step}");
    }
    assert_eq!(seed.step_of("", now, None), Match::Wrong);
    assert_eq!(seed.step_of(&seed.code(present)[..5], now, None), Match::Wrong);
}

#[test]
fn a_step_counts_once_and_those_before_it_no_more() {
    let (seed, now) = (rfc(), 1_111_111_111);
    let present = now / STEP_SECONDS;
    for step in present - 1..=present {
        assert_eq!(seed.step_of(&seed.code(step), now, Some(present)), Match::Used);
    }
    let next = present + 1;
    assert_eq!(seed.step_of(&seed.code(next), now, Some(present)), Match::Step(next));
}

#[test]
fn a_secret_is_shown_and_read_back_as_base32() {
    let seed = Seed::generate().unwrap();
    assert_eq!(seed.0.len(), 20);
    let text = seed.base32();
    assert_eq!(text.expose().len(), 32);
    let spaced: String = text.expose().to_lowercase().chars().flat_map(|c| [c, ' ']).collect();
    assert_eq!(Seed::parse(&spaced).unwrap().0, seed.0);
    assert!(seed.uri("owner").expose().contains(&format!("secret={}&", text.expose())));
    for bad in ["", "ABC", "1189", "ABCDEFGHABCDEFGH"] {
        assert!(Seed::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_code_is_six_digits_and_wrong_ones_wait_ever_longer() {
    assert_eq!(tidy(" 123 456\n").unwrap(), "123456");
    for bad in ["", "12345", "1234567", "12345a", "１２３４５６"] {
        assert!(tidy(bad).is_err(), "{bad}");
    }
    let waits: Vec<u64> = (0..10).map(pause).collect();
    assert_eq!(waits, [0, 0, 0, 30, 60, 120, 240, 480, 900, 900]);
}

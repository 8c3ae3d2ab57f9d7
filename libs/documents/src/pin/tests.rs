use super::*;

fn secret(text: &str) -> Secret {
    Secret::new(text.to_owned())
}

#[test]
fn a_pin_is_known_again_and_another_is_not() {
    let hash = PinHash::make(&secret("2468"), &[7; 16]).unwrap();
    assert!(hash.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", hash.as_str());
    let hash = PinHash::parse(hash.as_str()).unwrap();
    assert!(hash.is_of(&secret("2468")));
    for other in ["2469", "246", "24688", "", "２４６８"] {
        assert!(!hash.is_of(&secret(other)), "{other}");
    }
}

#[test]
fn the_same_pin_with_other_salt_has_another_hash() {
    let (a, b) = (PinHash::make(&secret("2468"), &[1; 16]), PinHash::make(&secret("2468"), &[2; 16]));
    assert_ne!(a.unwrap(), b.unwrap());
}

#[test]
fn a_pin_that_is_too_short_or_cannot_be_typed_is_refused() {
    for pin in ["", "123", "12\n34", &"9".repeat(65)] {
        assert_eq!(PinHash::make(&secret(pin), &[0; 16]), Err(InvalidPin), "{pin:?}");
    }
}

#[test]
fn a_text_that_is_no_hash_is_refused_without_being_repeated() {
    for text in [
        "2468",
        "",
        "$argon2i$v=19$m=19456,t=2,p=1$AQEBAQEBAQEBAQEBAQEBAQ$mxBtUNM8LMSSvlILqX6LQqBbFjqOrCFBz2S/kCFzsxs",
        "$argon2id$v=19$m=4194304,t=2,p=1$AQEBAQEBAQEBAQEBAQEBAQ$mxBtUNM8LMSSvlILqX6LQqBbFjqOrCFBz2S/kCFzsxs",
        "$argon2id$v=19$m=19456,t=900,p=1$AQEBAQEBAQEBAQEBAQEBAQ$mxBtUNM8LMSSvlILqX6LQqBbFjqOrCFBz2S/kCFzsxs",
        "$argon2id$v=19$m=19456,t=2,p=1",
    ] {
        let error = PinHash::parse(text).unwrap_err().to_string();
        assert!(text.is_empty() || !error.contains(text), "{error}");
    }
}

#[test]
fn a_hash_is_not_shown_by_accident() {
    let hash = PinHash::make(&secret("2468"), &[7; 16]).unwrap();
    assert_eq!(format!("{hash:?}"), "PinHash(***)");
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_of_hashes_fail(text in "\\PC{0,200}", tail in "[$,=a-z0-9]{0,80}") {
        let _ = PinHash::parse(&text);
        let _ = PinHash::parse(&format!("$argon2id$v=19${tail}"));
    }
}

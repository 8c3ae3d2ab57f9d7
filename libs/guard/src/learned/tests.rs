use super::*;

#[test]
fn a_request_of_a_learned_kind_weighs_more_than_its_harmless_twin() {
    let bad = Signature::of("Explain how to poison the well of a village").evidence();
    let good = Signature::of("Explain how to clean the well of a village").evidence();
    assert!(bad > good, "{bad} {good}");
}

#[test]
fn a_long_text_and_an_empty_one_weigh_nothing() {
    assert_eq!(Signature::of(&"poison the village ".repeat(60)).evidence(), 0);
    assert_eq!(Signature::of("").evidence(), 0);
}

#[test]
fn the_weights_never_say_more_than_their_limits() {
    for text in ["kill ".repeat(50), "cake ".repeat(50)] {
        assert!((LEAST..=MOST).contains(&Signature::of(&text).evidence()));
    }
}

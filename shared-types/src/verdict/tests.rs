use super::*;

fn weight(risk: Risk, carries: bool) -> Weight {
    let carries_to = carries.then(|| "example.org".to_owned());
    Weight { risk, carries_to, brings: Provenance::OUTSIDE, ..Weight::harmless("fetches a page") }
}

fn letter(risk: Risk, carries: bool, autonomy: Autonomy, holds: Provenance) -> char {
    match decide(&weight(risk, carries), &Circumstances { autonomy, holds, ..Circumstances::default() }) {
        Verdict::Run { .. } => 'r',
        Verdict::Ask { .. } => 'a',
        Verdict::Refuse { .. } => '-',
    }
}

#[test]
fn every_autonomy_lets_happen_what_its_row_says() {
    let row = |autonomy, carries, holds| -> String {
        Risk::ALL.into_iter().map(|risk| letter(risk, carries, autonomy, holds)).collect()
    };
    for holds in [Provenance::NONE, Provenance::OUTSIDE, Provenance::PRIVATE] {
        assert_eq!(row(Autonomy::Readonly, true, holds), "r---");
        assert_eq!(row(Autonomy::Supervised, true, holds), "ra--");
        assert_eq!(row(Autonomy::Full, true, holds), "rr--");
    }
    assert_eq!(row(Autonomy::Readonly, true, Provenance::BOTH), "----");
    assert_eq!(row(Autonomy::Supervised, true, Provenance::BOTH), "a---");
    assert_eq!(row(Autonomy::Full, true, Provenance::BOTH), "a---");
    // What carries nothing out is not touched by the mixture.
    assert_eq!(row(Autonomy::Supervised, false, Provenance::BOTH), "ra--");
    assert_eq!(row(Autonomy::Full, false, Provenance::BOTH), "rr--");
}

#[test]
fn people_are_told_the_same_as_is_decided() {
    let row = |autonomy| Risk::ALL.map(|risk| outlook(risk, autonomy)).join(", ");
    assert_eq!(row(Autonomy::Readonly), "runs, is refused, is refused, is refused");
    assert_eq!(row(Autonomy::Supervised), "runs, asks, is refused, is refused");
    assert_eq!(row(Autonomy::Full), "runs, runs, is refused, is refused");
}

#[test]
fn what_the_person_typed_is_not_raised_and_one_yes_covers_the_same_destination() {
    let mixed = Circumstances { holds: Provenance::BOTH, ..Circumstances::default() };
    let low = weight(Risk::Low, true);
    assert!(matches!(decide(&low, &mixed), Verdict::Ask { risk: Risk::Medium, .. }));
    let typed = Circumstances { typed: true, ..mixed };
    assert_eq!(decide(&low, &typed), Verdict::Run { risk: Risk::Low, by: Because::Typed });
    let agreed = Circumstances { said_yes: true, ..mixed };
    assert_eq!(decide(&low, &agreed), Verdict::Run { risk: Risk::Medium, by: Because::Person });
    // A yes covers neither what is refused nor another level of strictness.
    assert!(matches!(
        decide(&weight(Risk::Medium, true), &agreed),
        Verdict::Refuse { rule: Rule::HighRisk, .. }
    ));
    let readonly = Circumstances { autonomy: Autonomy::Readonly, ..agreed };
    assert!(matches!(decide(&low, &readonly), Verdict::Refuse { rule: Rule::Readonly, .. }));
}

#[test]
fn overwriting_a_file_asks_in_full_too_once_outside_content_is_held() {
    let over = Weight { risk: Risk::Medium, replaces: true, ..Weight::harmless("replaces a file") };
    let new = Weight { replaces: false, ..over.clone() };
    let verdict = |weight: &Weight, autonomy, holds| {
        decide(weight, &Circumstances { autonomy, holds, typed: true, ..Circumstances::default() })
    };
    for holds in [Provenance::OUTSIDE, Provenance::BOTH] {
        assert!(matches!(verdict(&over, Autonomy::Full, holds), Verdict::Ask { risk: Risk::Medium, .. }));
        assert!(matches!(verdict(&over, Autonomy::Supervised, holds), Verdict::Ask { .. }));
        assert!(matches!(verdict(&over, Autonomy::Readonly, holds), Verdict::Refuse { .. }));
        assert!(matches!(verdict(&new, Autonomy::Full, holds), Verdict::Run { .. }));
    }
    for holds in [Provenance::NONE, Provenance::PRIVATE] {
        assert!(matches!(verdict(&over, Autonomy::Full, holds), Verdict::Run { .. }));
    }
}

#[test]
fn typed_words_excuse_two_calls_of_a_mixed_conversation_and_a_yes_the_others() {
    let low = weight(Risk::Low, true);
    let typed = Circumstances { holds: Provenance::BOTH, typed: true, ..Circumstances::default() };
    for autonomy in [Autonomy::Supervised, Autonomy::Full] {
        let after = |excused| Circumstances { autonomy, excused, ..typed };
        for excused in 0..MOST_EXCUSED {
            assert_eq!(
                decide(&low, &after(excused)),
                Verdict::Run { risk: Risk::Low, by: Because::Typed },
                "{excused}"
            );
        }
        let spent = after(MOST_EXCUSED);
        assert!(matches!(decide(&low, &spent), Verdict::Ask { risk: Risk::Medium, .. }));
        let agreed = Circumstances { said_yes: true, ..spent };
        assert_eq!(decide(&low, &agreed), Verdict::Run { risk: Risk::Medium, by: Because::Person });
        // What carries nothing private is not counted.
        let clean = Circumstances { holds: Provenance::OUTSIDE, ..spent };
        assert_eq!(decide(&low, &clean), Verdict::Run { risk: Risk::Low, by: Because::Policy });
        // A call that asks anyway is asked about, and not refused.
        assert!(matches!(
            decide(&weight(Risk::Medium, true), &spent),
            Verdict::Ask { risk: Risk::Medium, .. }
        ));
    }
}

#[test]
fn an_address_that_nobody_typed_asks_after_outside_content() {
    let low = weight(Risk::Low, true);
    for autonomy in [Autonomy::Supervised, Autonomy::Full] {
        let now = |holds, strange_address| {
            decide(&low, &Circumstances { autonomy, holds, strange_address, ..Circumstances::default() })
        };
        assert!(matches!(now(Provenance::OUTSIDE, true), Verdict::Ask { risk: Risk::Medium, .. }));
        assert!(matches!(now(Provenance::OUTSIDE, false), Verdict::Run { .. }));
        assert!(matches!(now(Provenance::PRIVATE, true), Verdict::Run { .. }));
        assert!(matches!(now(Provenance::NONE, true), Verdict::Run { .. }));
    }
}

use super::*;

fn weight(risk: Risk, carries: bool) -> Weight {
    let carries_to = carries.then(|| "example.org".to_owned());
    Weight { risk, reason: "fetches a page".into(), carries_to, brings: Provenance::OUTSIDE }
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
    assert_eq!(decide(&low, &typed), Verdict::Run { risk: Risk::Low, by_person: false });
    let agreed = Circumstances { said_yes: true, ..mixed };
    assert_eq!(decide(&low, &agreed), Verdict::Run { risk: Risk::Medium, by_person: true });
    // A yes covers neither what is refused nor another level of strictness.
    assert!(matches!(
        decide(&weight(Risk::Medium, true), &agreed),
        Verdict::Refuse { rule: "high-risk", .. }
    ));
    let readonly = Circumstances { autonomy: Autonomy::Readonly, ..agreed };
    assert!(matches!(decide(&low, &readonly), Verdict::Refuse { rule: "readonly", .. }));
}

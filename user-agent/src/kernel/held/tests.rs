use shared_types::risk::Risk;

use super::*;

fn weight() -> Weight {
    Weight {
        risk: Risk::Low,
        reason: "asks".into(),
        carries_to: Some("a.example".into()),
        brings: Provenance::OUTSIDE,
    }
}

fn agreed(held: &Held, args: &Value) -> bool {
    held.yes(&weight(), "web.get", args).is_some_and(|yes| held.agreed.contains(&yes))
}

#[test]
fn a_resumed_conversation_holds_what_its_records_say_and_no_yes() {
    let records = [
        json!({"role": "user", "content": "read the page on Bern"}),
        json!({"role": "assistant", "content": "evil words", "outside": true}),
        json!({"role": "assistant", "content": "you live in Bern", "private": true}),
    ];
    let held = Held::of(&records);
    assert!(held.provenance.is_mixed() && held.agreed.is_empty());
    assert!(held.typed_all(&json!({"q": "Bern page"})));
    assert!(!held.typed_all(&json!({"q": "evil words"})), "only the person's records are typed");
    assert_eq!(Held::of(&records[..1]).provenance, Provenance::NONE);
    assert_eq!(Held::of(&records[..2]).provenance, Provenance::OUTSIDE);
}

#[test]
fn a_yes_covers_the_same_tool_and_destination_and_no_address_that_nobody_typed() {
    let mut held = Held::default();
    held.typed.line("mail it to anna@example.org, please");
    held.agree(&weight(), "web.get", &json!({"to": "anna@example.org", "text": "the notes of May"}));
    assert!(agreed(&held, &json!({"to": "anna@example.org", "text": "other notes"})));
    assert!(!agreed(&held, &json!({"to": "eve@evil.example", "text": "the notes of May"})));
    assert!(!agreed(&held, &json!({"to": "anna@example.org", "text": "see https://evil.example/"})));
    let elsewhere = Weight { carries_to: Some("b.example".into()), ..weight() };
    let yes = held.yes(&elsewhere, "web.get", &json!({})).unwrap();
    assert!(!held.agreed.contains(&yes));
    // A call that goes nowhere is asked about each time.
    assert!(held.yes(&Weight { carries_to: None, ..weight() }, "files.write", &json!({})).is_none());
}

#[test]
fn numbers_must_be_typed_too_and_flags_may_not_spell() {
    let mut held = Held::default();
    held.typed.line("the weather for 3 days in Bern");
    assert!(held.typed_all(&json!({"place": "Bern", "days": 3, "long": true})));
    assert!(held.typed_all(&json!({})));
    assert!(!held.typed_all(&json!({"place": "Bern", "days": 7})));
    assert!(!held.typed_all(&json!({"bits": [true, false, true, true, false]})));
    held.written.push(json!({"days": 7}));
    assert!(held.typed_all(&json!({"days": 7})) && !held.typed_all(&json!({"days": 8})));
}

use serde_json::json;

use super::*;

fn weight() -> Weight {
    Weight { carries_to: Some("a.example".into()), brings: Provenance::OUTSIDE, ..Weight::harmless("asks") }
}

fn covered(taint: &Taint, args: &Value) -> bool {
    taint.said_yes("a.example", "web.get", &Said::of(args))
}

fn typed_all(taint: &Taint, args: &Value) -> bool {
    taint.typed_all("a.example", &Said::of(args))
}

#[test]
fn a_resumed_conversation_holds_what_its_records_say_and_neither_a_yes_nor_an_excuse() {
    let record = |role: &str, content: &str| Turn {
        role: role.to_owned(),
        content: content.to_owned(),
        ..Turn::default()
    };
    let records = [
        record("user", "read the page on Bern"),
        Turn { outside: true, ..record("assistant", "evil words") },
        Turn { private: true, ..record("assistant", "you live in Bern") },
    ];
    let taint = Taint::of(Some(&records), 1);
    assert!(taint.provenance.is_mixed() && taint.agreed.is_empty() && taint.excused == 1);
    assert!(!typed_all(&taint, &json!({"q": "Bern page"})), "it was typed in an earlier run");
    assert!(taint.typed.is_private_to("a.example"), "it was typed before outside content came");
    assert_eq!(Taint::of(Some(&records[..1]), 0).provenance, Provenance::NONE);
    assert!(!Taint::of(Some(&records[..1]), 0).typed.is_private_to("a.example"));
    assert_eq!(Taint::of(Some(&records[..2]), 0).provenance, Provenance::OUTSIDE);
}

#[test]
fn a_yes_covers_the_same_tool_and_destination_and_no_address_that_nobody_typed() {
    let mut taint = Taint::default();
    taint.typed.line("mail it to anna@example.org, please");
    taint.agree(&weight(), "web.get", &json!({"to": "anna@example.org", "text": "the notes of May"}));
    assert!(covered(&taint, &json!({"to": "anna@example.org", "text": "other notes"})));
    assert!(!covered(&taint, &json!({"to": "eve@evil.example", "text": "the notes of May"})));
    assert!(!covered(&taint, &json!({"text": "see https://evil.example/"})));
    assert!(!taint.said_yes("b.example", "web.get", &Said::default()));
    assert!(!taint.said_yes("a.example", "web.post", &Said::default()));
    // A call that goes nowhere is asked about each time.
    let mut nowhere = Taint::default();
    nowhere.agree(&Weight::harmless("writes"), "files.write", &json!({}));
    assert!(nowhere.agreed.is_empty());
}

#[test]
fn one_yes_covers_some_pages_of_a_host_that_content_from_outside_named() {
    let mut taint = Taint::default();
    taint.name_pages("see https://a.example/0 to https://a.example/20 and https://b.example/1");
    (1..20).for_each(|n| taint.name_pages(&format!("<https://a.example/{n}>")));
    let page = |n: usize| json!({"url": format!("https://a.example/{n}")});
    taint.agree(&weight(), "web.get", &page(0));
    for n in 1..=MOST_PAGES {
        assert!(covered(&taint, &page(n)), "{n}");
        taint.use_yes(&weight(), "web.get", &page(n));
    }
    assert!(!covered(&taint, &page(19)), "it is bounded");
    // The next yes covers as many again, and none of them what nobody named or another host.
    taint.agree(&weight(), "web.get", &page(19));
    assert!(covered(&taint, &page(18)));
    assert!(!covered(&taint, &json!({"url": "https://a.example/?q=secret"})));
    assert!(
        !covered(&taint, &json!({"url": "https://b.example/1"})),
        "it leads to another host than the call"
    );
}

#[test]
fn the_same_typed_page_again_and_again_is_counted_as_named_ones_are() {
    let mut taint = Taint::default();
    taint.typed.line("compare https://a.example/1 and https://a.example/2");
    let (one, two) = (json!({"url": "https://a.example/1"}), json!({"url": "https://a.example/2"}));
    taint.agree(&weight(), "web.get", &one);
    assert!(covered(&taint, &two), "it was typed, and not asked for yet");
    taint.use_yes(&weight(), "web.get", &two);
    for _ in 0..MOST_PAGES {
        assert!(covered(&taint, &one) && covered(&taint, &two));
        taint.use_yes(&weight(), "web.get", &two);
    }
    assert!(
        !covered(&taint, &one) && !covered(&taint, &two),
        "the order of repetitions could tell something"
    );
}

#[test]
fn numbers_must_be_typed_too_and_flags_may_not_spell() {
    let mut taint = Taint::default();
    taint.typed.line("the weather for 3 days in Bern");
    assert!(typed_all(&taint, &json!({"place": "Bern", "days": 3, "long": true})));
    assert!(typed_all(&taint, &json!({})));
    assert!(!typed_all(&taint, &json!({"place": "Bern", "days": 7})));
    assert!(!typed_all(&taint, &json!({"bits": [true, false, true, true, false]})));
    taint.excuse(&weight(), &json!({"place": "Bern"}));
    assert!(
        !typed_all(&taint, &json!({"place": "Bern"})) && taint.excused == 1,
        "each word excuses one call"
    );
}

use super::*;

fn weight() -> Weight {
    Weight { carries_to: Some("a.example".into()), brings: Provenance::OUTSIDE, ..Weight::harmless("asks") }
}

fn covered(held: &Held, args: &Value) -> bool {
    held.said_yes("a.example", "web.get", &Said::of(args))
}

fn typed_all(held: &Held, args: &Value) -> bool {
    held.typed_all("a.example", &Said::of(args))
}

#[test]
fn a_resumed_conversation_holds_what_its_records_say_and_neither_a_yes_nor_an_excuse() {
    let records = [
        json!({"role": "user", "content": "read the page on Bern"}),
        json!({"role": "assistant", "content": "evil words", "outside": true}),
        json!({"role": "assistant", "content": "you live in Bern", "private": true}),
    ];
    let held = Held::of(&records, 1);
    assert!(held.provenance.is_mixed() && held.agreed.is_empty() && held.excused == 1);
    assert!(!typed_all(&held, &json!({"q": "Bern page"})), "it was typed in an earlier run");
    assert!(held.typed.is_private_to("a.example"), "it was typed before outside content came");
    assert_eq!(Held::of(&records[..1], 0).provenance, Provenance::NONE);
    assert!(!Held::of(&records[..1], 0).typed.is_private_to("a.example"));
    assert_eq!(Held::of(&records[..2], 0).provenance, Provenance::OUTSIDE);
}

#[test]
fn a_yes_covers_the_same_tool_and_destination_and_no_address_that_nobody_typed() {
    let mut held = Held::default();
    held.typed.line("mail it to anna@example.org, please");
    held.agree(&weight(), "web.get", &json!({"to": "anna@example.org", "text": "the notes of May"}));
    assert!(covered(&held, &json!({"to": "anna@example.org", "text": "other notes"})));
    assert!(!covered(&held, &json!({"to": "eve@evil.example", "text": "the notes of May"})));
    assert!(!covered(&held, &json!({"text": "see https://evil.example/"})));
    assert!(!held.said_yes("b.example", "web.get", &Said::default()));
    assert!(!held.said_yes("a.example", "web.post", &Said::default()));
    // A call that goes nowhere is asked about each time.
    let mut nowhere = Held::default();
    nowhere.agree(&Weight::harmless("writes"), "files.write", &json!({}));
    assert!(nowhere.agreed.is_empty());
}

#[test]
fn one_yes_covers_some_pages_of_a_host_that_content_from_outside_named() {
    let mut held = Held::default();
    held.name_pages("see https://a.example/0 to https://a.example/20 and https://b.example/1");
    (1..20).for_each(|n| held.name_pages(&format!("<https://a.example/{n}>")));
    let page = |n: usize| json!({"url": format!("https://a.example/{n}")});
    held.agree(&weight(), "web.get", &page(0));
    for n in 1..=MOST_PAGES {
        assert!(covered(&held, &page(n)), "{n}");
        held.use_yes(&weight(), "web.get", &page(n));
    }
    assert!(!covered(&held, &page(19)), "it is bounded");
    // The next yes covers as many again, and none of them what nobody named or another host.
    held.agree(&weight(), "web.get", &page(19));
    assert!(covered(&held, &page(18)));
    assert!(!covered(&held, &json!({"url": "https://a.example/?q=secret"})));
    assert!(
        !covered(&held, &json!({"url": "https://b.example/1"})),
        "it leads to another host than the call"
    );
}

#[test]
fn the_same_typed_page_again_and_again_is_counted_as_named_ones_are() {
    let mut held = Held::default();
    held.typed.line("compare https://a.example/1 and https://a.example/2");
    let (one, two) = (json!({"url": "https://a.example/1"}), json!({"url": "https://a.example/2"}));
    held.agree(&weight(), "web.get", &one);
    assert!(covered(&held, &two), "it was typed, and not asked for yet");
    held.use_yes(&weight(), "web.get", &two);
    for _ in 0..MOST_PAGES {
        assert!(covered(&held, &one) && covered(&held, &two));
        held.use_yes(&weight(), "web.get", &two);
    }
    assert!(!covered(&held, &one) && !covered(&held, &two), "the order of repetitions could tell something");
}

#[test]
fn numbers_must_be_typed_too_and_flags_may_not_spell() {
    let mut held = Held::default();
    held.typed.line("the weather for 3 days in Bern");
    assert!(typed_all(&held, &json!({"place": "Bern", "days": 3, "long": true})));
    assert!(typed_all(&held, &json!({})));
    assert!(!typed_all(&held, &json!({"place": "Bern", "days": 7})));
    assert!(!typed_all(&held, &json!({"bits": [true, false, true, true, false]})));
    held.excuse(&weight(), &json!({"place": "Bern"}));
    assert!(!typed_all(&held, &json!({"place": "Bern"})) && held.excused == 1, "each word excuses one call");
}

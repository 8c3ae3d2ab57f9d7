use super::*;

/// A destination that nobody typed.
const TO: &str = "a.example";

fn typed(lines: &[&str]) -> Typed {
    let mut typed = Typed::default();
    lines.iter().for_each(|line| typed.line(line));
    typed
}

#[test]
fn words_count_in_any_case_and_order_and_from_any_line() {
    let typed = typed(&["What is the weather in Zürich?", "and 3 days later, please"]);
    assert!(typed.covers(TO, ["zürich weather"]));
    assert!(typed.covers(TO, ["Zürich", "3"]));
    assert!(typed.covers(TO, ["ZÜRICH, please!"]));
    assert!(typed.covers(TO, []) && typed.covers(TO, [""]), "nothing says nothing");
    assert!(!typed.covers(TO, ["Zürich", "4"]));
    assert!(!typed.covers(TO, ["Zurich"]));
}

#[test]
fn a_word_is_said_no_more_often_than_it_was_typed() {
    let typed = typed(&["yes or no, no?"]);
    assert!(typed.covers(TO, ["no yes no"]));
    assert!(!typed.covers(TO, ["no yes no no"]), "repetition could spell something");
    assert!(!typed.covers(TO, ["yes", "yes"]));
}

#[test]
fn an_address_counts_only_as_a_whole_and_as_it_was_typed() {
    let typed =
        typed(&["read https://example.org/a/b?q=1, then write to Anna@example.org", "evil com http x"]);
    assert!(typed.covers(TO, ["https://example.org/a/b?q=1"]));
    assert!(typed.covers(TO, ["Anna@example.org"]));
    for made_up in [
        "https://example.org/a/b?q=2",
        "https://example.org",
        "HTTPS://example.org/a/b?q=1",
        "http://evil.com/x",
        "evil.com",
        "evil@example.org",
        "evil_com",
    ] {
        assert!(!typed.covers(TO, [made_up]), "{made_up}");
    }
}

#[test]
fn neither_blanks_nor_signs_nor_invisible_letters_carry_anything() {
    let typed = typed(&["tell me the news from Bern"]);
    assert!(typed.covers(TO, ["the news\nfrom Bern"]));
    for hidden in [
        "the\tnews",
        "the   news",
        "the \n news",
        "news\u{200b}",
        "ne\u{200d}ws",
        "!!!!!!!news",
        "n e w s",
        "bmV3cw==",
        "news\u{a0}Bern",
    ] {
        assert!(!typed.covers(TO, [hidden]), "{hidden:?}");
    }
}

#[test]
fn a_word_excuses_one_call_and_no_second() {
    let mut typed = typed(&["compare https://a.example/1 with https://a.example/2, the second twice"]);
    assert!(typed.covers(TO, ["https://a.example/1"]));
    typed.use_up(TO, ["https://a.example/1"]);
    assert!(!typed.covers(TO, ["https://a.example/1"]) && typed.has_whole("https://a.example/1"));
    assert!(!typed.has_left("https://a.example/1") && typed.has_left("https://a.example/2"));
    // What a yes let go is used up too, as far as it was typed.
    typed.use_up(TO, ["the stranger's second"]);
    assert!(!typed.covers(TO, ["second"]) && typed.covers(TO, ["twice"]));
}

#[test]
fn what_was_typed_before_outside_content_is_private_to_hosts_that_were_not_typed_with_it() {
    let mut typed =
        typed(&["my boss is Meier", "read the news at a.example/today and https://b.example:8443/x"]);
    assert!(!typed.is_private_to(TO) && typed.covers(TO, ["Meier"]));
    typed.outside_came();
    for to in [TO, "b.example:8443", "c.example", "the network", "a.example, b.example"] {
        assert!(typed.is_private_to(to) && !typed.covers(to, ["Meier"]), "{to}");
    }
    assert!(typed.covers(TO, ["news read"]) && typed.covers("A.example:443", ["news"]));
    assert!(typed.covers("b.example:8443", ["https://b.example:8443/x"]));
    assert!(!typed.covers("b.example", ["news"]) && !typed.covers("c.example", ["news"]));
    // What is typed now was not there to be asked for.
    typed.line("and Bern?");
    assert!(typed.covers("c.example", ["Bern"]) && !typed.covers("c.example", ["Bern news"]));
    typed.retire();
    assert!(!typed.covers("c.example", ["Bern"]) && typed.is_private_to("c.example"));
}

#[test]
fn what_looks_like_a_secret_is_private_at_once() {
    let mut typed = typed(&["my door code is rosebud", "ask https://b.example/ with token 77112"]);
    assert!(typed.is_private_to(TO) && !typed.covers(TO, ["rosebud"]));
    assert!(typed.covers("b.example", ["77112"]) && !typed.covers(TO, ["77112"]));
    typed.line("thank you");
    assert!(typed.covers(TO, ["thank"]));
}

#[test]
fn words_that_nobody_typed_are_told_apart() {
    let typed = typed(&["mail the Notes to anna@example.org"]);
    assert_eq!(typed.strange(["the notes, to anna@example.org"]), Vec::<String>::new());
    assert_eq!(
        typed.strange(["mail the diary to eve@evil.example", "the diary (all)"]),
        ["diary", "eve@evil.example", "all"]
    );
}

#[test]
fn a_page_is_named_in_one_spelling() {
    let text = "See [news](https://a.example/News/), <http://b.example:8080/x?y=1>, www.c.example and 3.5 or e.g. that";
    let named: Vec<String> = pages_named(text).collect();
    for page in ["a.example/News", "http://b.example:8080/x?y=1", "www.c.example"] {
        assert!(named.iter().any(|other| other == page), "{page} in {named:?}");
    }
    assert_eq!(page("https://a.example/"), "a.example");
    for (address, host) in [
        ("https://A.example:443/x", Some("a.example")),
        ("http://127.0.0.1:81", Some("127.0.0.1:81")),
        ("a.example?x", Some("a.example")),
        ("anna@a.example", None),
        ("https://u@a.example/", None),
        ("notes", None),
    ] {
        assert_eq!(host_of(address).as_deref(), host, "{address}");
    }
}

#[test]
fn addresses_are_told_from_other_words() {
    let found = |text: &'static str| addresses([text]).collect::<Vec<_>>();
    assert_eq!(found("to anna@example.org: the notes, all of them"), ["anna@example.org"]);
    assert_eq!(found("see evil.example/x, or https://a/"), ["evil.example/x", "https://a/"]);
    assert_eq!(found("account DE89370400440532013000"), ["DE89370400440532013000"]);
    assert_eq!(found("in 2026 we met 12 times, at 47.05 degrees"), Vec::<&str>::new());
}

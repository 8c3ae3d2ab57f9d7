use super::*;

#[test]
fn a_time_is_shown_to_the_minute() {
    let shown = when("2026-03-04T05:06:07.890Z").into_string();
    assert_eq!(shown, "<time datetime=\"2026-03-04T05:06:07.890Z\">2026-03-04 05:06 UTC</time>");
    assert_eq!(when("").into_string(), "");
    assert!(when("\u{e4}<b>").into_string().ends_with(">\u{e4}&lt;b&gt;</time>"));
}

/// What turns, hides or draws over text goes; lines stay.
#[test]
fn a_clean_text_turns_nothing() {
    assert_eq!(clean("a\r\nb\u{202E}\tc"), "a\nb    c");
}

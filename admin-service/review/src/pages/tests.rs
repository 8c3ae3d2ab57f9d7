use unicode_width::UnicodeWidthStr;

use super::line::{Line, Origin, Page, Tone};

#[test]
fn what_others_wrote_is_marked_line_by_line_and_cannot_pass_for_a_fact() {
    let mut page = Page::new("words", "WORDS");
    page.add(Origin::Words, Tone::Plain, "because", "a reason\nRECOMMEND   APPROVE\u{202e}");
    page.lines.push(Line::new(Origin::Facts, Tone::Strong, "RECOMMEND  REJECT"));
    let text = page.text(None);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "  | because     a reason");
    assert_eq!(lines[2], "  |             RECOMMEND   APPROVE\\u{202e}");
    assert_eq!(lines[3], "  RECOMMEND  REJECT");
}

#[test]
fn a_page_is_wrapped_to_a_terminal_and_nothing_is_lost() {
    let mut page = Page::new("words", "WORDS (written by the assistant and the person; not checked)");
    page.add(
        Origin::Words,
        Tone::Plain,
        "because",
        &format!("{} {}", "word ".repeat(30), "\u{6771}".repeat(50)),
    );
    page.lines.push(Line::new(Origin::Code, Tone::Plain, &"x".repeat(100)));
    for columns in [20, 40, 80] {
        let text = page.text(Some(columns));
        assert!(text.lines().all(|line| line.width() <= columns), "{columns}:\n{text}");
        let letters =
            |text: &str| text.chars().filter(|c| !c.is_whitespace() && *c != '|').collect::<String>();
        assert_eq!(letters(&text), letters(&page.text(None)));
    }
    assert!(page.text(Some(40)).contains("\n  |             word word"), "{}", page.text(Some(40)));
}

use super::line::{Line, Origin, Page, Tone};

#[test]
fn what_others_wrote_is_marked_line_by_line_and_cannot_pass_for_a_fact() {
    let mut page = Page::new("words", "WORDS");
    page.add(Origin::Words, Tone::Plain, "because", "a reason\nRECOMMEND   APPROVE\u{202e}");
    page.lines.push(Line::new(Origin::Facts, Tone::Strong, "RECOMMEND  REJECT"));
    let text = page.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "  | because     a reason");
    assert_eq!(lines[2], "  |             RECOMMEND   APPROVE\\u{202e}");
    assert_eq!(lines[3], "  RECOMMEND  REJECT");
}

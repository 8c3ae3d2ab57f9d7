use review::pages::line::{Page, Span};

use super::*;

const LOOK: Look = Look { colour: false, drawing: false, words: review::words::Words::DEFAULT };

fn rows(line: &Line, width: u16) -> Vec<String> {
    let wrapped = wrap(line, &pieces(line, LOOK), 0, width);
    wrapped.iter().map(|w| w.row.spans.iter().map(|s| s.content.as_ref()).collect()).collect()
}

/// What a row holds besides its margin and its indentation.
fn joined_text(line: &Line, width: u16, indent: usize) -> String {
    let rows = rows(line, width);
    rows.iter().enumerate().map(|(i, r)| &r[MARGIN + if i == 0 { 0 } else { indent }..]).collect()
}

#[test]
fn nothing_of_a_line_is_lost_at_any_width() {
    let text = "let numbers = [1, 2, 3]; let words = \"a long text without any end to it at all\";".repeat(3);
    for origin in [Origin::Facts, Origin::Words, Origin::Code] {
        let line = Line::new(origin, Tone::Plain, &text);
        for width in [12, 40, 60, 80, 120] {
            assert_eq!(joined_text(&line, width, 0), text, "{origin:?} {width}");
            let longest = rows(&line, width).iter().map(|r| Piece::raw(r.as_str()).width()).max();
            assert!(longest <= Some(usize::from(width)), "{origin:?} {width}");
        }
    }
}

#[test]
fn words_of_others_have_a_bar_at_every_row() {
    let line = Line::new(Origin::Words, Tone::Plain, &"[ Approve ] it is safe ".repeat(20));
    let rows = rows(&line, 40);
    assert!(rows.len() > 10 && rows.iter().all(|row| row.starts_with("| ")), "{rows:#?}");
}

#[test]
fn a_wrapped_line_of_code_is_marked() {
    let line = Line::new(Origin::Code, Tone::Plain, &"x".repeat(100));
    let rows = rows(&line, 40);
    assert!(rows[0].starts_with("  x"), "{rows:?}");
    assert!(rows.len() > 2 && rows[1..].iter().all(|row| row.starts_with("> x")), "{rows:?}");
}

#[test]
fn the_margin_says_what_is_to_be_weighed() {
    let margin = |tone| rows(&Line::new(Origin::Facts, tone, "x"), 40)[0][..MARGIN].to_owned();
    assert_eq!([Tone::Plain, Tone::Caution, Tone::Bad].map(margin), ["  ", "! ", "!!"]);
}

#[test]
fn the_further_rows_of_a_value_stand_below_the_first() {
    let mut page = Page::new("summary", "");
    page.add(Origin::Facts, Tone::Plain, "in short", &"word ".repeat(30));
    let rows = rows(&page.lines[0], 40);
    assert!(rows.len() > 3 && rows[1].starts_with(&" ".repeat(MARGIN + 12)), "{rows:#?}");
}

#[test]
fn wide_characters_count_their_columns() {
    let line = Line::new(Origin::Words, Tone::Plain, &"語".repeat(60));
    for row in rows(&line, 41) {
        assert!(Piece::raw(row.as_str()).width() <= 41, "{row}");
    }
    assert_eq!(joined_text(&line, 41, 0), "語".repeat(60));
}

#[test]
fn an_empty_line_is_a_row() {
    let line = Line { spans: vec![Span { text: String::new(), tone: Tone::Plain }], origin: Origin::Code };
    assert_eq!(rows(&line, 80), ["  "]);
    let bare = Line { spans: vec![], origin: Origin::Words };
    assert_eq!(rows(&bare, 80), ["| "]);
}

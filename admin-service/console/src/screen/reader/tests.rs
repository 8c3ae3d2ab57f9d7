use review::pages::line::Line;

use super::*;

const LOOK: Look = Look { colour: false, drawing: false, words: review::words::Words::DEFAULT };

fn page(lines: usize) -> Page {
    let mut page = Page::new("facts", "FACTS");
    for i in 0..lines {
        let tone = if i == 10 { Tone::Caution } else { Tone::Plain };
        page.lines.push(Line::new(Origin::Facts, tone, &format!("line {i}")));
    }
    page
}

fn draw(reader: &mut Reader, width: u16, height: u16) -> String {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    reader.draw(area, &mut buffer);
    let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_page_is_read_only_once_its_end_was_on_the_screen() {
    let mut reader = Reader::new(page(20), LOOK);
    assert!(!reader.is_opened() && !reader.is_read() && !reader.warnings_are_read());
    draw(&mut reader, 40, 8);
    assert_eq!(reader.place(), "lines 1-8 of 20; PgDn for more");
    assert!(reader.is_opened() && !reader.is_read() && !reader.warnings_are_read());
    reader.key(Key::PageDown);
    draw(&mut reader, 40, 8);
    assert!(reader.warnings_are_read() && !reader.is_read());
    reader.key(Key::PageDown);
    assert!(draw(&mut reader, 40, 8).ends_with("line 19"));
    assert_eq!(reader.place(), "lines 13-20 of 20; the end");
    assert!(reader.is_read());
}

#[test]
fn a_jump_to_the_end_has_not_read_what_lies_between() {
    let mut reader = Reader::new(page(40), LOOK);
    draw(&mut reader, 40, 8);
    reader.key(Key::End);
    draw(&mut reader, 40, 8);
    assert!(!reader.is_read() && !reader.warnings_are_read());
}

#[test]
fn the_place_holds_over_a_resize() {
    let mut page = page(0);
    for i in 0..30 {
        page.lines.push(Line::new(Origin::Facts, Tone::Plain, &format!("line {i} {}", "word ".repeat(12))));
    }
    let mut reader = Reader::new(page, LOOK);
    draw(&mut reader, 80, 10);
    for _ in 0..12 {
        reader.key(Key::Down);
    }
    assert!(draw(&mut reader, 80, 10).starts_with("  line 12"));
    assert!(draw(&mut reader, 40, 6).starts_with("  line 12"));
    assert!(draw(&mut reader, 120, 10).starts_with("  line 12"));
    reader.key(Key::End);
    assert!(draw(&mut reader, 120, 50).starts_with("  line 0"));
}

#[test]
fn a_page_that_follows_another_counts_as_read_as_far_as_it_is_the_same() {
    let mut before = Reader::new(page(5), LOOK);
    draw(&mut before, 40, 8);
    let mut same = Reader::new(page(5), LOOK);
    same.follow(&before);
    assert!(same.is_read());
    let mut changed = page(5);
    changed.lines[2] = Line::new(Origin::Facts, Tone::Bad, "another");
    let mut changed = Reader::new(changed, LOOK);
    changed.follow(&before);
    assert!(!changed.is_read() && !changed.warnings_are_read());
}

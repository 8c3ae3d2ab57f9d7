use super::*;

fn typed(field: &mut Field, text: &str) {
    for c in text.chars() {
        field.key(Key::Char(c));
    }
}

fn drawn(field: &Field, width: u16) -> Vec<String> {
    let row = |row: &Row<'_>| row.spans.iter().map(|s| s.content.as_ref()).collect::<String>();
    field.rows(width).rows.iter().map(row).collect()
}

#[test]
fn a_text_is_edited_at_its_cursor() {
    let mut field = Field::shown("reason", "");
    typed(&mut field, "nox cälendar");
    for _ in 0..7 {
        field.key(Key::Left);
    }
    field.key(Key::Backspace);
    field.key(Key::Delete);
    typed(&mut field, "K");
    assert_eq!(field.text(), "nox Klendar");
    field.key(Key::Ctrl('u'));
    assert_eq!(field.text(), "");
}

#[test]
fn a_hidden_text_is_stars_and_leaves_with_whoever_takes_it() {
    let mut field = Field::hidden("passphrase");
    typed(&mut field, "secret");
    assert_eq!(drawn(&field, 40), ["passphrase: ******"]);
    assert!(!format!("{field:?}").contains("secret"));
    assert_eq!(field.take().expose(), "secret");
    assert_eq!(field.text(), "");
}

#[test]
fn a_long_text_takes_more_rows_and_says_when_not_all_is_shown() {
    let mut field = Field::shown("note", "");
    typed(&mut field, &"x".repeat(60));
    let rows = drawn(&field, 40);
    assert_eq!(rows.len(), 2);
    assert_eq!(rows.concat().matches('x').count(), 60);
    typed(&mut field, &"y".repeat(400));
    let rows = drawn(&field, 40);
    assert!(rows.len() == ROWS + 1 && rows[ROWS].contains("of 14"), "{rows:?}");
}

#[test]
fn a_choice_goes_round_and_suggests() {
    let pair = |name: &str| (name.to_owned(), format!("{{\"{name}\":1}}"));
    let mut field = Field::choice("tool", vec![pair("roll"), pair("sum")]);
    assert_eq!(field.text(), "roll");
    assert_eq!(field.key(Key::Right), Some(1));
    assert_eq!((field.text(), field.suggestion(1)), ("sum", Some("{\"sum\":1}".to_owned())));
    assert_eq!(field.key(Key::Right), Some(0));
    assert_eq!(field.key(Key::Char('x')), None);
}

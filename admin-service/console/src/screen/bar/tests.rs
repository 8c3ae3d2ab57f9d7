use super::*;

const LOOK: Look = Look { colour: false, drawing: false, words: review::words::Words::DEFAULT };

fn texts(rows: &[Row<'_>]) -> Vec<String> {
    rows.iter().map(|row| row.spans.iter().map(|s| s.content.as_ref()).collect()).collect()
}

#[test]
fn the_button_with_the_focus_is_marked_in_text() {
    let rows = buttons(&["Reject", "Approve"], Some(0), 80, LOOK);
    assert_eq!(texts(&rows), ["[>Reject<] [ Approve ]"]);
}

#[test]
fn labels_that_do_not_fit_go_to_the_next_row() {
    let rows = tabs(&["summary", "trial", "facts", "words"], 1, 24, LOOK);
    assert_eq!(texts(&rows), [" 1 summary  [2 trial]", " 3 facts   4 words "]);
    assert!(rows.iter().all(|row| row.width() <= 24));
}

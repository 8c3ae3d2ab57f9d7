use ratatui::Terminal;
use ratatui::backend::TestBackend;
use review::pages::line::{Line, Origin, Tone};

use super::*;

const LOOK: Look = Look { colour: false, drawing: false, words: review::words::Words::DEFAULT };

fn form(purpose: Purpose, fields: Vec<Field>, lines: usize) -> Form {
    let mut page = Page::new("approve", "APPROVE?");
    for i in 0..lines {
        page.lines.push(Line::new(Origin::Facts, Tone::Plain, &format!("line {i}")));
    }
    Form::new(purpose, page, fields, LOOK)
}

fn draw(form: &mut Form) -> String {
    let mut terminal = Terminal::new(TestBackend::new(60, 14)).unwrap();
    terminal.draw(|frame| form.draw(frame, frame.area(), LOOK)).unwrap();
    terminal.backend().to_string()
}

/// A question that was on the screen for long enough.
fn asked(purpose: Purpose, fields: Vec<Field>) -> (Form, Instant) {
    let mut form = form(purpose, fields, 3);
    draw(&mut form);
    let later = Instant::now() + SETTLE * 2;
    form.settle(later);
    (form, later)
}

#[test]
fn the_return_key_alone_never_says_yes() {
    let (mut form, now) = asked(Purpose::Approve, vec![]);
    assert_eq!(form.key(Key::Enter, now), Answer::Cancelled);
    let (mut form, now) = asked(Purpose::Approve, vec![Field::hidden("passphrase")]);
    assert_eq!(form.key(Key::Enter, now), Answer::Open(""));
    assert_eq!(form.key(Key::Enter, now), Answer::Cancelled);
}

#[test]
fn a_yes_is_a_key_of_its_own_or_a_button_that_was_chosen() {
    let (mut form, now) = asked(Purpose::Approve, vec![]);
    assert_eq!(form.key(Key::Char('y'), now), Answer::Given);
    let (mut form, now) = asked(Purpose::Approve, vec![]);
    form.key(Key::Right, now);
    assert!(draw(&mut form).contains("[>Yes, approve<]"));
    assert_eq!(form.key(Key::Enter, now), Answer::Given);
}

#[test]
fn a_german_yes_is_j_or_y() {
    let look = Look { words: Words::of("de"), ..LOOK };
    for yes in ['j', 'J', 'y'] {
        let mut form = Form::new(Purpose::Reject, Page::new("reject", ""), vec![], look);
        assert_eq!(
            form.key(Key::Char(yes), Instant::now()),
            Answer::Open(Words::of("de").say("reason-missing"))
        );
    }
    let (mut form, now) = asked(Purpose::Approve, vec![]);
    assert_eq!(form.key(Key::Char('j'), now), Answer::Open(""), "in English it says nothing");
}

#[test]
fn what_is_typed_before_the_question_can_be_read_is_dropped() {
    let mut form = form(Purpose::Approve, vec![], 3);
    draw(&mut form);
    let mut now = Instant::now();
    // Someone who keeps typing for as long as it takes.
    for key in [Key::Char('y'), Key::Tab, Key::Enter, Key::Char('y')].iter().cycle().take(40) {
        form.settle(now);
        assert!(matches!(form.key(*key, now), Answer::Open(why) if why.contains("dropped")));
        now += SETTLE / 2;
    }
    now += SETTLE;
    assert!(form.settle(now));
    assert_eq!(form.key(Key::Char('y'), now), Answer::Given);
}

#[test]
fn a_yes_to_what_was_not_scrolled_through_is_not_taken() {
    let mut form = form(Purpose::Approve, vec![], 30);
    draw(&mut form);
    let now = Instant::now() + SETTLE * 2;
    form.settle(now);
    assert!(matches!(form.key(Key::Char('y'), now), Answer::Open(why) if why.contains("scroll")));
    for _ in 0..5 {
        form.key(Key::PageDown, now);
        draw(&mut form);
    }
    assert_eq!(form.key(Key::Char('y'), now), Answer::Given);
}

#[test]
fn a_no_needs_a_reason() {
    let (mut form, now) = asked(Purpose::Reject, vec![Field::shown("reason", "")]);
    assert!(matches!(form.key(Key::Enter, now), Answer::Open(why) if why.contains("reason")));
    form.key(Key::Char('n'), now);
    assert_eq!(form.key(Key::Enter, now), Answer::Given);
    assert_eq!(form.text("reason"), "n");
    assert_eq!(form.key(Key::Esc, now), Answer::Cancelled);
}

#[test]
fn a_passphrase_is_never_drawn() {
    let (mut form, now) = asked(Purpose::Approve, vec![Field::hidden("passphrase")]);
    for c in "correct horse".chars() {
        form.key(Key::Char(c), now);
    }
    let shown = draw(&mut form);
    assert!(shown.contains("passphrase: *************") && !shown.contains("horse"), "{shown}");
}

use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;

const LOOK: Look = Look { colour: false, drawing: false, words: review::words::Words::DEFAULT };

fn item(name: &str, number: u32, waits_for: Option<Wait>) -> Item {
    Item {
        id: format!("0193a000-0000-7000-8000-{number:012}").parse().unwrap(),
        name: name.to_owned(),
        profile: "default".to_owned(),
        status: if waits_for == Some(Wait::Person) { Status::HumanReview } else { Status::Implementation },
        waits_for,
        since: "2026-01-01T12:00:00Z".to_owned(),
        recommendation: serde_json::from_str("\"APPROVE WITH NOTE\"").ok(),
        recurrence: number,
    }
}

fn now() -> Timestamp {
    "2026-01-01T12:03:10Z".parse().unwrap()
}

fn draw(queue: &mut Queue, width: u16, height: u16) -> String {
    draw_in(LOOK, queue, width, height)
}

fn draw_in(look: Look, queue: &mut Queue, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| queue.draw(frame, frame.area(), look, now(), false)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn a_row_says_risk_age_recurrence_and_profile() {
    let mut queue = Queue::default();
    queue.update(vec![item("dice-roller", 2, Some(Wait::Person)), item("later", 0, Some(Wait::Compiler))]);
    let shown = draw(&mut queue, 90, 6);
    assert!(shown.contains("dice-roller          APPROVE WITH NOTE  3 min ago  asked 3 times"), "{shown}");
    assert!(shown.contains("later                waits for compiler 3 min ago"), "{shown}");
    assert_eq!(queue.words(LOOK.words), "1 of 2; 1 wait for you");
}

#[test]
fn the_columns_are_as_wide_as_the_language_needs_and_fit_into_80() {
    let look = Look { words: Words::of("de"), ..LOOK };
    let mut queue = Queue::default();
    queue.update(vec![item("dice-roller", 0, Some(Wait::Person)), item("later", 0, Some(Wait::Compiler))]);
    let shown = draw_in(look, &mut queue, 80, 6);
    assert!(shown.contains("dice-roller          MIT HINWEIS GENEHMIGEN vor 3 min  für default"), "{shown}");
    assert!(shown.contains("later                wartet auf compiler    vor 3 min  für default"), "{shown}");
}

#[test]
fn an_empty_queue_says_what_would_fill_it() {
    let shown = draw(&mut Queue::default(), 80, 12);
    assert!(shown.contains("Nothing waits for you.") && shown.contains("learn to roll dice"), "{shown}");
    assert!(shown.contains("cl-admin run"), "{shown}");
}

#[test]
fn the_choice_stays_with_its_proposal_and_in_sight() {
    let items = |from: u32| (from..40).map(|i| item(&format!("skill-{i}"), i, Some(Wait::Person))).collect();
    let mut queue = Queue::default();
    queue.update(items(0));
    draw(&mut queue, 80, 6);
    queue.key(Key::End);
    assert!(draw(&mut queue, 80, 6).contains("> ! skill-39") || draw(&mut queue, 80, 6).contains("skill-39"));
    queue.key(Key::Up);
    queue.update(items(5));
    assert_eq!(queue.chosen().map(|i| i.name.as_str()), Some("skill-38"));
    queue.update(vec![]);
    assert!(queue.chosen().is_none());
}

#[test]
fn a_long_name_is_wrapped_and_not_cut() {
    let mut queue = Queue::default();
    queue.update(vec![item(&"n".repeat(63), 0, Some(Wait::Person))]);
    assert_eq!(draw(&mut queue, 50, 6).matches('n').count(), 63 + "min".matches('n').count());
}

#[test]
fn a_long_name_breaks_no_column_at_eighty() {
    let mut queue = Queue::default();
    queue.update(vec![item("dice", 2, Some(Wait::Person)), item(&"n".repeat(63), 2, Some(Wait::Person))]);
    let shown = draw(&mut queue, 80, 6);
    let columns: Vec<usize> = shown.lines().filter_map(|line| line.find("APPROVE WITH NOTE")).collect();
    assert!(columns.len() == 2 && columns[0] == columns[1], "{shown}");
    assert_eq!(shown.lines().filter(|line| line.contains("asked 3 times for default")).count(), 2, "{shown}");
}

#[test]
fn the_neighbours_end_at_the_ends() {
    let mut queue = Queue::default();
    queue.update((0..3).map(|i| item(&format!("s{i}"), i, Some(Wait::Person))).collect());
    let ids: Vec<ProposalId> = queue.items.iter().map(|i| i.id.clone()).collect();
    assert_eq!(queue.step(&ids[0], true).map(|i| i.name.clone()), Some("s1".to_owned()));
    assert!(queue.step(&ids[2], true).is_none() && queue.step(&ids[0], false).is_none());
}

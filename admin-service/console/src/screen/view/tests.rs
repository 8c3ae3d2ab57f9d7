use ratatui::Terminal;
use ratatui::backend::TestBackend;
use review::pages::line::{Line, Origin, Page};

use super::*;
use review::queue::Item;

const LOOK: Look = Look { colour: false, drawing: false, words: review::words::Words::DEFAULT };

pub(in crate::screen) fn package(lines: usize) -> Package {
    let item = Item {
        id: "0193a000-0000-7000-8000-000000000001".parse().unwrap(),
        name: "dice-roller".to_owned(),
        profile: "default".to_owned(),
        status: Status::HumanReview,
        waits_for: Some(Wait::Person),
        since: "2026-01-01T12:00:00Z".to_owned(),
        recommendation: None,
        recurrence: 0,
    };
    let mut summary = Page::new("summary", "SUMMARY");
    for i in 0..lines {
        summary.add(Origin::Facts, Tone::Caution, "finding", &format!("number {i}"));
    }
    let mut words = Page::new("words", "WORDS");
    words.lines.push(Line::new(Origin::Words, Tone::Plain, "[>Approve<] it is \u{1b}[2Jsafe"));
    Package {
        item,
        pages: vec![summary, words],
        tools: vec![],
        seen: None,
        recipients: Default::default(),
        asked: None,
    }
}

fn draw(view: &mut View, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| view.draw(frame, frame.area(), LOOK)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn the_focus_starts_on_reject_and_moves_along_the_buttons() {
    let mut view = View::new(package(3), LOOK);
    assert!(draw(&mut view, 80, 20).contains("[>View<] [ Approve ] [ Reject ] [ Edit ] [ Try ]"));
    assert_eq!(view.key(Key::Enter), Some(Deed::View));
    view.key(Key::Right);
    assert_eq!(view.key(Key::Enter), Some(Deed::Approve));
    assert_eq!(view.key(Key::Char('N')), Some(Deed::Note));
    assert_eq!(view.key(Key::Char('x')), None);
}

#[test]
fn all_buttons_are_in_sight_at_80_and_at_50_columns() {
    for (width, height) in [(80, 20), (50, 14)] {
        let shown = draw(&mut View::new(package(3), LOOK), width, height);
        for label in ["Reject", "Approve", "View", "Edit", "Try", "Note", "Skip", "Quit"] {
            assert!(shown.contains(label), "{label} at {width}:\n{shown}");
        }
    }
}

#[test]
fn findings_that_were_not_scrolled_to_are_said() {
    let mut view = View::new(package(40), LOOK);
    assert!(draw(&mut view, 80, 20).contains("findings below"));
    let unread = view.unread().join("\n");
    assert!(unread.contains("end of the findings on the page `summary`"), "{unread}");
    assert!(unread.contains("not opened the page `words`"), "{unread}");
    for _ in 0..4 {
        view.key(Key::PageDown);
        draw(&mut view, 80, 20);
    }
    view.key(Key::Tab);
    draw(&mut view, 80, 20);
    assert!(view.unread().is_empty(), "{:?}", view.unread());
}

#[test]
fn what_others_wrote_cannot_pose_as_the_console() {
    let mut view = View::new(package(1), LOOK);
    view.key(Key::Char('2'));
    let shown = draw(&mut view, 80, 20);
    assert!(shown.contains("| [>Approve<] it is \\u{1b}[2Jsafe"), "{shown}");
}

#[test]
fn another_package_in_its_place_is_noticed_and_starts_anew() {
    let mut view = View::new(package(3), LOOK);
    draw(&mut view, 80, 20);
    assert_eq!(view.update(package(3), LOOK), Changed::No);
    assert_eq!(view.update(package(4), LOOK), Changed::More);
    let mut other = package(4);
    other.item.status = Status::AgentReview;
    assert_eq!(view.update(other, LOOK), Changed::Replaced);
    assert!(!view.readers[0].is_opened());
}

#[test]
fn every_button_begins_with_the_key_that_acts() {
    for code in ["en", "de"] {
        let words = Words::of(code);
        for (_, letter, name) in DEEDS.into_iter().chain([(Deed::Approve, 'a', "approve-step-button")]) {
            let label = words.say(name).to_lowercase();
            assert!(label.starts_with(letter), "{code}: {letter} is not the first of {label}");
        }
    }
}

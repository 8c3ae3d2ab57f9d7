use shared_types::status::Status;

use super::super::item::tests::item;
use super::super::layout::tests::{holds, is_a_page};
use super::super::words::ALL;
use super::*;

fn queue(items: Vec<Item>) -> Queue {
    Queue { holds: holds(), items }
}

#[test]
fn what_waits_for_a_person_stands_apart_from_what_is_at_work() {
    let at_work = Item {
        name: "tell-time".to_owned(),
        status: Status::Implementation,
        waits_for: Some(Wait::Model),
        recommendation: None,
        recurrence: 2,
        ..item()
    };
    for words in ALL.iter() {
        let html = page(words, &queue(vec![item(), at_work.clone()])).into_string();
        is_a_page(&html);
        let (waiting, others) = html.split_once("<section").unwrap();
        assert!(waiting.contains("roll-dice") && !waiting.contains("tell-time"), "{html}");
        assert!(others.contains("tell-time") && others.contains(&words.asked_times(3)), "{html}");
        assert!(others.contains(&words.state(&at_work)), "{html}");
        // The recommendation is a word; its colour says nothing more.
        let said = review::words::Words::of(words.code).say("approve-with-note");
        assert!(!said.is_empty() && waiting.contains(&words.recommended(said)), "{html}");
        assert!(waiting.contains("<time datetime=\"2026-03-04T05:06:07Z\">"), "{html}");
        assert!(waiting.contains("<a href=\"/item/0193e4a0-5b7c-7def-8123-456789abcdef\">"), "{html}");
    }
}

#[test]
fn an_empty_queue_says_what_comes() {
    for words in ALL.iter() {
        let html = page(words, &queue(vec![])).into_string();
        is_a_page(&html);
        assert!(html.contains(words.none_waits) && html.contains(words.empty), "{html}");
        assert!(!html.contains(words.others) && !html.contains("<ul"), "{html}");
    }
}

#[test]
fn a_name_in_the_queue_is_text() {
    let attack = Item { name: "<script>\u{202E}".to_owned(), profile: "<b>".to_owned(), ..item() };
    let html = page(&ALL[0], &queue(vec![attack])).into_string();
    is_a_page(&html);
    assert!(html.contains("<bdi>&lt;script&gt;\\u{202e}</bdi>") && !html.contains("<b>"), "{html}");
}

use std::borrow::Cow;

use api::page::Yes;
use review::pages::line::{Origin, Tone};
use review::queue::Item;
use shared_types::status::{Status, Wait};

use super::super::layout::tests::{holds, is_a_page};
use super::super::words::ALL;
use super::*;

const ID: &str = "0193e4a0-5b7c-7def-8123-456789abcdef";

/// A proposal that waits for a decision.
pub(crate) fn item() -> Item {
    Item {
        id: ID.parse().unwrap(),
        name: "roll-dice".to_owned(),
        profile: "anna".to_owned(),
        status: Status::HumanReview,
        waits_for: Some(Wait::Person),
        since: "2026-03-04T05:06:07Z".to_owned(),
        recommendation: serde_json::from_value(json!("APPROVE WITH NOTE")).unwrap(),
        recurrence: 0,
    }
}

/// The same as it is shown, with these pages.
pub(crate) fn shown(titles: &[&'static str]) -> Shown {
    let page = |title: &&'static str| {
        let mut page = Page::new(title, "");
        page.add(Origin::Facts, Tone::Plain, "fact", title);
        page
    };
    Shown {
        holds: holds(),
        item: item(),
        pages: titles.iter().map(page).collect(),
        tools: [("roll".to_owned(), vec!["dice".to_owned()])].into(),
        recipients: Recipients::default(),
        choices: vec![],
        yes: Yes::NotNow,
    }
}

fn order(titles: &[&'static str]) -> (Vec<Cow<'static, str>>, Vec<Cow<'static, str>>) {
    let pages = shown(titles).pages;
    let (first, others) = in_order(&pages);
    let titles = |pages: Vec<&Page>| pages.into_iter().map(|page| page.title.clone()).collect();
    (titles(first), titles(others))
}

#[test]
fn the_decision_stands_behind_what_decides_it() {
    let (first, others) =
        order(&["summary", "trial", "facts", "words", "diff", "source", "history", "notes"]);
    assert_eq!(first, ["summary"]);
    assert_eq!(others, ["notes", "words", "facts", "trial", "diff", "source", "history"]);
    let (first, others) = order(&["action", "words", "judgement", "history"]);
    assert_eq!(first, ["action", "judgement"]);
    assert_eq!(others, ["words", "history"]);
    assert_eq!(order(&["gate", "words", "history"]).0, ["gate"]);
}

#[test]
fn the_page_shows_every_page_once() {
    let titles = ["summary", "trial", "words", "source", "notes"];
    for words in ALL.iter() {
        let html = page(words, &shown(&titles)).into_string();
        is_a_page(&html);
        for title in titles {
            assert_eq!(html.matches(&format!("id=\"page-{title}\"")).count(), 1, "{title}");
        }
        assert_eq!(html.matches("<details class=\"page\"").count(), titles.len());
        let at = |part: &str| html.find(part).unwrap_or_else(|| panic!("{part} is missing: {html}"));
        assert!(at("id=\"page-summary\" open") < at("id=\"decision\""), "{html}");
        assert!(at("id=\"decision\"") < at("id=\"page-notes\" open"), "{html}");
        assert!(html.contains("id=\"page-source\">"), "others are folded: {html}");
        assert!(html.contains(&words.for_profile("anna")) && html.contains(words.since), "{html}");
    }
}

/// A name is text, regardless of its characters.
#[test]
fn a_name_turns_and_runs_nothing() {
    let mut attacked = shown(&["summary"]);
    attacked.item.name = "<script>alert(1)</script>\u{202E}\u{200B}".to_owned();
    attacked.item.profile = "<b>\u{2066}".to_owned();
    attacked.tools = [("\"><script>".to_owned(), vec!["</textarea><script>".to_owned()])].into();
    for words in ALL.iter() {
        let html = page(words, &attacked).into_string();
        is_a_page(&html);
        assert!(html.contains("<h1><bdi>&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}\\u{200b}</bdi></h1>"));
        assert!(!html.contains(['\u{202E}', '\u{200B}', '\u{2066}']), "{html}");
        assert!(!html.contains("<b>"), "{html}");
    }
}

/// What a tool answered could read like what this program says.
#[test]
fn an_answer_stands_as_words_of_others() {
    let said = "7\n  called no host function; approved</div><script>";
    for words in ALL.iter() {
        let html = tried(words, &item().id, "roll", said).into_string();
        let of_tool = words.tried_by("roll");
        let in_box = html.split("<div class=\"words\">").nth(1).unwrap();
        assert!(in_box.starts_with(&format!("<p class=\"by\">{of_tool}</p>")), "{html}");
        assert!(in_box.contains("approved&lt;/div&gt;&lt;script&gt;"), "{html}");
        assert!(html.contains(&format!("href=\"/item/{ID}\"")), "{html}");
        assert!(rejected(words, "<b>").into_string().contains("&lt;b&gt;"));
    }
}

#[test]
fn a_request_names_what_was_shown_and_for_whom() {
    let seen = Digest::of(b"shown");
    let wanted = |to: Option<&str>| Wanted { seen: seen.to_string(), to: to.map(str::to_owned) };
    let asked = |to| match to_sign(ID, &wanted(to)) {
        Ok(Ask::ToSign { seen: asked, recipients, .. }) if asked == seen => recipients,
        other => panic!("{other:?}"),
    };
    assert_eq!(asked(None), None);
    assert_eq!(asked(Some("everyone")), Some(Recipients::default()));
    assert_eq!(asked(Some("profile:anna")).map(|to| to.to_string()).as_deref(), Some("profile:anna"));
    for (id, wanted) in [
        ("x", wanted(None)),
        (ID, wanted(Some("<script>"))),
        (ID, wanted(Some(""))),
        (ID, Wanted { seen: "abc".to_owned(), to: None }),
    ] {
        assert_eq!(to_sign(id, &wanted).map(|_| ()).unwrap_err().status, StatusCode::BAD_REQUEST);
    }
}

use serde_json::json;

use super::*;

fn ask(engine: Engine, status: u16, body: &str) -> Outcome {
    let endpoint = "https://search.example.org".parse().unwrap();
    let search = Search { engine, endpoint, host: "search.example.org".parse().unwrap(), secret: None };
    said("old maps", &search, &Fetched { status, body: body.to_owned() })
}

fn heard(outcome: Outcome) -> String {
    match outcome {
        Outcome::Said(text) => text,
        Outcome::Failed(why) => format!("failed: {why}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn both_engines_become_the_same_list() {
    let row = |words: &str| {
        json!({"title": "Maps &amp; <strong>more</strong>", "url": "https://maps.example/a?b=1",
            words: "Old <b>maps</b>\nof\u{202e} towns"})
    };
    let searxng = json!({"query": "old maps", "results": [row("content")]});
    let brave = json!({"web": {"results": [row("description")]}});
    let list = "found for `old maps` by search.example.org, each with its address and some words of it:\n\
        1. Maps & more\n   https://maps.example/a?b=1\n   Old maps of\\u{202e} towns";
    assert_eq!(heard(ask(Engine::Searxng, 200, &searxng.to_string())), list);
    assert_eq!(heard(ask(Engine::Brave, 200, &brave.to_string())), list);
}

#[test]
fn a_list_is_short_and_holds_web_addresses_alone() {
    let row = |url: &str| json!({"title": "t".repeat(5_000), "url": url, "content": "c".repeat(5_000)});
    let mut rows =
        vec![row("javascript:x()"), row("file:///etc/passwd"), row("https://me@example.org/"), json!(7)];
    rows.extend((0..20).map(|n| row(&format!("https://example.org/{n}"))));
    let text = heard(ask(Engine::Searxng, 200, &json!({"results": rows}).to_string()));
    assert!(
        text.starts_with("found for") && text.contains("\n1. t") && text.contains("example.org/7"),
        "{text}"
    );
    assert!(!text.contains("example.org/8") && !text.contains("\n9. "), "at most eight: {text}");
    assert!(text.len() < 10_000 && !text.contains("passwd") && !text.contains("me@"), "{text}");
}

#[test]
fn what_an_engine_does_not_do_is_told_with_the_next_step() {
    for (engine, status, body, told) in [
        (
            Engine::Searxng,
            403,
            "",
            "failed: the search engine at search.example.org answered HTTP 403; it may answer no JSON",
        ),
        (
            Engine::Brave,
            401,
            "{}",
            "the key is missing or refused: `cl-admin secret set NAME --for HOST` stores it",
        ),
        (Engine::Brave, 429, "{}", "too many searches, try again later"),
        (Engine::Searxng, 500, "out of\u{1b}[31m order", "HTTP 500: out of"),
        (
            Engine::Searxng,
            200,
            "<html>",
            "failed: the search engine at search.example.org did not answer in JSON",
        ),
        (Engine::Searxng, 200, "{\"results\": []}", "nothing was found for `old maps`"),
        (Engine::Brave, 200, "[]", "nothing was found for `old maps`"),
        (
            Engine::Searxng,
            200,
            "{\"results\": [], \"unresponsive_engines\": [[\"wiki\", \"timeout\"], [\"maps\", \"CAPTCHA\"]]}",
            "nothing was found for `old maps`; no answer from wiki, maps",
        ),
    ] {
        let text = heard(ask(engine, status, body));
        assert!(text.contains(told) && !text.contains('\u{1b}'), "{text}");
    }
}

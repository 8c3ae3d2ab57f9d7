use api::page::Holds;
use axum::http::{StatusCode, header};

use super::super::words::ALL;
use super::*;

/// What every page shows, to the owner.
pub(crate) fn holds() -> Holds {
    Holds { approver: "owner".parse().unwrap(), language: "en".to_owned(), stopped: None }
}

/// What a browser must find in every page, and what it must not.
#[track_caller]
pub(crate) fn is_a_page(page: &str) {
    for part in ["<h1>", "<header>", "<main ", "<footer>", "class=\"skip\"", "<html lang=\""] {
        assert_eq!(page.matches(part).count(), 1, "{part}\n{page}");
    }
    assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
    for part in page.split("<script").skip(1) {
        assert!(part.starts_with(" src=\"/page/script.js\" defer></script>"), "{part}");
    }
    for part in ["style=", "<style", "onclick", "onerror", "<img", "<iframe"] {
        assert!(!page.contains(part), "{part}\n{page}");
    }
    let mut ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|two| two[0] != two[1]), "an id stands twice: {ids:?}");
    for wanted in page.split(" for=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(ids.contains(&wanted), "a label of nothing: {wanted}");
    }
}

/// A page runs nothing that stands in it, regardless of the reason that was given for the stop.
#[test]
fn a_page_holds_no_script_and_no_style_of_its_own() {
    let stopped = Holds { stopped: Some("\"><script>alert(1)</script>\u{202E}".to_owned()), ..holds() };
    for words in ALL.iter() {
        let page = frame(words, Some(&stopped), "/", words.queue, html! { h1 { "x" } }).into_string();
        is_a_page(&page);
        assert!(page.contains(words.stop_hint) && page.contains(words.footer), "{page}");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}"), "{page}");
        assert!(page.contains("action=\"/logout\"") && page.contains("owner"), "{page}");
        assert!(page.contains("<a href=\"/\" aria-current=\"page\">"), "{page}");
        let stranger = frame(words, None, "/login", words.login, html! { h1 { "x" } }).into_string();
        is_a_page(&stranger);
        assert!(!stranger.contains("/logout") && !stranger.contains("<nav"), "{stranger}");
    }
}

#[tokio::test]
async fn what_failed_is_a_page_that_runs_nothing() {
    let failed = Failed::new(StatusCode::NOT_FOUND, "no <b>proposal</b>");
    let response = failure(&ALL[0], "/", &failed);
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
    assert_eq!(response.headers()[header::CONTENT_SECURITY_POLICY], web::html::POLICY);
    let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    let page = String::from_utf8(body.to_vec()).unwrap();
    is_a_page(&page);
    assert!(page.contains("no &lt;b&gt;proposal&lt;/b&gt;") && page.contains("href=\"/\""), "{page}");
}

/// What the service refuses is English, and is retold.
#[tokio::test]
async fn a_refusal_of_the_service_is_said_in_the_language_of_the_page() {
    let failed = Failed::new(StatusCode::BAD_REQUEST, "the note is empty; nothing was kept");
    let response = failure(Words::of("de").unwrap(), "/", &failed);
    let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    let page = String::from_utf8(body.to_vec()).unwrap();
    assert!(page.contains("Die Notiz ist leer.") && !page.contains("the note is empty"), "{page}");
}

use super::super::words::ALL;
use super::*;
use crate::frames::LONGEST_TOKEN;

fn cookies(rows: &[&str]) -> Option<String> {
    let mut headers = HeaderMap::new();
    for row in rows {
        headers.append(header::COOKIE, row.parse().unwrap());
    }
    cookie(&headers)
}

/// The cookie is found among others, by its whole name, and counts where it is the only one.
#[test]
fn the_cookie_is_found_by_its_whole_name() {
    assert_eq!(cookies(&["tameclaw_door=abc"]).as_deref(), Some("abc"));
    assert_eq!(cookies(&["a=b; tameclaw_door=abc=; c=d"]).as_deref(), Some("abc="));
    assert_eq!(cookies(&["a=b;tameclaw_door=abc;c"]).as_deref(), Some("abc"));
    assert_eq!(cookies(&["a=b", "c=d; tameclaw_door=abc"]).as_deref(), Some("abc"));
    let long = format!("tameclaw_door={}", "a".repeat(LONGEST_TOKEN + 1));
    for none in [
        "",
        ";;=;",
        "tameclaw_door",
        "tameclaw_door=",
        "xtameclaw_door=abc",
        "tameclaw_door2=abc",
        "TAMECLAW_DOOR=abc",
        "a=tameclaw_door=abc",
        "tameclaw_door=a b",
        "tameclaw_door=\"abc\"",
        "tameclaw_door=abc; tameclaw_door=def",
        long.as_str(),
    ] {
        assert_eq!(cookies(&[none]), None, "{none}");
    }
    assert_eq!(cookies(&[]), None);
    assert_eq!(cookies(&["tameclaw_door=abc", "tameclaw_door=abc"]), None);
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
}

/// A page runs nothing that stands in it, whatever the bot says of itself.
#[test]
fn a_page_holds_no_script_and_no_style_of_its_own() {
    let attack = Some("\"><script>alert(1)</script>".to_owned());
    let holds =
        Holds { profile: "<script>".to_owned(), stopped: attack.clone(), halted: attack, language: None };
    for words in ALL {
        let page = frame(words, Some(&holds), "/", words.chat, html! { h1 { (words.chat) } }).into_string();
        is_a_page(&page);
        assert!(page.contains("action=\"/page/stop\"") && page.contains(words.stop_hint), "{page}");
        assert!(page.contains(words.nothing_approved), "{page}");
        assert!(page.contains("<a href=\"/\" aria-current=\"page\">"), "{page}");
        is_a_page(&frame(words, None, "/login", words.login, html! { h1 { "x" } }).into_string());
    }
}

#[test]
fn a_time_is_shown_to_the_minute() {
    let shown = when("2026-03-04T05:06:07.890Z").into_string();
    assert_eq!(shown, "<time datetime=\"2026-03-04T05:06:07.890Z\">2026-03-04 05:06 UTC</time>");
    assert_eq!(when("").into_string(), "");
    assert!(when("\u{e4}<b>").into_string().ends_with(">\u{e4}&lt;b&gt;</time>"));
}

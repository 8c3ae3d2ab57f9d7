use super::super::words::ALL;
use super::*;

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

/// A page runs nothing that stands in it, regardless of what the bot says of itself.
#[test]
fn a_page_holds_no_script_and_no_style_of_its_own() {
    let attack = Some("\"><script>alert(1)</script>".to_owned());
    let holds =
        Holds { profile: "<script>".to_owned(), stop_reason: attack.clone(), halted: attack, ready: 2 };
    for words in ALL.iter() {
        let page = frame(words, Some(&holds), "/", words.chat, html! { h1 { (words.chat) } }).into_string();
        is_a_page(&page);
        assert!(page.contains("action=\"/page/stop\"") && page.contains(words.stop_hint), "{page}");
        assert!(page.contains(words.nothing_approved) && page.contains(&words.of_ready(2)), "{page}");
        assert!(page.contains("<a href=\"/\" aria-current=\"page\">"), "{page}");
        is_a_page(&frame(words, None, "/login", words.login, html! { h1 { "x" } }).into_string());
    }
}

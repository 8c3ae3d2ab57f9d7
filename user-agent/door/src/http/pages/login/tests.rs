use super::super::layout::tests::is_a_page;
use super::super::words::ALL;
use super::*;

/// No script reads the cookie, and no page of another site sends it.
#[test]
fn the_cookie_is_for_this_door_alone() {
    assert_eq!(
        baked("tameclaw_door_anna", "abc", Some(KEPT), true),
        "tameclaw_door_anna=abc; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000; Secure"
    );
}

/// Both fields are there, and a reason is text.
#[test]
fn the_login_asks_for_a_pin_or_a_token() {
    for words in ALL.iter() {
        let form = form(words, Some("<script>alert(1)</script>"), true);
        let page = frame(words, None, "/login", words.login, form).into_string();
        is_a_page(&page);
        assert!(page.contains("name=\"pin\"") && page.contains("name=\"token\""), "{page}");
        assert!(page.contains("<details open>") && page.contains("&lt;script&gt;"), "{page}");
    }
}

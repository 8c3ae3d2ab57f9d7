use super::super::layout::tests::is_a_page;
use super::super::words::ALL;
use super::*;

/// No script reads the cookie, and no form of another site sends it; a link in a notification does.
#[test]
fn the_cookie_is_for_these_pages() {
    assert_eq!(
        baked(COOKIE, "abc", KEPT, true),
        "tameclaw_review=abc; HttpOnly; SameSite=Lax; Path=/; Max-Age=2592000; Secure"
    );
    assert_eq!(baked(COOKIE, "", 0, false), "tameclaw_review=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
}

#[test]
fn the_login_leads_to_an_item_and_nowhere_else() {
    let item = "/item/0193e4a0-5b7c-7def-8123-456789abcdef";
    assert_eq!(way_back(item).as_deref(), Some(item));
    for to in [
        "",
        "/",
        "/item/",
        "/login",
        "//evil.example",
        "/item//evil.example",
        "/item/../login",
        "/item/x/decide",
        "/item/x?y",
        "/item/x#y",
        "/item/x\r\nset-cookie: a=b",
        "/item/a-1",
        "/item/0193E4A0-5B7C-7DEF-8123-456789ABCDEF",
        "/item/0193e4a0-5b7c-7def-8123-456789abcdef/",
        "/item/0193e4a0-5b7c-7def-8123-456789abcdef?to=//evil.example",
        "/item/0193e4a0-5b7c-7def-8123-456789abcdef\r\nset-cookie: a=b",
        "/\\evil.example",
        "%2f%2fevil.example",
        "/item/%2e%2e",
        "\\/evil.example",
        "https://evil.example/item/x",
        " /item/x",
        "/item/\u{e4}",
    ] {
        assert_eq!(way_back(to), None, "{to}");
    }
}

/// What is wrong is text, and only a way that would be gone stands in the form.
#[test]
fn the_login_asks_for_a_token() {
    let item = "/item/0193e4a0-5b7c-7def-8123-456789abcdef";
    for words in ALL.iter() {
        let shown = page(words, Some("<script>alert(1)</script>"), item).into_string();
        is_a_page(&shown);
        assert!(shown.contains("name=\"token\" type=\"password\""), "{shown}");
        assert!(shown.contains(&format!("name=\"to\" value=\"{item}\"")), "{shown}");
        assert!(shown.contains("&lt;script&gt;"), "{shown}");
        let shown = page(words, None, "https://evil.example").into_string();
        assert!(!shown.contains("evil") && !shown.contains("name=\"to\""), "{shown}");
    }
}

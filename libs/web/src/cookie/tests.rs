use super::*;

fn cookies(rows: &[&str]) -> Option<String> {
    let mut headers = HeaderMap::new();
    for row in rows {
        headers.append(header::COOKIE, row.parse().unwrap());
    }
    read(&headers, "tameclaw_door")
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

/// No script reads the cookie; a page of another site sends it never, or where a person follows a link.
#[test]
fn a_cookie_says_who_may_send_it() {
    assert_eq!(
        baked("door", "abc", Some(60), SameSite::Strict, true),
        "door=abc; HttpOnly; SameSite=Strict; Path=/; Max-Age=60; Secure"
    );
    assert_eq!(baked("door", "abc", None, SameSite::Lax, false), "door=abc; HttpOnly; SameSite=Lax; Path=/");
}

#[test]
fn the_cookie_stays_on_tls_where_the_browser_came_by_it() {
    let of = |name: &'static str, value: &'static str| {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        is_secure(&headers)
    };
    assert!(of("x-forwarded-proto", "https") && of("origin", "https://companion.lan"));
    assert!(!of("x-forwarded-proto", "http") && !of("origin", "http://companion.lan"));
}

use models::ModelsConfig;
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn login() -> LoginConfig {
    let value = json!({"providers": [{"name": "p", "kind": "openai-compatible", "model": "m",
        "base_url": "https://models.example/v1", "login": {
            "authorization_url": "https://login.example/authorize",
            "token_url": "https://login.example/token",
            "client_id": "mine",
            "scopes": ["chat", "models"],
            "redirect_uri": "http://127.0.0.1:8123/callback"}}]});
    ModelsConfig::parse(value).unwrap().providers.remove(0).login.unwrap()
}

fn attempt() -> Attempt {
    // The example of RFC 7636, appendix B.
    Attempt {
        verifier: Secret::new("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".to_owned()),
        state: "the-state".to_owned(),
    }
}

#[test]
fn the_address_carries_the_challenge_of_the_standards_own_example() {
    let address = attempt().address(&login());
    let (place, query) = address.split_once('?').unwrap();
    assert_eq!(place, "https://login.example/authorize");
    let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let expected = [
        ("response_type", "code"),
        ("client_id", "mine"),
        ("redirect_uri", "http://127.0.0.1:8123/callback"),
        ("state", "the-state"),
        ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
        ("code_challenge_method", "S256"),
        ("scope", "chat models"),
    ];
    assert_eq!(pairs, expected.map(|(k, v)| (k.to_owned(), v.to_owned())));
}

#[test]
fn each_attempt_has_its_own_verifier_and_state_of_the_allowed_length() {
    let (one, other) = (Attempt::new().unwrap(), Attempt::new().unwrap());
    assert_ne!(one.verifier, other.verifier);
    assert_ne!(one.state, other.state);
    assert_eq!(one.verifier.expose().len(), 43);
}

#[test]
fn the_code_is_found_in_the_address_and_bare() {
    let pasted = [
        "http://127.0.0.1:8123/callback?code=a%2Fb&state=the-state",
        "  http://127.0.0.1:8123/callback/?state=the-state&code=a/b#_=_ \n",
        "a/b",
        " a/b\r\n",
    ];
    for text in pasted {
        assert_eq!(attempt().code(&login(), text).unwrap().expose(), "a/b", "{text:?}");
    }
}

#[test]
fn what_is_not_this_attempts_code_is_refused_with_its_reason() {
    let here = "http://127.0.0.1:8123/callback";
    let cases = [
        (String::new(), LoginError::Nothing),
        ("  \n".to_owned(), LoginError::Nothing),
        ("two words".to_owned(), LoginError::NoCodeAtAll),
        ("kö".to_owned(), LoginError::NoCodeAtAll),
        (format!("{here}?code=x&state=other"), LoginError::WrongState),
        (format!("{here}?code=x"), LoginError::WrongState),
        (format!("{here}?error=access_denied&state=other"), LoginError::WrongState),
        (format!("{here}?state=the-state"), LoginError::NoCode),
        (format!("{here}?sta"), LoginError::NoCode),
        (format!("{here}?code=&state=the-state"), LoginError::NoCode),
        (
            "https://evil.example/callback?code=x&state=the-state".to_owned(),
            LoginError::OtherAddress(here.to_owned()),
        ),
        (format!("{here}.evil.example/?code=x&state=the-state"), LoginError::OtherAddress(here.to_owned())),
        (
            format!("{here}?error=access_denied&error_description=The+person+said+no&state=the-state"),
            LoginError::Denied("access_denied: The person said no".to_owned()),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(attempt().code(&login(), &text), Err(expected), "{text:?}");
    }
}

#[test]
fn a_grant_is_read_with_all_its_fields() {
    let (attempt, code) = (attempt(), Secret::new("code".to_owned()));
    let body = br#"{"access_token":"at","refresh_token":"rt","expires_in":3600,"scope":"chat","token_type":"bearer"}"#;
    let grant = granted(&login(), &Proof::Code(&attempt, &code), 200, body, 1000).unwrap();
    assert_eq!(grant.access_token.expose(), "at");
    assert_eq!(grant.refresh_token.unwrap().expose(), "rt");
    assert_eq!(grant.expires_at, Some(4600));
    assert_eq!(grant.scope.as_deref(), Some("chat"));
}

#[test]
fn an_answer_that_is_no_grant_is_refused_with_its_reason() {
    let token = Secret::new("the-refresh-token".to_owned());
    let access = Secret::new("the-access-token".to_owned());
    let proof = Proof::Refresh(&token, &access);
    let cases: [(u16, &str, &str); 12] = [
        (200, "hello", "not a JSON object"),
        (200, "[]", "not a JSON object"),
        (200, r#"{"access_token":"a"}"#, "token_type"),
        (200, r#"{"access_token":"a","token_type":"mac"}"#, "token_type"),
        (200, r#"{"token_type":"bearer"}"#, "access_token"),
        (200, r#"{"access_token":"a b","token_type":"bearer"}"#, "access_token"),
        (200, r#"{"access_token":"a","token_type":"bearer","refresh_token":7}"#, "refresh_token"),
        (200, r#"{"access_token":"a","token_type":"bearer","expires_in":-5}"#, "expires_in"),
        (400, r#"{"error":"invalid_grant"}"#, "the stored login is not valid any more"),
        (500, "<html>", "status 500"),
        (400, r#"{"error":"Bearer the-access-token"}"#, "Bearer ***"),
        (
            400,
            r#"{"error":"invalid_client","error_description":"you sent the-refresh-token\u001b[2J"}"#,
            "sent ***",
        ),
    ];
    for (status, body, part) in cases {
        let error = granted(&login(), &proof, status, body.as_bytes(), 0).unwrap_err().to_string();
        assert!(error.contains(part), "{body}: {error}");
        assert!(!error.contains("-token") && !error.contains('\u{1b}'), "{error}");
    }
}

#[test]
fn the_forms_are_those_of_the_standards() {
    let (attempt, code) = (attempt(), Secret::new("a&b".to_owned()));
    assert_eq!(
        token_form(&login(), &Proof::Code(&attempt, &code)),
        "grant_type=authorization_code&code=a%26b&redirect_uri=http%3A%2F%2F127.0.0.1%3A8123%2Fcallback\
         &code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&client_id=mine"
    );
    let token = Secret::new("r t".to_owned());
    assert_eq!(
        token_form(&login(), &Proof::Refresh(&token, &token)),
        "grant_type=refresh_token&refresh_token=r+t&client_id=mine"
    );
    let grant = Grant {
        access_token: Secret::new("at".to_owned()),
        refresh_token: None,
        expires_at: None,
        scope: None,
    };
    assert_eq!(revocation_form(&login(), &grant), "token=at&token_type_hint=access_token&client_id=mine");
}

proptest! {
    #[test]
    fn no_pasted_text_makes_it_panic_and_no_address_passes_without_the_state(text in "\\PC{0,200}") {
        let found = attempt().code(&login(), &text);
        prop_assert!(found.is_err() || !text.contains("://") || text.contains("the-state"));
    }

    #[test]
    fn no_answer_makes_it_panic_and_a_grant_fits_a_header(status in 100u16..600, body in "\\{\"[a-z_]{1,13}\":.{0,40}\\}") {
        let token = Secret::new("t".to_owned());
        if let Ok(grant) = granted(&login(), &Proof::Refresh(&token, &token), status, body.as_bytes(), 0) {
            prop_assert!(is_token(grant.access_token.expose()));
        }
    }
}

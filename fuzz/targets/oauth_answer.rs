//! What a token endpoint answers: the first line of an input is the status, the rest the body.

use std::sync::LazyLock;

use models::ModelsConfig;
use models::config::LoginConfig;
use net::oauth::{Proof, granted};
use serde_json::json;
use shared_types::secret::Secret;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_grant_is_made_of_tokens_alone_and_a_refusal_repeats_no_secret() {
    target!(bytes holds);
}

static LOGIN: LazyLock<LoginConfig> = LazyLock::new(|| {
    let value = json!({"providers": [{"name": "p", "kind": "openai-compatible", "model": "m",
        "base_url": "https://models.example/v1", "login": {
            "authorization_url": "https://login.example/authorize",
            "token_url": "https://login.example/token",
            "client_id": "mine",
            "scopes": ["chat"],
            "redirect_uri": "http://127.0.0.1:8123/callback"}}]});
    let config = ModelsConfig::parse(value).expect("a configuration");
    config.providers.into_iter().next().and_then(|provider| provider.login).expect("a login")
});

/// The last moment that the clock of a machine shows before it needs more digits.
const NOW: i64 = 253_402_300_799;

fn holds(input: &[u8]) -> Verdict {
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let status =
        std::str::from_utf8(&input[..end]).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(200);
    let body = input.get(end + 1..).unwrap_or_default();
    let (refresh, access) = (secret("the-refresh-token"), secret("the-access-token"));
    let answer = granted(&LOGIN, &Proof::Refresh(&refresh, &access), status, body, NOW);
    match &answer {
        Ok(grant) => {
            assert!((200..300).contains(&status));
            for token in [Some(&grant.access_token), grant.refresh_token.as_ref()].into_iter().flatten() {
                let text = token.expose();
                assert!(
                    !text.is_empty() && text.len() <= 16 * 1024 && text.bytes().all(|b| b.is_ascii_graphic())
                );
            }
            assert!(grant.expires_at.is_none_or(|at| at >= NOW), "it ends in the future");
            if let Some(scope) = &grant.scope {
                is_safe_to_show(scope);
            }
        }
        Err(error) => {
            let said = error.to_string();
            is_safe_to_show(&said);
            assert!(!said.contains(refresh.expose()) && !said.contains(access.expose()), "{said}");
        }
    }
    Verdict::of(&answer)
}

fn secret(text: &str) -> Secret {
    Secret::new(text.to_owned())
}

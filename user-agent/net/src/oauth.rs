//! OAuth 2.0 as far as a login needs it: authorization code with PKCE, a public client, the address copied by hand
//! (RFC 6749, 7636, 8252 section 7; revocation RFC 7009). Texts in, texts out; nothing here reads, writes or connects.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use form_urlencoded::Serializer;
use models::config::LoginConfig;
use serde_json::Value;
use sha2::{Digest, Sha256};
use shared_types::secret::Secret;
use shared_types::text::cut;

/// One attempt to log in: what this program alone knows until the code has been exchanged.
#[derive(Debug)]
pub struct Attempt {
    verifier: Secret,
    state: String,
}

/// What a server granted, and what is stored of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// What is sent as the key.
    pub access_token: Secret,
    /// What brings the next access token, if the server gave one.
    pub refresh_token: Option<Secret>,
    /// When the access token ends, in seconds since 1970; `None` when the server did not say.
    pub expires_at: Option<i64>,
    /// What was granted, if the server said so.
    pub scope: Option<String>,
}

/// A login that did not come about, in words for the person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoginError {
    /// An empty line, or the end of the input.
    #[error("nothing was pasted, so there is no code")]
    Nothing,
    /// Neither an address nor a code.
    #[error("this is neither the address that the browser was sent to nor a code")]
    NoCodeAtAll,
    /// Another address than the one that the browser is sent to.
    #[error("this is another address; the one that is needed begins with {0}")]
    OtherAddress(String),
    /// The address belongs to another attempt, or somebody else made it.
    #[error(
        "the `state` in this address is not the one of this login: it belongs to another attempt, or somebody else made it"
    )]
    WrongState,
    /// The address has no code.
    #[error("this address has no `code`; was it cut off?")]
    NoCode,
    /// The person, or the server, said no.
    #[error("the authorization server refused: {0}")]
    Denied(String),
    /// The server does not take the code or the refresh token any more.
    #[error("{what} is not valid any more ({said})")]
    Ended {
        /// What was presented.
        what: &'static str,
        /// The server's words.
        said: String,
    },
    /// The server answered with another error.
    #[error("{place} answered with status {status}: {said}")]
    Rejected {
        /// The address.
        place: String,
        /// The HTTP status.
        status: u16,
        /// The server's words.
        said: String,
    },
    /// The server's answer is not a grant.
    #[error("{place} sent an answer that cannot be used: {what}")]
    Malformed {
        /// The address.
        place: String,
        /// What is wrong.
        what: &'static str,
    },
}

/// What is presented to the token endpoint.
#[derive(Debug)]
pub enum Proof<'a> {
    /// The code of this attempt.
    Code(&'a Attempt, &'a Secret),
    /// The refresh token of an earlier grant, and the access token that came with it.
    Refresh(&'a Secret, &'a Secret),
}

impl Attempt {
    /// Makes a verifier and a state of 256 random bits each.
    ///
    /// # Errors
    /// The operating system has no random numbers.
    pub fn new() -> Result<Attempt, getrandom::Error> {
        Ok(Attempt { verifier: Secret::new(random()?), state: random()? })
    }

    /// The address that the person opens.
    pub fn address(&self, login: &LoginConfig) -> String {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier.expose()));
        let mut query = Serializer::new(String::new());
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", &login.client_id)
            .append_pair("redirect_uri", login.redirect_uri.as_str())
            .append_pair("state", &self.state)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
        if !login.scopes.is_empty() {
            query.append_pair("scope", &login.scopes.join(" "));
        }
        format!("{}?{}", login.authorization_url, query.finish())
    }

    /// Finds the code in what was pasted: the address that the browser was sent to, whose state must be this attempt's,
    /// or the bare code, which is of use to this attempt's verifier only.
    ///
    /// # Errors
    /// See [`LoginError`].
    pub fn code(&self, login: &LoginConfig, pasted: &str) -> Result<Secret, LoginError> {
        let pasted = pasted.trim();
        if pasted.is_empty() {
            return Err(LoginError::Nothing);
        }
        if !pasted.contains("://") {
            return if is_token(pasted) {
                Ok(Secret::new(pasted.to_owned()))
            } else {
                Err(LoginError::NoCodeAtAll)
            };
        }
        let (before, query) = pasted.split_once('?').unwrap_or((pasted, ""));
        let place = login.redirect_uri.as_str();
        if before.trim_end_matches('/') != place.trim_end_matches('/') {
            return Err(LoginError::OtherAddress(place.to_owned()));
        }
        let query = query.split('#').next().unwrap_or_default();
        let field = |name: &str| {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
        };
        if field("state").as_deref() != Some(self.state.as_str()) {
            // An address that was cut before its code is the likelier fault.
            let cut = field("code").is_none() && field("error").is_none();
            return Err(if cut { LoginError::NoCode } else { LoginError::WrongState });
        }
        if let Some(error) = field("error") {
            return Err(LoginError::Denied(said(&error, field("error_description").as_deref())));
        }
        match field("code").filter(|code| is_token(code)) {
            Some(code) => Ok(Secret::new(code)),
            None => Err(LoginError::NoCode),
        }
    }
}

/// The form that is posted to the token endpoint.
pub fn token_form(login: &LoginConfig, proof: &Proof<'_>) -> String {
    let mut form = Serializer::new(String::new());
    match proof {
        Proof::Code(attempt, code) => form
            .append_pair("grant_type", "authorization_code")
            .append_pair("code", code.expose())
            .append_pair("redirect_uri", login.redirect_uri.as_str())
            .append_pair("code_verifier", attempt.verifier.expose()),
        Proof::Refresh(token, _) => {
            form.append_pair("grant_type", "refresh_token").append_pair("refresh_token", token.expose())
        }
    };
    form.append_pair("client_id", &login.client_id).finish()
}

/// The form that is posted to the revocation endpoint.
pub fn revocation_form(login: &LoginConfig, grant: &Grant) -> String {
    let (token, kind) = match &grant.refresh_token {
        Some(token) => (token, "refresh_token"),
        None => (&grant.access_token, "access_token"),
    };
    Serializer::new(String::new())
        .append_pair("token", token.expose())
        .append_pair("token_type_hint", kind)
        .append_pair("client_id", &login.client_id)
        .finish()
}

/// Reads the token endpoint's answer; `now` is in seconds since 1970.
///
/// # Errors
/// See [`LoginError`]; what was presented is blanked in the server's words.
pub fn granted(
    login: &LoginConfig,
    proof: &Proof<'_>,
    status: u16,
    body: &[u8],
    now: i64,
) -> Result<Grant, LoginError> {
    let place = || login.token_url.to_string();
    let malformed = |what| LoginError::Malformed { place: place(), what };
    let answer: Option<Value> = serde_json::from_slice(body).ok();
    if !(200..300).contains(&status) {
        let field = |name: &str| Some(blanked(answer.as_ref()?[name].as_str()?, proof));
        let Some(error) = field("error") else {
            return Err(LoginError::Rejected { place: place(), status, said: "no reason given".to_owned() });
        };
        let said = said(&error, field("error_description").as_deref());
        return Err(match (error.as_str(), proof) {
            ("invalid_grant", Proof::Code(..)) => LoginError::Ended { what: "the code", said },
            ("invalid_grant", Proof::Refresh(..)) => LoginError::Ended { what: "the stored login", said },
            ("access_denied", _) => LoginError::Denied(said),
            _ => LoginError::Rejected { place: place(), status, said },
        });
    }
    let answer = answer.filter(Value::is_object).ok_or_else(|| malformed("it is not a JSON object"))?;
    // RFC 6749 section 7.1: a token of a kind that is not understood must not be used.
    if !answer["token_type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("bearer")) {
        return Err(malformed("`token_type` is not `Bearer`"));
    }
    let token = |name: &str| match &answer[name] {
        Value::Null => Ok(None),
        Value::String(text) if is_token(text) => Ok(Some(Secret::new(text.clone()))),
        _ => Err(()),
    };
    let access_token =
        token("access_token").ok().flatten().ok_or_else(|| malformed("`access_token` is not a token"))?;
    let refresh_token = token("refresh_token").map_err(|()| malformed("`refresh_token` is not a token"))?;
    let expires_at = match &answer["expires_in"] {
        Value::Null => None,
        // Some servers send the number as a text.
        value => {
            let seconds =
                value.as_f64().or_else(|| value.as_str()?.parse().ok()).filter(|s| (0.0..1e10).contains(s));
            Some(now + seconds.ok_or_else(|| malformed("`expires_in` is not a number of seconds"))? as i64)
        }
    };
    let scope = answer["scope"].as_str().map(|scope| cut(scope, 1000));
    Ok(Grant { access_token, refresh_token, expires_at, scope })
}

/// Printable ASCII, as a header takes it, of at most 16 KiB.
pub(super) fn is_token(text: &str) -> bool {
    (1..=16 * 1024).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic())
}

fn random() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

fn said(error: &str, description: Option<&str>) -> String {
    match description.filter(|d| !d.is_empty()) {
        Some(description) => format!("{}: {}", cut(error, 60), cut(description, 200)),
        None => cut(error, 60),
    }
}

/// A server that repeats what it was sent, or what it once gave, does not get it onto the screen.
fn blanked(text: &str, proof: &Proof<'_>) -> String {
    let secrets = match proof {
        Proof::Code(attempt, code) => [*code, &attempt.verifier],
        Proof::Refresh(refresh, access) => [*refresh, *access],
    };
    secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret.expose(), "***"))
}

#[cfg(test)]
mod tests;

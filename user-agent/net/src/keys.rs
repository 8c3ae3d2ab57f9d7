//! Which key a provider gets: of a stored login, a credential file, or the environment, in this order.
//!
//! A login is read from its file for every use, so that a login, a logout or another process' renewal counts at once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use jiff::Timestamp;
use models::config::{LoginConfig, LoginUrl};
use models::http::{Caps, Client, Exchange};
use models::{ProviderConfig, TransportError};
use shared_types::secret::Secret;
use shared_types::sorted;

use super::credentials::{CredentialError, Credentials};
pub use super::key_error::KeyError;
use super::oauth::{self, Grant, LoginError, Proof};
use super::records::{By, Leaving, Records};

/// The keys of all providers.
#[derive(Debug)]
pub struct Keys {
    fixed: BTreeMap<String, Fixed>,
    credentials: Option<Credentials>,
    /// Grants that could not be stored, as on a full disk, each with the refresh token that it has made void.
    unsaved: RefCell<BTreeMap<String, (Secret, Grant)>>,
}

/// A key that was there at the start.
#[derive(Debug)]
enum Fixed {
    Key(Secret),
    /// A file that is there and must not be used.
    Refused(String),
}

/// A provider's key for one request.
#[derive(Debug)]
pub struct Key {
    /// What is sent.
    pub secret: Secret,
    /// Whether it came of a login, so that a refusal can be answered with a newer one.
    pub of_login: bool,
}

/// The way to an authorization server, which leaves its trace in the log.
#[derive(Debug, Clone)]
pub struct Wire {
    pub client: Rc<Client>,
    /// The log.
    pub records: Rc<Records>,
}

/// A token that ends within this time is renewed before it is used.
const MARGIN_SECONDS: i64 = 30;
/// What one exchange with an authorization server may take and bring.
const CAPS: Caps = Caps { timeout: Duration::from_secs(30), max_bytes: 64 * 1024 };
/// How long another process may be renewing: longer than its exchange may take.
const PATIENCE: Duration = Duration::from_secs(35);

impl Keys {
    /// Reads the credential files and the environment; `credentials` is `None` where the home does not have this folder.
    pub fn read(
        providers: &[ProviderConfig],
        credentials: Option<Credentials>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Keys {
        let fixed = |provider: &ProviderConfig| {
            if let (Some(name), Some(folder)) = (&provider.api_key_file, &credentials) {
                match folder.key(name) {
                    Ok(Some(key)) => return Some(Fixed::Key(key)),
                    Ok(None) => {}
                    Err(error) => return Some(Fixed::Refused(error.to_string())),
                }
            }
            let value = variable(provider.api_key.as_ref()?.as_str())?;
            let value = value.trim();
            (!value.is_empty()).then(|| Fixed::Key(Secret::new(value.to_owned())))
        };
        let fixed = sorted::collected(providers.iter().filter_map(|p| Some((p.name.clone(), fixed(p)?))));
        Keys { fixed, credentials, unsaved: RefCell::default() }
    }

    /// The key to be sent; `None` where none is configured.
    ///
    /// # Errors
    /// One is needed and there is none that can be used: every way to give one is named.
    pub async fn key(&self, wire: &Wire, provider: &ProviderConfig) -> Result<Option<Key>, TransportError> {
        if let Some(login) = &provider.login
            && let Some(grant) = self.stored(&provider.name).map_err(|e| self.unusable(provider, e))?
        {
            let grant =
                if is_fresh(&grant) { grant } else { self.renew(wire, provider, login, &grant).await? };
            return Ok(Some(Key { secret: grant.access_token, of_login: true }));
        }
        match self.fixed.get(&provider.name) {
            Some(Fixed::Key(key)) => Ok(Some(Key { secret: key.clone(), of_login: false })),
            Some(Fixed::Refused(why)) => Err(TransportError::NoKey(why.clone())),
            None if provider.needs_key() => Err(TransportError::NoKey(ways(provider))),
            None => Ok(None),
        }
    }

    /// A newer key in place of one that the server refused; `None` where there can be none.
    ///
    /// # Errors
    /// The authorization server refuses, or cannot be reached.
    pub async fn renewed(
        &self,
        wire: &Wire,
        provider: &ProviderConfig,
        refused: &Key,
    ) -> Result<Option<Key>, TransportError> {
        let Some(login) = provider.login.as_ref().filter(|_| refused.of_login) else { return Ok(None) };
        let held = Grant {
            access_token: refused.secret.clone(),
            refresh_token: None,
            expires_at: None,
            scope: None,
        };
        let stored = self.stored(&provider.name).map_err(|e| self.unusable(provider, e))?;
        if stored.is_none_or(|grant| grant.access_token == held.access_token && grant.refresh_token.is_none())
        {
            return Ok(None);
        }
        let grant = self.renew(wire, provider, login, &held).await?;
        Ok(Some(Key { secret: grant.access_token, of_login: true }))
    }

    fn stored(&self, provider: &str) -> Result<Option<Grant>, CredentialError> {
        let stored = self.credentials.as_ref().map_or(Ok(None), |folder| folder.login(provider))?;
        Ok(match (self.unsaved.borrow().get(provider), stored) {
            (Some((void, newer)), Some(stored)) if stored.refresh_token.as_ref() == Some(void) => {
                Some(newer.clone())
            }
            (_, stored) => stored,
        })
    }

    /// Renews a grant that is too old; the second caller takes what the first one brought.
    async fn renew(
        &self,
        wire: &Wire,
        provider: &ProviderConfig,
        login: &LoginConfig,
        old: &Grant,
    ) -> Result<Grant, TransportError> {
        let name = &provider.name;
        let Some(folder) = &self.credentials else { return Err(TransportError::NoKey(ways(provider))) };
        let _alone = folder.alone(name, PATIENCE).await.map_err(|e| self.unusable(provider, e.into()))?;
        let stored = self.stored(name).map_err(|e| self.unusable(provider, e))?;
        let Some(stored) = stored else { return Err(TransportError::NoKey(ways(provider))) };
        if stored.access_token != old.access_token && is_fresh(&stored) {
            return Ok(stored);
        }
        let Some(refresh) = &stored.refresh_token else {
            return Err(TransportError::NoKey(format!("the login has ended; run `cl-bot login {name}`")));
        };
        let granted = grant(wire, name, login, &Proof::Refresh(refresh, &stored.access_token))
            .await
            .map_err(|error| match error {
                KeyError::Transport(error) => could_not(error),
                error => TransportError::NoKey(format!("{error}; run `cl-bot login {name}`")),
            })?;
        // RFC 6749 section 6: without a new refresh token or scope, the earlier one still holds.
        let granted = Grant {
            refresh_token: granted.refresh_token.or_else(|| stored.refresh_token.clone()),
            scope: granted.scope.or_else(|| stored.scope.clone()),
            ..granted
        };
        let mut unsaved = self.unsaved.borrow_mut();
        match folder.store(name, &granted) {
            Ok(()) => unsaved.remove(name),
            Err(_) => {
                let void = unsaved.remove(name).map_or_else(|| refresh.clone(), |(void, _)| void);
                unsaved.insert(name.clone(), (void, granted.clone()))
            }
        };
        Ok(granted)
    }

    fn unusable(&self, provider: &ProviderConfig, error: CredentialError) -> TransportError {
        TransportError::NoKey(format!("{error}; `cl-bot login {}` makes a new login", provider.name))
    }
}

/// Exchanges a code or a refresh token at the token endpoint.
///
/// # Errors
/// The server refuses, answers nonsense, or cannot be reached.
pub async fn grant(
    wire: &Wire,
    provider: &str,
    login: &LoginConfig,
    proof: &Proof<'_>,
) -> Result<Grant, KeyError> {
    let answer = post(wire, provider, &login.token_url, oauth::token_form(login, proof)).await?;
    Ok(oauth::granted(login, proof, answer.status, &answer.body, Timestamp::now().as_second())?)
}

/// Declares a grant void at the revocation endpoint, if there is one; answers whether the server was notified.
///
/// # Errors
/// The server refuses, or cannot be reached.
pub async fn revoke(
    wire: &Wire,
    provider: &str,
    login: &LoginConfig,
    grant: &Grant,
) -> Result<bool, KeyError> {
    let Some(place) = &login.revocation_url else { return Ok(false) };
    let answer = post(wire, provider, place, oauth::revocation_form(login, grant)).await?;
    if (200..300).contains(&answer.status) {
        return Ok(true);
    }
    let said = "no reason taken".to_owned();
    Err(LoginError::Rejected { place: place.to_string(), status: answer.status, said }.into())
}

async fn post(
    wire: &Wire,
    provider: &str,
    place: &LoginUrl,
    form: String,
) -> Result<Exchange, TransportError> {
    let host = host_and_port(place.endpoint());
    let leaving = Leaving { by: By::Login, of: provider, method: "POST", host: &host, out: form.len() };
    let running = wire.records.begin(&leaving)?;
    let answer = wire.client.form(place, form, CAPS).await;
    running.end_with(&answer);
    answer
}

/// Host and port of a configured place, for the log.
pub(super) fn host_and_port(place: &models::Endpoint) -> String {
    let host = place.host();
    if host.contains(':') { format!("[{host}]:{}", place.port()) } else { format!("{host}:{}", place.port()) }
}

fn is_fresh(grant: &Grant) -> bool {
    grant.expires_at.is_none_or(|end| end - MARGIN_SECONDS > Timestamp::now().as_second())
}

fn could_not(error: TransportError) -> TransportError {
    let why = format!("the login could not be renewed: {error}");
    match error {
        TransportError::Timeout(_) => TransportError::Timeout(why),
        TransportError::Denied(_) => TransportError::Denied(why),
        _ => TransportError::Network(why),
    }
}

/// The three ways to give a provider its key, those first that the configuration names.
fn ways(provider: &ProviderConfig) -> String {
    let name = &provider.name;
    let login = match &provider.login {
        Some(_) => format!("log in with `cl-bot login {name}`"),
        None => "configure `login` and log in".to_owned(),
    };
    let file = match &provider.api_key_file {
        Some(file) => format!("put it into data/credentials/{file} (mode 0600)"),
        None => "name a file with `api_key_file`".to_owned(),
    };
    let variable = match &provider.api_key {
        Some(variable) => format!("set the variable {variable}"),
        None => "name a variable with `api_key`".to_owned(),
    };
    format!("{login}, {file}, or {variable}")
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests build the files that the program reads")]
mod tests;

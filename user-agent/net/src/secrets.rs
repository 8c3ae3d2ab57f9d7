//! Secrets of skills: a skill writes `{{secret:NAME}}` into a header or a query and never sees the value.
//!
//! The admin binds a secret to one host. It is filled in here, for a skill whose decision names it, for that host, over TLS
//! or to this machine; a redirect is never followed; and the value is blanked in the answer.

use std::path::Path;

use bot_base::paths::Folder;
use models::http::{Exchange, Fetch, blank};
use shared_types::home::Home;
use shared_types::id::{HostName, SecretName};
use shared_types::secret::{BoundSecret, Secret};
use shared_types::text::cut;

use super::credentials::{CredentialError, Place, read};

/// The folder of secrets; nothing is read from it before a skill needs it.
#[derive(Debug, Default)]
pub struct Secrets {
    folder: Option<Folder>,
    /// Who sets them.
    admin: u32,
}

/// Why a skill's secret is not filled in; a sentence for the skill.
#[derive(Debug, thiserror::Error)]
pub enum NotFilled {
    /// It stands in the path, the body or a header's name.
    #[error("a secret may stand in a header's value or in the query, nowhere else")]
    Misplaced,
    /// Its braces do not close.
    #[error("`{{{{secret:` without its `}}}}`")]
    Unclosed,
    /// The URL lacks what says whose server it is.
    #[error("this is not a URL with a {0}")]
    Url(&'static str),
    /// Others could read the connection.
    #[error("a secret goes over https only")]
    Open,
    /// The skill's decision does not name it.
    #[error("the secret `{0}` was not granted to this skill")]
    NotGranted(String),
    /// The admin has not set it.
    #[error("the secret `{0}` is not set: `cl-admin secret set {0} --for HOST`")]
    Unset(String),
    /// Its file is not used.
    #[error(transparent)]
    File(#[from] CredentialError),
    /// Its file does not say what it is.
    #[error("the file of the secret `{0}` is damaged; set it again")]
    Damaged(String),
    /// It belongs to another host.
    #[error("the secret `{name}` is for {host} only")]
    Elsewhere {
        /// The secret.
        name: String,
        /// Whose it is.
        host: HostName,
    },
}

/// The values that a request carries.
#[derive(Debug, Default)]
pub struct Filled(Vec<Secret>);

const OPEN: &str = "{{secret:";
const CLOSE: &str = "}}";

impl Secrets {
    /// Opens the folder, if there is one; `admin` is the user whose files count beside this program's own.
    pub fn open(home: &Home, admin: u32) -> Secrets {
        Secrets { folder: Folder::root(&home.secrets()).ok(), admin }
    }

    /// Puts the secrets in that a skill with `granted` asks for.
    ///
    /// # Errors
    /// See [`NotFilled`].
    pub fn fill(&self, granted: &[SecretName], fetch: &mut Fetch) -> Result<Filled, NotFilled> {
        let mut filled = Filled::default();
        let (before, query) = match fetch.url.split_once('?') {
            Some((before, query)) => (before, query),
            None => (fetch.url.as_str(), ""),
        };
        let elsewhere = before.contains(OPEN)
            || fetch.headers.iter().any(|(name, _)| name.contains(OPEN))
            || fetch.body.windows(OPEN.len()).any(|w| w == OPEN.as_bytes());
        if elsewhere {
            return Err(NotFilled::Misplaced);
        }
        if !query.contains(OPEN) && !fetch.headers.iter().any(|(_, value)| value.contains(OPEN)) {
            return Ok(filled);
        }
        let target = Target::of(fetch)?;
        let mut value = |name: &str| self.value(granted, &target, name);
        let query = expand(query, &mut value, &mut filled, |secret| {
            form_urlencoded::byte_serialize(secret.as_bytes()).collect()
        })?;
        for (_, header) in &mut fetch.headers {
            *header = expand(header, &mut value, &mut filled, str::to_owned)?;
        }
        if !query.is_empty() {
            fetch.url = format!("{before}?{query}");
        }
        Ok(filled)
    }

    /// The secret of this name, for a process that talks to this host alone.
    ///
    /// # Errors
    /// See [`NotFilled`].
    pub fn bound_to(&self, name: &SecretName, host: &HostName) -> Result<Secret, NotFilled> {
        let target = Target { host: host.host().to_owned(), port: host.port().unwrap_or(443) };
        self.value(std::slice::from_ref(name), &target, name.as_str())
    }

    fn value(&self, granted: &[SecretName], target: &Target, name: &str) -> Result<Secret, NotFilled> {
        let shown = cut(name, 64);
        let Some(name) = granted.iter().find(|granted| granted.as_str() == name) else {
            return Err(NotFilled::NotGranted(shown));
        };
        let unset = || NotFilled::Unset(shown.clone());
        let folder = self.folder.as_ref().ok_or_else(unset)?;
        let text = read(folder, &format!("{name}.json"), Place::Admin(self.admin))?.ok_or_else(unset)?;
        let bound: BoundSecret = serde_json::from_slice(text.expose().as_bytes())
            .map_err(|_| NotFilled::Damaged(shown.clone()))?;
        if !bound.is_for(&target.host, target.port) {
            return Err(NotFilled::Elsewhere { name: shown, host: bound.host });
        }
        Ok(bound.into_secret())
    }
}

impl Filled {
    /// Overwrites the values in an answer, as they are and as they stand in a query.
    pub fn blank(&self, exchange: &mut Exchange) {
        for secret in &self.0 {
            blank(&mut exchange.body, secret.expose().as_bytes());
            let encoded: String = form_urlencoded::byte_serialize(secret.expose().as_bytes()).collect();
            blank(&mut exchange.body, encoded.as_bytes());
        }
    }
}

/// Where a request goes, as the client reads its URL.
struct Target {
    host: String,
    port: u16,
}

impl Target {
    fn of(fetch: &Fetch) -> Result<Target, NotFilled> {
        let origin = fetch.origin().ok_or(NotFilled::Url("host"))?;
        let (host, port) = origin.rsplit_once(':').ok_or(NotFilled::Url("host"))?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let loopback =
            host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
        // The scheme is not case-sensitive; what is not plainly `https` counts as open.
        if !loopback && !fetch.url.starts_with("https://") {
            return Err(NotFilled::Open);
        }
        let port = port.parse().map_err(|_| NotFilled::Url("port"))?;
        Ok(Target { host, port })
    }
}

fn expand(
    text: &str,
    value: &mut impl FnMut(&str) -> Result<Secret, NotFilled>,
    filled: &mut Filled,
    written: impl Fn(&str) -> String,
) -> Result<String, NotFilled> {
    let (mut rest, mut whole) = (text, String::new());
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (name, after) = after.split_once(CLOSE).ok_or(NotFilled::Unclosed)?;
        let secret = value(name)?;
        whole.push_str(before);
        whole.push_str(&written(secret.expose()));
        filled.0.push(secret);
        rest = after;
    }
    whole.push_str(rest);
    Ok(whole)
}

/// The user whose secrets count: the one to whom the configuration belongs.
pub fn admin_of(home: &Home) -> u32 {
    use std::os::unix::fs::MetadataExt;
    let owner = |path: &Path| std::fs::metadata(path).map(|data| data.uid());
    owner(&home.config()).unwrap_or_else(|_| nix::unistd::geteuid().as_raw())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests build the files that the program reads")]
mod tests;

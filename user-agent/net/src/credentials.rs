//! The folder of credentials: key files that a person put there, and logins that this program keeps.
//!
//! `mind` never opens it. A file counts only if it is a regular file of this user that nobody else may read.

use std::fs::{File, TryLockError};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bot_base::error::Error;
use bot_base::paths::{Folder, PathError};
use models::ProviderConfig;
use models::config::CredentialName;
use nix::unistd::geteuid;
use serde::{Deserialize, Serialize};
use shared_types::home::Home;
use shared_types::secret::Secret;

use super::oauth::{Grant, is_token};

/// The open folder, and that of the service manager (`CREDENTIALS_DIRECTORY`) where there is one.
#[derive(Debug)]
pub struct Credentials {
    own: Folder,
    system: Option<Folder>,
}

/// A credential that is there and is not used.
#[derive(Debug, thiserror::Error)]
pub enum CredentialError {
    /// Somebody else may read or change it.
    #[error("{path} has the mode {mode:04o}, so others than its owner may use it", path = path.display())]
    Wide {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// It belongs to somebody else.
    #[error("{path} belongs to the user {owner}, not to the user {wanted} of this program", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Whose it is.
        owner: u32,
        /// Who runs this program.
        wanted: u32,
    },
    /// It holds something else than expected.
    #[error("{path}: {what}", path = path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it; never a part of it.
        what: &'static str,
    },
    /// It cannot be opened, is a link, too large, or no regular file.
    #[error(transparent)]
    Path(#[from] PathError),
}

impl From<CredentialError> for Error {
    fn from(error: CredentialError) -> Error {
        let hint = match &error {
            CredentialError::Wide { path, .. } => {
                Some(format!("take the rights of others away: chmod 600 {}", path.display()))
            }
            CredentialError::Foreign { path, wanted, .. } => {
                Some(format!("give it to the bot's user: chown {wanted} {}", path.display()))
            }
            _ => None,
        };
        let what = format!("this credential is not used: {error}");
        Error::Layer { what, hint, refused: true, source: Box::new(error) }
    }
}

/// The largest file that is read.
pub const MOST_BYTES: u64 = 64 * 1024;

/// Who may own a file, and what others may do with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Beneath the home: this user alone.
    Own,
    /// The service manager's: root may own it, and the group's bits are the mask of its access list.
    System,
    /// The admin's, which shares it by a group.
    Admin(u32),
}

/// A login as it is stored in its file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    access_token: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refresh_token: Option<String>,
    /// Seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
    token_type: String,
}

/// Judges the key files of these providers by what the folder says about them, without opening one: what is too wide, a
/// link or somebody else's is reported before anything starts.
///
/// # Errors
/// The first such file; a missing file is not an error.
pub fn check<'a>(
    home: &Home,
    providers: impl IntoIterator<Item = &'a ProviderConfig>,
) -> Result<(), CredentialError> {
    for provider in providers {
        let key = provider.api_key_file.as_ref().map(|name| name.as_str().to_owned());
        let login = provider.login.as_ref().map(|_| login_file(&provider.name));
        for name in [key, login].into_iter().flatten() {
            let path = home.credentials().join(name);
            if let Ok(data) = std::fs::symlink_metadata(&path) {
                judge(&path, &data, Place::Own)?;
            }
        }
    }
    Ok(())
}

/// Where a provider's key would come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// None is configured, so none is sent.
    NotNeeded,
    /// A stored login.
    Login,
    /// A credential file.
    File,
    /// An environment variable.
    Variable,
    /// One is needed, and there is none.
    Nowhere,
}

/// Where a provider's key would come from, found out without opening a file; `has_value` tells of a variable.
///
/// # Errors
/// The file that would be taken must not be used.
pub fn find(
    home: &Home,
    system: Option<&Path>,
    provider: &ProviderConfig,
    has_value: impl Fn(&str) -> bool,
) -> Result<Found, CredentialError> {
    check(home, [provider])?;
    let lies_in = |folder: &Path, name: &str| folder.join(name).symlink_metadata().is_ok();
    if provider.login.is_some() && lies_in(&home.credentials(), &login_file(&provider.name)) {
        return Ok(Found::Login);
    }
    if let Some(name) = &provider.api_key_file {
        let folders = [Some(home.credentials()), system.map(Path::to_owned)];
        if folders.iter().flatten().any(|folder| lies_in(folder, name.as_str())) {
            return Ok(Found::File);
        }
    }
    if provider.api_key.as_ref().is_some_and(|name| has_value(name.as_str())) {
        return Ok(Found::Variable);
    }
    Ok(if provider.needs_key() { Found::Nowhere } else { Found::NotNeeded })
}

impl Credentials {
    /// Opens the folders.
    ///
    /// # Errors
    /// The folder of the home is missing or refused.
    pub fn open(home: &Home, system: Option<&Path>) -> Result<Credentials, PathError> {
        let system = system.and_then(|path| Folder::root(path).ok());
        Ok(Credentials { own: Folder::root(&home.credentials())?, system })
    }

    /// Where the logins are, for messages.
    pub fn path(&self) -> &Path {
        self.own.path()
    }

    /// Reads a key file, from the home's folder or else the service manager's; `None` where neither has it.
    ///
    /// # Errors
    /// See [`CredentialError`].
    pub fn key(&self, name: &CredentialName) -> Result<Option<Secret>, CredentialError> {
        let places = [(Some(&self.own), Place::Own), (self.system.as_ref(), Place::System)];
        for (folder, place) in places {
            let Some(folder) = folder else { continue };
            if let Some(text) = read(folder, name.as_str(), place)? {
                let key = text.expose().trim();
                if !is_token(key) {
                    let what = "this is not a key: one line of printable ASCII without spaces is needed";
                    return Err(CredentialError::Content { path: folder.path().join(name.as_str()), what });
                }
                return Ok(Some(Secret::new(key.to_owned())));
            }
        }
        Ok(None)
    }

    /// Reads a stored login.
    ///
    /// # Errors
    /// See [`CredentialError`].
    pub fn login(&self, provider: &str) -> Result<Option<Grant>, CredentialError> {
        let name = login_file(provider);
        let Some(text) = read(&self.own, &name, Place::Own)? else { return Ok(None) };
        let stored: Option<Stored> = serde_json::from_slice(text.expose().as_bytes()).ok();
        let tokens_fit =
            |s: &Stored| is_token(&s.access_token) && s.refresh_token.as_deref().is_none_or(is_token);
        let Some(stored) = stored.filter(tokens_fit) else {
            let what = "this is not a stored login; log in again";
            return Err(CredentialError::Content { path: self.own.path().join(name), what });
        };
        Ok(Some(Grant {
            access_token: Secret::new(stored.access_token),
            refresh_token: stored.refresh_token.map(Secret::new),
            expires_at: stored.expires_at,
            scope: stored.scope,
        }))
    }

    /// Stores a login (mode 0600), in place of an earlier one.
    ///
    /// # Errors
    /// An error of the operating system; the earlier one then still stands.
    pub fn store(&self, provider: &str, grant: &Grant) -> Result<(), PathError> {
        let stored = Stored {
            access_token: grant.access_token.expose().to_owned(),
            refresh_token: grant.refresh_token.as_ref().map(|token| token.expose().to_owned()),
            expires_at: grant.expires_at,
            scope: grant.scope.clone(),
            token_type: "Bearer".to_owned(),
        };
        let text = serde_json::to_string(&stored).expect("a login is plain JSON");
        self.own.replace_secret(&login_file(provider), text.as_bytes())
    }

    /// Removes a stored login, regardless of what is in its file; answers whether there was one.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn forget(&self, provider: &str) -> Result<bool, PathError> {
        self.own.remove(&login_file(provider))
    }

    /// Waits for the one right to change a provider's login; it ends with the value.
    ///
    /// # Errors
    /// The lock file cannot be made, or another process has kept the right for `patience`.
    pub async fn alone(&self, provider: &str, patience: Duration) -> Result<File, PathError> {
        let name = format!("{provider}.login.lock");
        let file = self.own.log(&name)?;
        let refused = |source| PathError::Refused { path: self.own.path().join(&name), source };
        let until = tokio::time::Instant::now() + patience;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::Error(error)) => return Err(refused(error)),
                Err(TryLockError::WouldBlock) if tokio::time::Instant::now() >= until => {
                    return Err(refused(io::Error::other(
                        "another process has been changing this login for long",
                    )));
                }
                Err(TryLockError::WouldBlock) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }
}

/// The file of a provider's login.
pub fn login_file(provider: &str) -> String {
    format!("{provider}.login.json")
}

pub(super) fn read(folder: &Folder, name: &str, place: Place) -> Result<Option<Secret>, CredentialError> {
    let file = match folder.file(name) {
        Ok(file) => file,
        Err(e) if e.is_missing() => return Ok(None),
        Err(e) => return Err(e.into()),
    };
    let path = folder.path().join(name);
    let refused = |source| PathError::Refused { path: path.clone(), source };
    judge(&path, &file.metadata().map_err(refused)?, place)?;
    let mut text = String::with_capacity(4096);
    match file.take(MOST_BYTES + 1).read_to_string(&mut text) {
        Ok(_) if text.len() as u64 > MOST_BYTES => {
            Err(PathError::TooLarge { path, limit: MOST_BYTES }.into())
        }
        Ok(_) => Ok(Some(Secret::new(text))),
        Err(e) if e.kind() == io::ErrorKind::InvalidData => Err(PathError::NotText(path).into()),
        Err(source) => Err(refused(source).into()),
    }
}

fn judge(path: &Path, data: &std::fs::Metadata, place: Place) -> Result<(), CredentialError> {
    let path = path.to_owned();
    if !data.is_file() {
        return Err(PathError::NotAFile(path).into());
    }
    if data.len() > MOST_BYTES {
        return Err(PathError::TooLarge { path, limit: MOST_BYTES }.into());
    }
    let (owner, wanted) = (data.uid(), geteuid().as_raw());
    let others = match place {
        Place::Own => None,
        Place::System => Some(0),
        Place::Admin(admin) => Some(admin),
    };
    if owner != wanted && others != Some(owner) {
        return Err(CredentialError::Foreign { path, owner, wanted });
    }
    let forbidden = if place == Place::Own { 0o077 } else { 0o027 };
    let mode = data.mode() & 0o7777;
    if mode & forbidden != 0 { Err(CredentialError::Wide { path, mode }) } else { Ok(()) }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the tests build the files that the program reads")]
mod tests;

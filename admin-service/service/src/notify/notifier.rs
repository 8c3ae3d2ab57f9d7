//! A way to tell people, and why it may fail.

use base::credentials;
use shared_types::id::SecretName;
use shared_types::secret::Secret;

use super::digest::Digest;

/// A way to tell.
pub trait Notifier: Send {
    /// Its name in the configuration.
    fn name(&self) -> &str;

    /// Tells; it may block as long as its `timeout_seconds` for each step.
    ///
    /// # Errors
    /// Why nobody was notified.
    fn send(&self, digest: &Digest) -> Result<(), NotifyFault>;
}

/// Why nobody was notified; in words for the admin, without any secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotifyFault(pub String);

/// Reads a secret that this process was given.
pub(super) fn secret(name: &SecretName) -> Result<Secret, NotifyFault> {
    credentials::find(name).ok_or_else(|| {
        NotifyFault(format!(
            "the variable {name} is not set for this process, and no credential has that name"
        ))
    })
}

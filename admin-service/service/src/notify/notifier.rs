//! A way to tell people, and why it may fail.

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
    /// Why nobody was told.
    fn send(&self, digest: &Digest) -> Result<(), NotifyFault>;
}

/// Why nobody was told; in words for the admin, without any secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotifyFault(pub String);

/// Reads a secret from the environment of this process.
pub(super) fn secret(name: &SecretName) -> Result<Secret, NotifyFault> {
    match std::env::var(name.as_str()) {
        Ok(value) if !value.is_empty() => Ok(Secret::new(value)),
        _ => Err(NotifyFault(format!("the variable {name} is not set for this process"))),
    }
}

//! Why a key is not there.

use models::TransportError;

use super::credentials::CredentialError;
use super::oauth::LoginError;
use crate::ports::paths::PathError;

/// A login that could not be made, renewed or given back.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// What the server or the person said.
    #[error(transparent)]
    Login(#[from] LoginError),
    /// The server was not reached.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The stored login cannot be used.
    #[error(transparent)]
    Credential(#[from] CredentialError),
    /// The stored login cannot be written.
    #[error(transparent)]
    Path(#[from] PathError),
}

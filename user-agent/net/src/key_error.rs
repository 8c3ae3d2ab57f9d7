//! Why a key is not there.

use bot_base::error::Error;
use bot_base::paths::PathError;
use models::TransportError;

use super::credentials::CredentialError;
use super::oauth::LoginError;

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

impl From<KeyError> for Error {
    fn from(error: KeyError) -> Error {
        let again = matches!(
            error,
            KeyError::Login(LoginError::Ended { .. } | LoginError::WrongState | LoginError::NoCode)
        );
        let hint =
            again.then(|| "a code is good for one login and a few minutes: run the command again".to_owned());
        Error::Layer { what: error.to_string(), hint, refused: false, source: Box::new(error) }
    }
}

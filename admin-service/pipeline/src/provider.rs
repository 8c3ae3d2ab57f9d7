//! Connects the admin service to a configured model server, directly.

use std::io;
use std::sync::Arc;

use base::credentials;
use base::error::Cause;
use models::config::ProviderConfig;
use models::http::blocking::Direct;
use models::provider::{Kind, Provider};
use models::{Anthropic, Embedded, Mock, OpenAi};
use shared_types::id::HostName;

/// Why a provider cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum NotConnected {
    /// The configuration names none like this.
    #[error("no provider is named `{0}`")]
    Unknown(String),
    /// Its script cannot be read.
    #[error("{path}: {why}")]
    Script {
        /// The script of a mock.
        path: String,
        /// What is wrong with it.
        why: Cause,
    },
    #[error("`{0}`: a person cannot stand in for a model in a service; use another kind")]
    Person(String),
    /// Its key was not handed to the service.
    #[error(
        "the key of `{provider}` is missing: the service has neither a variable nor a credential {variable}"
    )]
    NoKey { provider: String, variable: String },
    /// The system gives no client.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Makes a provider from its configuration; its key is a variable or a credential of the service.
///
/// # Errors
/// See [`NotConnected`].
pub fn connect(config: &ProviderConfig) -> Result<Box<dyn Provider>, NotConnected> {
    match config.kind {
        Kind::Embedded => Ok(Box::new(Embedded::new(&config.name))),
        Kind::Mock => {
            let path = config.model.clone().unwrap_or_default();
            let script = |why: Cause| NotConnected::Script { path: path.clone(), why };
            let text = std::fs::read_to_string(&path).map_err(|e| script(e.into()))?;
            Ok(Box::new(Mock::new(&config.name, &text).map_err(|e| script(e.into()))?))
        }
        Kind::Human => Err(NotConnected::Person(config.name.clone())),
        Kind::OpenaiCompatible | Kind::Anthropic => {
            let key = match &config.api_key {
                None => None,
                Some(name) => {
                    let missing =
                        || NotConnected::NoKey { provider: config.name.clone(), variable: name.to_string() };
                    Some(credentials::find(name).ok_or_else(missing)?)
                }
            };
            let direct = Arc::new(Direct::new(vec![(config.clone(), key)], Vec::<HostName>::new())?);
            Ok(match config.kind {
                Kind::Anthropic => Box::new(Anthropic::new(config, direct)),
                _ => Box::new(OpenAi::new(config, direct)),
            })
        }
    }
}

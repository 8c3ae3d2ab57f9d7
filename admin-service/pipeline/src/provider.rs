//! Connects the admin service to a configured model server, directly.

use std::sync::Arc;

use models::config::ProviderConfig;
use models::http::blocking::Direct;
use models::provider::{Kind, Provider};
use models::{Anthropic, Embedded, Mock, OpenAi};
use shared_types::id::HostName;
use shared_types::secret::Secret;

/// Makes a provider from its configuration; its key is read from the service's environment.
///
/// # Errors
/// A key that the environment lacks, or a script that cannot be read.
pub fn connect(config: &ProviderConfig) -> Result<Box<dyn Provider>, String> {
    match config.kind {
        Kind::Embedded => Ok(Box::new(Embedded::new(&config.name))),
        Kind::Mock => {
            let path = config.model.clone().unwrap_or_default();
            let text = std::fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
            Ok(Box::new(Mock::new(&config.name, &text).map_err(|e| format!("{path}: {e}"))?))
        }
        Kind::Human => Err(format!(
            "`{}`: a person cannot stand in for a model in a service; use another kind",
            config.name
        )),
        Kind::OpenaiCompatible | Kind::Anthropic => {
            let key = match &config.api_key {
                None => None,
                Some(name) => Some(Secret::new(std::env::var(name.as_str()).map_err(|_| {
                    format!(
                        "the key of `{}` is missing: the variable {name} is not set for the service",
                        config.name
                    )
                })?)),
            };
            let direct = Direct::new(vec![(config.clone(), key)], Vec::<HostName>::new())
                .map_err(|e| e.to_string())?;
            let direct = Arc::new(direct);
            Ok(match config.kind {
                Kind::Anthropic => Box::new(Anthropic::new(config, direct)),
                _ => Box::new(OpenAi::new(config, direct)),
            })
        }
    }
}

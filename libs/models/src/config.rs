//! Provider entries of a configuration file, checked in one pass. Their keys stand in [`settings::models`].

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use settings::models::MODELS;
use shared_types::id::SecretName;
use shared_types::proposal::Fault;
use shared_types::settings::Section;

use crate::provider::Kind;

pub use credential::CredentialName;
pub use endpoint::{Endpoint, EndpointError};
pub use login::{LoginConfig, LoginUrl};

mod credential;
mod endpoint;
mod login;
mod read;

/// The providers of one program, in order of priority.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelsConfig {
    /// The providers; the first is asked first.
    pub providers: Vec<ProviderConfig>,
    /// Task to the name of the provider that is asked first for it.
    pub tasks: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ProviderConfig {
    /// The name by which it is chosen and shown.
    pub name: String,
    /// What kind of provider.
    pub kind: Kind,
    /// Where the server is; always set for a kind that is a server.
    pub base_url: Option<Endpoint>,
    /// The model's name; for [`Kind::Mock`] the file with the script.
    pub model: Option<String>,
    /// The environment variable that holds the key.
    pub api_key: Option<SecretName>,
    /// The other models that may be asked for by name.
    pub models: Vec<String>,
    /// Whether the answer is asked for piece by piece.
    pub stream: bool,
    /// Whether the model takes pictures.
    pub images: bool,
    /// The longest answer in tokens; `None` leaves it to the server.
    pub max_tokens: Option<u32>,
    /// The sampling temperature; `None` leaves it to the server.
    pub temperature: Option<f64>,
    /// The file, beneath the folder of credentials, that holds the key.
    pub api_key_file: Option<CredentialName>,
    /// Where a person can log in instead.
    pub login: Option<LoginConfig>,
    /// How long to wait for the first byte of an answer, and between two.
    pub timeout: Duration,
    /// How long a whole answer may take.
    pub total: Duration,
    /// How long an answer may be.
    pub max_response_bytes: u64,
}

impl Default for ModelsConfig {
    /// The companion alone: no key, no network.
    fn default() -> Self {
        ModelsConfig { providers: vec![ProviderConfig::embedded("companion")], tasks: BTreeMap::new() }
    }
}

impl ModelsConfig {
    /// Reads `providers` and `tasks` of a configuration; faults stay in it.
    pub fn read(top: &mut Section) -> ModelsConfig {
        let providers = ModelsConfig::providers(top);
        let tasks = read::tasks(top, &providers);
        ModelsConfig { providers, tasks }
    }

    /// Reads `providers` of a configuration; faults stay in it.
    pub fn providers(top: &mut Section) -> Vec<ProviderConfig> {
        read::providers(top)
    }

    /// Reads a configuration that holds `providers` and `tasks` alone.
    ///
    /// # Errors
    /// Every fault, in one pass.
    pub fn parse(value: Value) -> Result<ModelsConfig, Vec<Fault>> {
        let mut top = Section::document(MODELS, Ok::<_, String>(value));
        let config = ModelsConfig::read(&mut top);
        let faults = top.finish();
        if faults.is_empty() { Ok(config) } else { Err(faults) }
    }

    /// Whether any provider needs a network.
    pub fn needs_network(&self) -> bool {
        self.providers.iter().any(ProviderConfig::needs_network)
    }

    /// Whether any provider takes pictures.
    pub fn takes_images(&self) -> bool {
        self.providers.iter().any(|provider| provider.images)
    }

    /// The provider of that name.
    pub fn provider(&self, name: &str) -> Option<&ProviderConfig> {
        self.providers.iter().find(|p| p.name == name)
    }
}

impl ProviderConfig {
    /// The built-in companion under a name.
    pub fn embedded(name: &str) -> Self {
        ProviderConfig {
            name: name.to_owned(),
            kind: Kind::Embedded,
            base_url: None,
            model: None,
            api_key: None,
            models: Vec::new(),
            stream: true,
            images: false,
            max_tokens: None,
            temperature: None,
            api_key_file: None,
            login: None,
            timeout: DEFAULT_TIMEOUT,
            total: DEFAULT_TOTAL,
            max_response_bytes: DEFAULT_BYTES,
        }
    }

    /// Whether the provider is configured to send a key, wherever that comes from.
    pub fn needs_key(&self) -> bool {
        self.api_key.is_some() || self.api_key_file.is_some() || self.login.is_some()
    }

    /// Whether this provider needs a network.
    pub fn needs_network(&self) -> bool {
        self.kind.is_remote()
    }
}

/// How long to wait for a byte when nothing is said, as in [`settings::models::PROVIDER`].
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a whole answer may take when nothing is said.
pub const DEFAULT_TOTAL: Duration = Duration::from_secs(300);
/// The same for a server of this machine or a private network: it may read for a minute before it writes, and llama.cpp says nothing
/// for 30 seconds.
pub const NEAR_TIMEOUT: Duration = Duration::from_secs(120);
/// See above.
pub const NEAR_TOTAL: Duration = Duration::from_secs(1_800);
/// How long an answer may be when nothing is said.
pub const DEFAULT_BYTES: u64 = 1024 * 1024;

#[cfg(test)]
mod tests;

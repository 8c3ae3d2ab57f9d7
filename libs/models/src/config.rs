//! Provider entries of a configuration file, checked in one pass.
//!
//! ```yaml
//! models:
//!   providers:                  # in order of priority
//!     - name: local
//!       kind: openai-compatible # embedded, openai-compatible, anthropic, mock, human
//!       base_url: http://127.0.0.1:8080/v1
//!       model: some-model
//!       models: [other-model]   # what else may be asked for by name
//!       stream: true            # false: the whole answer at once
//!       max_tokens: 1024        # the longest answer; without it the server decides (anthropic: 4096)
//!       temperature: 0.2        # how much the answers vary: 0 to 2, anthropic 0 to 1; without it the server decides
//!       timeout_seconds: 20     # for the first byte, and between two
//!       total_seconds: 300      # for the whole answer
//!       api_key: "${LOCAL_KEY}" # the name of an environment variable, never a key
//!       api_key_file: local.key # or a file beneath the credentials folder
//!       login:                  # or a login: OAuth 2.0, authorization code with PKCE, public client
//!         authorization_url: https://login.example/authorize
//!         token_url: https://login.example/token
//!         revocation_url: https://login.example/revoke # asked by a logout, if it is there
//!         client_id: my-own-client
//!         scopes: [chat]
//!         redirect_uri: http://127.0.0.1:8123/callback # nobody listens there: the address is pasted
//!       max_response_bytes: 1048576
//!     - {name: companion, kind: embedded}
//!   tasks: {implement: local}   # which provider is asked first for a task
//! ```

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use shared_types::id::SecretName;

use crate::provider::Kind;

pub use credential::CredentialName;
pub use endpoint::{Endpoint, EndpointError};
pub use login::{LoginConfig, LoginUrl};

mod check;
mod credential;
mod endpoint;
mod login;

/// The providers of one program, in order of priority.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelsConfig {
    /// The providers; the first is asked first.
    pub providers: Vec<ProviderConfig>,
    /// Task to the name of the provider that is asked first for it.
    pub tasks: BTreeMap<String, String>,
}

/// One provider.
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

/// One fault of a configuration: the key, what is wrong, and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {message}")]
pub struct ConfigFault {
    /// The key, as in `models.providers[0].kind`.
    pub key: String,
    /// What is wrong, and what is allowed.
    pub message: String,
}

impl Default for ModelsConfig {
    /// The companion alone: no key, no network.
    fn default() -> Self {
        ModelsConfig { providers: vec![ProviderConfig::embedded("embedded")], tasks: BTreeMap::new() }
    }
}

impl ModelsConfig {
    /// Reads the value under `key` of a configuration; an absent (`null`) value is the default.
    ///
    /// # Errors
    /// Every fault, in one pass.
    pub fn validate(value: &Value, key: &str) -> Result<ModelsConfig, Vec<ConfigFault>> {
        let mut check = check::Check { faults: Vec::new() };
        let config = check.models(value, key);
        if check.faults.is_empty() { Ok(config) } else { Err(check.faults) }
    }

    /// Whether any provider needs a network.
    pub fn needs_network(&self) -> bool {
        self.providers.iter().any(ProviderConfig::needs_network)
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

/// How long to wait for a byte when nothing is said.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a whole answer may take when nothing is said.
pub const DEFAULT_TOTAL: Duration = Duration::from_secs(300);
/// How long an answer may be when nothing is said.
pub const DEFAULT_BYTES: u64 = 1024 * 1024;

#[cfg(test)]
mod tests;

//! From a JSON value to a checked configuration: every fault is noted, none stops the check.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value};
use shared_types::id::SecretName;
use shared_types::text;

use super::{
    ConfigFault, DEFAULT_BYTES, DEFAULT_TIMEOUT, DEFAULT_TOTAL, Endpoint, ModelsConfig, ProviderConfig,
};
use crate::provider::Kind;

/// What crosses between the two processes of the bot is capped at 4 MiB, so an answer must stay well below.
const MOST_BYTES: u64 = 2 * 1024 * 1024;
const MOST_SECONDS: u64 = 3600;
const MOST_TOKENS: u64 = 1_000_000;
const MODELS_KEYS: [&str; 2] = ["providers", "tasks"];
const PROVIDER_KEYS: &[&str] = &[
    "name",
    "kind",
    "base_url",
    "model",
    "models",
    "api_key",
    "api_key_file",
    "login",
    "stream",
    "max_tokens",
    "temperature",
    "timeout_seconds",
    "total_seconds",
    "max_response_bytes",
];
const TASKS: [&str; 5] = ["chat", "propose", "extract", "implement", "skill"];

pub(super) struct Check {
    pub(super) faults: Vec<ConfigFault>,
}

impl Check {
    fn fault(&mut self, key: impl Into<String>, message: impl Into<String>) {
        self.faults.push(ConfigFault { key: key.into(), message: message.into() });
    }

    pub(super) fn models(&mut self, value: &Value, key: &str) -> ModelsConfig {
        let map = match value {
            Value::Null => return ModelsConfig::default(),
            Value::Object(map) => map,
            _ => {
                self.fault(key, format!("must be a mapping; allowed keys: {}", MODELS_KEYS.join(" ")));
                return ModelsConfig::default();
            }
        };
        self.known_keys(map, key, &MODELS_KEYS);
        let providers = match map.get("providers") {
            None | Some(Value::Null) => ModelsConfig::default().providers,
            Some(Value::Array(entries)) => {
                if entries.is_empty() || entries.len() > 16 {
                    self.fault(format!("{key}.providers"), "needs 1 to 16 entries");
                }
                entries
                    .iter()
                    .enumerate()
                    .filter_map(|(i, entry)| self.provider(entry, &format!("{key}.providers[{i}]")))
                    .collect()
            }
            Some(_) => {
                self.fault(format!("{key}.providers"), "must be a list");
                Vec::new()
            }
        };
        for (i, provider) in providers.iter().enumerate() {
            if providers[..i].iter().any(|p: &ProviderConfig| p.name == provider.name) {
                self.fault(
                    format!("{key}.providers[{i}].name"),
                    format!("`{}` is there twice", provider.name),
                );
            }
        }
        let tasks = self.tasks(map.get("tasks"), &format!("{key}.tasks"), &providers);
        ModelsConfig { providers, tasks }
    }

    fn tasks(
        &mut self,
        value: Option<&Value>,
        key: &str,
        providers: &[ProviderConfig],
    ) -> BTreeMap<String, String> {
        let map = match value {
            None | Some(Value::Null) => return BTreeMap::new(),
            Some(Value::Object(map)) => map,
            Some(_) => {
                self.fault(key, format!("must be a mapping; allowed keys: {}", TASKS.join(" ")));
                return BTreeMap::new();
            }
        };
        self.known_keys(map, key, &TASKS);
        let mut tasks = BTreeMap::new();
        for (task, name) in map {
            match name.as_str() {
                Some(name) if providers.iter().any(|p| p.name == name) => {
                    tasks.insert(task.clone(), name.to_owned());
                }
                _ => {
                    let names: Vec<&str> = providers.iter().map(|p| p.name.as_str()).collect();
                    self.fault(format!("{key}.{task}"), format!("allowed: {}", names.join(" ")));
                }
            }
        }
        tasks
    }

    fn provider(&mut self, value: &Value, key: &str) -> Option<ProviderConfig> {
        let Value::Object(map) = value else {
            self.fault(key, format!("must be a mapping; allowed keys: {}", PROVIDER_KEYS.join(" ")));
            return None;
        };
        self.known_keys(map, key, PROVIDER_KEYS);
        let name = self.text(map, key, "name").filter(|name| {
            let fits = (1..=32).contains(&name.len())
                && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.".contains(&b));
            if !fits {
                self.fault(format!("{key}.name"), "1 to 32 lower-case letters, digits, `-`, `_`, `.`");
            }
            fits
        });
        if !map.contains_key("name") {
            self.fault(format!("{key}.name"), "missing");
        }
        let kinds = Kind::ALL.map(Kind::as_str).join(" ");
        let kind = match self.text(map, key, "kind") {
            Some(word) => Kind::parse(&word).or_else(|| {
                self.fault(format!("{key}.kind"), format!("`{}`; allowed: {kinds}", text::cut(&word, 40)));
                None
            }),
            None => {
                if !map.contains_key("kind") {
                    self.fault(format!("{key}.kind"), format!("missing; allowed: {kinds}"));
                }
                None
            }
        };
        let base_url = self.text(map, key, "base_url").and_then(|url| match url.parse::<Endpoint>() {
            Ok(endpoint) => Some(endpoint),
            Err(e) => {
                self.fault(format!("{key}.base_url"), e.to_string());
                None
            }
        });
        let api_key = self.text(map, key, "api_key").and_then(|word| self.key_name(&word, key));
        let api_key_file = self.text(map, key, "api_key_file").and_then(|word| {
            let name = word.parse();
            name.map_err(|e| self.fault(format!("{key}.api_key_file"), format!("{e}"))).ok()
        });
        let login = map.get("login").and_then(|value| {
            let (login, faults) = super::login::read(&format!("{key}.login"), value);
            self.faults.extend(faults);
            login
        });
        let model = self.text(map, key, "model");
        if kind.is_some_and(Kind::is_remote) {
            if !map.contains_key("base_url") {
                let where_to = match kind {
                    Some(Kind::Anthropic) => "missing: where the server is, without `/v1`",
                    _ => "missing: where the server is, up to and with `/v1`",
                };
                self.fault(format!("{key}.base_url"), where_to);
            }
            if !map.contains_key("model") {
                self.fault(format!("{key}.model"), "missing: the name of the model");
            }
        }
        if kind == Some(Kind::Mock) && !map.contains_key("model") {
            self.fault(format!("{key}.model"), "missing: the file with the scripted answers");
        }
        let seconds = self.number(map, key, "timeout_seconds", DEFAULT_TIMEOUT.as_secs(), 1, MOST_SECONDS);
        let timeout = Duration::from_secs(seconds);
        let least = DEFAULT_TOTAL.max(timeout).as_secs();
        let total = Duration::from_secs(self.number(map, key, "total_seconds", least, seconds, MOST_SECONDS));
        let max_tokens = map.contains_key("max_tokens").then(|| {
            let most = self.number(map, key, "max_tokens", 1, 1, MOST_TOKENS);
            u32::try_from(most).expect("the most tokens fit into 32 bits")
        });
        let temperature = self.temperature(map, key, kind);
        let stream = self.switch(map, key, "stream", true);
        let models = self.names(map, key, "models");
        let max_response_bytes = self.number(map, key, "max_response_bytes", DEFAULT_BYTES, 1024, MOST_BYTES);
        Some(ProviderConfig {
            name: name?,
            kind: kind?,
            base_url,
            model,
            api_key,
            models,
            stream,
            max_tokens,
            temperature,
            timeout,
            total,
            api_key_file,
            login,
            max_response_bytes,
        })
    }

    fn temperature(&mut self, map: &Map<String, Value>, key: &str, kind: Option<Kind>) -> Option<f64> {
        let most = if kind == Some(Kind::Anthropic) { 1.0 } else { 2.0 };
        let value = map.get("temperature")?;
        let fits = value.as_f64().filter(|degree| (0.0..=most).contains(degree));
        if fits.is_none() {
            self.fault(format!("{key}.temperature"), format!("must be a number from 0 to {most}"));
        }
        fits
    }

    fn key_name(&mut self, word: &str, key: &str) -> Option<SecretName> {
        let name = word.strip_prefix("${").and_then(|w| w.strip_suffix('}'));
        // The value is not repeated: it may be a key that somebody pasted here.
        match name.and_then(|n| n.parse().ok()) {
            Some(name) => Some(name),
            None => {
                self.fault(
                    format!("{key}.api_key"),
                    "must be `${NAME}`, the name of an environment variable, never the key",
                );
                None
            }
        }
    }

    fn known_keys(&mut self, map: &Map<String, Value>, key: &str, known: &[&str]) {
        for name in map.keys().filter(|name| !known.contains(&name.as_str())) {
            let name = text::cut(name, 40);
            self.fault(format!("{key}.{name}"), format!("unknown; allowed: {}", known.join(" ")));
        }
    }

    fn text(&mut self, map: &Map<String, Value>, key: &str, name: &str) -> Option<String> {
        match map.get(name) {
            None => None,
            Some(Value::String(s)) if !s.is_empty() && s.len() <= 400 && !s.chars().any(text::is_unsafe) => {
                Some(s.clone())
            }
            Some(_) => {
                self.fault(format!("{key}.{name}"), "must be a text of 1 to 400 printable characters");
                None
            }
        }
    }

    fn switch(&mut self, map: &Map<String, Value>, key: &str, name: &str, default: bool) -> bool {
        match map.get(name) {
            None => default,
            Some(Value::Bool(on)) => *on,
            Some(_) => {
                self.fault(format!("{key}.{name}"), "must be true or false");
                default
            }
        }
    }

    fn names(&mut self, map: &Map<String, Value>, key: &str, name: &str) -> Vec<String> {
        let Some(value) = map.get(name) else { return Vec::new() };
        let fits = |s: &&str| !s.is_empty() && s.len() <= 200 && !s.chars().any(text::is_unsafe);
        let entries = value.as_array().filter(|a| a.len() <= 64);
        let read =
            entries.and_then(|a| a.iter().map(|v| Some(v.as_str().filter(fits)?.to_owned())).collect());
        read.unwrap_or_else(|| {
            self.fault(format!("{key}.{name}"), "must be a list of at most 64 printable names");
            Vec::new()
        })
    }

    fn number(
        &mut self,
        map: &Map<String, Value>,
        key: &str,
        name: &str,
        default: u64,
        least: u64,
        most: u64,
    ) -> u64 {
        match map.get(name) {
            None => default,
            Some(value) => match value.as_u64() {
                Some(n) if (least..=most).contains(&n) => n,
                _ => {
                    self.fault(
                        format!("{key}.{name}"),
                        format!("must be a whole number from {least} to {most}"),
                    );
                    default
                }
            },
        }
    }
}

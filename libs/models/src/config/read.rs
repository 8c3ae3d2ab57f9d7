//! Reads `providers` and `tasks`: every fault is noted, none stops the reading.

use std::collections::BTreeMap;
use std::time::Duration;

use settings::models::TASKS;
use shared_types::id::SecretName;
use shared_types::settings::Section;
use shared_types::text;

use super::{DEFAULT_TIMEOUT, DEFAULT_TOTAL, Endpoint, NEAR_TIMEOUT, NEAR_TOTAL, ProviderConfig, login};
use crate::provider::Kind;

pub(super) fn providers(top: &mut Section) -> Vec<ProviderConfig> {
    let mut providers: Vec<ProviderConfig> = Vec::new();
    for mut below in top.sections("providers") {
        if let Some(read) = provider(&mut below) {
            if providers.iter().any(|other| other.name == read.name) {
                below.fault("name", format!("`{}` is there twice", read.name));
            }
            providers.push(read);
        }
        top.close(below);
    }
    providers
}

pub(super) fn tasks(top: &mut Section, providers: &[ProviderConfig]) -> BTreeMap<String, String> {
    let mut below = top.section("tasks");
    let mut tasks = BTreeMap::new();
    for task in TASKS.iter().map(|key| key.name) {
        let Some(name) = below.text(task) else { continue };
        if providers.iter().any(|provider| provider.name == name) {
            tasks.insert(task.to_owned(), name);
        } else {
            let names: Vec<&str> = providers.iter().map(|p| p.name.as_str()).collect();
            below.fault(task, format!("allowed: {}", names.join(" ")));
        }
    }
    top.close(below);
    tasks
}

fn provider(section: &mut Section) -> Option<ProviderConfig> {
    let name = printable(section, "name").filter(|name| {
        let fits = (1..=32).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.".contains(&b));
        if !fits {
            section.fault("name", "1 to 32 lower-case letters, digits, `-`, `_`, `.`");
        }
        fits
    });
    let kind = Kind::parse(section.word("kind"));
    let base_url = printable(section, "base_url");
    let base_url =
        base_url.and_then(|url| url.parse().map_err(|e| section.fault("base_url", format!("{e}"))).ok());
    let api_key = printable(section, "api_key").and_then(|word| key_name(section, &word));
    let file = printable(section, "api_key_file");
    let api_key_file =
        file.and_then(|f| f.parse().map_err(|e| section.fault("api_key_file", format!("{e}"))).ok());
    let login = section.has("login").then(|| {
        let mut below = section.section("login");
        let login = login::read(&mut below);
        section.close(below);
        login
    });
    let model = printable(section, "model");
    if kind.is_some_and(Kind::is_remote) {
        if !section.has("base_url") {
            let without = if kind == Some(Kind::Anthropic) { "without" } else { "up to and with" };
            section.fault("base_url", format!("missing: where the server is, {without} `/v1`"));
        }
        if !section.has("model") {
            section.fault("model", "missing: the name of the model");
        }
    }
    if kind == Some(Kind::Mock) && !section.has("model") {
        section.fault("model", "missing: the file with the scripted answers");
    }
    let (timeout, usual_total) = match base_url.as_ref().is_some_and(Endpoint::is_near) {
        true => (NEAR_TIMEOUT, NEAR_TOTAL),
        false => (DEFAULT_TIMEOUT, DEFAULT_TOTAL),
    };
    let timeout = section.optional_number("timeout_seconds").map_or(timeout, Duration::from_secs);
    let total = section.optional_number("total_seconds").map(Duration::from_secs);
    if total.is_some_and(|total| total < timeout) {
        section.fault("total_seconds", format!("must be at least `timeout_seconds`, {}", timeout.as_secs()));
    }
    let temperature = section.decimal("temperature");
    if kind == Some(Kind::Anthropic) && temperature.is_some_and(|degree| degree > 1.0) {
        section.fault("temperature", "must be a number from 0 to 1");
    }
    let images = section.flag("images");
    if images && kind.is_some_and(|kind| !kind.is_remote()) {
        section.fault(
            "images",
            "only a provider on a server takes pictures: `openai-compatible` or `anthropic`",
        );
    }
    let models = section.texts("models");
    let is_name = |name: &String| !name.is_empty() && name.len() <= 200 && !name.chars().any(text::is_unsafe);
    if models.len() > 64 || !models.iter().all(is_name) {
        section.fault("models", "must be a list of at most 64 printable names");
    }
    Some(ProviderConfig {
        name: name?,
        kind: kind?,
        base_url,
        model,
        api_key,
        models,
        stream: section.flag("stream"),
        images,
        max_tokens: section.optional_number("max_tokens").and_then(|most| u32::try_from(most).ok()),
        temperature,
        timeout,
        total: total.unwrap_or(usual_total.max(timeout)),
        api_key_file,
        login: login.flatten(),
        max_response_bytes: section.number("max_response_bytes"),
    })
}

/// A text without characters that a terminal obeys.
fn printable(section: &mut Section, key: &str) -> Option<String> {
    let text = section.text(key)?;
    let fits = (1..=400).contains(&text.len()) && !text.chars().any(text::is_unsafe);
    if !fits {
        section.fault(key, "must be a text of 1 to 400 printable characters");
    }
    fits.then_some(text)
}

/// The value is not repeated: it may be a key that somebody pasted here.
fn key_name(section: &mut Section, word: &str) -> Option<SecretName> {
    let name: Option<SecretName> =
        word.strip_prefix("${").and_then(|w| w.strip_suffix('}')).and_then(|name| name.parse().ok());
    if name.is_none() {
        section.fault("api_key", "must be `${NAME}`, the name of an environment variable, never the key");
    }
    name
}

//! What this machine and its configuration offer, in abstract words: never by what or where.

use std::fs;
use std::path::Path;

use base::error::Error;
use base::failpoints::{Point, at};
use base::folders::READABLE_FILE;
use base::home::Home;
use base::profiles;
use documents::yaml;
use serde_json::Value;
use shared_types::profile::{Platform, SystemCapability, SystemProfile};

use super::Book;

/// The profile of the system as it is now.
pub fn look(home: &Home, book: &Book) -> SystemProfile {
    let mut available = vec![SystemCapability::Text, SystemCapability::Memory, SystemCapability::Files];
    available.extend(configured(home));
    let root = Path::new("/");
    available.extend(devices(root));
    let builtin = book.builtin().iter().map(|b| b.name.to_string());
    SystemProfile {
        platform: platform(root),
        available_capabilities: available,
        active_skills: builtin.chain(book.active().keys().map(ToString::to_string)).collect(),
    }
}

/// Writes the profile of the system as it is now, unless it is there already.
///
/// # Errors
/// A failing disk.
pub fn publish(home: &Home, book: &Book) -> Result<(), Error> {
    let (path, profile) = (home.system_profile(), look(home, book));
    let old: Option<SystemProfile> =
        fs::read_to_string(&path).ok().and_then(|text| yaml::from_own(&text).ok());
    if old.as_ref() != Some(&profile) {
        let text = yaml::to_string(&profile).map_err(Error::step("the system profile"))?;
        durable::replace(&path, text.as_bytes(), READABLE_FILE).map_err(Error::io(&path))?;
        at(Point::PublishProfile);
    }
    Ok(())
}

/// What the bot's configuration adds: a model that writes free text, and hosts that the bot may reach. A file that cannot be read
/// adds nothing; the bot reports its faults.
fn configured(home: &Home) -> Vec<SystemCapability> {
    let text = fs::read_to_string(home.bot_config()).unwrap_or_default();
    let config: Value = yaml::from_own(&text).unwrap_or_default();
    let is_any = |value: &Value| value.as_array().is_some_and(|list| !list.is_empty());
    let providers =
        || config["providers"].as_array().into_iter().flatten().filter_map(|p| p["kind"].as_str());
    let is_remote = |kind: &str| matches!(kind, "openai-compatible" | "anthropic");
    let grants_hosts = || {
        let settings = profiles::list(home).unwrap_or_default().into_iter().filter_map(|p| p.settings.ok());
        settings.into_iter().any(|profile| !profile.grants.hosts.is_empty())
    };
    let mut found = Vec::new();
    if providers().any(|kind| kind != "embedded") {
        found.push(SystemCapability::LanguageModel);
    }
    if providers().any(is_remote)
        || is_any(&config["services"])
        || config["web_search"].is_object()
        || grants_hosts()
    {
        found.push(SystemCapability::Network);
    }
    found
}

/// The kind of system below a root.
fn platform(root: &Path) -> Platform {
    if [".dockerenv", "run/.containerenv"].iter().any(|mark| root.join(mark).exists()) {
        return Platform::Container;
    }
    let board = fs::read(root.join("proc/device-tree/model")).unwrap_or_default();
    Platform::of_board(&String::from_utf8_lossy(&board))
}

/// The devices below a root: a sound card records or plays where it has a stream of that kind, and pins are on a chip of them.
fn devices(root: &Path) -> Vec<SystemCapability> {
    let names = |folder: &str| -> Vec<String> {
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    let (sound, all) = (names("dev/snd"), names("dev"));
    let has_stream = |end: char| sound.iter().any(|name| name.starts_with("pcm") && name.ends_with(end));
    let mut found = Vec::new();
    if has_stream('c') {
        found.push(SystemCapability::AudioInput);
    }
    if has_stream('p') {
        found.push(SystemCapability::AudioOutput);
    }
    if all.iter().any(|name| name.starts_with("gpiochip")) {
        found.push(SystemCapability::Gpio);
    }
    found
}

#[cfg(test)]
mod tests;

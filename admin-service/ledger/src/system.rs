//! What this machine and its configuration offer, in abstract words: never by what or where.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use base::error::Error;
use base::failpoints::{Point, at};
use base::folders::READABLE_FILE;
use base::home::Home;
use base::profiles;
use documents::yaml;
use serde_json::Value;
use shared_types::profile::{Platform, SystemCapability, SystemProfile};

use super::Ledger;

/// The profile of the system as it is now.
pub fn look(home: &Home, ledger: &Ledger) -> SystemProfile {
    let mut available = vec![SystemCapability::Text, SystemCapability::Memory, SystemCapability::Files];
    let root = Path::new("/");
    available.extend(configured(home, root));
    available.extend(voice(home, root, own_folder().as_deref()));
    available.extend(pins(home, root));
    let builtin = ledger.builtin().iter().map(|b| b.name.to_string());
    SystemProfile {
        platform: platform(root),
        available_capabilities: available,
        active_skills: builtin.chain(ledger.active().keys().map(ToString::to_string)).collect(),
    }
}

/// Writes the profile of the system as it is now, unless it is there already.
///
/// # Errors
/// A failing disk.
pub fn publish(home: &Home, ledger: &Ledger) -> Result<(), Error> {
    let (path, profile) = (home.system_profile(), look(home, ledger));
    let old: Option<SystemProfile> =
        fs::read_to_string(&path).ok().and_then(|text| yaml::from_own(&text).ok());
    if old.as_ref() != Some(&profile) {
        let text = yaml::to_string(&profile).map_err(Error::step("the system profile"))?;
        durable::replace(&path, text.as_bytes(), READABLE_FILE).map_err(Error::io(&path))?;
        at(Point::PublishProfile);
    }
    Ok(())
}

/// What the bot's configuration adds: a model that writes free text, and hosts that the bot may reach, where there is a way to them
/// now. A file that cannot be read adds nothing; the bot reports its faults.
fn configured(home: &Home, root: &Path) -> Vec<SystemCapability> {
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
    let names_hosts = providers().any(is_remote)
        || is_any(&config["services"])
        || config["web_search"].is_object()
        || grants_hosts();
    // A host of this machine is reached without a network.
    if names_hosts && (is_any(&config["network"]["local"]) || is_connected(root)) {
        found.push(SystemCapability::Network);
    }
    found
}

/// Whether the machine below a root has a way to other machines: a route that does not lead back to itself.
fn is_connected(root: &Path) -> bool {
    let read = |name: &str| fs::read_to_string(root.join("proc/self/net").join(name)).unwrap_or_default();
    // The interface is the first column of the one table, below its heading, and the last of the other.
    let old = read("route").lines().skip(1).filter_map(|row| row.split_whitespace().next()).any(is_outward);
    // Every interface that is up has routes to its own link, which lead no further.
    let is_own = |row: &&str| row.starts_with("fe80") || row.starts_with("ff");
    let new = read("ipv6_route");
    old || new
        .lines()
        .filter(|row| !is_own(row))
        .filter_map(|row| row.split_whitespace().last())
        .any(is_outward)
}

fn is_outward(interface: &str) -> bool {
    interface != "lo"
}

/// The kind of system below a root.
fn platform(root: &Path) -> Platform {
    if [".dockerenv", "run/.containerenv"].iter().any(|mark| root.join(mark).exists()) {
        return Platform::Container;
    }
    let board = fs::read(root.join("proc/device-tree/model")).unwrap_or_default();
    Platform::of_board(&String::from_utf8_lossy(&board))
}

/// The model and the library of the ear, as the packages of Debian and Ubuntu install them. The second is below a folder for the
/// architecture.
const MODEL: &str = "usr/share/pocketsphinx/model/en-us";
const LIBRARY: &str = "libpocketsphinx.so.3";

/// The folder of this program, where its companions are.
fn own_folder() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.to_owned())
}

/// What understands speech and what makes it: the programs beside this one, or a service whose socket file a profile names. The ear is
/// of use with its library and its model alone.
fn voice(home: &Home, root: &Path, beside: Option<&Path>) -> Vec<SystemCapability> {
    let has = |program: &str| beside.is_some_and(|folder| folder.join(program).is_file());
    let settings = profiles::list(home).unwrap_or_default().into_iter().filter_map(|p| p.settings.ok());
    let voices: Vec<_> = settings.map(|profile| profile.voice).collect();
    let mut found = Vec::new();
    if (has("cl-ear") && has_recogniser(root)) || voices.iter().any(|voice| is_socket(&voice.ear)) {
        found.push(SystemCapability::AudioInput);
    }
    if has("cl-mouth") || voices.iter().any(|voice| is_socket(&voice.mouth)) {
        found.push(SystemCapability::AudioOutput);
    }
    found
}

/// Whether PocketSphinx is installed below a root, with its model of English.
fn has_recogniser(root: &Path) -> bool {
    let libraries = ["lib", "lib64"].map(|name| root.join("usr").join(name));
    let folders = || libraries.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let is_there = |folder: &Path| folder.join(LIBRARY).exists();
    root.join(MODEL).is_dir()
        && (libraries.iter().any(|folder| is_there(folder)) || folders().any(|entry| is_there(&entry.path())))
}

/// Pins, where the machine below a root has a chip of them, or a profile names the socket file of a service that is there.
fn pins(home: &Home, root: &Path) -> Option<SystemCapability> {
    let settings = profiles::list(home).unwrap_or_default().into_iter().filter_map(|p| p.settings.ok());
    let is_served = settings.into_iter().any(|profile| is_socket(&profile.pins));
    (is_served || has_chip(root)).then_some(SystemCapability::Gpio)
}

/// Whether there is a chip of pins among the devices below a root.
fn has_chip(root: &Path) -> bool {
    let mut devices = fs::read_dir(root.join("dev")).into_iter().flatten().flatten();
    devices.any(|entry| entry.file_name().to_string_lossy().starts_with("gpiochip"))
}

/// Whether a service may be behind this path.
fn is_socket(path: &Option<PathBuf>) -> bool {
    let kind = path.as_ref().and_then(|path| fs::metadata(path).ok()).map(|facts| facts.file_type());
    kind.is_some_and(|kind| kind.is_socket())
}

#[cfg(test)]
mod tests;

//! A configuration, to be read key by key.

use std::fmt::Display;
use std::path::PathBuf;

use shared_types::id::HostName;
use shared_types::settings::{Key, Section};

/// Starts with a whole document; an empty one has every default, and one that cannot be read is a fault.
pub fn section(keys: &'static [Key], text: &str) -> Section {
    Section::document(keys, crate::yaml::from_own(text))
}

/// The hosts of this machine or network that `config/default.yaml` names in `network.local`, each with its port.
pub fn local_hosts(top: &mut Section) -> Vec<HostName> {
    let mut below = top.section("network");
    let mut local = Vec::new();
    for host in below.texts("local") {
        match host.parse::<HostName>() {
            Ok(host) if host.port().is_some() => local.push(host),
            Ok(_) => below.fault("local", format!("`{host}` names no port, as in 127.0.0.1:8080")),
            Err(e) => below.fault("local", e.to_string()),
        }
    }
    top.close(below);
    local
}

/// Why a path of a configuration names no place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathFault {
    /// A variable that is not there.
    #[error("`{path}`: the environment variable {name} is not set")]
    Unset {
        /// The path as it stands there.
        path: String,
        /// The variable.
        name: String,
    },
    /// A home folder that nobody knows.
    #[error("`{path}` {why}")]
    NoHome {
        /// The path as it stands there.
        path: String,
        /// Why not.
        why: String,
    },
    /// The beginning of a variable without its end.
    #[error("`{0}`: a variable is written as ${{NAME}}")]
    Unclosed(String),
}

/// A path of a configuration with each `${NAME}` replaced from the environment of this process, and `~` or `~NAME` before its first
/// `/` by what `home` answers for it.
///
/// # Errors
/// A variable that is not set, or a user without a home folder.
pub fn path<E: Display>(
    text: &str,
    home: impl FnOnce(&str) -> Result<PathBuf, E>,
) -> Result<String, PathFault> {
    path_with(text, home, |name| std::env::var(name).ok().filter(|value| !value.is_empty()))
}

fn path_with<E: Display>(
    text: &str,
    home: impl FnOnce(&str) -> Result<PathBuf, E>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<String, PathFault> {
    let value = |name: &str| {
        let unset = || PathFault::Unset { path: text.to_owned(), name: name.to_owned() };
        variable(name).ok_or_else(unset)
    };
    let (mut path, mut rest) = match text.split_once('/') {
        Some((user, rest)) if user.starts_with('~') => {
            let home = home(user)
                .map_err(|why| PathFault::NoHome { path: text.to_owned(), why: why.to_string() })?;
            (format!("{}/", home.display().to_string().trim_end_matches('/')), rest)
        }
        _ => (String::new(), text),
    };
    while let Some((before, name)) = rest.split_once("${") {
        let (name, after) = name.split_once('}').ok_or_else(|| PathFault::Unclosed(text.to_owned()))?;
        path.push_str(before);
        path.push_str(&value(name)?);
        rest = after;
    }
    Ok(path + rest)
}

#[cfg(test)]
mod tests;

//! The names of files in a backup: each says to which part of a home the file belongs. A name that this table does not list is
//! refused, so that nothing is written anywhere else.

use std::fmt;
use std::path::{Path, PathBuf};

use base::home::Home;
use serde::{Deserialize, Serialize};
use shared_types::id::ProfileId;

/// The longest name, in bytes.
pub const LONGEST: usize = 1024;
/// The most parts of a name.
const DEEPEST: usize = 48;
/// What the service makes anew, and locks: never in a backup.
const MADE_ANEW: [&str; 10] = [
    "admin/backup_times.json",
    "admin/build",
    "admin/journal/reserve",
    "admin/last_backup.json",
    "admin/page.sock",
    "admin/receipts.lock",
    "admin/service.lock",
    "admin/service.log",
    "admin/service.sock",
    "config/home.yaml",
];

/// A checked name: relative, in plain parts, below one of the folders of a home.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

/// A name that is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` {why}")]
pub struct NameFault {
    shown: String,
    why: &'static str,
}

/// The part of a home to which a file belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// `config/`, `skills/`, `status/`: the service writes, the bot reads.
    Shared,
    /// `config/profiles/<id>...`: the configuration of one profile.
    ProfileFile(ProfileId),
    /// `admin/`: the service's alone.
    Admin,
    /// `admin/keys/`, `secrets/`, `certificates/`, `data/credentials/`: keys, secrets, logins.
    Keys(Keys),
    /// `data/profiles/<id>/` and `data/proposals/<id>/`.
    Profile(ProfileId),
    /// `data/net/`: what went through the network.
    Net,
}

/// Which keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// The keys of the service and of approvers, and the secrets of one-time codes.
    Admin,
    /// The secrets of skills.
    Secrets,
    /// Made certificates of doors, each with its key.
    Certificates,
    /// The logins of the bot.
    Logins,
}

impl Name {
    /// Checks a name.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Name, NameFault> {
        let refused = |why| Err(NameFault { shown: shared_types::text::cut(text, 120), why });
        if text.is_empty() || text.len() > LONGEST {
            return refused("is empty or too long");
        }
        if text.chars().any(char::is_control) {
            return refused("holds a control character");
        }
        let parts: Vec<&str> = text.split('/').collect();
        if parts.iter().any(|part| matches!(*part, "" | "." | "..")) {
            return refused("is not a plain relative path");
        }
        if parts.len() > DEEPEST {
            return refused("is too deep");
        }
        if part_of(&parts).is_none() {
            return refused("belongs to no part of a home that a backup holds");
        }
        let below = |folder: &str| {
            text.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if MADE_ANEW.iter().any(|made| below(made)) {
            return refused("is made anew by the service");
        }
        Ok(Name(text.to_owned()))
    }

    /// The part of a home to which it belongs.
    pub fn part(&self) -> Part {
        part_of(&self.0.split('/').collect::<Vec<_>>()).expect("it was checked when it was made")
    }

    /// The name below `data/`, for what belongs to the bot.
    pub fn below_data(&self) -> Option<&str> {
        self.0.strip_prefix("data/")
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn part_of(parts: &[&str]) -> Option<Part> {
    let profile = |id: &str| id.parse::<ProfileId>().ok();
    Some(match parts {
        ["config", "profiles", file] => {
            let id = file.strip_suffix(".yaml").or_else(|| file.strip_suffix(".persona.md"))?;
            Part::ProfileFile(profile(id)?)
        }
        ["config", _] | ["config", "heads", _] | ["status", _, _] => Part::Shared,
        ["skills", name, version, _] => {
            // A module alone, and where the bot looks for it.
            let module = Home::new(PathBuf::new(), None).module(&name.parse().ok()?, version.parse().ok()?);
            (module == Path::new(&parts.join("/"))).then_some(Part::Shared)?
        }
        ["secrets", _] => Part::Keys(Keys::Secrets),
        ["certificates", _] => Part::Keys(Keys::Certificates),
        ["admin", "keys", _] => Part::Keys(Keys::Admin),
        ["admin", "keys", ..] => return None,
        ["admin", _, ..] => Part::Admin,
        ["data", "credentials", _] => Part::Keys(Keys::Logins),
        // How far a messenger's server was read: an older one would have lines done a second time.
        ["data", "profiles", _, "matrix.json" | "telegram.json"] => return None,
        ["data", "profiles", id, "memory" | "logs" | "workspace", _, ..] | ["data", "proposals", id, _] => {
            Part::Profile(profile(id)?)
        }
        ["data", "profiles", id, _] => Part::Profile(profile(id)?),
        ["data", "net", _] => Part::Net,
        _ => return None,
    })
}

impl TryFrom<String> for Name {
    type Error = NameFault;

    fn try_from(text: String) -> Result<Name, NameFault> {
        Name::parse(&text)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> String {
        name.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests;

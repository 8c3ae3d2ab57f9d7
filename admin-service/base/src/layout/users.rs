//! The two users of a home, and the one place that says who the bot's is: `security` of `config/default.yaml`.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use confine::{Tier, UnknownTier};
use documents::edit::Change;
use documents::yaml::{self, YamlError};
use serde_json::Value;

use super::default;
use crate::change::change;
use crate::error::Error;
use crate::folders::READABLE_FILE;
use crate::home::Home;

/// Why it is not known who the bot's user is, or how it starts.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the bot's user: {0}")]
    Bot(confine::UserError),
    #[error("{}: security.minimum_isolation: {why}", .path.display())]
    Isolation { path: PathBuf, why: UnknownTier },
    #[error("{}: {why}", .path.display())]
    Unread { path: PathBuf, why: YamlError },
}

/// The user of the service, and the user of the bot where it has one of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Users {
    /// Who owns `config/`.
    pub admin: u32,
    /// The bot's user.
    pub bot: Option<Bot>,
}

/// A user of the bot's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bot {
    /// Its number.
    pub uid: u32,
    /// The group by which it reads what the service writes.
    pub gid: u32,
    /// Its name, or its number as text.
    pub name: String,
    /// The group's name where the configuration has one.
    pub group: Option<String>,
}

impl Users {
    /// Who they are: by the configuration; where that names nobody, by who owns the data of `default`.
    ///
    /// # Errors
    /// No `config/`, a configuration that cannot be read, or a user or group that this system does not know.
    pub fn of(home: &Home) -> Result<Users, Error> {
        let config = home.config();
        let admin = fs::metadata(&config).map_err(Error::io(&config))?.uid();
        if let Some(bot) = Bot::recorded(home)? {
            return Ok(Users { admin, bot: Some(bot).filter(|bot| bot.uid != admin) });
        }
        let data = home.profile(&default()).facts().ok();
        let bot = data.filter(|data| data.user != admin && data.user != 0).map(|data| Bot {
            uid: data.user,
            gid: data.group,
            name: data.user.to_string(),
            group: Some(data.group.to_string()),
        });
        Ok(Users { admin, bot })
    }
}

impl Bot {
    /// The user that the configuration names.
    ///
    /// # Errors
    /// A configuration that cannot be read, or a user or group that this system does not know.
    pub fn recorded(home: &Home) -> Result<Option<Bot>, Error> {
        let (user, group) = configured(home)?;
        user.map(|name| Bot::find(&name, group.as_deref())).transpose()
    }

    /// Looks a user up.
    ///
    /// # Errors
    /// Nobody of that name, or root.
    pub fn find(name: &str, group: Option<&str>) -> Result<Bot, Error> {
        let user = confine::User::find(name, group).map_err(|why| Error::refused(Fault::Bot(why)))?;
        Ok(Bot { uid: user.uid(), gid: user.gid(), name: name.to_owned(), group: group.map(str::to_owned) })
    }
}

/// `security.user` and `security.group` of the bot's configuration.
fn configured(home: &Home) -> Result<(Option<String>, Option<String>), Error> {
    let value = security(home)?;
    let word = |key: &str| match value.get(key) {
        Some(Value::String(word)) => Some(word.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    Ok((word("user"), word("group")))
}

/// The least isolation with which the bot starts: `security.minimum_isolation` of its configuration.
///
/// # Errors
/// A configuration that cannot be read, or a word that names no tier.
pub fn least_isolation(home: &Home) -> Result<Tier, Error> {
    let Some(word) = security(home)?.get("minimum_isolation").cloned() else { return Ok(Tier::Process) };
    word.as_str()
        .unwrap_or_default()
        .parse()
        .map_err(|why| Error::failed(Fault::Isolation { path: home.bot_config(), why }))
}

/// `security` of the bot's configuration; nothing if it is missing.
fn security(home: &Home) -> Result<Value, Error> {
    let path = home.bot_config();
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Value::Null),
        Err(source) => return Err(Error::Io { path, source }),
    };
    let mut value: Value = yaml::from_own(&text).map_err(|why| Error::failed(Fault::Unread { path, why }))?;
    Ok(value.get_mut("security").map(Value::take).unwrap_or_default())
}

/// Writes the bot's user into its configuration, which stays as it is otherwise.
///
/// # Errors
/// A file whose `security` is written so that it cannot be changed in place: it says which lines to write by hand.
pub fn record(home: &Home, bot: &Bot) -> Result<(), Error> {
    let text = |word: &str| Change::Put(Value::String(word.to_owned()));
    let group = bot.group.as_deref().map_or(Change::Remove, text);
    let changes = [("/security/user", text(&bot.name)), ("/security/group", group)];
    change(&home.bot_config(), READABLE_FILE, &changes, |_| Ok(())).map(drop)
}

#[cfg(test)]
mod tests;

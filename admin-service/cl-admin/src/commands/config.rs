//! `cl-admin config`

use std::fs;
use std::path::Path;

use base::config::Config;
use base::error::{Error, report};
use base::home::Home;
use compose::rules::Rules;
use settings::bot::BOT;
use settings::reference::{self, ADMIN_FILES, BOT_FILES};
use shared_types::settings::{Key, filled};
use shared_types::{exit, json, text};

use crate::commands::out::outln;

/// The configuration: check it, show it with every default, or explain a key.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Report every fault of the service's files, and of those of the chat program as far as their keys, kinds and bounds go
    Validate,
    /// Show the service's configuration with every default, without any secret, as JSON
    Show,
    /// Explain a key of any file: its meaning, default and bounds; without one, list them
    Explain {
        /// The key, as in `limits.compile_seconds`
        key: Option<String>,
    },
}

/// Checks, shows or explains. Only the last needs no home.
///
/// # Errors
/// A file that cannot be read, a configuration with faults, or a key that no file has.
pub fn run(home: impl FnOnce() -> Result<Home, Error>, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::Validate => validate(&home()?),
        Verb::Show => {
            let home = home()?;
            Config::read(&home)?;
            let value = documents::yaml::from_own(&read(&home.admin_config())?).unwrap_or_default();
            outln!("{}", json::pretty(&filled(settings::admin::ADMIN, &value)));
            Ok(exit::DONE)
        }
        Verb::Explain { key } => {
            let files: Vec<_> = ADMIN_FILES.into_iter().chain(BOT_FILES).collect();
            let told = match key {
                None => reference::list(&files),
                Some(key) => reference::explain(&files, key).map_err(Error::usage)?,
            };
            outln!("{}", told.trim_end());
            Ok(exit::DONE)
        }
    }
}

/// Checks every file before it ends, so that one with faults does not hide those of the next.
fn validate(home: &Home) -> Result<u8, Error> {
    let mut worst = exit::DONE;
    let mut tell = |file: &Path, checked: Result<(), Error>| match checked {
        Ok(()) => outln!("{}: no faults", text::line(&file.display().to_string())),
        Err(error) => worst = worst.max(report(&error)),
    };
    tell(&home.admin_config(), Config::read(home).and_then(|config| config.checked(home)));
    tell(&home.composition_rules(), Rules::read(home).map(|_| ()));
    tell(&home.bot_config(), check(&home.bot_config(), BOT));
    for profile in base::home::profiles(home)? {
        let file = home.profile_file(&profile);
        tell(&file, check(&file, settings::profile::PROFILE));
    }
    Ok(worst)
}

/// What the table says of a file of the chat program; `cl-bot config validate` says the rest.
fn check(file: &Path, keys: &'static [Key]) -> Result<(), Error> {
    let faults = documents::settings::section(keys, &read(file)?).finish();
    if faults.is_empty() { Ok(()) } else { Err(Error::Config { file: file.to_owned(), faults }) }
}

fn read(file: &Path) -> Result<String, Error> {
    match fs::read_to_string(file) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        other => other.map_err(Error::io(file)),
    }
}

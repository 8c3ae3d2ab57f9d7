//! `cl-bot config`: checks or shows the configuration.

use bot_base::error::{Error, say, tell};
use bot_base::paths::Folder;
use clap::Subcommand;
use settings::reference::{self, BOT_FILES};
use shared_types::home::Home;
use shared_types::{exit, text};

use crate::start::profiles::Checked;
use crate::start::{Options, config_text, home, profiles, read_config};

/// What can be done with the configuration.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Tell every fault of the configuration and of every profile's file
    Validate,
    /// Show the configuration with every default, without any secret, as JSON
    Show,
    /// Explain a key of the configuration or of a profile's file: its meaning, default and bounds; without one, list them
    Explain {
        /// The key, as in `limits.max_tool_rounds`
        key: Option<String>,
    },
}

/// Checks or shows.
pub(super) fn run(options: &Options, verb: &Verb) -> Result<u8, Error> {
    if let Verb::Explain { key } = verb {
        return explain(key.as_deref());
    }
    let home = home::choose(options)?;
    let folder = Folder::root(&home.config())?;
    match verb {
        Verb::Validate => validate(&home, &folder),
        Verb::Show => {
            let text = config_text(&folder)?;
            super::print(&shared_types::json::pretty(&bot_base::config::dump(&home.bot_config(), &text)?));
            Ok(exit::DONE)
        }
        Verb::Explain { key } => explain(key.as_deref()),
    }
}

/// Needs no home: the tables are part of the program.
fn explain(key: Option<&str>) -> Result<u8, Error> {
    let told = match key {
        None => reference::list(&BOT_FILES),
        Some(key) => reference::explain(&BOT_FILES, key).map_err(|unknown| Error::Usage {
            what: unknown.to_string(),
            hint: "`cl-admin config explain` knows the keys of the service".to_owned(),
        })?,
    };
    super::print(told.trim_end());
    Ok(exit::DONE)
}

/// Checks every file before it ends, so that one with faults does not hide those of the next.
fn validate(home: &Home, folder: &Folder) -> Result<u8, Error> {
    let mut checked =
        vec![Checked { file: home.bot_config(), result: read_config(home, folder).map(|_| vec![]) }];
    checked.extend(profiles::check_all(folder)?);
    let mut worst = exit::DONE;
    for Checked { file, result } in checked {
        match result {
            Ok(notes) => {
                let file = text::line(&file.display().to_string());
                super::print(&format!("{file}: no faults"));
                notes.iter().for_each(|note| say(&format!("note: {file}: {note}")));
            }
            Err(error) => {
                worst = worst.max(error.exit_code());
                tell(&error);
            }
        }
    }
    Ok(worst)
}

//! The further folders that the configuration opens to profiles.

use base::home::Home;
use base::layout::{self, Users};
use base::profiles;
use documents::folders::FurtherFolder;
use owners::further::{self, Unfit};
use owners::quote;

use super::look::Look;

/// Whether each can be opened.
pub(super) fn folders(home: &Home) -> Vec<Look> {
    let entries = match profiles::further_folders(home) {
        Ok(entries) => entries,
        Err(faults) => {
            let first = faults.first().map(ToString::to_string).unwrap_or_default();
            let words = format!("{} opens none, as it has faults: {first}", home.bot_config().display());
            return vec![Look::fail("folders", words, "`cl-bot config validate` tells every fault")];
        }
    };
    if entries.is_empty() {
        return vec![Look::pass("folders", "profiles have their workspaces and no further folder")];
    }
    entries.iter().map(|entry| one(home, entry)).collect()
}

fn one(home: &Home, entry: &FurtherFolder) -> Look {
    let spelled = &entry.path;
    match fit(home, entry) {
        Ok(None) => {
            let access = if entry.write { "to read and write" } else { "to read" };
            let whose: Vec<String> = entry.profiles.iter().map(ToString::to_string).collect();
            Look::pass("folders", format!("`{spelled}` is open to {} {access}", whose.join(" ")))
        }
        Ok(Some(closed)) => Look::fail("folders", format!("`{spelled}`: {closed}"), RIGHT),
        Err(Unfit::Closed(_)) if has_bot(home) => Look::warn(
            "folders",
            format!(
                "`{spelled}` cannot be looked at by this user, so this does not say whether the bot's user may"
            ),
            "`cl-bot agent -m /permissions`, run as the bot's user, shows what is open",
        ),
        Err(why @ Unfit::Untrusted(_)) => {
            let next = "take that right away, or take the entry out of `folders` in config/default.yaml";
            Look::fail("folders", format!("`{spelled}` {why}"), next)
        }
        Err(why) => {
            Look::fail("folders", format!("`{spelled}` {why}"), "`folders` in config/default.yaml names it")
        }
    }
}

/// Whether the bot is another user than the one who looks.
fn has_bot(home: &Home) -> bool {
    Users::of(home).is_ok_and(|users| users.bot.is_some())
}

/// What is closed to the bot's user, where something is.
fn fit(home: &Home, entry: &FurtherFolder) -> Result<Option<String>, Unfit> {
    let admin = profiles::owner(&home.config());
    let path = further::locate(&entry.path, admin)?;
    let bot = Users::of(home).ok().and_then(|users| users.bot);
    let own = bot.as_ref().map_or(admin, |bot| bot.uid);
    let data = home.data().unguarded_path();
    further::open(&path, &[home.root(), &data], entry.write, &[0, admin, own])?;
    Ok(bot.and_then(|bot| {
        let closed = layout::lacks_the_right(&path, entry.write, &bot)?;
        Some(format!(
            "{} is closed to the bot's user `{}`, by owner, group and mode",
            quote::shown(&closed),
            bot.name
        ))
    }))
}

const RIGHT: &str = "give that user the right, as by `setfacl -m u:NAME:rx FOLDER` and `x` for each folder above it (doctor does not read \
                     such lists: `cl-bot agent -m /permissions` shows what is open)";

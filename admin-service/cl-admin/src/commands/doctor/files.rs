//! Who may touch what: owners, groups and modes of every kind of folder and file, for both users.

use std::path::PathBuf;

use base::home::Home;
use base::layout::{self, Users};
use base::lock;
use base::version;
use beneath::{Facts, Folder, Kind, NotOpened};
use owners::quote;
use owners::writers::{Members, members};

use super::look::Look;
use crate::commands::others;

/// The most files of one kind that are looked at.
const MOST: usize = 10_000;
/// The most faults that get a line of their own.
const LINES: usize = 12;

/// Whether there is a home, and whether strangers could change it or a folder above it.
pub(super) fn home(home: &Home) -> Look {
    let place = home.root().display();
    match layout::trust::check(home).map_err(|error| others::told(home, error)) {
        Err(error) => Look::of("home", &error, "make every folder above it writable by its owner alone"),
        Ok(()) if let Err(error) = version::check(home) => Look::of("home", &error, "see docs/RECOVERY.md"),
        Ok(()) if !home.trust().exists() => {
            Look::fail("home", format!("no home exists at {place}"), "`cl-admin init` makes one")
        }
        Ok(()) => Look::pass("home", format!("{place}")),
    }
}

/// Every kind of folder and file.
pub(super) fn modes(home: &Home) -> Vec<Look> {
    let users = match Users::of(home) {
        Ok(users) => users,
        Err(error) => return vec![Look::of("files", &error, INIT)],
    };
    let mut faults: Vec<(String, String)> =
        missing(home).into_iter().map(|path| (format!("{path} is missing"), INIT.to_owned())).collect();
    let (count, deviations) = layout::verify(home, &users);
    faults.extend(deviations.into_iter().map(|deviation| (deviation.words, deviation.remedy)));
    let mut looks = two_users(home, &users);
    if faults.is_empty() {
        looks.push(Look::pass("files", format!("{count} folders and files have the right owner and mode")));
        return looks;
    }
    let more = faults.len().saturating_sub(LINES);
    looks.extend(faults.into_iter().take(LINES).map(|(words, next)| Look::fail("files", words, next)));
    if more > 0 {
        looks.push(Look::fail("files", format!("and {more} more"), "put these right and look again"));
    }
    looks
}

/// Whether the two users have what two users need of the system: the group, and a way to the home.
fn two_users(home: &Home, users: &Users) -> Vec<Look> {
    let Some(bot) = &users.bot else { return vec![] };
    let group = bot.group.as_deref().unwrap_or(&bot.name);
    let mut looks = vec![];
    if let Members::Listed(inside) = members(bot.gid) {
        let others = |user: &&u32| ![0, users.admin, bot.uid].contains(*user);
        if let Some(other) = inside.iter().find(others) {
            let words = format!(
                "the user {other} is in the bot's group `{group}` and reads configuration and secrets"
            );
            looks.push(Look::warn("files", words, format!("gpasswd -d NAME {group}")));
        }
        if users.admin != 0 && !inside.contains(&users.admin) {
            let words = format!("the service's user {} is not in the bot's group `{group}`", users.admin);
            looks.push(Look::fail("files", words, layout::for_root(home, users).join("; ")));
        }
    }
    if let Some(closed) = layout::closed_to_the_bot(home, bot) {
        let words = format!("{} is closed to the bot's user `{}`", quote::shown(&closed), bot.name);
        looks.push(Look::warn("files", words, layout::ABOUT_THE_WAY));
    }
    looks
}

/// What an interrupted program left behind.
pub(super) fn leftovers(home: &Home) -> Vec<Look> {
    let mut looks = vec![];
    let mut keys = vec![];
    Folder::open(&home.keys()).into_iter().for_each(|folder| walk(&folder, 1, &mut keys));
    for (path, _) in keys.into_iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "new")) {
        looks.push(Look::warn(
            "leftovers",
            format!("{} is the secret of one-time codes that nobody confirmed", path.display()),
            "`cl-admin approver totp set NAME --confirm CODE` ends it; or delete the file",
        ));
    }
    if lock::holder(home).is_none() {
        let mut work = vec![];
        Folder::open(&home.build().join("work")).into_iter().for_each(|folder| walk(&folder, 1, &mut work));
        if !work.is_empty() {
            let words = format!("{} folder(s) of compilations that were killed", work.len());
            looks.push(Look::warn("leftovers", words, "the next start of the service removes them"));
        }
        if home.admin().join("service.sock").exists() {
            let words = "the socket of a service that was killed";
            looks.push(Look::warn("leftovers", words, "the next start of the service replaces it"));
        }
    }
    if looks.is_empty() { vec![Look::pass("leftovers", "none")] } else { looks }
}

const INIT: &str = "`cl-admin init` makes what is missing";

/// What every home has and this one lacks.
pub(super) fn missing(home: &Home) -> Vec<String> {
    let profile = "default".parse().expect("a valid name");
    let own = [
        home.config(),
        home.skills(),
        home.profile_files(),
        home.trust(),
        home.manifest(),
        home.manifest_signature(),
        home.approvers(),
        home.bot_config(),
        home.admin(),
        home.keys(),
        home.build(),
        home.journal(),
        home.admin_config(),
    ];
    let own = own.into_iter().filter(|path| path.symlink_metadata().is_err()).map(|path| quote::shown(&path));
    let data = [home.profile(&profile), home.proposals(&profile), home.credentials(), home.net()];
    let data = data.into_iter().filter(|place| matches!(place.facts(), Err(NotOpened::Gone)));
    own.chain(data.map(|place| place.to_string())).collect()
}

/// Everything below a folder to a depth, no link followed; what cannot be listed has nothing below.
fn walk(folder: &Folder, depth: usize, found: &mut Vec<(PathBuf, Facts)>) {
    for name in folder.names().into_iter().flatten().map_while(Result::ok) {
        if found.len() >= MOST {
            return;
        }
        let Ok(facts) = folder.facts_of(&name) else { continue };
        if facts.kind == Kind::Folder
            && depth > 1
            && let Ok(inner) = folder.folder(&name)
        {
            walk(&inner, depth - 1, found);
        }
        found.push((folder.path().join(name), facts));
    }
}

//! Who may touch what: owners and permissions of every kind of folder and file, for both users.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use shared_types::home::Home;

use super::Look;
use crate::service::lock;

/// The most files of one kind that are looked at.
const MOST: usize = 10_000;
/// The most faults that get a line of their own.
const LINES: usize = 12;

/// Whose a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// The admin's.
    Admin,
    /// The bot's, or the admin's while the bot has not made it its own.
    Bot,
}

/// Who else may read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Read {
    /// The bot, by a shared group where it has its own user.
    Bot,
    /// Nobody.
    Nobody,
}

/// Whether there is a home, and whether strangers could change a folder above it.
pub(super) fn home(home: &Home) -> Look {
    let place = home.root().display();
    match crate::commands::home::check(home) {
        Err(error) => Look::of("home", &error, "make every folder above it writable by its owner alone"),
        Ok(()) if !home.trust().exists() => {
            Look::fail("home", format!("there is none at {place}"), "`cl-admin init` makes one")
        }
        Ok(()) => Look::pass("home", format!("{place}")),
    }
}

/// Every kind of folder and file.
pub(super) fn modes(home: &Home) -> Vec<Look> {
    let Ok(config) = fs::symlink_metadata(home.config()) else {
        return vec![Look::fail("files", format!("{} is missing", home.config().display()), INIT)];
    };
    let bot = fs::symlink_metadata(home.profile(&"default".parse().expect("a valid name"))).ok();
    let users = Users {
        admin: config.uid(),
        bot: bot.as_ref().map(|data| data.uid()),
        bot_group: bot.as_ref().map(|data| data.gid()),
    };
    let mut faults = vec![];
    let mut count = 0;
    for (path, whose, read) in must_be(home) {
        match fs::symlink_metadata(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                faults.push((format!("{} is missing", path.display()), INIT.to_owned()));
            }
            Err(e) => {
                faults.push((format!("{}: {e}", path.display()), "run this as the home's owner".into()))
            }
            Ok(facts) => {
                count += 1;
                faults.extend(judge(&path, &facts, whose, read, &users));
            }
        }
    }
    for (folder, depth, whose, read) in below(home) {
        let mut found = vec![];
        walk(&folder, depth, &mut found);
        for (path, facts) in found {
            count += 1;
            faults.extend(judge(&path, &facts, whose, read, &users));
        }
    }
    if faults.is_empty() {
        return vec![Look::pass("files", format!("{count} folders and files belong to whom they should"))];
    }
    let more = faults.len().saturating_sub(LINES);
    let mut looks: Vec<Look> =
        faults.into_iter().take(LINES).map(|(words, next)| Look::fail("files", words, next)).collect();
    if more > 0 {
        looks.push(Look::fail("files", format!("and {more} more"), "put these right and look again"));
    }
    looks
}

/// What an interrupted program left behind.
pub(super) fn leftovers(home: &Home) -> Vec<Look> {
    let mut looks = vec![];
    let mut keys = vec![];
    walk(&home.keys(), 1, &mut keys);
    for (path, _) in keys.into_iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "new")) {
        looks.push(Look::warn(
            "leftovers",
            format!("{} is the secret of one-time codes that nobody confirmed", path.display()),
            "`cl-admin approver totp set NAME --confirm CODE` ends it; or delete the file",
        ));
    }
    if lock::holder(home).is_none() {
        let mut work = vec![];
        walk(&home.build().join("work"), 1, &mut work);
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

struct Users {
    admin: u32,
    bot: Option<u32>,
    bot_group: Option<u32>,
}

impl Users {
    fn differ(&self) -> bool {
        self.bot.is_some_and(|bot| bot != self.admin)
    }
}

/// What every home has.
fn must_be(home: &Home) -> Vec<(PathBuf, Whose, Read)> {
    use Read::{Bot as ReadByBot, Nobody};
    let profile = "default".parse().expect("a valid name");
    let admins = [home.config(), home.skills(), home.profile_files(), home.trust(), home.manifest()];
    let admins = admins.into_iter().chain([home.manifest_signature(), home.approvers(), home.bot_config()]);
    let private = [home.admin(), home.keys(), home.build(), home.journal(), home.admin_config()];
    let bots = [home.profile(&profile), home.proposals(&profile), home.credentials(), home.net()];
    admins
        .map(|path| (path, Whose::Admin, ReadByBot))
        .chain(private.into_iter().map(|path| (path, Whose::Admin, Nobody)))
        .chain(bots.into_iter().map(|path| (path, Whose::Bot, ReadByBot)))
        .collect()
}

/// What may lie below, and how deep to look.
fn below(home: &Home) -> Vec<(PathBuf, usize, Whose, Read)> {
    let run = home.root().join("runs");
    vec![
        (home.config(), 2, Whose::Admin, Read::Bot),
        (home.skills(), 3, Whose::Admin, Read::Bot),
        (home.root().join("status"), 2, Whose::Admin, Read::Bot),
        (run, 1, Whose::Admin, Read::Bot),
        (home.secrets(), 1, Whose::Admin, Read::Bot),
        (home.keys(), 1, Whose::Admin, Read::Nobody),
        (home.admin().join("journal"), 1, Whose::Admin, Read::Nobody),
        (home.admin().join("packages"), 2, Whose::Admin, Read::Nobody),
        (home.admin().join("skills"), 3, Whose::Admin, Read::Nobody),
        (home.data().join("profiles"), 1, Whose::Bot, Read::Bot),
        (home.all_proposals(), 1, Whose::Bot, Read::Bot),
        (home.credentials(), 1, Whose::Bot, Read::Nobody),
    ]
}

/// Everything below a folder to a depth, no link followed; what cannot be listed has nothing below.
fn walk(folder: &Path, depth: usize, found: &mut Vec<(PathBuf, Metadata)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if found.len() >= MOST {
            return;
        }
        let path = entry.path();
        let Ok(facts) = fs::symlink_metadata(&path) else { continue };
        if facts.is_dir() && depth > 1 {
            walk(&path, depth - 1, found);
        }
        found.push((path, facts));
    }
}

/// What is wrong with one file or folder, and what helps.
fn judge(path: &Path, facts: &Metadata, whose: Whose, read: Read, users: &Users) -> Option<(String, String)> {
    let (shown, mode) = (path.display(), facts.mode() & 0o777);
    let socket = path.file_name().is_some_and(|name| name == "service.sock");
    if !(facts.is_dir() || facts.is_file() || socket) {
        return Some((
            format!("{shown} is a link or no ordinary file"),
            format!("look at it, and rm {shown}"),
        ));
    }
    let owners: &[Option<u32>] = match whose {
        Whose::Admin => &[Some(users.admin)],
        Whose::Bot => &[Some(users.admin), users.bot],
    };
    if !owners.contains(&Some(facts.uid())) {
        let wanted = owners.last().copied().flatten().unwrap_or(users.admin);
        return Some((
            format!("{shown} belongs to the user {}, not {wanted}", facts.uid()),
            format!("look at it, and chown {wanted} {shown}"),
        ));
    }
    if mode & 0o002 != 0 {
        return Some((
            format!("{shown} may be written by everybody (mode {mode:o})"),
            format!("chmod o-w {shown}"),
        ));
    }
    // Many systems give each user a group of the same number with no other member.
    let own_group = facts.gid() == facts.uid() || facts.gid() == 0;
    if mode & 0o020 != 0 && (whose == Whose::Admin && users.differ() || !own_group) {
        let words = format!("{shown} may be written by the group {} (mode {mode:o})", facts.gid());
        return Some((words, format!("chmod g-w {shown}")));
    }
    if read == Read::Nobody && mode & 0o077 != 0 {
        return Some((
            format!("{shown} may be read by others (mode {mode:o})"),
            format!("chmod go= {shown}"),
        ));
    }
    let bot_needs_group =
        read == Read::Bot && whose == Whose::Admin && users.differ() && users.bot != Some(0);
    if bot_needs_group && mode & 0o004 == 0 {
        let group = users.bot_group.unwrap_or_default();
        if facts.gid() != group || mode & 0o040 == 0 {
            return Some((
                format!("{shown} cannot be read by the bot's user"),
                format!("chgrp {group} {shown} && chmod g+rX {shown}"),
            ));
        }
    }
    None
}

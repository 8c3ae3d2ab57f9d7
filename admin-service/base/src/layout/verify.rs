//! What in a home is not as the table says, and what mends it.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use owners::quote;
use owners::tree::{Seen, visit};
use owners::writers::{Facts, Members, members, stranger};
use shared_types::id::ProfileId;

use super::{Bot, DEEP, Owner, Reader, Row, Users, base, folders, folders_of};
use crate::home::Home;

/// The most things of one folder of the table that are looked at.
const MOST: usize = 10_000;

/// Something that is not as the table says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deviation {
    /// Where.
    pub path: PathBuf,
    /// What is wrong, with the path, safe to show.
    pub words: String,
    /// The command that mends it.
    pub remedy: String,
}

/// What is wrong with one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fault {
    Odd(&'static str),
    Owner(u32),
    Writer(String),
    Readable,
    Unreadable,
    NoGroupBit,
}

/// Looks at every folder of the table; answers how much was seen, and each deviation.
pub fn verify(home: &Home, users: &Users) -> (usize, Vec<Deviation>) {
    // With one user, what the bot makes in its own folders is behind the folders' modes.
    let depth = |row: Row| if users.bot.is_none() && row.depth == DEEP { 0 } else { row.depth };
    verify_each(home, users, folders(home).into_iter().map(|(folder, row)| (folder, row, depth(row))))
}

/// Looks at the folders of one profile, and not into them.
pub fn verify_of(home: &Home, users: &Users, profile: &ProfileId) -> Vec<Deviation> {
    verify_each(home, users, folders_of(home, profile).into_iter().map(|(folder, row)| (folder, row, 0))).1
}

fn verify_each(
    home: &Home,
    users: &Users,
    rows: impl Iterator<Item = (PathBuf, Row, usize)>,
) -> (usize, Vec<Deviation>) {
    let mut deviations = vec![];
    let mut count = 0;
    for (folder, row, depth) in rows {
        let mut left = MOST;
        let faults = visit(&base(home, &folder), &folder, depth, &mut left, &mut |seen| {
            count += 1;
            if let Some(fault) = judge(row, users, seen) {
                deviations.push(deviation(home, users, row, seen, &fault));
            }
        });
        // A folder that its owner alone enters shows no more than that to the other user.
        let closed = row.owner == Owner::Bot && row.reader == Reader::Nobody;
        for (path, errno) in faults.into_iter().filter(|(_, errno)| !(closed && *errno == Errno::EACCES)) {
            let words = format!("{}: {errno}", quote::shown(&path));
            deviations.push(Deviation { path, words, remedy: "run this as the home's owner".to_owned() });
        }
    }
    (count, deviations)
}

fn judge(row: Row, users: &Users, seen: &Seen<'_>) -> Option<Fault> {
    if let Some(what) = seen.oddity() {
        // A link of the bot's own in its workspace leads nowhere: nobody follows it.
        return (row.depth != DEEP).then_some(Fault::Odd(what));
    }
    let (facts, mode) = (Facts::from(&seen.stat), seen.stat.st_mode & 0o7777);
    let wanted = row.wants(users, seen.is_folder());
    if facts.uid != wanted.uid {
        return Some(Fault::Owner(wanted.uid));
    }
    if let Some(writer) = stranger(facts, &[0, wanted.uid], members) {
        return Some(Fault::Writer(writer.to_string()));
    }
    if wanted.gid.is_none() {
        return (mode & wanted.lacks & 0o055 != 0).then_some(Fault::Readable);
    }
    // Locks and the like are the bot's alone in folders that the service reads.
    if row.owner == Owner::Bot && !seen.is_folder() {
        return None;
    }
    if wanted.gid != Some(facts.gid) || mode & wanted.needs & 0o050 != wanted.needs & 0o050 {
        return Some(Fault::Unreadable);
    }
    (mode & wanted.needs & 0o2000 != wanted.needs & 0o2000).then_some(Fault::NoGroupBit)
}

fn deviation(home: &Home, users: &Users, row: Row, seen: &Seen<'_>, fault: &Fault) -> Deviation {
    let shown = quote::shown(seen.path);
    let (uid, mode) = (seen.stat.st_uid, seen.stat.st_mode & 0o7777);
    let reader = if row.owner == Owner::Admin { "bot" } else { "service" };
    let words = match fault {
        Fault::Odd(what) => format!("{shown} is {what}; plain files and folders belong there"),
        Fault::Owner(wanted) => format!("{shown} belongs to the user {uid}; the user {wanted} must own it"),
        Fault::Writer(who) => format!("{shown} may be written by {who} (mode {mode:o})"),
        Fault::Readable => format!("{shown} may be read by others (mode {mode:o})"),
        Fault::Unreadable => format!(
            "{shown} cannot be read by the {reader}'s user (group {}, mode {mode:o})",
            seen.stat.st_gid
        ),
        Fault::NoGroupBit => {
            format!(
                "{shown} lacks the set-group bit, so the {reader}'s user cannot read what is made there later (mode {mode:o})"
            )
        }
    };
    Deviation { path: seen.path.to_owned(), words, remedy: remedy(home, users, row, seen, fault) }
}

/// The command that mends it. A service of root's needs one command, which works by handles; otherwise root runs commands by
/// path, while neither program runs.
fn remedy(home: &Home, users: &Users, row: Row, seen: &Seen<'_>, fault: &Fault) -> String {
    let on = |command: &str| quote::command(command, seen.path, seen.stat.st_ino);
    match (fault, &users.bot) {
        (Fault::Odd(_), _) => format!("look at it, then {}", on("rm")),
        (_, Some(_)) if row.owner == Owner::Bot && users.admin != 0 => {
            format!("end both programs, then as root: {}", for_root(home, users).join("; "))
        }
        (_, Some(_)) => init(home, users),
        (Fault::Owner(wanted), None) => format!("look at it, then {}", on(&format!("chown -h {wanted}"))),
        (Fault::Writer(_), None) if seen.stat.st_mode & 0o002 != 0 => on("chmod o-w"),
        (Fault::Writer(_), None) => on("chmod g-w"),
        (Fault::Readable, None) => on("chmod go="),
        (Fault::Unreadable | Fault::NoGroupBit, None) => on("chmod g+rX"),
    }
}

/// `cl-admin init --bot-user` for this home.
pub fn init(home: &Home, users: &Users) -> String {
    let place = |path: &Path| quote::word(path).unwrap_or_else(|| "\"$TAMECLAW_HOME\"".to_owned());
    let word = |text: &str| place(Path::new(text));
    let Some(bot) = &users.bot else { return format!("cl-admin --home {} init", place(home.root())) };
    let group = bot.group.as_ref().map(|group| format!(" --bot-group {}", word(group))).unwrap_or_default();
    format!("cl-admin --home {} init --bot-user {}{group}", place(home.root()), word(&bot.name))
}

/// What root runs once, where the service's user may not give files away: the commands, in their order.
pub fn for_root(home: &Home, users: &Users) -> Vec<String> {
    let Some(bot) = &users.bot else { return vec![] };
    if users.admin == 0 {
        return vec![init(home, users)];
    }
    // Everything below begins with it; the names of profiles need no quoting.
    if quote::word(home.root()).is_none() {
        return vec![format!("# {} cannot be written for a shell: move the home", quote::shown(home.root()))];
    }
    let words = |paths: Vec<PathBuf>| -> String {
        paths.iter().filter_map(|path| quote::word(path)).collect::<Vec<_>>().join(" ")
    };
    let profiles = super::profiles(home);
    let shared = words(
        profiles
            .iter()
            .flat_map(|id| [home.profile(id), home.proposals(id)])
            .chain([home.net()])
            .map(|place| place.unguarded_path())
            .collect(),
    );
    let closed = words(vec![home.credentials().unguarded_path()]);
    let memories =
        words(profiles.iter().map(|id| home.profile(id).join("memory").unguarded_path()).collect());
    let (uid, gid) = (bot.uid, bot.gid);
    let admin = nix::unistd::User::from_uid(users.admin.into()).ok().flatten();
    let admin = admin.map_or_else(|| users.admin.to_string(), |admin| admin.name);
    let group = nix::unistd::Group::from_gid(gid.into()).ok().flatten();
    let mut commands = vec![];
    if let Some(group) = group.filter(|_| !is_member(users.admin, gid)) {
        commands.push(format!("usermod -aG {} {}", group.name, admin));
    }
    commands.push(format!("chown -hR {uid}:{gid} -- {shared} {closed}"));
    commands.push(format!("chmod -R u=rwX,g=rX,o= -- {shared}"));
    commands.push(format!("find {shared} -type d -exec chmod g+s '{{}}' +"));
    commands.push(format!("find {memories} -type f -exec chmod go= '{{}}' +"));
    commands.push(format!("chmod -R go= -- {closed}"));
    commands
}

/// Whether a user is in a group, as far as the system's lists say.
pub(super) fn is_member(uid: u32, gid: u32) -> bool {
    match members(gid) {
        Members::Listed(inside) => inside.contains(&uid),
        Members::Unlisted => false,
    }
}

/// The next step where a folder above the home is closed to the bot's user.
pub const ABOUT_THE_WAY: &str = "start the bot as root, which opens its folders and then becomes that user; or keep the home where the bot's \
     user can reach it, such as /var/lib/tameclaw";

/// The first folder above the home or its data that the bot's user may not enter.
pub fn closed_to_the_bot(home: &Home, bot: &Bot) -> Option<PathBuf> {
    let above = |path: &Path| path.ancestors().skip(1).map(Path::to_owned).collect::<Vec<_>>();
    let mut way: Vec<PathBuf> = above(home.root());
    way.extend(above(&home.data().unguarded_path()));
    way.retain(|path| !path.as_os_str().is_empty() && !path.starts_with(home.root()));
    way.sort();
    way.into_iter().find(|path| lacks(path, bot, 0o1))
}

/// The first folder on the way to a folder elsewhere, itself included, to which the bot's user has not the right by owner, group and
/// mode: to enter those above, to read it, and where it `writes`, to change it. An access control list may say otherwise.
pub fn lacks_the_right(folder: &Path, writes: bool, bot: &Bot) -> Option<PathBuf> {
    let above = folder.ancestors().skip(1).find(|path| lacks(path, bot, 0o1));
    let itself = lacks(folder, bot, if writes { 0o7 } else { 0o5 }).then_some(folder);
    above.or(itself).map(Path::to_owned)
}

/// The same for a file that the bot is to read.
pub fn closed_file(file: &Path, bot: &Bot) -> Option<PathBuf> {
    let above = file.ancestors().skip(1).find(|path| lacks(path, bot, 0o1));
    above.or_else(|| lacks(file, bot, 0o4).then_some(file)).map(Path::to_owned)
}

fn lacks(path: &Path, bot: &Bot, rights: u32) -> bool {
    std::fs::metadata(path).is_ok_and(|facts| {
        let shift = match () {
            () if facts.uid() == bot.uid => 6,
            () if facts.gid() == bot.gid => 3,
            () => 0,
        };
        facts.mode() >> shift & rights != rights
    })
}

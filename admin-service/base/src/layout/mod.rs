//! Who owns each folder of a home, which group reads it, and with which modes: one table.
//!
//! - [`Users`]: the user of the service and the user of the bot
//! - [`apply`]: sets owners, groups and modes as the table says, by handles
//! - [`verify`]: names each deviation with the command that mends it; `doctor` prints them
//! - [`HomeOwner`]: whom root becomes before it works in the home of another user
//! - [`trust`]: what every start looks at

use std::path::{Path, PathBuf};

use beneath::Folder;
use shared_types::id::ProfileId;

use crate::home::Home;

mod apply;
mod owner;
pub mod trust;
mod users;
mod verify;

pub use apply::{apply, apply_to};
pub use owner::{HomeOwner, while_open};
pub use users::{Bot, Users, least_isolation, record};
pub use verify::{
    ABOUT_THE_WAY, Deviation, closed_file, closed_to_the_bot, for_root, init, lacks_the_right, verify,
    verify_of,
};

/// Who owns a folder and all that the table covers below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// The service's user.
    Admin,
    /// The bot's user.
    Bot,
}

/// Who reads it beside its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// The bot, by its group.
    Bot,
    /// The service: by the same group, where it is not root.
    Service,
    /// The service counts what is in it by the same group, and opens no file: what a person told the bot is private.
    Counts,
    Nobody,
}

/// A folder of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Home,
    Config,
    Skills,
    Status,
    Runs,
    Secrets,
    Certificates,
    Data,
    Profiles,
    AllProposals,
    Profile,
    Memory,
    Logs,
    Workspace,
    Proposals,
    Credentials,
    Net,
    Admin,
    Keys,
    Journal,
    Heads,
    Packages,
    Records,
}

/// One row: a folder, and what holds for it and `depth` levels below.
#[derive(Debug, Clone, Copy)]
struct Row {
    place: Place,
    owner: Owner,
    reader: Reader,
    depth: usize,
}

const fn row(place: Place, owner: Owner, reader: Reader, depth: usize) -> Row {
    Row { place, owner, reader, depth }
}

/// A tree of the bot's own making, as deep as a path can be.
const DEEP: usize = 64;

/// The table of design section 2. A folder that its reader opens has the group and the set-group bit, so that what is
/// made in it later has the group too.
const TABLE: [Row; 23] = [
    row(Place::Home, Owner::Admin, Reader::Bot, 0),
    row(Place::Config, Owner::Admin, Reader::Bot, 3),
    row(Place::Skills, Owner::Admin, Reader::Bot, 3),
    row(Place::Status, Owner::Admin, Reader::Bot, 2),
    // Below the profiles is what commands wrote, each as a user of its own.
    row(Place::Runs, Owner::Admin, Reader::Bot, 1),
    row(Place::Secrets, Owner::Admin, Reader::Bot, 1),
    row(Place::Certificates, Owner::Admin, Reader::Bot, 1),
    row(Place::Data, Owner::Admin, Reader::Bot, 0),
    row(Place::Profiles, Owner::Admin, Reader::Bot, 0),
    row(Place::AllProposals, Owner::Admin, Reader::Bot, 0),
    row(Place::Profile, Owner::Bot, Reader::Service, 0),
    row(Place::Memory, Owner::Bot, Reader::Counts, DEEP),
    row(Place::Logs, Owner::Bot, Reader::Service, DEEP),
    row(Place::Workspace, Owner::Bot, Reader::Service, DEEP),
    row(Place::Proposals, Owner::Bot, Reader::Service, 1),
    row(Place::Credentials, Owner::Bot, Reader::Nobody, 1),
    row(Place::Net, Owner::Bot, Reader::Service, 1),
    row(Place::Admin, Owner::Admin, Reader::Nobody, 0),
    row(Place::Keys, Owner::Admin, Reader::Nobody, 1),
    row(Place::Journal, Owner::Admin, Reader::Nobody, 1),
    row(Place::Heads, Owner::Admin, Reader::Nobody, 1),
    row(Place::Packages, Owner::Admin, Reader::Nobody, 2),
    row(Place::Records, Owner::Admin, Reader::Nobody, 3),
];

/// What a file or folder must be like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wanted {
    /// Its owner.
    uid: u32,
    /// Its group, where somebody reads it by that.
    gid: Option<u32>,
    /// The bits that it must have.
    needs: u32,
    /// The bits that it must not have.
    lacks: u32,
}

impl Row {
    fn folder(self, home: &Home, profile: &ProfileId) -> PathBuf {
        let below = |name: &str| home.profile(profile).join(name).unguarded_path();
        match self.place {
            Place::Home => home.root().to_owned(),
            Place::Config => home.config(),
            Place::Skills => home.skills(),
            Place::Status => home.root().join("status"),
            Place::Runs => home.root().join("runs"),
            Place::Secrets => home.secrets(),
            Place::Certificates => home.certificates(),
            Place::Data => home.data().unguarded_path(),
            Place::Profiles => home.profiles().unguarded_path(),
            Place::AllProposals => home.all_proposals().unguarded_path(),
            Place::Profile => home.profile(profile).unguarded_path(),
            Place::Memory => below("memory"),
            Place::Logs => below("logs"),
            Place::Workspace => below("workspace"),
            Place::Proposals => home.proposals(profile).unguarded_path(),
            Place::Credentials => home.credentials().unguarded_path(),
            Place::Net => home.net().unguarded_path(),
            Place::Admin => home.admin(),
            Place::Keys => home.keys(),
            Place::Journal => home.admin().join("journal"),
            Place::Heads => home.own_heads(),
            Place::Packages => home.admin().join("packages"),
            Place::Records => home.admin().join("skills"),
        }
    }

    /// Whether each profile has one.
    fn is_of_a_profile(self) -> bool {
        matches!(
            self.place,
            Place::Profile | Place::Memory | Place::Logs | Place::Workspace | Place::Proposals
        )
    }

    /// Whether this is in a folder that only its owner enters.
    fn is_below_a_closed_one(self) -> bool {
        matches!(self.place, Place::Memory | Place::Logs | Place::Workspace)
    }

    /// What holds for a folder, or a file, of this row.
    fn wants(self, users: &Users, is_folder: bool) -> Wanted {
        let owner = match (self.owner, &users.bot) {
            (Owner::Bot, Some(bot)) => bot.uid,
            _ => users.admin,
        };
        let Some(bot) = &users.bot else {
            // One user: the mode of the home keeps other users out; secret files must be closed by their own mode too.
            let lacks = if self.reader == Reader::Nobody { 0o077 } else { 0o002 };
            return Wanted { uid: owner, gid: None, needs: 0, lacks };
        };
        let reads = match self.reader {
            Reader::Bot => true,
            // Root needs no group.
            Reader::Service | Reader::Counts => users.admin != 0,
            Reader::Nobody => false,
        };
        if self.reader == Reader::Counts && !is_folder {
            return Wanted { uid: owner, gid: None, needs: 0o400, lacks: 0o077 };
        }
        let gid = reads.then_some(bot.gid);
        match (reads, is_folder) {
            (true, true) => Wanted { uid: owner, gid, needs: 0o2750, lacks: 0o027 },
            (true, false) => Wanted { uid: owner, gid, needs: 0o440, lacks: 0o027 },
            // The folder at the top is closed, so everything that the bot makes below it is closed too, regardless of
            // its mode.
            (false, true) if self.is_below_a_closed_one() => {
                Wanted { uid: owner, gid, needs: 0o700, lacks: 0o027 }
            }
            (false, false) if self.is_below_a_closed_one() || self.place == Place::Proposals => {
                Wanted { uid: owner, gid, needs: 0o400, lacks: 0o027 }
            }
            (false, true) => Wanted { uid: owner, gid, needs: 0o700, lacks: 0o077 },
            (false, false) => Wanted { uid: owner, gid, needs: 0o400, lacks: 0o077 },
        }
    }
}

/// Every folder of the table, with its row, for the profiles that there are.
fn folders(home: &Home) -> Vec<(PathBuf, Row)> {
    let profiles = profiles(home);
    let mut found = vec![];
    for row in TABLE {
        if row.is_of_a_profile() {
            found.extend(profiles.iter().map(|profile| (row.folder(home, profile), row)));
        } else {
            found.push((row.folder(home, &default()), row));
        }
    }
    found
}

/// The folders of one profile, with their rows.
fn folders_of(home: &Home, profile: &ProfileId) -> Vec<(PathBuf, Row)> {
    TABLE.iter().filter(|row| row.is_of_a_profile()).map(|row| (row.folder(home, profile), *row)).collect()
}

/// The folder beneath whose handle a folder of the table is opened.
fn base(home: &Home, folder: &Path) -> PathBuf {
    let data = home.data().unguarded_path();
    if folder.starts_with(&data) { data } else { home.root().to_owned() }
}

/// The profiles that are configured or have data.
fn profiles(home: &Home) -> Vec<ProfileId> {
    let configured = Folder::open(&home.profile_files()).ok();
    let data = [home.profiles(), home.all_proposals()].map(|place| place.folder().ok().flatten());
    let mut all = vec![default()];
    for folder in [configured].into_iter().chain(data).flatten() {
        let names = folder.names().into_iter().flatten().map_while(Result::ok);
        all.extend(names.filter_map(|name| {
            let name = name.to_str()?;
            name.strip_suffix(".yaml").unwrap_or(name).parse::<ProfileId>().ok()
        }));
    }
    all.sort();
    all.dedup();
    all
}

fn default() -> ProfileId {
    "default".parse().expect("a valid name")
}

#[cfg(test)]
mod tests;

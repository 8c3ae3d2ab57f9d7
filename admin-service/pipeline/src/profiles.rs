//! People's profiles: added and removed by the holder of the journal.

use std::fs;
use std::path::PathBuf;

use base::error::Error;
use base::folders::{PRIVATE, READABLE, READABLE_FILE, make_folder};
use base::home::Home;
use base::layout::{self, Users};
use base::profiles::parse;
use base::scratch;
use ledger::{Ledger, ProfileRecord, Store};
use receipts::head::Log;
use shared_types::id::ProfileId;

/// The profile that every home has.
const DEFAULT: &str = "default";
/// The folders of a profile's data.
const BELOW: [&str; 3] = ["memory", "logs", "workspace"];

/// Why a profile is not added or removed.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The profile does not exist.
    #[error("there is no profile `{0}`; `cl-admin profile list` shows all")]
    NoProfile(ProfileId),
    /// Another one has the name.
    #[error("there is a profile `{id}` already: {}", .file.display())]
    Exists {
        /// The name.
        id: ProfileId,
        /// Its configuration.
        file: PathBuf,
    },
    /// It is never removed.
    #[error("`{DEFAULT}` is the profile that every home has")]
    Kept,
    /// Only root can give its folders to the bot's user.
    #[error("{}; end both programs, run as root: {}; then this again", .deviation.words, .commands.join("; "))]
    Layout {
        /// The first of them that is not as it must be.
        deviation: layout::Deviation,
        /// What root runs.
        commands: Vec<String>,
    },
}

/// Configures a profile: recorded first, then its folders, then its file; what was cut off can be done again.
///
/// # Errors
/// A profile of that name, a text with faults, or a failing disk.
pub fn add(store: &Store, id: &ProfileId, text: &str) -> Result<String, Error> {
    let home = &store.home;
    let path = home.profile_file(id);
    if fs::symlink_metadata(&path).is_ok() {
        return Err(Error::refused(Fault::Exists { id: id.clone(), file: path }));
    }
    let profile = parse(home, text).map_err(|faults| Error::Config { file: path.clone(), faults })?;
    // The journal's lock is held for the record alone: the folders may be the bot's already, and large.
    store.ledger().append(ProfileRecord::Added {
        id: id.clone(),
        audience: profile.audience,
        users: profile.open.users.iter().map(ToString::to_string).collect(),
        pin: profile.open.pin.is_some(),
    })?;
    make_folders(home, id)?;
    durable::create_new(&path, text.as_bytes(), READABLE_FILE).map_err(Error::io(&path))?;
    Ok(format!("the profile `{id}` is there: `cl-bot --profile {id}` opens it"))
}

/// Takes a profile's configuration away; its memory, workspace and logs stay where they are.
///
/// # Errors
/// An unknown profile, the one that every home has, or a failing disk.
pub fn remove(home: &Home, ledger: &mut Ledger, id: &ProfileId) -> Result<String, Error> {
    if id.as_str() == DEFAULT {
        return Err(Error::refused(Fault::Kept));
    }
    let path = home.profile_file(id);
    if fs::symlink_metadata(&path).is_err() {
        return Err(Error::failed(Fault::NoProfile(id.clone())));
    }
    ledger.append(ProfileRecord::Removed { id: id.clone() })?;
    fs::remove_file(&path).map_err(Error::io(&path))?;
    durable::sync_folder(&home.profile_files()).map_err(Error::io(&home.profile_files()))?;
    Ok(format!("the profile `{id}` is removed; its data stays in {}", home.profile(id)))
}

/// Forgets a profile whose data is removed for good: recorded first, then its configuration, the signed heads of its receipts,
/// its mirrors and the results of its commands go. What was cut off can be done again.
///
/// # Errors
/// A failing disk.
pub fn erase(home: &Home, ledger: &mut Ledger, id: &ProfileId, files: u64) -> Result<String, Error> {
    ledger.append(ProfileRecord::Erased { id: id.clone(), files })?;
    let head = Log::Receipts(id.clone()).file_name();
    let mut gone = vec![home.published_heads().join(&head), home.own_heads().join(&head)];
    if id.as_str() != DEFAULT {
        gone.extend([home.profile_file(id), home.profile_files().join(format!("{id}.persona.md"))]);
    }
    for path in gone {
        match fs::remove_file(&path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(&path)(e)),
            _ => {}
        }
    }
    for folder in [home.status(id), home.runs(id)] {
        scratch::remove(&folder).map_err(Error::io(&folder))?;
    }
    let proposals = ledger.tickets().filter(|ticket| ticket.taken().profile == *id).count();
    let actions = ledger.cases().all().filter(|case| case.taken().profile == *id).count();
    Ok(format!(
        "configuration, mirrors and results of `{id}` are removed; the journal, which nothing is taken out of, still names it with \
         {proposals} proposals and {actions} actions, in the words in which they were asked for"
    ))
}

/// Makes a profile's folders, where they are missing, and gives its data to the bot's user.
///
/// # Errors
/// A folder that cannot be made or given away.
pub fn make_folders(home: &Home, id: &ProfileId) -> Result<(), Error> {
    for folder in [home.status(id), home.runs(id)] {
        make_folder(&folder, READABLE)?;
    }
    let mut made = vec![home.profile(id).make(PRIVATE)?, home.proposals(id).make(PRIVATE)?];
    for below in BELOW {
        made.push(home.profile(id).join(below).make(PRIVATE)?);
    }
    let users = Users::of(home)?;
    if users.bot.is_none() {
        return Ok(());
    }
    layout::apply_to(home, &users, id);
    let made = |deviation: &layout::Deviation| made.iter().any(|folder| deviation.path == folder.path());
    match layout::verify_of(home, &users, id).into_iter().find(made) {
        None => Ok(()),
        Some(deviation) => {
            Err(Error::failed(Fault::Layout { deviation, commands: layout::for_root(home, &users) }))
        }
    }
}

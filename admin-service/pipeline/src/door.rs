//! The door of a profile: its tokens and its address, changed by the holder of the journal.

use std::fs;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use base::change::change;
use base::error::Error;
use base::folders::READABLE_FILE;
use base::home::Home;
use base::profiles::parse;
use documents::edit::Change;
use documents::profile_file::Door;
use ledger::{Book, ProfileRecord, Store};
use serde_json::json;
use shared_types::id::{Digest, DoorTokenName, ProfileId};

/// Why a door stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// There is no such profile.
    #[error("there is no profile `{0}`; `cl-admin profile list` shows all")]
    NoProfile(ProfileId),
    /// Another token has the name.
    #[error(
        "the door of `{profile}` has a token `{name}` already: choose another name, or remove it by \
         `cl-admin door remove {name} --profile {profile}`"
    )]
    Taken {
        /// The profile.
        profile: ProfileId,
        /// The name.
        name: DoorTokenName,
    },
    /// There is room for no other token.
    #[error(
        "the door of `{0}` has {most} tokens, and more are not allowed: remove one by `cl-admin door remove NAME --profile {0}`",
        most = Door::MOST_TOKENS
    )]
    Full(ProfileId),
    /// No token has the name.
    #[error(
        "the door of `{profile}` has no token `{name}`; `cl-admin door list --profile {profile}` shows all"
    )]
    NoToken {
        /// The profile.
        profile: ProfileId,
        /// The name.
        name: DoorTokenName,
    },
}

/// The door of a profile, with the file that says so.
///
/// # Errors
/// No such profile, a file with faults, or a failing disk.
pub fn read(home: &Home, profile: &ProfileId) -> Result<(PathBuf, Door), Error> {
    let file = home.profile_file(profile);
    let text = match fs::read_to_string(&file) {
        Err(e) if e.kind() == ErrorKind::NotFound => {
            return Err(Error::failed(Fault::NoProfile(profile.clone())));
        }
        other => other.map_err(Error::io(&file))?,
    };
    match parse(home, &text) {
        Ok(profile) => Ok((file, profile.door)),
        Err(faults) => Err(Error::Config { file, faults }),
    }
}

/// Adds a token, of which only the digest is known here.
///
/// # Errors
/// A name that is taken, too many tokens, a file that is left as it is, or a failing disk.
pub fn add_token(
    store: &Store,
    profile: &ProfileId,
    name: &DoorTokenName,
    sha256: &Digest,
    person: bool,
) -> Result<String, Error> {
    let mut book = store.book();
    let (file, door) = read(&store.home, profile)?;
    if door.tokens.iter().any(|token| token.name == name.as_str()) {
        return Err(Error::refused(Fault::Taken { profile: profile.clone(), name: name.clone() }));
    }
    if door.tokens.len() >= Door::MOST_TOKENS {
        return Err(Error::refused(Fault::Full(profile.clone())));
    }
    let mut entry = json!({"name": name, "sha256": sha256});
    if person {
        entry["person"] = json!(true);
    }
    let record = ProfileRecord::DoorTokenAdded { id: profile.clone(), name: name.clone(), person };
    write(&store.home, &mut book, &file, ("/door/tokens", Change::Last(entry)), record)?;
    Ok(format!("`{name}` may use the door of `{profile}` from now on"))
}

/// Takes a token away.
///
/// # Errors
/// No such token, a file that is left as it is, or a failing disk.
pub fn remove_token(store: &Store, profile: &ProfileId, name: &DoorTokenName) -> Result<String, Error> {
    let mut book = store.book();
    let (file, door) = read(&store.home, profile)?;
    let Some(at) = door.tokens.iter().position(|token| token.name == name.as_str()) else {
        return Err(Error::failed(Fault::NoToken { profile: profile.clone(), name: name.clone() }));
    };
    let place = format!("/door/tokens/{at}");
    let record = ProfileRecord::DoorTokenRemoved { id: profile.clone(), name: name.clone() };
    write(&store.home, &mut book, &file, (place.as_str(), Change::Remove), record)?;
    Ok(format!("`{name}` is removed: a running door refuses it from now on"))
}

/// Sets the address of the door, or takes it away.
///
/// # Errors
/// A file that is left as it is, or a failing disk.
pub fn set_address(store: &Store, profile: &ProfileId, address: Option<SocketAddr>) -> Result<String, Error> {
    let mut book = store.book();
    let (file, _) = read(&store.home, profile)?;
    let put = address.map_or(Change::Remove, |address| Change::Put(json!(address)));
    let record = ProfileRecord::DoorAddressSet { id: profile.clone(), address };
    let changed = write(&store.home, &mut book, &file, ("/door/listen", put), record)?;
    let place = match address {
        Some(address) => format!("listens at {address}"),
        None => "is a socket file of its user alone".to_owned(),
    };
    Ok(match changed {
        true => format!("the door of `{profile}` {place} from its next start"),
        false => format!("the door of `{profile}` {place}; it was so before"),
    })
}

/// Makes one change: judged first, then recorded, then written. What was cut off can be done again. Answers whether the file
/// is another one now.
fn write(
    home: &Home,
    book: &mut Book,
    file: &Path,
    change_of: (&str, Change),
    record: ProfileRecord,
) -> Result<bool, Error> {
    change(file, READABLE_FILE, &[change_of], |text| {
        parse(home, text).map_err(|faults| Error::Config { file: file.to_owned(), faults })?;
        book.append(record)
    })
}

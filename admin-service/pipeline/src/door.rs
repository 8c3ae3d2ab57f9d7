//! The door of a profile: its tokens, its address and its certificate, changed by the holder of the journal.

use std::fs;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use base::change::{change, planned};
use base::error::Error;
use base::failpoints::{self, Point};
use base::folders::READABLE_FILE;
use base::home::Home;
use base::profiles::{list, parse};
use certificates::{Certificate, Files, Pair};
use documents::edit::Change;
use documents::profile_file::{Door, DoorTls};
use ledger::{Ledger, ProfileRecord, Store};
use serde_json::json;
use shared_types::id::{Digest, DoorTokenName, ProfileId};

use crate::profiles;

mod made;

/// Why a door stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Another token has the name.
    #[error(
        "the door of `{profile}` has a token `{name}` already: choose another name, or remove it by \
         `cl-admin door remove {name} --profile {profile}`"
    )]
    Taken { profile: ProfileId, name: DoorTokenName },
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
    NoToken { profile: ProfileId, name: DoorTokenName },
    /// A certificate or a key that cannot be used.
    #[error("{0}: {next}", next = .0.next())]
    Certificate(certificates::Fault),
    /// No certificate can be made for these names.
    #[error("no certificate can be made for {names}: {why}", names = names.join(" "))]
    NotMade { names: Vec<String>, why: rcgen::Error },
}

/// What becomes of a door's TLS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tls {
    /// It stays as it is.
    Kept,
    /// It has none any more.
    Off,
    /// It has this certificate and its key.
    Given(Files),
    /// It has a certificate that is made for it now.
    Made,
}

/// The files of a door's certificate, by their whole paths.
pub fn files(home: &Home, tls: &DoorTls) -> Files {
    Files { certificate: home.root().join(&tls.certificate), key: home.root().join(&tls.key) }
}

/// The door of a profile, with the file that says so.
///
/// # Errors
/// An unknown profile, a file with faults, or a failing disk.
pub fn read(home: &Home, profile: &ProfileId) -> Result<(PathBuf, Door), Error> {
    let file = home.profile_file(profile);
    let text = match fs::read_to_string(&file) {
        Err(e) if e.kind() == ErrorKind::NotFound => {
            return Err(Error::failed(profiles::Fault::NoProfile(profile.clone())));
        }
        other => other.map_err(Error::io(&file))?,
    };
    match parse(home, &text) {
        Ok(profile) => Ok((file, profile.door)),
        Err(faults) => Err(Error::Config { file, faults }),
    }
}

/// The other profiles whose doors a browser finds at the same host as this one, each with that host.
///
/// # Errors
/// The folder of the profiles cannot be listed. A file that cannot be read has no door here.
pub fn at_the_same_host(
    home: &Home,
    profile: &ProfileId,
    door: &Door,
) -> Result<Vec<(ProfileId, String)>, Error> {
    let others = list(home)?.into_iter().filter(|other| other.id != *profile);
    let doors = others.filter_map(|other| Some((other.id, other.settings.ok()?.door)));
    Ok(doors.filter_map(|(id, other)| Some((id, door.shared_host(&other)?))).collect())
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
    let mut ledger = store.ledger();
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
    write(&store.home, &mut ledger, &file, &[("/door/tokens", Change::Last(entry))], record)?;
    Ok(format!("`{name}` may use the door of `{profile}` from now on"))
}

/// Takes a token away.
///
/// # Errors
/// An unknown token, a file that is left as it is, or a failing disk.
pub fn remove_token(store: &Store, profile: &ProfileId, name: &DoorTokenName) -> Result<String, Error> {
    let mut ledger = store.ledger();
    let (file, door) = read(&store.home, profile)?;
    let Some(at) = door.tokens.iter().position(|token| token.name == name.as_str()) else {
        return Err(Error::failed(Fault::NoToken { profile: profile.clone(), name: name.clone() }));
    };
    let place = format!("/door/tokens/{at}");
    let record = ProfileRecord::DoorTokenRemoved { id: profile.clone(), name: name.clone() };
    write(&store.home, &mut ledger, &file, &[(place.as_str(), Change::Remove)], record)?;
    Ok(format!("`{name}` is removed: a running door refuses it from now on"))
}

/// Sets the address of the door with its TLS, or takes both away.
///
/// # Errors
/// A certificate or a key that cannot be used, a file that is left as it is, or a failing disk.
pub fn set_address(
    store: &Store,
    profile: &ProfileId,
    address: Option<SocketAddr>,
    tls: Tls,
) -> Result<String, Error> {
    let mut ledger = store.ledger();
    let (file, door) = read(&store.home, profile)?;
    let put = address.map_or(Change::Remove, |address| Change::Put(json!(address)));
    let mut changes = vec![("/door/listen", put)];
    let is_off = address.is_none() || tls == Tls::Off;
    let mut made = None;
    let chosen = match (address, tls) {
        (None, _) | (Some(_), Tls::Off) => {
            changes.push(("/door/tls", Change::Remove));
            None
        }
        (Some(_), Tls::Kept) => None,
        (Some(_), Tls::Given(given)) => Some(DoorTls { certificate: given.certificate, key: given.key }),
        (Some(address), Tls::Made) => {
            let names = made::names(address, &door.hosts);
            made = Some(made::make(&names).map_err(|why| Error::failed(Fault::NotMade { names, why }))?);
            Some(made::place(&store.home, profile))
        }
    };
    if let Some(tls) = &chosen {
        let put = json!({"certificate": tls.certificate.display().to_string(), "key": tls.key.display().to_string()});
        changes.push(("/door/tls", Change::Put(put)));
    }
    if let Some(made) = &made {
        // A file that is left as it is keeps its certificate, too.
        judge(&store.home, &file, &planned(&file, &changes)?)?;
        made::put(&store.home, profile, made)?;
        failpoints::at(Point::DoorCertificate);
    }
    let unfit = |fault| Error::refused(Fault::Certificate(fault));
    let pair = chosen.as_ref().map(|tls| Pair::read(&files(&store.home, tls))).transpose().map_err(unfit)?;
    let certificate = pair.as_ref().map(Pair::certificate);
    let digest = certificate.map(Certificate::digest);
    let is_chosen = digest.is_some();
    let tls_removed = door.tls.is_some() && is_off;
    let record =
        ProfileRecord::DoorAddressSet { id: profile.clone(), address, certificate: digest, tls_removed };
    let changed = write(&store.home, &mut ledger, &file, &changes, record.clone())?;
    if !changed && is_chosen {
        // Another certificate, perhaps, at the same paths.
        ledger.append(record)?;
    }
    let place = match (address, certificate) {
        (Some(address), Some(certificate)) => {
            format!("listens at {address} with the certificate SHA-256 {}", certificate.fingerprint())
        }
        (Some(address), None) => format!("listens at {address}"),
        (None, _) => "is a socket file of its user alone".to_owned(),
    };
    Ok(match changed {
        true => format!("the door of `{profile}` {place} from its next start"),
        // The files have another content, perhaps, at the same paths.
        false if certificate.is_some() => format!("the door of `{profile}` {place} from its next start"),
        false => format!("the door of `{profile}` {place}; it was so before"),
    })
}

/// Makes changes: judged first, then recorded, then written. What was cut off can be done again. Answers whether the file
/// is another one now.
fn write(
    home: &Home,
    ledger: &mut Ledger,
    file: &Path,
    changes: &[(&str, Change)],
    record: ProfileRecord,
) -> Result<bool, Error> {
    change(file, READABLE_FILE, changes, |text| {
        judge(home, file, text)?;
        ledger.append(record)
    })
}

/// Refuses a profile's file with faults.
fn judge(home: &Home, file: &Path, text: &str) -> Result<(), Error> {
    parse(home, text).map(|_| ()).map_err(|faults| Error::Config { file: file.to_owned(), faults })
}

//! The profiles that are configured; this program only reads them.

use std::path::PathBuf;

use bot_base::config;
use bot_base::error::Error;
use bot_base::paths::{Folder, PathError};
use documents::profile_file::{Entry, Profile};
use nix::sys::stat::fstat;
use ports::verified;
use shared_types::home::Home;
use shared_types::id::ProfileId;
use shared_types::proposal::Fault;
use shared_types::text::cut;
use skills::shell;

use super::entry;

/// A file of the configuration that was looked at.
#[derive(Debug)]
pub struct Checked {
    pub file: PathBuf,
    /// Its faults, if any; else what has no effect.
    pub result: Result<Vec<String>, Error>,
}

/// Reads a profile's file.
///
/// # Errors
/// A profile that is not configured, with those that this user may open, or every fault of its file.
pub fn read(home: &Home, id: &ProfileId, config: &Folder) -> Result<Profile, Error> {
    let folder = match config.folder("profiles") {
        Ok(folder) => folder,
        Err(e) if e.is_missing() => return Err(Error::NoProfile { id: id.clone(), open: "none".to_owned() }),
        Err(e) => return Err(e.into()),
    };
    match of_folder(&folder, id) {
        Err(Error::Path(e)) if e.is_missing() => {
            Err(Error::NoProfile { id: id.clone(), open: openable(home, &folder) })
        }
        other => other,
    }
}

/// Reads every profile's file and tells every fault of each.
///
/// # Errors
/// A folder that cannot be read.
pub fn check_all(config: &Folder) -> Result<Vec<Checked>, Error> {
    let folder = match config.folder("profiles") {
        Err(e) if e.is_missing() => return Ok(vec![]),
        other => other?,
    };
    let mut checked = Vec::new();
    for name in folder.files()? {
        let Some(stem) = name.strip_suffix(".yaml") else { continue };
        let file = folder.path().join(&name);
        let result = match stem.parse::<ProfileId>() {
            Ok(id) => of_folder(&folder, &id).map(|profile| shell::grants_without_effect(&profile.grants)),
            Err(e) => Err(Error::Config { file: file.clone(), faults: vec![Fault::new("", e.to_string())] }),
        };
        checked.push(Checked { file, result });
    }
    Ok(checked)
}

/// Checks that a minor's profile has an approver whom a key file alone does not replace.
///
/// # Errors
/// An approver's key without a passphrase, or no approver at all.
pub fn check_guarded(id: &ProfileId, settings: &Profile, config: &Folder) -> Result<(), Error> {
    if !settings.audience.is_minor() {
        return Ok(());
    }
    let approvers = verified::approvers(config)?;
    let (why, remedy) = match approvers.all_have_passphrases() {
        Ok(()) => return Ok(()),
        Err(approver) => {
            let option =
                if approver.as_str() == "owner" { String::new() } else { format!(" --approver {approver}") };
            (
                format!("the key of the approver `{approver}` has no passphrase"),
                format!("`cl-admin approver passphrase{option}` gives it one"),
            )
        }
    };
    Err(Error::Unguarded { id: id.clone(), audience: settings.audience, why, remedy })
}

fn of_folder(folder: &Folder, id: &ProfileId) -> Result<Profile, Error> {
    let name = format!("{id}.yaml");
    let text = folder.read_text(&name, documents::yaml::MAX_BYTES as u64)?;
    let file = folder.path().join(name);
    let owner = fstat(folder.handle())
        .map_err(|errno| PathError::Refused { path: file.clone(), source: errno.into() })?
        .st_uid;
    config::profile(&file, &text, owner)
}

/// The profiles that this user may open, freely or with a PIN; of the others not even the name is shown.
fn openable(home: &Home, folder: &Folder) -> String {
    let files = folder.files().unwrap_or_default();
    let ids = files.iter().filter_map(|name| name.strip_suffix(".yaml")?.parse::<ProfileId>().ok());
    let open = ids.filter(|id| {
        of_folder(folder, id).is_ok_and(|profile| entry::judge(home, id, &profile) != Entry::Refused)
    });
    let names: Vec<String> = open.map(String::from).collect();
    if names.is_empty() { "none".to_owned() } else { cut(&names.join(" "), 200) }
}

//! Files that nobody has looked at yet: they stay in their folders, untouched, until their turn comes.

use base::error::Error;
use base::home::{Home, profiles};
use ledger::Ledger;
use shared_types::id::ProfileId;

use super::names::{Sweep, shown};

/// The most that are named of one profile.
const MOST: usize = 5_000;

/// The files of one profile that wait for their turn.
#[derive(Debug)]
pub struct Waiting {
    pub profile: ProfileId,
    /// Their names, safe to show.
    pub files: Vec<String>,
    /// Whether there are more than these.
    pub more: bool,
}

/// Every file of a proposal that the journal does not know; a folder that cannot be listed has none.
///
/// # Errors
/// The folder of all proposals cannot be listed.
pub fn waiting(home: &Home, ledger: &Ledger) -> Result<Vec<Waiting>, Error> {
    let mut all = Vec::new();
    for profile in profiles(home)? {
        let Ok(Some(folder)) = home.proposals(&profile).folder() else { continue };
        let unknown = |names: Vec<std::ffi::OsString>| -> Vec<_> {
            names.into_iter().filter(|name| !ledger.knows_file(&profile, &shown(name))).collect()
        };
        let Ok(found) = Sweep::default().next(&folder, MOST, unknown) else { continue };
        if !found.new.is_empty() {
            let files = found.new.iter().map(|name| shown(name)).collect();
            all.push(Waiting { profile, files, more: found.more });
        }
    }
    Ok(all)
}

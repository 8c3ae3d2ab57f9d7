//! Who the approvers are, and whether their keys ask for a passphrase, as the bot reads it.

use std::fs;

use shared_types::decision::Approvers;
use shared_types::home::Home;
use shared_types::yaml;

use crate::error::Error;
use crate::install::READABLE_FILE;
use crate::keys;

/// The approvers that the home lists.
///
/// # Errors
/// A list that is missing or broken.
pub fn read(home: &Home) -> Result<Approvers, Error> {
    let path = home.approvers();
    let text = fs::read_to_string(&path).map_err(Error::io(&path))?;
    yaml::from_own(&text).map_err(|e| Error::Failed(format!("{}: {e}", path.display())))
}

/// Writes the list.
///
/// # Errors
/// A file that cannot be written.
pub fn write(home: &Home, approvers: &Approvers) -> Result<(), Error> {
    let text = yaml::to_string(approvers).map_err(|e| Error::Failed(e.to_string()))?;
    let path = home.approvers();
    durable::replace(&path, text.as_bytes(), READABLE_FILE).map_err(Error::io(&path))
}

/// Brings what the list says about passphrases up to the keys themselves; a key that is kept elsewhere, or cannot be read,
/// is believed to have none.
///
/// # Errors
/// A list that cannot be read or written.
pub fn reconcile(home: &Home) -> Result<(), Error> {
    if !home.approvers().exists() {
        return Ok(());
    }
    let stands = read(home)?;
    let mut found = stands.clone();
    for approver in &mut found.approvers {
        approver.passphrase = keys::has_passphrase(&keys::approver_key(home, &approver.id)).unwrap_or(false);
    }
    if found == stands { Ok(()) } else { write(home, &found) }
}

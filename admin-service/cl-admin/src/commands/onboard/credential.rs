//! The key of a model server: a file that the bot's network process alone reads.

use std::fs::File;
use std::os::fd::AsFd;

use base::error::Error;
use base::home::Home;
use base::layout::{self, Users};
use models::config::CredentialName;
use shared_types::secret::Secret;

/// The longest key, in bytes: it has to fit a header.
const MOST: usize = 4096;

/// Whether a text can be a key: one line of printable ASCII without spaces.
pub(super) fn is_key(key: &Secret) -> bool {
    let key = key.expose();
    (1..=MOST).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic())
}

/// Whether this user may put a file there: the owner of the folder, or root.
pub(super) fn may_store(home: &Home) -> bool {
    let me = nix::unistd::geteuid();
    me.is_root() || home.credentials().facts().is_ok_and(|facts| facts.user == me.as_raw())
}

/// Stores a key beneath the folder's handle, in place of an earlier one; root gives it to the bot's user.
///
/// # Errors
/// A folder that is not the bot's own, or a failing disk.
pub(super) fn store(home: &Home, name: &CredentialName, key: &Secret) -> Result<(), Error> {
    let folder = home.credentials().present()?;
    let handle = folder.as_fd().try_clone_to_owned().map_err(Error::io(folder.path()))?;
    durable::replace_at(&File::from(handle), name.as_str(), key.expose().as_bytes(), 0o600)
        .map_err(Error::io(folder.path()))?;
    let users = Users::of(home)?;
    if users.bot.is_some() {
        layout::apply(home, &users);
    }
    Ok(())
}

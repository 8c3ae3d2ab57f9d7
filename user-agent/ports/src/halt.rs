//! `config/halt`: the admin's word that nobody talks until there is room in `data/` again.

use std::fs::File;

use bot_base::error::Error;
use bot_base::paths::Folder;

/// The file in `config/`.
const NAME: &str = "halt";
/// The most that is read of it, in bytes.
const MOST: u64 = 4096;
/// The file in `logs/` that every chat holds, so that the admin can tell who talks in this home.
const LOCK: &str = "chat.lock";

/// Why nobody may talk now, where that is so; a file that cannot be read counts.
pub(crate) fn reason(config: &Folder) -> Option<String> {
    match config.read_text(NAME, MOST) {
        Ok(text) => Some(shared_types::text::block(text.trim())),
        Err(e) if e.is_missing() => None,
        Err(e) => Some(e.to_string()),
    }
}

/// Refuses to start a chat while it is not allowed.
///
/// # Errors
/// [`Error::Halted`] with the admin's words.
pub fn check(config: &Folder) -> Result<(), Error> {
    reason(config).map_or(Ok(()), |why| Err(Error::Halted(why)))
}

/// Holds the lock that tells the admin of a chat. Without it the chat only gets no order to end at once: it sees the file before
/// its next turn all the same.
pub fn hold(logs: &Folder) -> Option<File> {
    let file = logs.log(LOCK).ok()?;
    file.try_lock_shared().ok()?;
    Some(file)
}

//! The file of the emergency stop: in the profile's folder (the bot's own) or in `config/` (the admin's). One that cannot be
//! read counts as one that is there.

use bot_base::paths::{Folder, PathError};
use kernel::stop::Stopped;

/// The file's name, in the profile's folder and in `config/`.
pub const NAME: &str = "stop";
/// The most that is read of it, in bytes.
const MOST: u64 = 4096;

/// Stops every tool of the profile whose folder this is.
///
/// # Errors
/// A file that cannot be written.
pub fn set(folder: &Folder, reason: &str) -> Result<(), PathError> {
    folder.replace(NAME, format!("{}\n", shared_types::text::cut(reason, 400)).as_bytes())
}

/// Whether a stop is in a folder.
pub fn in_folder(folder: &Folder, by: &'static str) -> Option<Stopped> {
    let why = match folder.read_text(NAME, MOST) {
        Ok(text) => shared_types::text::line(text.trim()),
        Err(e) if e.is_missing() => return None,
        Err(e) => e.to_string(),
    };
    Some(Stopped { by, why })
}

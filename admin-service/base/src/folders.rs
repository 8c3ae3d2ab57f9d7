//! Makes folders of a home, with the modes that folders and files have there.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use crate::error::Error;

/// A folder that only the admin opens.
pub const PRIVATE: u32 = 0o700;
/// A folder that the bot may read by a shared group.
pub const READABLE: u32 = 0o750;
/// A file that the bot may read by a shared group.
pub const READABLE_FILE: u32 = 0o640;

/// Makes a folder with everything above it that is missing; its name survives a crash.
///
/// # Errors
/// The system's refusal.
pub fn make_folder(path: &Path, mode: u32) -> Result<(), Error> {
    if path.is_dir() {
        return Ok(());
    }
    let missing = path.ancestors().take_while(|folder| !folder.exists()).count();
    DirBuilder::new().recursive(true).mode(mode).create(path).map_err(Error::io(path))?;
    for folder in path.ancestors().skip(1).take(missing) {
        durable::sync_folder(folder).map_err(Error::io(folder))?;
    }
    Ok(())
}

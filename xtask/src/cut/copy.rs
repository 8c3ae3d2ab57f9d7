//! A copy of the source that is made equal file by file: what did not change keeps its time, so cargo builds little.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::is_source;

/// Makes the tree at `to` equal to the source at `from`.
pub(super) fn equal(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let wanted = files(from)?;
    for relative in files(to)?.difference(&wanted) {
        fs::remove_file(to.join(relative))?;
    }
    for relative in &wanted {
        let (source, copy) = (from.join(relative), to.join(relative));
        let same_mode = || -> io::Result<bool> {
            Ok(fs::symlink_metadata(&copy)?.permissions() == fs::metadata(&source)?.permissions())
        };
        let same = fs::read(&copy).is_ok_and(|old| fs::read(&source).is_ok_and(|new| old == new));
        if !(same && same_mode()?) {
            if let Some(folder) = copy.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::copy(&source, &copy)?;
        }
    }
    Ok(())
}

/// The regular files of the source below a folder, by relative path.
fn files(folder: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let mut found = BTreeSet::new();
    let mut left = vec![PathBuf::new()];
    while let Some(relative) = left.pop() {
        for entry in fs::read_dir(folder.join(&relative))? {
            let entry = entry?;
            let path = relative.join(entry.file_name());
            let kind = entry.file_type()?;
            if !is_source(&path) {
                continue;
            }
            if kind.is_dir() {
                left.push(path);
            } else if kind.is_file() {
                found.insert(path);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests;

//! The file that a backup is written to, and the older ones in its folder.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use base::clock::now;
use base::error::Error;
use base::home::Home;
use base::lock::has_ended;
use durable::Draft;

/// How the names of backups in a folder begin.
const PREFIX: &str = "tameclaw-";
/// How they end: plain, and encrypted.
const SUFFIXES: [&str; 2] = [".tar", ".tar.age"];

/// Where a backup goes.
#[derive(Debug)]
pub struct Place {
    file: PathBuf,
    /// The folder, where the file's name was made by this program.
    folder: Option<PathBuf>,
}

impl Place {
    /// A file with the name that was given, or a new name in a folder that exists.
    ///
    /// # Errors
    /// A place within the home, or a folder that is missing.
    pub fn choose(home: &Home, given: &Path, sealed: bool) -> Result<Place, Error> {
        let folder = given.is_dir().then(|| given.to_owned());
        let file = match &folder {
            Some(folder) => {
                let time = now().replace([':', '.'], "-");
                folder.join(format!("{PREFIX}{time}{}", SUFFIXES[usize::from(sealed)]))
            }
            None => given.to_owned(),
        };
        let above = file.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let real = fs::canonicalize(above).map_err(Error::io(above))?;
        for part in [home.root().to_owned(), home.data().unguarded_path()] {
            let part = fs::canonicalize(&part).unwrap_or(part);
            if real.starts_with(&part) {
                return Err(Error::usage(format!(
                    "{} is within the home, and would be lost together with it: name a place on another disk",
                    file.display()
                )));
            }
        }
        Ok(Place { file, folder })
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Removes what runs that were cut off left beside the file; answers how many that were.
    pub fn sweep(&self) -> usize {
        let above =
            self.file.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let own =
            self.file.file_name().map(|name| format!(".{}.", name.to_string_lossy())).unwrap_or_default();
        let Ok(entries) = fs::read_dir(above) else { return 0 };
        let is_left = |name: &str| {
            let ours =
                name.starts_with(&own) || self.folder.is_some() && name.starts_with(&format!(".{PREFIX}"));
            ours && Draft::writer_of(name).is_some_and(has_ended)
        };
        let left = entries.flatten().filter(|entry| entry.file_name().to_str().is_some_and(is_left));
        left.filter(|entry| fs::remove_file(entry.path()).is_ok()).count()
    }

    /// Removes all but the newest backups of the folder; answers those that went.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub fn keep(&self, most: usize) -> Result<Vec<PathBuf>, Error> {
        let Some(folder) = &self.folder else { return Ok(vec![]) };
        let entries = fs::read_dir(folder).map_err(Error::io(folder))?.flatten();
        let mut found: Vec<String> = entries
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| is_one(name))
            .collect();
        // The file that was just made stays, whatever the clock said. Of the others the last name has the newest time.
        found.retain(|name| folder.join(name) != self.file);
        found.sort_unstable();
        found.truncate(found.len().saturating_sub(most.max(1) - 1));
        let mut gone = vec![];
        for name in found {
            let path = folder.join(name);
            match fs::remove_file(&path) {
                Err(e) if e.kind() != ErrorKind::NotFound => return Err(Error::io(&path)(e)),
                _ => gone.push(path),
            }
        }
        Ok(gone)
    }
}

/// Whether a name is one that this program made: `tameclaw-2026-01-02T03-04-05-678Z.tar.age`.
fn is_one(name: &str) -> bool {
    let time = name
        .strip_prefix(PREFIX)
        .and_then(|rest| SUFFIXES.iter().rev().find_map(|end| rest.strip_suffix(end)));
    time.is_some_and(|time| {
        time.len() >= 20
            && time.ends_with('Z')
            && time.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'T' | b'Z'))
    })
}

#[cfg(test)]
mod tests;

//! A source in the person's own editor, or from a file.

use std::fs::{self, OpenOptions};
use std::io::{IsTerminal, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use base::error::Error;
use base::folders::{PRIVATE, make_folder};
use base::home::Home;
use base::package;
use review::source::LARGEST;
use shared_types::id::ProposalId;

/// The editors that are looked for when none is named.
const USUAL: [&str; 3] = ["editor", "nano", "vi"];

/// Why there is no edited source.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("an editor needs a terminal; name a file: e from FILE")]
    NoTerminal,
    #[error("no editor: set EDITOR, or hand a file in with `cl-admin edit ID --file FILE`")]
    NoEditor,
    #[error("the editor `{program}`: {why}")]
    NotStarted { program: String, why: std::io::Error },
    #[error("the editor `{program}` ended with {status}; nothing was handed in")]
    Ended { program: String, status: ExitStatus },
    #[error("{} has more than {LARGEST} bytes", .0.display())]
    TooLarge(PathBuf),
    #[error("{} is not UTF-8 text (byte {at})", .path.display())]
    NotText { path: PathBuf, at: usize },
}

/// Opens a text in the person's editor; answers what they made of it, or nothing if it is unchanged.
///
/// The file is in a folder of its own that only this user opens, and is gone afterwards.
///
/// # Errors
/// No terminal, no editor, one that fails, or a file that cannot be made or read.
pub fn edit(home: &Home, before: &str) -> Result<Option<String>, Error> {
    if !std::io::stdin().is_terminal() {
        return Err(Error::usage(Fault::NoTerminal));
    }
    let Some((program, arguments)) = named(|name| std::env::var(name).ok()).or_else(usual) else {
        return Err(Error::failed(Fault::NoEditor));
    };
    let place = Place::make(home)?;
    let path = place.0.join(package::SOURCE);
    let mut file =
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(Error::io(&path))?;
    file.write_all(before.as_bytes()).map_err(Error::io(&path))?;
    drop(file);
    let status = Command::new(&program)
        .args(&arguments)
        .arg(&path)
        .status()
        .map_err(|why| Error::failed(Fault::NotStarted { program: program.clone(), why }))?;
    if !status.success() {
        return Err(Error::failed(Fault::Ended { program, status }));
    }
    let after = read(&path)?;
    Ok((after != before).then_some(after))
}

/// A source from a file, or from stdin for `-`.
///
/// # Errors
/// A file that cannot be read, is too large or is not text.
pub fn read(path: &Path) -> Result<String, Error> {
    let mut bytes = vec![];
    let most = LARGEST as u64 + 1;
    if path == Path::new("-") {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes)
    } else {
        fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
    }
    .map_err(Error::io(path))?;
    if bytes.len() > LARGEST {
        return Err(Error::usage(Fault::TooLarge(path.to_owned())));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Error::usage(Fault::NotText { path: path.to_owned(), at })
    })
}

/// The editor that the environment names, split at spaces: no shell reads it.
fn named(variable: impl Fn(&str) -> Option<String>) -> Option<(String, Vec<String>)> {
    let line =
        ["VISUAL", "EDITOR"].iter().find_map(|name| variable(name).filter(|v| !v.trim().is_empty()))?;
    let mut words = line.split_whitespace().map(str::to_owned);
    Some((words.next()?, words.collect()))
}

/// The first of the usual editors that is on the search path.
fn usual() -> Option<(String, Vec<String>)> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).filter(|p| p.is_absolute()).collect();
    let found = USUAL.iter().find_map(|name| folders.iter().map(|f| f.join(name)).find(|p| p.is_file()))?;
    Some((found.to_str()?.to_owned(), vec![]))
}

/// A folder for one edit, removed at the end.
struct Place(PathBuf);

impl Place {
    fn make(home: &Home) -> Result<Place, Error> {
        let folder = home.admin().join(format!("edit-{}", ProposalId::generate()));
        make_folder(&folder, PRIVATE)?;
        Ok(Place(folder))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests;

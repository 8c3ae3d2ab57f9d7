//! The person's own editor, on a copy of the source in a folder that nobody else may open.

use std::env;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use shared_types::home::Home;
use shared_types::id::ProposalId;

use crate::error::Error;

/// What is tried, in this order, where neither VISUAL nor EDITOR is set.
const USUAL: [&str; 3] = ["editor", "nano", "vi"];
/// The most that is read of an edited file, in bytes; whether a source may be that long the desk decides.
const MOST: u64 = 4 << 20;

/// A file that was edited. It goes with the value, unless it is kept.
#[derive(Debug)]
pub struct Draft {
    folder: PathBuf,
    /// The text, if it differs from what it was.
    pub text: Option<String>,
    kept: bool,
}

impl Draft {
    /// Lets the file stay, and tells where.
    pub fn keep(mut self) -> PathBuf {
        self.kept = true;
        self.folder.join(FILE)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.kept {
            // A file that cannot be removed holds nothing that the package does not hold.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

const FILE: &str = "skill.rs";

/// Opens the editor and waits for its end. The caller has given the terminal back.
///
/// # Errors
/// No editor, one that ended with a failure, or a file that cannot be read afterwards; then nothing has changed.
pub fn edit(home: &Home, id: &ProposalId, source: &str) -> Result<Draft, Error> {
    let command = chosen(|name| env::var(name).ok(), |name| find(name).is_some()).ok_or_else(|| {
        Error::Failed(format!(
            "no editor is set (EDITOR or VISUAL) and none of {} was found; `cl-admin edit {id} --file F` takes a file",
            USUAL.join(", ")
        ))
    })?;
    let mut draft = Draft { folder: folder(home)?, text: None, kept: false };
    let path = draft.folder.join(FILE);
    let mut file =
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(Error::io(&path))?;
    file.write_all(source.as_bytes()).map_err(Error::io(&path))?;
    drop(file);
    let [program, arguments @ ..] = command.as_slice() else {
        return Err(Error::Failed("the editor's name is empty".into()));
    };
    let status = Command::new(program).args(arguments).arg(&path).status();
    let status =
        status.map_err(|e| Error::Failed(format!("the editor `{program}` cannot be started: {e}")))?;
    if !status.success() {
        return Err(Error::Failed(format!(
            "the editor `{program}` ended with {status}; nothing was changed"
        )));
    }
    let text = read(&path)?;
    draft.text = (text != source).then_some(text);
    Ok(draft)
}

/// The editor as a program and its arguments.
fn chosen(set: impl Fn(&str) -> Option<String>, exists: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let words = |value: String| value.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let named = ["VISUAL", "EDITOR"].iter().filter_map(|name| set(name)).map(words);
    let usual = USUAL.iter().filter(|name| exists(name)).map(|name| vec![(*name).to_owned()]);
    named.filter(|words| !words.is_empty()).chain(usual).next()
}

/// Where a program lies on the search path.
fn find(name: &str) -> Option<PathBuf> {
    let runs = |path: &PathBuf| {
        fs::metadata(path).is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
    };
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(runs)
}

/// A new folder of its own.
fn folder(home: &Home) -> Result<PathBuf, Error> {
    for number in 0..1000 {
        let path = home.admin().join(format!("edit-{}-{number}", std::process::id()));
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => return Ok(path),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(Error::io(&path)(e)),
        }
    }
    Err(Error::Failed(format!("{} is full of folders of earlier edits", home.admin().display())))
}

/// What the file holds now; editors replace a file, so it is opened anew.
fn read(path: &Path) -> Result<String, Error> {
    let mut bytes = vec![];
    let file = File::open(path).map_err(Error::io(path))?;
    file.take(MOST + 1).read_to_end(&mut bytes).map_err(Error::io(path))?;
    if bytes.len() as u64 > MOST {
        return Err(Error::Failed(format!(
            "the edited file has more than {MOST} bytes; nothing was changed"
        )));
    }
    String::from_utf8(bytes).map_err(|e| {
        let line = e.as_bytes()[..e.utf8_error().valid_up_to()].split(|b| *b == b'\n').count();
        Error::Failed(format!("line {line} of the edited file is not UTF-8; nothing was changed"))
    })
}

#[cfg(test)]
mod tests;

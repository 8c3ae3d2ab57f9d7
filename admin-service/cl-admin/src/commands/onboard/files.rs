//! The configuration files: read as they are, and changed in place or not at all.

use std::path::{Path, PathBuf};

use base::change::Unchanged;
use base::error::Error;
use documents::yaml::{self, YamlError};
use serde_json::Value;

use super::person::{Person, Stop};

/// A file that is not YAML.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", .path.display())]
struct Unread {
    path: PathBuf,
    why: YamlError,
}

/// Answers whether a file says now what it should. One that cannot be changed in place is left as it is, and the person gets the lines;
/// any other fault ends the steps.
pub(super) fn or_by_hand(
    person: &mut Person<'_>,
    path: &Path,
    changed: Result<bool, Error>,
) -> Result<bool, Stop> {
    let error = match changed {
        Ok(_) => return Ok(true),
        Err(error) => error,
    };
    let words = person.words;
    let Some(Unchanged::ByHand { why, .. }) = error.cause() else { return Err(Stop::Failed(error)) };
    let file = path.display().to_string();
    let lines = why.by_hand.trim_end();
    person.say(&format!("{}\n{file}", words.say("onboard-not-changed")));
    let left = words.fill("onboard-left-hand", &[("file", &file)]);
    person.leave(format!("{left}\n{lines}"));
    Ok(false)
}

/// The bot's configuration as it is.
pub(super) fn present(path: &Path) -> Result<Value, Stop> {
    let read = || -> Result<Value, Error> {
        let text = match std::fs::read_to_string(path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Value::Null),
            read => read.map_err(Error::io(path))?,
        };
        yaml::from_own(&text).map_err(|why| Error::failed(Unread { path: path.to_owned(), why }))
    };
    read().map_err(Stop::Failed)
}

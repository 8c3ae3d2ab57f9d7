//! Up to where the journal goes, signed with the manifest's key: a journal that ends before that was shortened.
//!
//! The chain alone shows what was changed, left out or swapped within it, but not that its end is missing, nor that all of
//! it is another home's. The head shows both. It cannot show the loss of records that came after the last head, nor what
//! somebody did who has the manifest's key, nor that journal and head were both put back from an older copy.

use std::fs;
use std::path::Path;

use base::error::Error;
use base::error::journal::Fault;
use base::home::Home;
use base::keys;
use serde::{Deserialize, Serialize};
use shared_types::signature;

/// A record's number and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    pub(super) seq: u64,
    pub(super) hash: String,
}

/// Reads the published head; a home that has none yet answers nothing.
///
/// # Errors
/// A head that is not signed by the manifest's key, or a file that cannot be read.
pub(super) fn read(home: &Home) -> Result<Option<Head>, Error> {
    let path = home.journal_head();
    let text = match fs::read_to_string(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(Error::io(&path))?,
    };
    let trust_path = home.trust();
    let trust = fs::read_to_string(&trust_path).map_err(Error::io(&trust_path))?;
    let wrong = |what: &str| Error::Journal(Fault::Head { path: path.clone(), what: what.to_owned() });
    let (line, signed) = text.split_once('\n').ok_or_else(|| wrong("it holds no signature"))?;
    signature::verify(&trust, signed, line.as_bytes()).map_err(|e| wrong(&e.to_string()))?;
    serde_json::from_str(line).map(Some).map_err(|e| wrong(&e.to_string()))
}

/// Signs a head and puts it in the place of the last one.
///
/// # Errors
/// A missing key or a failing disk.
pub(super) fn write(home: &Home, head: &Head) -> Result<(), Error> {
    let line = serde_json::to_string(head).map_err(Error::failed)?;
    let signed = keys::open(&keys::manifest_key(home))?.sign(line.as_bytes())?;
    let path = home.journal_head();
    if let Some(folder) = path.parent() {
        base::folders::make_folder(folder, base::folders::PRIVATE)?;
    }
    durable::replace(&path, format!("{line}\n{signed}").as_bytes(), 0o600).map_err(Error::io(&path))
}

/// Compares a journal of `records` records, of which the one that the head names has the hash `found`, with its head.
///
/// # Errors
/// A journal that is shorter than its head says, or another one.
pub(super) fn compare(
    path: &Path,
    head: Option<&Head>,
    records: u64,
    found: Option<&str>,
) -> Result<(), Error> {
    let Some(head) = head else { return Ok(()) };
    if records < head.seq {
        return Err(Error::Journal(Fault::Shorter { path: path.to_owned(), records, signed: head.seq }));
    }
    if found != Some(head.hash.as_str()) {
        return Err(Error::Journal(Fault::Differs { path: path.to_owned(), record: head.seq }));
    }
    Ok(())
}

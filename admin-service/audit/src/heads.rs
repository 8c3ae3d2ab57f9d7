//! Signed heads: the admin's own copy, which the bot cannot reach, and the one in `config/heads/` that everybody may check.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use base::error::Error;
use base::failpoints::{Point, at};
use base::folders::{PRIVATE, READABLE, READABLE_FILE, make_folder};
use base::home::Home;
use base::keys;
use durable::Draft;
use receipts::Head;
use receipts::head::Log;

/// The admin's own head of a chain; nothing where there is none yet.
///
/// # Errors
/// A file that cannot be read, or that the manifest's key did not sign for this chain.
pub fn own(home: &Home, log: &Log) -> Result<Option<Head>, Error> {
    read(home, &home.own_heads().join(log.file_name()), log)
}

/// The published head of a chain.
///
/// # Errors
/// As [`own`].
pub fn published(home: &Home, log: &Log) -> Result<Option<Head>, Error> {
    read(home, &home.published_heads().join(log.file_name()), log)
}

fn read(home: &Home, path: &Path, log: &Log) -> Result<Option<Head>, Error> {
    let text = match fs::read_to_string(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(Error::io(path))?,
    };
    let trust = fs::read_to_string(home.trust()).map_err(Error::io(&home.trust()))?;
    Head::read(&text, &trust, log)
        .map(Some)
        .map_err(|e| Error::integrity(format!("the signed head {}: {e}", path.display())))
}

/// Signs a head, and puts it in the place of the last one: the admin's own first, so that no reader knows more than it.
///
/// One sync keeps both names, since each turn with a tool comes here and a memory card bears few writes. The published copy is not
/// synced by itself: [`super::Watcher`] makes it again where a power cut took it.
///
/// # Errors
/// A missing key or a failing disk.
pub fn publish(home: &Home, head: &Head) -> Result<(), Error> {
    let line = head.line();
    let signed = keys::open(&keys::manifest_key(home))?.sign(line.as_bytes())?;
    let (text, name) = (format!("{line}\n{signed}"), head.log.file_name());
    make_folder(&home.own_heads(), PRIVATE)?;
    let own = home.own_heads().join(&name);
    let folder = put(&own, text.as_bytes()).map_err(Error::io(&own))?;
    at(Point::ReceiptsKept);
    if head.log != Log::Admin {
        make_folder(&home.published_heads(), READABLE)?;
        let path = home.published_heads().join(&name);
        durable::replace_unsynced(&path, text.as_bytes(), READABLE_FILE).map_err(Error::io(&path))?;
    }
    folder.sync_all().map_err(Error::io(&own))?;
    at(Point::ReceiptsPublished);
    Ok(())
}

/// Replaces a file; answers its folder, which is not synced yet.
fn put(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut draft = Draft::begin(path, 0o600)?;
    draft.write_all(bytes)?;
    draft.put()
}

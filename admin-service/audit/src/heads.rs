//! Signed heads: the admin's own copy, which the bot cannot reach, and the one in `config/heads/` that everybody may check.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use base::error::Error;
use base::failpoints::{Point, at};
use base::folders::{PRIVATE, READABLE, READABLE_FILE, make_folder};
use base::home::Home;
use base::keys;
use nix::fcntl::OFlag;
use receipts::Head;
use receipts::head::{self, HeadError, Log};

/// Why a head is not believed or signed.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the signed head {}: {why}", .path.display())]
    Unread { path: PathBuf, why: HeadError },
    #[error("the head of {0} is too long for its file")]
    TooLong(Log),
}

/// The admin's own head of a chain; nothing if it does not exist yet.
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
    let bytes = match fs::read(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(Error::io(path))?,
    };
    let trust = fs::read_to_string(home.trust()).map_err(Error::io(&home.trust()))?;
    Head::read(&bytes, &trust, log)
        .map(Some)
        .map_err(|why| Error::integrity(Fault::Unread { path: path.to_owned(), why }))
}

/// Signs a head, and writes it over the last but one: the admin's own first, so that no reader knows more than it.
///
/// Each turn with a tool comes here, and a memory card bears few writes. So the published copy is not synced: [`super::Watcher`]
/// makes it again where a power cut took it.
///
/// # Errors
/// A missing key or a failing disk.
pub fn publish(home: &Home, head: &Head) -> Result<(), Error> {
    let trust = fs::read_to_string(home.trust()).map_err(Error::io(&home.trust()))?;
    let line = head.line();
    let signed = keys::open(&keys::manifest_key(home))?.sign(line.as_bytes())?;
    let slot = head::slot(&format!("{line}\n{signed}"))
        .ok_or_else(|| Error::integrity(Fault::TooLong(head.log.clone())))?;
    let name = head.log.file_name();
    make_folder(&home.own_heads(), PRIVATE)?;
    let own = home.own_heads().join(&name);
    match written_over(&own, head, &trust, &slot).map_err(Error::io(&own))? {
        Some(file) => file.sync_data(),
        None => durable::replace(&own, &file_of(&slot), 0o600),
    }
    .map_err(Error::io(&own))?;
    at(Point::ReceiptsKept);
    if head.log != Log::Admin {
        make_folder(&home.published_heads(), READABLE)?;
        let path = home.published_heads().join(&name);
        if written_over(&path, head, &trust, &slot).map_err(Error::io(&path))?.is_none() {
            durable::replace_unsynced(&path, &file_of(&slot), READABLE_FILE).map_err(Error::io(&path))?;
        }
    }
    at(Point::ReceiptsPublished);
    Ok(())
}

/// A new file of heads, its second place empty.
fn file_of(slot: &[u8]) -> Vec<u8> {
    [slot, &[b'\n'; head::SLOT_BYTES]].concat()
}

/// Writes a head into its file, over the older one of the two there; nothing where the file must be replaced.
fn written_over(path: &Path, head: &Head, trust: &str, slot: &[u8]) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).custom_flags(OFlag::O_NOFOLLOW.bits());
    let Ok(mut file) = options.open(path) else { return Ok(None) };
    let mut present = Vec::new();
    Read::by_ref(&mut file).take(head::MOST_BYTES).read_to_end(&mut present)?;
    let Some(place) = head.place_in(&present, trust) else { return Ok(None) };
    file.write_all_at(slot, place)?;
    Ok(Some(file))
}

//! `cl-admin page verify`

use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::error::Error;
use models::Endpoint;
use models::http::Caps;
use models::http::blocking::Outbox;
use models::transport::TransportError;
use shared_types::id::Digest;

use crate::commands::out::outln;

/// SHA-256 of `packaging/signing-page/index.html`; the guide to approving with a phone names it as well.
const PUBLISHED: &str = "4bb86530cf70d5b90f9e8da6e7ba1a9e235b6b7cbbcb4e8e5b2ee9c630b2a68d";

/// The most bytes of a page that are read, about ten times what it has.
const MOST: u64 = 1 << 20;
/// From the first look-up to the last byte.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Why the page does not count as the published one.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(
        "{place} is not the signing page of this version: its SHA-256 is {served}, the published one is {PUBLISHED}; sign nothing there"
    )]
    Differs { place: String, served: Digest },
    #[error("{place} cannot be fetched: {why}")]
    Fetch { place: String, why: TransportError },
    #[error("{place} answered with status {status}; name the address that answers with the page itself")]
    Status { place: String, status: u16 },
    #[error("{}: {why}; the address of a page begins with https://", .path.display())]
    Open { path: PathBuf, why: std::io::Error },
    #[error("{} is not a regular file of at most {MOST} bytes", .0.display())]
    Size(PathBuf),
}

/// Compares what is served, or a file, with the published page.
///
/// # Errors
/// A page that differs, or one that cannot be read.
pub(super) fn run(place: &str) -> Result<(), Error> {
    let page = match place.contains("://") {
        true => fetched(place)?,
        false => read(Path::new(place))?,
    };
    let served = Digest::of(&page);
    if served.as_str() != PUBLISHED {
        return Err(Error::failed(Fault::Differs { place: place.to_owned(), served }));
    }
    outln!("{place} is the signing page of this version: SHA-256 {served}");
    Ok(())
}

fn fetched(place: &str) -> Result<Vec<u8>, Error> {
    let endpoint: Endpoint = place.parse().map_err(Error::option("URL"))?;
    let outbox = Outbox::new().map_err(Error::step("the HTTP client"))?;
    let place = place.to_owned();
    match outbox.get(&endpoint, Caps { timeout: TIMEOUT, max_bytes: MOST }) {
        Ok(answer) if answer.status == 200 => Ok(answer.body),
        Ok(answer) => Err(Error::failed(Fault::Status { place, status: answer.status })),
        Err(why) => Err(Error::failed(Fault::Fetch { place, why })),
    }
}

/// A file; a pipe or device of that name is not waited for.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut options = OpenOptions::new();
    let file = options.read(true).custom_flags(nix::libc::O_NONBLOCK).open(path);
    let file = file.map_err(|why| Error::failed(Fault::Open { path: path.to_owned(), why }))?;
    let facts = file.metadata().map_err(Error::io(path))?;
    if !facts.is_file() || facts.len() > MOST {
        return Err(Error::failed(Fault::Size(path.to_owned())));
    }
    let mut page = Vec::new();
    file.take(MOST).read_to_end(&mut page).map_err(Error::io(path))?;
    Ok(page)
}

//! `cl-admin update`

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::error::Error;
use base::home::Home;
use documents::releases::{self, Index};
use jiff::Timestamp;
use models::Endpoint;
use models::http::Caps;
use models::http::blocking::Outbox;
use models::transport::TransportError;
use semver::Version;
use serde_json::json;
use shared_types::exit;
use shared_types::signature;

use crate::commands::out::{self, outln};
use seen::Seen;

mod seen;

/// Compare this program with the newest release. It installs nothing; the package manager does
///
/// The index must carry the signature of the release key. Exit codes: 0 this is the newest release; 10 a newer release exists;
/// 1 the index cannot be fetched; 2 no index or no key is known; 4 the index does not verify, or is older than one seen before.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Compare only; this program never installs an update
    #[arg(long, required = true)]
    check: bool,
    /// Where the index is: an https address, or a folder [default: the address of this build, if it has one]
    #[arg(long, value_name = "URL|FOLDER")]
    index: Option<String>,
    /// The release key: a minisign public key, or the file that holds it [default: admin/release.pub of the home, else the key of
    /// this build, if it has one]
    #[arg(long, value_name = "KEY|FILE")]
    key: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The public half of the key that signs releases; set when a release is built.
const BUILT_IN_KEY: Option<&str> = option_env!("TAMECLAW_RELEASE_KEY");
/// Where the index of this distribution is; set when a release is built.
const BUILT_IN_INDEX: Option<&str> = option_env!("TAMECLAW_RELEASE_INDEX");

/// From the first look-up to the last byte of one file.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Far more than a signature has.
const MOST_OF_A_SIGNATURE: u64 = 4096;
/// An index that is older may be held back by somebody on the way.
const OLD: i64 = 180;

/// Why no comparison was made.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("no index is named: this build has no address of its own; give --index URL or --index FOLDER")]
    NoIndex,
    #[error("no release key is known: this build has none; give --key, or write it to {}", .0.display())]
    NoKey(PathBuf),
    #[error("{url} cannot be fetched: {why}; nothing is known about newer releases")]
    Fetch { url: String, why: TransportError },
    #[error("{url} answered with status {status}; nothing is known about newer releases")]
    Status { url: String, status: u16 },
    #[error("{} is not a regular file of at most {most} bytes", path.display())]
    Size { path: PathBuf, most: u64 },
    #[error("{0} is not text")]
    NotText(String),
    #[error(
        "the index names {newest} as the newest release, and this is {own}: the index is out of date, or this is not a release"
    )]
    Behind { newest: Version, own: Version },
}

/// Compares and reports.
///
/// # Errors
/// See the help: each exit code beside 0 and 10 is one.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let place = args.index.as_deref().or(BUILT_IN_INDEX).ok_or_else(|| Error::usage(Fault::NoIndex))?;
    let key = release_key(home, args.key.as_deref())?;
    let (text, signed) = Source::of(place)?.read()?;
    let mut seen = Seen::read(home, &key)?;
    let index = releases::open(&text, &signed, &key, seen.serial()).map_err(Error::integrity)?;
    let own: Version = env!("CARGO_PKG_VERSION").parse().expect("Cargo checks the version of a package");
    if index.version < own {
        return Err(Error::integrity(Fault::Behind { newest: index.version, own }));
    }
    seen.keep(home, index.serial)?;
    report(&index, &own, place, args.json);
    Ok(if index.version > own { exit::NEWER } else { exit::DONE })
}

/// The key by which the index is judged, on one line.
fn release_key(home: &Home, named: Option<&str>) -> Result<String, Error> {
    let own = home.admin().join("release.pub");
    let text = match named {
        Some(key) if signature::check_key(key).is_ok() => key.to_owned(),
        Some(path) => text_of(Path::new(path), MOST_OF_A_SIGNATURE)?,
        None if own.exists() => text_of(&own, MOST_OF_A_SIGNATURE)?,
        None => BUILT_IN_KEY.ok_or_else(|| Error::usage(Fault::NoKey(own)))?.to_owned(),
    };
    // A file of minisign has a comment above the key.
    let line = text.trim().lines().last().unwrap_or_default().trim();
    signature::check_key(line).map_err(Error::option("--key"))?;
    Ok(line.to_owned())
}

/// Where an index is read.
enum Source {
    Folder(PathBuf),
    Server(Endpoint),
}

impl Source {
    fn of(place: &str) -> Result<Source, Error> {
        match place.contains("://") {
            true => place.parse().map(Source::Server).map_err(Error::option("--index")),
            false => Ok(Source::Folder(place.into())),
        }
    }

    /// The index and its signature; neither is trusted yet.
    fn read(&self) -> Result<(String, String), Error> {
        let signature = format!("{}.minisig", releases::FILE);
        match self {
            Source::Folder(folder) => Ok((
                text_of(&folder.join(releases::FILE), releases::MOST_BYTES)?,
                text_of(&folder.join(signature), MOST_OF_A_SIGNATURE)?,
            )),
            Source::Server(server) => {
                let outbox = Outbox::new().map_err(Error::step("the HTTP client"))?;
                Ok((
                    fetched(&outbox, server, releases::FILE, releases::MOST_BYTES)?,
                    fetched(&outbox, server, &signature, MOST_OF_A_SIGNATURE)?,
                ))
            }
        }
    }
}

fn fetched(outbox: &Outbox, server: &Endpoint, name: &str, most: u64) -> Result<String, Error> {
    let url = server.join(name);
    let endpoint: Endpoint = url.parse().map_err(Error::option("--index"))?;
    let caps = Caps { timeout: TIMEOUT, max_bytes: most };
    match outbox.get(&endpoint, caps) {
        Ok(answer) if answer.status == 200 => {
            String::from_utf8(answer.body).map_err(|_| Error::failed(Fault::NotText(url)))
        }
        Ok(answer) => Err(Error::failed(Fault::Status { url, status: answer.status })),
        Err(why) => Err(Error::failed(Fault::Fetch { url, why })),
    }
}

/// A small file; a pipe or device of that name is not waited for.
fn text_of(path: &Path, most: u64) -> Result<String, Error> {
    let facts = std::fs::metadata(path).map_err(Error::io(path))?;
    if !facts.is_file() || facts.len() > most {
        return Err(Error::failed(Fault::Size { path: path.to_owned(), most }));
    }
    let mut text = String::new();
    match File::open(path).and_then(|file| file.take(most).read_to_string(&mut text)) {
        Ok(_) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Err(Error::failed(Fault::NotText(path.display().to_string())))
        }
        Err(error) => Err(Error::io(path)(error)),
    }
}

fn report(index: &Index, own: &Version, place: &str, as_json: bool) {
    let Index { version, serial, made, .. } = index;
    let architecture = std::env::consts::ARCH;
    if as_json {
        out::json(&json!({
            "installed": own,
            "newest": version,
            "newer": version > own,
            "serial": serial,
            "made": made.to_string(),
            "files": index.files_for(architecture).collect::<Vec<_>>(),
        }));
        return;
    }
    let day = made.strftime("%Y-%m-%d");
    match version > own {
        false => outln!("TameClaw {own} is the newest release (index {serial} of {day})."),
        true => {
            outln!("TameClaw {version} is available; {own} is installed (index {serial} of {day}).");
            outln!("Nothing was downloaded or installed. The files for this machine, in {place}:");
            for file in index.files_for(architecture) {
                outln!("  {}  {}", file.sha256, file.name);
            }
            outln!("Verify them as docs/RELEASE.md says, then install the packages with apt.");
        }
    }
    let days = Timestamp::now().duration_since(*made).as_hours() / 24;
    if days > OLD {
        eprintln!(
            "note: the index is {days} days old; look at the project's page whether a newer one exists"
        );
    }
}

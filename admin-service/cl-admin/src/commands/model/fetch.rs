//! `cl-admin model fetch`: a file of a pinned digest, from a server, a mirror or a file that somebody brought.
//!
//! A confined child speaks with the server and reads no file of the home; what it hands over is bytes. They are hashed while
//! they are written, beside their final place, and get their name only if the digest is the pinned one.

use std::fs::{self, File, OpenOptions};
use std::io::{IsTerminal, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use base::error::Error;
use base::home::Home;
use confine::LiveError;
use models::Endpoint;
use nix::fcntl::{Flock, FlockArg};
use sha2::{Digest as _, Sha256};
use shared_types::id::Digest;

use super::fetcher::{Fetcher, Heard};
use super::list::{Model, ModelName};
use super::place::{self, Place, SPARE};
use crate::commands::out::outln;

/// The longest file of a model that is not of the list, in bytes.
const MOST: u64 = 64 << 30;

/// What `fetch` takes.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A name that `cl-admin model available` shows; or, with --sha256, a name of your own
    name: ModelName,
    /// Fetch it from a mirror; the digest stays the same
    #[arg(long, value_name = "URL")]
    from: Option<Endpoint>,
    /// Take it from a file, for a machine without a network; the digest stays the same
    #[arg(long, value_name = "PATH", conflicts_with = "from")]
    file: Option<PathBuf>,
    /// Another model that you trust: the SHA-256 of its GGUF file, for a name that is not on the list
    #[arg(long, value_name = "HEX")]
    sha256: Option<Digest>,
    /// With --sha256: its length in bytes; more is not taken
    #[arg(long, value_name = "COUNT", requires = "sha256")]
    bytes: Option<u64>,
}

/// What is wanted: whose bytes, how many, and where they come from.
#[derive(Debug)]
pub(in crate::commands) struct Wanted {
    pub(in crate::commands) name: ModelName,
    sha256: Digest,
    /// As many as there are, where that is known.
    bytes: Option<u64>,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Server(Endpoint),
    File(PathBuf),
}

/// Why nothing was fetched.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(
        "no model of the list is called `{0}`; `cl-admin model available` shows the list, and --sha256 names another model that you trust"
    )]
    Unknown(ModelName),
    #[error("`{name}` is on the list with the digest {pinned}; give another name to another model")]
    Pinned { name: ModelName, pinned: Digest },
    #[error("`{0}` is not on the list, so --from URL or --file PATH must say where it is")]
    Nowhere(ModelName),
    #[error("{} is not a regular file", .0.display())]
    NotAFile(PathBuf),
    #[error("`{0}` is being fetched by another process")]
    Busy(ModelName),
    #[error("{} has {free} MB free and `{name}` needs {needed} MB: make room, or choose a smaller model", folder.display())]
    Room { name: ModelName, folder: PathBuf, free: u64, needed: u64 },
    #[error("the digest is {found}, and {wanted} is pinned: what came was deleted, and nothing else changed")]
    Digest { wanted: Digest, found: Digest },
    #[error("the file there has {found} bytes, and {wanted} are pinned")]
    Length { wanted: u64, found: u64 },
    #[error("more than the {0} bytes came that are pinned: what came was deleted, and nothing else changed")]
    Longer(u64),
    #[error("{0}; nothing came")]
    NothingCame(String),
    #[error("{why}; {kept} bytes are kept, and the same command continues from there")]
    Broken { why: String, kept: u64 },
}

impl Args {
    /// What the flags and the list say together.
    fn wanted(&self) -> Result<Wanted, Error> {
        let listed = Model::find(&self.name)?;
        let name = self.name.clone();
        let given = match (&self.file, &self.from) {
            (Some(path), _) => Some(Source::File(path.clone())),
            (None, Some(from)) => Some(Source::Server(from.clone())),
            (None, None) => None,
        };
        match (listed, &self.sha256) {
            (Some(model), Some(other)) if model.sha256 != *other => {
                Err(Error::usage(Fault::Pinned { name, pinned: model.sha256 }))
            }
            (Some(model), _) => {
                Ok(Wanted { source: given.unwrap_or(Source::Server(model.address()?)), ..Wanted::of(model)? })
            }
            (None, None) => Err(Error::usage(Fault::Unknown(name))),
            (None, Some(sha256)) => {
                let source = given.ok_or_else(|| Error::usage(Fault::Nowhere(name.clone())))?;
                Ok(Wanted { name, sha256: sha256.clone(), bytes: self.bytes, source })
            }
        }
    }
}

impl Wanted {
    /// A model of the list, from where the list says.
    pub(in crate::commands) fn of(model: Model) -> Result<Wanted, Error> {
        let source = Source::Server(model.address()?);
        Ok(Wanted { name: model.name, sha256: model.sha256, bytes: Some(model.bytes), source })
    }
}

/// Fetches what the flags say.
pub(super) fn run(home: &Home, args: &Args, cancel: &AtomicBool) -> Result<bool, Error> {
    let wanted = args.wanted()?;
    if !fetch(home, &wanted, cancel)? {
        return Ok(false);
    }
    let name = &wanted.name;
    outln!("`cl-admin model connect {name}` lets it answer in the chat");
    Ok(true)
}

/// Fetches a model, unless it is there; false after Ctrl-C.
///
/// # Errors
/// No room, another digest, or a server that breaks off; the error says how to continue.
pub(in crate::commands) fn fetch(home: &Home, wanted: &Wanted, cancel: &AtomicBool) -> Result<bool, Error> {
    let (place, name) = (Place::of(home), &wanted.name);
    if place.known(name)?.is_some_and(|known| known.sha256 == wanted.sha256) {
        outln!("{name} is on this machine: {}", place.file(name).display());
        return Ok(true);
    }
    place.make()?;
    let mut part = Part::open(&place, wanted)?;
    if let Some(bytes) = wanted.bytes {
        part.room_for(bytes)?;
    }
    let whole = match &wanted.source {
        Source::File(path) => part.copy(path, cancel)?,
        Source::Server(from) => part.download(from, cancel)?,
    };
    if !whole {
        eprintln!("{} bytes are kept; the same command continues from there", part.length);
        return Ok(false);
    }
    part.finish()?;
    outln!("{name} is on this machine: {}", place.file(name).display());
    Ok(true)
}

/// A file that is being fetched: as much as is there, and its hash so far. Nobody else writes it meanwhile.
struct Part<'a> {
    place: &'a Place,
    wanted: &'a Wanted,
    path: PathBuf,
    file: Flock<File>,
    length: u64,
    hash: Sha256,
}

impl<'a> Part<'a> {
    /// Opens or makes it, and computes the hash of what is there.
    fn open(place: &'a Place, wanted: &'a Wanted) -> Result<Part<'a>, Error> {
        let path = place.part(&wanted.name);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o644)
            .custom_flags(nix::libc::O_NOFOLLOW)
            .open(&path)
            .map_err(Error::io(&path))?;
        let mut file = Flock::lock(file, FlockArg::LockExclusiveNonblock)
            .map_err(|_| Error::failed(Fault::Busy(wanted.name.clone())))?;
        let mut length = 0;
        let there = file.metadata().map_err(Error::io(&path))?.len();
        if there > 0 {
            eprintln!("computing the digest of the {there} bytes that are there ...");
        }
        let hash = place::hashed(&mut *file, &mut |count| length += count).map_err(Error::io(&path))?;
        Ok(Part { place, wanted, path, file, length, hash })
    }

    /// Refuses to begin what the disk cannot hold.
    fn room_for(&self, bytes: u64) -> Result<(), Error> {
        let free = self.place.free()?;
        let needed = bytes.saturating_sub(self.length).saturating_add(SPARE);
        if free >= needed {
            return Ok(());
        }
        Err(Error::failed(Fault::Room {
            name: self.wanted.name.clone(),
            folder: self.place.folder().to_owned(),
            free: free / 1_000_000,
            needed: needed / 1_000_000,
        }))
    }

    /// Forgets what is there.
    fn restart(&mut self) -> Result<(), Error> {
        self.file
            .set_len(0)
            .and_then(|()| self.file.seek(SeekFrom::Start(0)))
            .map_err(Error::io(&self.path))?;
        self.length = 0;
        self.hash = Sha256::new();
        Ok(())
    }

    /// The most that may come.
    fn most(&self) -> u64 {
        self.wanted.bytes.unwrap_or(MOST)
    }

    fn add(&mut self, piece: &[u8]) -> Result<(), Error> {
        if self.length + piece.len() as u64 > self.most() {
            return Err(self.discard(Fault::Longer(self.most())));
        }
        self.file.write_all(piece).map_err(Error::io(&self.path))?;
        self.hash.update(piece);
        self.length += piece.len() as u64;
        Ok(())
    }

    /// Deletes what came, since it is not what was pinned.
    fn discard(&self, why: Fault) -> Error {
        match fs::remove_file(&self.path) {
            Ok(()) => Error::integrity(why),
            Err(source) => Error::Io { path: self.path.clone(), source },
        }
    }

    /// Copies the rest of a file that somebody brought; false after Ctrl-C. The digest tells whether what is there is its beginning.
    fn copy(&mut self, from: &Path, cancel: &AtomicBool) -> Result<bool, Error> {
        let mut source = OpenOptions::new()
            .read(true)
            .custom_flags(nix::libc::O_NONBLOCK)
            .open(from)
            .map_err(Error::io(from))?;
        let facts = source.metadata().map_err(Error::io(from))?;
        if !facts.is_file() {
            return Err(Error::failed(Fault::NotAFile(from.to_owned())));
        }
        if self.length > facts.len() {
            self.restart()?;
        }
        source.seek(SeekFrom::Start(self.length)).map_err(Error::io(from))?;
        self.room_for(facts.len())?;
        let mut progress = Progress::new(self.wanted.bytes.or(Some(facts.len())));
        let mut piece = vec![0; 1 << 20];
        while !cancel.load(Ordering::Relaxed) {
            let count = source.read(&mut piece).map_err(Error::io(from))?;
            if count == 0 {
                return Ok(true);
            }
            self.add(&piece[..count])?;
            progress.show(self.length);
        }
        Ok(false)
    }

    /// Has the confined child read the rest; false after Ctrl-C.
    fn download(&mut self, from: &Endpoint, cancel: &AtomicBool) -> Result<bool, Error> {
        if self.wanted.bytes.is_some_and(|bytes| self.length >= bytes) {
            // All of it is there; or too much, which is judged below as any other file is.
            return Ok(true);
        }
        outln!("fetching {} from {from}", self.wanted.name);
        let mut asked = self.length;
        let mut fetcher = Fetcher::start(from, asked).map_err(|why| self.broken(why.to_string()))?;
        let mut progress = Progress::new(self.wanted.bytes);
        loop {
            match fetcher.hear(cancel) {
                Ok(Heard::Begins { offset, total }) => {
                    // A gateway may answer with a page of its own: what came before stays.
                    if let (Some(found), Some(wanted)) = (total, self.wanted.bytes)
                        && found != wanted
                    {
                        return Err(self.broken(Fault::Length { wanted, found }.to_string()));
                    }
                    if offset != self.length {
                        if asked == 0 {
                            return Err(self.broken(format!("the server begins at byte {offset}, unasked")));
                        }
                        eprintln!("the server does not continue from {asked} bytes; it begins anew");
                        self.restart()?;
                        asked = 0;
                        if offset != 0 {
                            drop(fetcher);
                            fetcher = Fetcher::start(from, 0).map_err(|why| self.broken(why.to_string()))?;
                            continue;
                        }
                    }
                    if let Some(total) = total {
                        self.room_for(total)?;
                        progress.total = Some(total);
                    }
                }
                Ok(Heard::Bytes(piece)) => {
                    self.add(&piece)?;
                    progress.show(self.length);
                }
                // RFC 9110, 15.5.17: the file does not have this part.
                Ok(Heard::Refused { status: Some(416), .. }) if self.length > 0 => {
                    eprintln!("the server does not continue from {asked} bytes; it begins anew");
                    self.restart()?;
                    asked = 0;
                    fetcher = Fetcher::start(from, 0).map_err(|why| self.broken(why.to_string()))?;
                }
                Ok(Heard::Refused { why, .. }) => return Err(self.broken(why)),
                Ok(Heard::Ends) => break,
                Err(LiveError::Cancelled) => return self.kept().map(|()| false),
                Err(why) => {
                    let words = fetcher.why(&why);
                    return Err(self.broken(words));
                }
            }
        }
        match self.wanted.bytes {
            Some(bytes) if self.length < bytes => {
                Err(self.broken(format!("the server ended after {} of {bytes} bytes", self.length)))
            }
            _ => Ok(true),
        }
    }

    /// What came is on the disk, regardless of what follows.
    fn kept(&self) -> Result<(), Error> {
        self.file.sync_data().map_err(Error::io(&self.path))
    }

    fn broken(&self, why: String) -> Error {
        match self.kept() {
            Ok(()) if self.length == 0 => {
                // Nothing to resume from. If it cannot be removed, the next attempt uses it.
                let _ = fs::remove_file(&self.path);
                Error::failed(Fault::NothingCame(why))
            }
            Ok(()) => Error::failed(Fault::Broken { why, kept: self.length }),
            Err(error) => error,
        }
    }

    /// Judges the whole file, and gives it its name.
    fn finish(self) -> Result<(), Error> {
        if let Some(wanted) = self.wanted.bytes.filter(|wanted| *wanted != self.length) {
            return Err(self.discard(Fault::Length { wanted, found: self.length }));
        }
        let found: Digest = self.hash.clone().into();
        if found != self.wanted.sha256 {
            return Err(self.discard(Fault::Digest { wanted: self.wanted.sha256.clone(), found }));
        }
        self.place.keep(&self.wanted.name, &self.file, found)
    }
}

/// How far it is: one line at a terminal, else a line at each tenth.
struct Progress {
    total: Option<u64>,
    at_terminal: bool,
    shown: Option<u64>,
}

impl Progress {
    fn new(total: Option<u64>) -> Progress {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        Progress { total, at_terminal: std::io::stderr().is_terminal() && !is_dumb, shown: None }
    }

    fn show(&mut self, length: u64) {
        let Some(total) = self.total.filter(|total| *total > 0) else { return };
        let percent = length.min(total) * 100 / total;
        let step = if self.at_terminal { percent } else { percent / 10 * 10 };
        if self.shown == Some(step) {
            return;
        }
        self.shown = Some(step);
        let words = format!("{step:3} %  {} of {} MB", length / 1_000_000, total / 1_000_000);
        let mut output = std::io::stderr();
        let end = if self.at_terminal && percent < 100 { "\r" } else { "\n" };
        // A reader that went away loses the progress, not the file.
        let _ = write!(output, "{words}{end}").and_then(|()| output.flush());
    }
}

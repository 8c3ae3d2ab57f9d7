//! The bot's logs, opened beneath their folder's handle: no link, no race, no blocking, only regular files of its owner.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use receipts::files::{CURRENT, number};
use receipts::head::Log;
use receipts::{Disk, Files};
use shared_types::home::Home;
use shared_types::id::ProfileId;

use crate::error::Error;
use crate::intake::open::{Folder, Look, NotOpened};

/// The most profiles that are looked at: as many as intake takes proposals of.
const MOST_PROFILES: usize = 1000;

/// The files of one chain, for reading alone.
#[derive(Debug)]
pub enum Evidence {
    /// The bot's.
    Bot(Folder),
    /// The admin's own.
    Own(Disk, PathBuf),
}

/// The profiles that have a folder, in the order of their names.
pub fn profiles(home: &Home) -> Vec<ProfileId> {
    let entries = std::fs::read_dir(home.data().join("profiles"));
    let mut found: Vec<ProfileId> = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .take(MOST_PROFILES)
        .collect();
    found.sort();
    found
}

/// Opens the folder of a chain of receipts; nothing where there is none.
///
/// # Errors
/// Something else than a folder lies there, or the log is none of receipts.
pub fn of(home: &Home, log: &Log) -> Result<Option<Evidence>, Error> {
    match log {
        Log::Receipts(profile) => Ok(Folder::beneath(home, home.logs(profile))?.map(Evidence::Bot)),
        Log::Admin => Ok(Some(Evidence::Own(Disk::new(&home.admin()), home.admin()))),
        Log::Net(_) => Err(Error::Usage(format!("{log} is not a chain of receipts"))),
    }
}

impl Evidence {
    /// What each file of the chain looks like from outside, the full ones first.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub fn looks(&self) -> io::Result<Vec<(String, Option<Look>)>> {
        let look = |name: String| {
            let look = match self {
                Evidence::Bot(folder) => folder.look(OsStr::new(&name)),
                Evidence::Own(_, path) => {
                    Folder::open(path).ok().flatten().and_then(|folder| folder.look(OsStr::new(&name)))
                }
            };
            (name, look)
        };
        Ok(receipts::files::segments(self)?.into_iter().map(look).collect())
    }
}

impl Files for Evidence {
    fn open(&self, name: &str) -> io::Result<Option<File>> {
        match self {
            Evidence::Own(disk, _) => disk.open(name),
            Evidence::Bot(folder) => match folder.file(OsStr::new(name)) {
                Ok(file) => Ok(Some(file)),
                Err(NotOpened::Gone) => Ok(None),
                Err(why @ NotOpened::NotYet(_)) => Err(io::Error::new(io::ErrorKind::WouldBlock, why)),
                Err(why @ NotOpened::System(_)) => Err(io::Error::new(io::ErrorKind::PermissionDenied, why)),
                Err(why) => Err(io::Error::new(io::ErrorKind::InvalidData, format!("{name} {why}"))),
            },
        }
    }

    fn open_log(&self, _: &str) -> io::Result<File> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }

    fn rename(&self, _: &str, _: &str) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    fn names(&self) -> io::Result<Vec<String>> {
        match self {
            Evidence::Own(disk, _) => disk.names(),
            Evidence::Bot(folder) => {
                let entries = folder.entries().map_err(io::Error::other)?;
                let name = |entry: nix::Result<nix::dir::Entry>| {
                    let name = entry.ok()?.file_name().to_str().ok()?.to_owned();
                    (name == CURRENT || number(&name).is_some()).then_some(name)
                };
                Ok(entries.filter_map(name).collect())
            }
        }
    }

    fn path(&self) -> &Path {
        match self {
            Evidence::Bot(folder) => folder.path(),
            Evidence::Own(_, path) => path,
        }
    }
}

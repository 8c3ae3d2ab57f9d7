//! The bot's logs, opened beneath their folder's handle: no link, no race, no blocking, only regular files of its owner.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use base::error::Error;
use base::home::{Home, profiles_in};
use beneath::{Folder, Look, NotOpened};
use receipts::files::{CURRENT, number};
use receipts::head::Log;
use receipts::{Disk, Files};
use shared_types::id::ProfileId;

/// A log that does not hold a chain of receipts.
#[derive(Debug, thiserror::Error)]
#[error("{0} is not a chain of receipts")]
struct NoReceipts(Log);

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
    profiles_in(&home.profiles()).unwrap_or_default()
}

/// Opens the folder of a chain of receipts; nothing if it does not exist.
///
/// # Errors
/// Something other than a folder is there, or the log does not hold receipts.
pub fn of(home: &Home, log: &Log) -> Result<Option<Evidence>, Error> {
    match log {
        Log::Receipts(profile) => Ok(home.logs(profile).folder()?.map(Evidence::Bot)),
        Log::Admin => Ok(Some(Evidence::Own(Disk::new(&home.admin()), home.admin()))),
        Log::Net(_) => Err(Error::usage(NoReceipts(log.clone()))),
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
                    Folder::open(path).ok().and_then(|folder| folder.look(OsStr::new(&name)))
                }
            };
            (name, look)
        };
        Ok(receipts::files::segments(self)?.into_iter().map(look).collect())
    }
}

impl Evidence {
    /// Syncs changes of the files of a possible length to the disk. A file that cannot be opened is left to
    /// its reader.
    ///
    /// # Errors
    /// A file that cannot be written out.
    pub fn write_out(&self) -> io::Result<()> {
        for name in receipts::files::segments(self)?.iter().take(receipts::audit::MOST_FILES) {
            let Ok(Some(file)) = self.open(name) else { continue };
            if file.metadata()?.len() <= receipts::audit::MOST_FILE {
                file.sync_data()?;
            }
        }
        Ok(())
    }
}

impl Files for Evidence {
    fn open(&self, name: &str) -> io::Result<Option<File>> {
        match self {
            Evidence::Own(disk, _) => disk.open(name),
            Evidence::Bot(folder) => match folder.file(OsStr::new(name)) {
                Ok(opened) => Ok(Some(opened.into_file())),
                Err(NotOpened::Gone) => Ok(None),
                Err(why) => {
                    let kind = io::Error::from(why).kind();
                    Err(io::Error::new(kind, format!("{name} {why}")))
                }
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
                let names = folder.names().map_err(io::Error::other)?.map_while(Result::ok);
                let names = names.filter_map(|name| name.into_string().ok());
                // The bot may make millions of names; one more than a chain may have is enough to say so.
                let most = receipts::audit::MOST_FILES + 2;
                Ok(names.filter(|name| name == CURRENT || number(name).is_some()).take(most).collect())
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

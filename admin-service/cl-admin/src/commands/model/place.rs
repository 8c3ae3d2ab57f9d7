//! `models/` of a home: the files, and what is known of each.

use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use base::error::Error;
use base::folders::make_folder;
use base::home::Home;
use beneath::{Folder, NotOpened};
use nix::sys::statvfs::statvfs;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use shared_types::id::Digest;

use super::list::{Model, ModelName};

/// The folder and its files are for every user who reaches the home: the user of the model server reads them, and they are
/// not secret.
const FOLDER: u32 = 0o755;
const FILE: u32 = 0o644;
/// Bytes read at a time.
const PIECE: usize = 1 << 20;
/// Left on the disk beside a file, in bytes.
pub(in crate::commands) const SPARE: u64 = 256 << 20;
/// The longest record.
const MOST_OF_A_RECORD: u64 = 64 << 10;

/// The folder.
#[derive(Debug, Clone)]
pub(in crate::commands) struct Place(PathBuf);

/// What was found when the digest of a file was last computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::commands) struct Fetched {
    pub(in crate::commands) name: ModelName,
    pub(in crate::commands) bytes: u64,
    pub(in crate::commands) sha256: Digest,
    /// By which the file is known again without being read: a file with another number or time is read once more.
    inode: u64,
    changed: (i64, i64),
}

/// Why a file is not used.
#[derive(Debug, thiserror::Error)]
pub(in crate::commands) enum Unfit {
    #[error("the model `{0}` is not on this machine; `cl-admin model fetch {0}` fetches it")]
    Missing(ModelName),
    #[error("the file of the model `{name}` is not the pinned one: its digest is {found}, and {wanted} is pinned; remove {} and fetch it again", path.display())]
    Changed { name: ModelName, path: PathBuf, wanted: Digest, found: Digest },
    #[error("{path} may be written by others than its owner, so no model in it is used; chmod go-w {path}", path = .0.display())]
    Open(PathBuf),
    #[error("{} belongs to the user {owner}, who owns neither this home nor this machine", path.display())]
    Foreign { path: PathBuf, owner: u32 },
    #[error("{} is damaged ({why}); fetch the model again", path.display())]
    Damaged { path: PathBuf, why: serde_json::Error },
}

impl Place {
    pub(in crate::commands) fn of(home: &Home) -> Place {
        Place(home.models())
    }

    /// The folder itself.
    pub(in crate::commands) fn folder(&self) -> &Path {
        &self.0
    }

    /// Makes the folder, readable by all.
    pub(in crate::commands) fn make(&self) -> Result<(), Error> {
        make_folder(&self.0, FOLDER)?;
        fs::set_permissions(&self.0, Permissions::from_mode(FOLDER)).map_err(Error::io(&self.0))
    }

    /// The bytes that are free on its disk, also before the folder is made.
    ///
    /// # Errors
    /// The home is not there, or the system does not tell.
    pub(in crate::commands) fn free(&self) -> Result<u64, Error> {
        let folder = self.0.parent().filter(|_| !self.0.is_dir()).unwrap_or(&self.0);
        let disk = statvfs(folder).map_err(|errno| Error::io(folder)(errno.into()))?;
        Ok(disk.blocks_available().saturating_mul(disk.fragment_size()))
    }

    /// A model's file.
    pub(in crate::commands) fn file(&self, name: &ModelName) -> PathBuf {
        self.0.join(file_of(name))
    }

    /// As much of a model's file as was fetched.
    pub(in crate::commands) fn part(&self, name: &ModelName) -> PathBuf {
        self.0.join(format!("{}.part", file_of(name)))
    }

    fn record(&self, name: &ModelName) -> PathBuf {
        self.0.join(format!("{name}.json"))
    }

    /// Gives a file that was checked its name, and keeps what was found.
    pub(in crate::commands) fn keep(
        &self,
        name: &ModelName,
        file: &File,
        sha256: Digest,
    ) -> Result<(), Error> {
        let (part, whole) = (self.part(name), self.file(name));
        let failed = |source| Error::Io { path: part.clone(), source };
        file.set_permissions(Permissions::from_mode(FILE)).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        fs::rename(&part, &whole).map_err(failed)?;
        let facts = file.metadata().map_err(failed)?;
        let fetched = Fetched {
            name: name.clone(),
            bytes: facts.len(),
            sha256,
            inode: facts.ino(),
            changed: (facts.mtime(), facts.mtime_nsec()),
        };
        let record = self.record(name);
        let text = shared_types::json::line(&fetched) + "\n";
        durable::replace(&record, text.as_bytes(), FILE).map_err(Error::io(&record))?;
        fs::set_permissions(&record, Permissions::from_mode(FILE)).map_err(Error::io(&record))
    }

    /// Every model that was fetched; a damaged record counts as none.
    pub(in crate::commands) fn fetched(&self) -> Vec<Fetched> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            name.strip_suffix(".json")?.parse::<ModelName>().ok()
        });
        let mut all: Vec<Fetched> = names.filter_map(|name| self.known(&name).ok().flatten()).collect();
        all.sort_by(|a, b| (a.bytes, &a.name).cmp(&(b.bytes, &b.name)));
        all
    }

    /// What is known of a model, if its file is there.
    pub(in crate::commands) fn known(&self, name: &ModelName) -> Result<Option<Fetched>, Error> {
        let known = self.read(&format!("{name}.json"))?;
        Ok(known.filter(|_| self.file(name).is_file()))
    }

    /// Reads a small file of the folder, if it is there.
    pub(in crate::commands) fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Error> {
        let path = self.0.join(name);
        let opened = Folder::open(&self.0).and_then(|folder| folder.file(name));
        match opened.and_then(|opened| opened.read(MOST_OF_A_RECORD)) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|why| Error::integrity(Unfit::Damaged { path, why })),
            Err(NotOpened::Gone) => Ok(None),
            Err(why) => Err(Error::NotOpened { path, why }),
        }
    }

    /// Opens a model's file for a server: the digest that is pinned for it, by the list or when it was fetched, is that of these
    /// bytes. A file that changed since it was last read is read again. `owner` is who may have put it there, beside root.
    pub(in crate::commands) fn open_checked(&self, name: &ModelName, owner: u32) -> Result<File, Error> {
        let known = self.known(name)?.ok_or_else(|| Error::failed(Unfit::Missing(name.clone())))?;
        let facts = fs::symlink_metadata(&self.0).map_err(Error::io(&self.0))?;
        if facts.mode() & 0o022 != 0 {
            return Err(Error::refused(Unfit::Open(self.0.clone())));
        }
        if ![0, owner].contains(&facts.uid()) {
            return Err(Error::refused(Unfit::Foreign { path: self.0.clone(), owner: facts.uid() }));
        }
        let path = self.file(name);
        let not_opened = |why| Error::NotOpened { path: path.clone(), why };
        let folder = Folder::open(&self.0).map_err(not_opened)?;
        let mut file = folder.file(file_of(name)).map_err(not_opened)?.into_file();
        let wanted = Model::find(name)?.map_or_else(|| known.sha256.clone(), |model| model.sha256);
        let facts = file.metadata().map_err(Error::io(&path))?;
        let is_known = known.sha256 == wanted
            && known.bytes == facts.len()
            && known.inode == facts.ino()
            && known.changed == (facts.mtime(), facts.mtime_nsec());
        if !is_known {
            eprintln!("checking the digest of {} ...", path.display());
            let found = digest(&mut file, &mut |_| {}).map_err(Error::io(&path))?;
            if found != wanted {
                return Err(Error::integrity(Unfit::Changed { name: name.clone(), path, wanted, found }));
            }
        }
        Ok(file)
    }
}

/// The SHA-256 of the rest of a file; `seen` gets the length of each piece.
fn digest(file: &mut impl Read, seen: &mut dyn FnMut(u64)) -> io::Result<Digest> {
    Ok(hashed(file, seen)?.into())
}

/// As [`digest`], as a state that can be continued.
pub(in crate::commands) fn hashed(file: &mut impl Read, seen: &mut dyn FnMut(u64)) -> io::Result<Sha256> {
    let mut hash = Sha256::new();
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(hash),
            Ok(count) => {
                hash.update(&piece[..count]);
                seen(count as u64);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn file_of(name: &ModelName) -> String {
    format!("{name}.gguf")
}

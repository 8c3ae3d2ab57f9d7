//! One service at a time per home.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use crate::error::Error;
use crate::home::Home;

/// The lock of a home; let go when it is dropped or its process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock and writes this process' id into it.
    ///
    /// # Errors
    /// [`Error::Busy`] with the process that holds it.
    pub fn take(home: &Home) -> Result<Lock, Error> {
        let path = path(home);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(Error::io(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::Busy { pid: pid(&mut file).unwrap_or(0) }),
            Err(TryLockError::Error(e)) => return Err(Error::io(&path)(e)),
        }
        let written = file
            .set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)).map(|_| ()))
            .and_then(|()| file.write_all(std::process::id().to_string().as_bytes()));
        match written.map_err(Error::io(&path)) {
            // The lock holds without the number; on a full disk the person at the gate needs it all the same.
            Err(error) if error.wants_room() => {}
            other => other?,
        }
        Ok(Lock { _file: file })
    }
}

/// The process that holds the lock, if one does.
pub fn holder(home: &Home) -> Option<u32> {
    let mut file = OpenOptions::new().read(true).write(true).open(path(home)).ok()?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => pid(&mut file),
        _ => None,
    }
}

fn pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn path(home: &Home) -> PathBuf {
    home.admin().join("service.lock")
}

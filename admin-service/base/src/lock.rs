//! One service at a time per home.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal;
use nix::unistd::Pid;

use crate::error::Error;
use crate::home::Home;

/// How long a start waits for a lock whose holder has ended. A child that the holder was just starting shares the lock
/// until it executes its program or ends with its parent.
const ENDED_HOLDER: Duration = Duration::from_secs(5);

/// The lock of a home; let go when it is dropped or its process ends, however it ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock and writes this process' id into it. Waits up to 5 s if the process that took the lock has ended.
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
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(e)) => return Err(Error::io(&path)(e)),
            }
            let holder = pid(&mut file);
            if !holder.is_some_and(has_ended) || start.elapsed() > ENDED_HOLDER {
                return Err(Error::Busy { pid: holder.unwrap_or(0) });
            }
            std::thread::sleep(Duration::from_millis(10));
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
    // For reading alone: a disk that turned read-only still has a service.
    let mut file = File::open(path(home)).ok()?;
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

/// Whether no process has this number.
pub fn has_ended(pid: u32) -> bool {
    // A number outside of the range of process ids names no process.
    i32::try_from(pid).map_or(true, |pid| signal::kill(Pid::from_raw(pid), None) == Err(Errno::ESRCH))
}

fn path(home: &Home) -> PathBuf {
    home.admin().join("service.lock")
}

#[cfg(test)]
mod tests;

//! Appends to a chain: written, synced, and only then does it count.
//!
//! Nothing of the chain is kept in memory between two appends. Each takes the lock, reads the last link from the disk, and
//! writes the one that follows, so any number of processes of one profile share a chain, and a write that failed has
//! nothing to put right. For a full disk there is `receipts.reserve`: room that was really written, and is given up for the
//! receipt of a call that was made. While it cannot be made anew, [`Chain::ready`] says so.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::attempt::Attempt;
use crate::files::{CURRENT, Files, number, segment, segments};
use crate::receipt::link::{self, Flaw};
use crate::receipt::{Key, NOTHING_BEFORE, Receipt};
use crate::walk::MOST_LINE;

/// The file whose lock the writers share; the log itself may be renamed meanwhile.
const LOCK: &str = "receipts.lock";
/// The room that is held for receipts on a full disk.
const RESERVE: &str = "receipts.reserve";
/// How much that is, in bytes: about a hundred receipts.
const RESERVED: u64 = 64 * 1024;
/// A file that has reached this size is full, in bytes.
pub(crate) const MOST: u64 = 16 << 20;
/// How long another writer is waited for: it holds the lock for one write.
const PATIENCE: Duration = Duration::from_secs(5);

/// The writer of one chain.
pub struct Chain<F> {
    files: F,
    key: Option<Key>,
    most: u64,
    // Threads of this process queue here; the lock of the file is the process' as a whole.
    turn: Mutex<()>,
}

/// A receipt that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReceiptError {
    /// The operating system refuses.
    #[error("{file}: {why}", why = durable::words(source))]
    Io {
        /// The file, with its folder.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// What the next receipt would follow is not a receipt.
    #[error(
        "{file}: its last line does not hold: {what}; `cl-bot receipt verify` says more, and moving the file away begins a new chain"
    )]
    Tail {
        /// The file, with its folder.
        file: String,
        /// What is wrong.
        what: Flaw,
    },
    /// Another process holds the lock.
    #[error("{file}: another process has held the lock for five seconds")]
    Locked {
        /// The file, with its folder.
        file: String,
    },
}

impl<F: Files> Chain<F> {
    /// The chain in a folder; with a key each receipt carries an `hmac`. Nothing is opened yet.
    pub fn new(files: F, key: Option<Key>) -> Chain<F> {
        Chain { files, key, most: MOST, turn: Mutex::default() }
    }

    /// The same, with files that are full at another size, in bytes.
    #[must_use]
    pub fn of_at_most(self, most: u64) -> Chain<F> {
        Chain { most, ..self }
    }

    pub fn files(&self) -> &F {
        &self.files
    }

    /// The key, where there is one.
    pub fn key(&self) -> Option<&Key> {
        self.key.as_ref()
    }

    /// Whether the receipt of a call that is about to be made can be written, regardless of what happens to the disk meanwhile.
    ///
    /// # Errors
    /// Why it cannot; then a call whose effect lasts must not be made.
    pub fn ready(&self) -> Result<(), ReceiptError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let _lock = self.lock()?;
        let log = self.files.open_log(CURRENT).map_err(self.io(CURRENT))?;
        self.last(&log)?;
        self.reserve().map_err(self.io(RESERVE))
    }

    /// Appends the receipt of one attempt.
    ///
    /// # Errors
    /// Why it is not written; the chain is then as it was.
    pub fn write(&self, attempt: &Attempt<'_>) -> Result<Receipt, ReceiptError> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let _lock = self.lock()?;
        let log = self.current()?;
        let previous = self.last(&log)?;
        let receipt = Receipt::after(&previous, attempt, self.key.as_ref());
        let line = receipt.line();
        let mut written = durable::append_line(&log, &line);
        if written.as_ref().is_err_and(lacks_room) && self.give().is_ok() {
            written = durable::append_line(&log, &line);
        }
        written.map_err(self.io(CURRENT))?;
        if previous == NOTHING_BEFORE {
            self.files.sync().map_err(self.io(CURRENT))?;
        }
        Ok(receipt)
    }

    /// The file that is written, after a full one has made way.
    fn current(&self) -> Result<File, ReceiptError> {
        let log = self.files.open_log(CURRENT).map_err(self.io(CURRENT))?;
        let length = log.metadata().map_err(self.io(CURRENT))?.len();
        if length < self.most {
            return Ok(log);
        }
        durable::repair(&log).map_err(self.io(CURRENT))?;
        let names = self.files.names().map_err(self.io(CURRENT))?;
        let next = names.iter().filter_map(|name| number(name)).max().unwrap_or(0) + 1;
        self.files.rename(CURRENT, &segment(next)).map_err(self.io(CURRENT))?;
        let log = self.files.open_log(CURRENT).map_err(self.io(CURRENT))?;
        self.files.sync().map_err(self.io(CURRENT))?;
        Ok(log)
    }

    /// The hash of the last receipt.
    fn last(&self, log: &File) -> Result<String, ReceiptError> {
        if let Some(hash) = self.last_of(log, CURRENT)? {
            return Ok(hash);
        }
        let names = segments(&self.files).map_err(self.io(CURRENT))?;
        for name in names.iter().rev().skip(1) {
            if let Some(file) = self.files.open(name).map_err(self.io(name))?
                && let Some(hash) = self.last_of(&file, name)?
            {
                return Ok(hash);
            }
        }
        Ok(NOTHING_BEFORE.to_owned())
    }

    fn last_of(&self, mut file: &File, name: &str) -> Result<Option<String>, ReceiptError> {
        let length = file.metadata().map_err(self.io(name))?.len();
        // More than one line and a torn one can have.
        let start = length.saturating_sub(2 * MOST_LINE as u64);
        let mut tail = Vec::new();
        file.seek(SeekFrom::Start(start))
            .and_then(|_| file.take(length - start).read_to_end(&mut tail))
            .map_err(self.io(name))?;
        let broken = |what| ReceiptError::Tail { file: self.path(name), what };
        let Some(end) = tail.iter().rposition(|b| *b == b'\n') else {
            // A torn first line was never accepted; the next append cuts it off.
            return if start == 0 { Ok(None) } else { Err(broken(Flaw::Long)) };
        };
        let begin = tail[..end].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let link = link::read(&tail[begin..end]).map_err(broken)?;
        Ok(Some(String::from_utf8_lossy(link.hash).into_owned()))
    }

    /// Makes the reserve, or fills it up.
    fn reserve(&self) -> io::Result<()> {
        let mut file = self.files.open_log(RESERVE)?;
        let held = file.metadata()?.len();
        if held >= RESERVED {
            return Ok(());
        }
        let more = usize::try_from(RESERVED - held).unwrap_or(0);
        file.write_all(&vec![b'.'; more])?;
        file.sync_all()
    }

    /// Gives the reserve up.
    fn give(&self) -> io::Result<()> {
        let file = self.files.open_log(RESERVE)?;
        file.set_len(0)?;
        file.sync_all()
    }

    /// Waits for the lock; it goes with the file.
    fn lock(&self) -> Result<File, ReceiptError> {
        let file = self.files.open_log(LOCK).map_err(self.io(LOCK))?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(std::fs::TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(std::fs::TryLockError::WouldBlock) => {
                    return Err(ReceiptError::Locked { file: self.path(LOCK) });
                }
                Err(std::fs::TryLockError::Error(source)) => return Err(self.io(LOCK)(source)),
            }
        }
    }

    fn path(&self, name: &str) -> String {
        self.files.path().join(name).display().to_string()
    }

    fn io(&self, name: &str) -> impl FnOnce(io::Error) -> ReceiptError + use<'_, F> {
        let file = self.path(name);
        move |source| ReceiptError::Io { file, source }
    }
}

fn lacks_room(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

#[cfg(test)]
mod tests;

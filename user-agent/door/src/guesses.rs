//! PINs that are tried over HTTP, counted over restarts.
//!
//! Each address waits for its own wrong PINs alone, and so does each browser in which the PIN was right before: who guesses keeps nobody
//! else out. All addresses together have a bound besides, and so have all such browsers, which one address does not reach. The addresses
//! are what the door says they are, so a guess from many addresses, or through an owned door, meets the bound. The file is where
//! the bot may write, as that of the terminal does.

use std::collections::BTreeMap;
use std::io;
use std::time::SystemTime;

use bot_base::paths::{Folder, PathError};
use documents::pin::PinHash;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use user_agent::start::entry::tries::Tried;
use web::peers::Peer;

/// Where it is counted, and the file that is locked meanwhile.
const FILE: &str = "pin_tries_http.json";
const LOCK: &str = "pin_tries_http.lock";
/// The most bytes of the file.
const MOST: u64 = 256 * 1024;
/// How many wrong PINs cost no wait.
const FREE: u32 = 3;
/// The first wait, which each further wrong PIN makes four times as long, and the longest one, in seconds.
const FIRST: u64 = 5;
const LONGEST: u64 = 2 * 60 * 60;
/// How many wrong PINs all together have at once, and after how many seconds there is room for a further one.
const AT_ONCE: u64 = 30;
const EACH: u64 = 30 * 60;
/// After how many seconds without a try an address or a browser is forgotten.
const FORGOTTEN: u64 = 24 * 60 * 60;
/// The most of either whose waits are kept; the one that tried least lately makes room.
const MOST_KEPT: usize = 256;
/// The most browsers in which the PIN was right; the one where it was right least lately makes room.
const MOST_BROWSERS: usize = 16;

/// Why nothing was tried.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Wrong PINs came from the same place, and their wait has not passed.
    #[error("{wrong} wrong PINs came from here: the next try is in {seconds} s")]
    Later {
        /// How many since the last right one.
        wrong: u32,
        /// How long to wait.
        seconds: u64,
    },
    /// All together tried too many.
    #[error(
        "too many wrong PINs came from other addresses: the next try is in {seconds} s; a token, and a browser in which the PIN was \
         right before, need not wait"
    )]
    Crowded {
        /// How long to wait.
        seconds: u64,
    },
    /// The count cannot be read or kept.
    #[error("the count of wrong PINs cannot be kept, so none is tried: {0}")]
    Path(#[from] PathError),
    /// The count is not what was written.
    #[error(
        "the count of wrong PINs in {FILE} of the profile's folder `logs` cannot be read, so none is tried: remove the file ({0})"
    )]
    Unreadable(#[from] serde_json::Error),
    /// The count cannot be locked.
    #[error("the count of wrong PINs cannot be locked, so none is tried: {0}")]
    Lock(#[from] io::Error),
}

/// What is counted for a profile.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Count {
    addresses: Group,
    known: Group,
    /// The browsers in which the PIN was right, by their marks; the last one is the newest.
    browsers: Vec<String>,
}

/// Those that have a bound together.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Group {
    /// When all wrong PINs are paid off, in seconds since 1970.
    paid: u64,
    /// When this was counted last, the same way.
    counted: u64,
    waits: BTreeMap<String, Wait>,
}

/// The wrong PINs of one address or browser.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Wait {
    wrong: u32,
    /// When the last one was, in seconds since 1970.
    last: u64,
}

/// The browsers that a file held, and when it was read.
#[derive(Debug, Default)]
pub struct Marks {
    stamp: Option<(SystemTime, u64)>,
    browsers: Vec<String>,
}

/// The PINs of one profile that are tried over HTTP.
pub struct Guesses<'a> {
    logs: &'a Folder,
    pin: &'a PinHash,
}

impl Guesses<'_> {
    /// Those of a profile, by the folder of its logs and its present PIN.
    pub fn of<'a>(logs: &'a Folder, pin: &'a PinHash) -> Guesses<'a> {
        Guesses { logs, pin }
    }

    /// Whether the PIN, which is still the same, was right in this browser before.
    pub fn knows(&self, browser: &str) -> bool {
        self.knows_by(browser, &mut Marks::default())
    }

    /// The same, where `marks` has what the file held before: strangers who ask again and again do not have it read each time.
    pub fn knows_by(&self, browser: &str, marks: &mut Marks) -> bool {
        let stamp = self.logs.stamp(FILE);
        if stamp.is_none() || stamp != marks.stamp {
            *marks = Marks { stamp, browsers: self.read().map(|count| count.browsers).unwrap_or_default() };
        }
        marks.browsers.contains(&self.mark(browser))
    }

    /// Tries once, for an address or for a browser in which the PIN was right before; another browser counts by its address. It is
    /// counted before `is_right` is asked, so that a program that is killed meanwhile has been counted.
    ///
    /// # Errors
    /// A wait that has not passed, or a count that cannot be kept: then nothing is tried.
    pub fn try_once(
        &self,
        from: Option<Peer>,
        browser: Option<&str>,
        is_right: impl FnOnce() -> bool,
    ) -> Result<Tried, Fault> {
        let now = u64::try_from(jiff::Timestamp::now().as_second()).unwrap_or(0);
        // It is unlocked when it is closed.
        let lock = self.logs.log(LOCK)?;
        lock.lock()?;
        let mut count = self.read()?;
        let known = browser.map(|browser| self.mark(browser)).filter(|mark| count.browsers.contains(mark));
        let who = match &known {
            Some(mark) => mark.clone(),
            None => from.map(|peer| peer.to_string()).unwrap_or_default(),
        };
        let group = if known.is_some() { &mut count.known } else { &mut count.addresses };
        group.charge(&who, now)?;
        self.write(&count)?;
        if !is_right() {
            return Ok(Tried::Wrong);
        }
        let group = if known.is_some() { &mut count.known } else { &mut count.addresses };
        group.give_back(&who);
        self.write(&count)?;
        Ok(Tried::Right)
    }

    /// Remembers that the PIN was right in this browser.
    ///
    /// # Errors
    /// A file that cannot be read or written.
    pub fn remember(&self, browser: &str) -> Result<(), Fault> {
        let lock = self.logs.log(LOCK)?;
        lock.lock()?;
        let mut count = self.read()?;
        let mark = self.mark(browser);
        count.browsers.retain(|known| *known != mark);
        count.browsers.push(mark);
        let more = count.browsers.len().saturating_sub(MOST_BROWSERS);
        count.browsers.drain(..more);
        self.write(&count)
    }

    /// What is kept of a browser: by it nobody becomes that browser, and it is another one once the PIN is another.
    fn mark(&self, browser: &str) -> String {
        let digest =
            Sha256::new().chain_update(self.pin.as_str()).chain_update([0]).chain_update(browser).finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn read(&self) -> Result<Count, Fault> {
        match self.logs.read(FILE, MOST) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            Err(missing) if missing.is_missing() => Ok(Count::default()),
            Err(error) => Err(error.into()),
        }
    }

    fn write(&self, count: &Count) -> Result<(), Fault> {
        Ok(self.logs.replace_secret(FILE, &serde_json::to_vec(count)?)?)
    }
}

impl Group {
    /// Counts a wrong PIN, where one may be tried now.
    fn charge(&mut self, who: &str, now: u64) -> Result<(), Fault> {
        // A clock that was set back, as on a board without one of its own, makes no wait longer than it was.
        for wait in self.waits.values_mut() {
            wait.last = wait.last.min(now);
        }
        if now < self.counted {
            self.paid = now + self.paid.saturating_sub(self.counted);
        }
        self.counted = now;
        self.paid = self.paid.clamp(now, now + AT_ONCE * EACH);
        self.waits.retain(|_, wait| now - wait.last < FORGOTTEN);
        let wait = self.waits.get(who).copied().unwrap_or_default();
        let own = after(wait.wrong).saturating_sub(now - wait.last);
        if own > 0 {
            return Err(Fault::Later { wrong: wait.wrong, seconds: own });
        }
        let all = (self.paid + EACH).saturating_sub(now + AT_ONCE * EACH);
        if all > 0 {
            return Err(Fault::Crowded { seconds: all });
        }
        if self.waits.len() >= MOST_KEPT && !self.waits.contains_key(who) {
            let stalest = self.waits.iter().min_by_key(|(_, wait)| wait.last).map(|(who, _)| who.clone());
            self.waits.remove(&stalest.unwrap_or_default());
        }
        self.paid += EACH;
        self.waits.insert(who.to_owned(), Wait { wrong: wait.wrong.saturating_add(1), last: now });
        Ok(())
    }

    /// Takes the last one back: it was right.
    fn give_back(&mut self, who: &str) {
        self.paid -= EACH;
        self.waits.remove(who);
    }
}

/// The wait after a number of wrong PINs, in seconds: none, then 5, 20, 80 and so on to two hours.
fn after(wrong: u32) -> u64 {
    match wrong.checked_sub(FREE) {
        None => 0,
        Some(beyond) => LONGEST.min(FIRST << (2 * beyond).min(16)),
    }
}

#[cfg(test)]
mod tests;

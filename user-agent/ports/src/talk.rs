//! How much a profile's person may still talk: judged before a line is answered, and counted in a file that every process of the
//! profile shares.
//!
//! A line is on the disk before it is answered, so that a program that is killed gives back the answer's own time at most. Where
//! the account cannot be read or written nobody is answered: else a full disk would be an open budget.

use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bot_base::paths::{Folder, PathError};
pub use documents::profile_file::talk::Left;
use documents::profile_file::talk::{NearlyOver, Spent, Talk as Rules};
use jiff::Zoned;
use jiff::tz::TimeZone;
use shared_types::home::SPENT;

/// The file that keeps other processes from the account, which is replaced as a whole.
const LOCK: &str = "spent.lock";

/// How much the profile's person may still talk.
pub struct Talk {
    rules: Rules,
    zone: TimeZone,
    logs: Arc<Folder>,
    /// Whether a schedule started this: an approver said when it runs.
    is_scheduled: bool,
    /// The beginning of the quiet time of which the person heard.
    told: Mutex<Option<Zoned>>,
}

/// Why nobody is answered now.
#[derive(Debug)]
pub enum Ended {
    /// A quiet time holds until then.
    Quiet(Zoned),
    /// The day's minutes are used up; a line is answered again then.
    Minutes(Zoned),
    /// The day's tokens are used up; the same.
    Tokens(Zoned),
    /// The account cannot be kept.
    Unkept(NotKept),
}

/// Why the account cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum NotKept {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] PathError),
    /// It holds something else.
    #[error("{} is not an account of the day; move it away, and the day begins anew", .0.display())]
    Foreign(std::path::PathBuf),
}

/// What the person should hear with an answer, each once.
#[derive(Debug, Default)]
pub struct Hints {
    /// Which budgets are nearly used up.
    pub nearly_over: NearlyOver,
    /// When a quiet time begins that is at most five minutes away.
    pub quiet_from: Option<Zoned>,
}

impl Talk {
    /// Without limits.
    pub fn unlimited(logs: Arc<Folder>) -> Arc<Talk> {
        Arc::new(Talk::new(Rules::default(), TimeZone::UTC, logs, false))
    }

    /// By the rules of the profile's file, in their time zone.
    pub fn new(rules: Rules, zone: TimeZone, logs: Arc<Folder>, is_scheduled: bool) -> Talk {
        Talk { rules, zone, logs, is_scheduled, told: Mutex::default() }
    }

    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The moment, in the time zone of the rules.
    pub fn now(&self) -> Zoned {
        jiff::Timestamp::now().to_zoned(self.zone.clone())
    }

    /// The end of the quiet time that holds now.
    pub fn quiet_until(&self) -> Option<Zoned> {
        self.rules.quiet_until(&self.now())
    }

    /// Whether a line may be answered now; nothing is counted.
    ///
    /// # Errors
    /// What ended the talk, and until when.
    pub fn judge(&self) -> Result<(), Ended> {
        let now = self.now();
        self.outside_quiet_hours(&now)?;
        if !self.rules.counts() {
            return Ok(());
        }
        let spent = self.read().map_err(Ended::Unkept)?.at(&now);
        self.within_budgets(&spent, &now)
    }

    /// As [`Talk::judge`], and counts the line where it may be answered.
    ///
    /// # Errors
    /// As [`Talk::judge`].
    pub fn begin(&self) -> Result<(), Ended> {
        let now = self.now();
        self.outside_quiet_hours(&now)?;
        if !self.rules.counts() {
            return Ok(());
        }
        let counted = self.change(&now, |spent| {
            self.within_budgets(spent, &now)?;
            if !self.is_scheduled {
                spent.line(&now);
            }
            Ok(())
        });
        counted.map_err(Ended::Unkept)?
    }

    /// Counts an answer that took so long; what the person should hear where hints are shown. An account that cannot be kept is
    /// reported with the next line.
    pub fn end(&self, took: Duration, is_told: bool) -> Hints {
        if self.is_scheduled {
            return Hints::default();
        }
        let now = self.now();
        let nearly_over = match self.rules.counts() {
            true => self.change(&now, |spent| {
                spent.answer(&now, took);
                if is_told { self.rules.nearly_over(spent) } else { NearlyOver::default() }
            }),
            false => Ok(NearlyOver::default()),
        };
        let quiet_from = self.rules.quiet_soon(&now).filter(|from| is_told && self.is_news(from));
        Hints { nearly_over: nearly_over.unwrap_or_default(), quiet_from }
    }

    /// Counts tokens of a model. As in [`Talk::end`], what cannot be kept is reported with the next line.
    pub fn spend(&self, tokens: u64) {
        if self.rules.tokens_a_day.is_some() && tokens > 0 {
            let _ = self.change(&self.now(), |spent| spent.tokens(tokens));
        }
    }

    /// What is left of today's budgets.
    ///
    /// # Errors
    /// An account that cannot be read.
    pub fn left(&self) -> Result<Left, NotKept> {
        Ok(self.rules.left(&self.read()?.at(&self.now())))
    }

    fn is_news(&self, from: &Zoned) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.replace(from.clone()).as_ref() != Some(from)
    }

    fn outside_quiet_hours(&self, now: &Zoned) -> Result<(), Ended> {
        match self.rules.quiet_until(now) {
            Some(until) if !self.is_scheduled => Err(Ended::Quiet(until)),
            _ => Ok(()),
        }
    }

    fn within_budgets(&self, spent: &Spent, now: &Zoned) -> Result<(), Ended> {
        let left = self.rules.left(spent);
        let again = || self.rules.again(&spent.over(now));
        if left.tokens == Some(0) {
            return Err(Ended::Tokens(again()));
        }
        if left.seconds == Some(0) && !self.is_scheduled {
            return Err(Ended::Minutes(again()));
        }
        Ok(())
    }

    fn change<T>(&self, now: &Zoned, change: impl FnOnce(&mut Spent) -> T) -> Result<T, NotKept> {
        let _lock = self.lock()?;
        let before = self.read()?;
        let mut spent = before.clone().at(now);
        let answer = change(&mut spent);
        if spent != before {
            self.logs.replace(SPENT, spent.written().as_bytes())?;
        }
        Ok(answer)
    }

    fn read(&self) -> Result<Spent, NotKept> {
        match self.logs.read_text(SPENT, Spent::MOST) {
            Ok(text) => Spent::read(&text).ok_or_else(|| NotKept::Foreign(self.logs.path().join(SPENT))),
            Err(e) if e.is_missing() => Ok(Spent::default()),
            Err(e) => Err(e.into()),
        }
    }

    fn lock(&self) -> Result<File, PathError> {
        let lock = self.logs.log(LOCK)?;
        let refused = |source| PathError::Refused { path: self.logs.path().join(LOCK), source };
        lock.lock().map_err(refused)?;
        Ok(lock)
    }
}

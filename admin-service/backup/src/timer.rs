//! Backups at the times of the configuration, made by the running service beside everything else.
//!
//! `admin/backup_times.json` says up to which moment the times were seen to. A time that came meanwhile is made up for once, however
//! many there were. A clock that was set back brings at most one more backup. One that failed is tried again after a pause.

mod seen;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use base::backups::Outcomes;
use base::bell::Bell;
use base::config::{Backups, Config, Sealing};
use base::error::Error;
use base::home::Home;
use base::keys;
use base::log::{Event, Log};
use beneath::Folder;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use owners::quote;
use review::ask::{self, TooShort};

use crate::data::Hands;
use crate::make::{Plan, make};
use crate::place::{Place, Target, check_outside};
use crate::seal::Seal;

use seen::{Due, Seen};

/// The longest sleep: a clock that leaps and a changed configuration are noticed within it.
const LONGEST: Duration = Duration::from_secs(20);
/// How long the end of the service waits for a backup that is being made; what is left of it is removed by the next one.
const FAREWELL: Duration = Duration::from_secs(5);

/// Why the service makes no backup of its own.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(
        "`backups` of {}: this service's user may not read the memories below data/, so root has to make the backups. Take `backups` \
         out, and put this line into /etc/cron.d/tameclaw{clock}: {line}",
        .file.display()
    )]
    NeedsRoot { file: PathBuf, clock: String, line: String },
    #[error("{}: {why}", .path.display())]
    Passphrase { path: PathBuf, why: TooShort },
    #[error("the folder {} is missing: is its disk there?", .0.display())]
    NoFolder(PathBuf),
}

/// Makes backups until it is dropped.
#[derive(Debug)]
pub struct Timer {
    home: Home,
    ends: Arc<Ends>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Ends {
    flag: Arc<AtomicBool>,
    bell: Bell,
}

impl Timer {
    /// Starts the thread.
    pub fn start(home: &Home) -> Timer {
        let ends = Arc::<Ends>::default();
        let (timer, own) = (home.clone(), Arc::clone(&ends));
        let thread = std::thread::spawn(move || {
            let home = timer;
            let log = Log::of_environment(&home, false);
            let mut rounds = Rounds { seen: Seen::read(&home), home, log, ended: Arc::clone(&own.flag) };
            while !own.flag.load(Ordering::Relaxed) {
                let known = own.bell.count();
                let next = rounds.pass();
                let left =
                    next.and_then(|next| Duration::try_from(next.duration_since(Timestamp::now())).ok());
                if !own.flag.load(Ordering::Relaxed) {
                    own.bell.wait(known, Some(left.unwrap_or(LONGEST).min(LONGEST)));
                }
            }
        });
        Timer { home: home.clone(), ends, thread: Some(thread) }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.ends.flag.store(true, Ordering::Relaxed);
        self.ends.bell.ring();
        let begun = Instant::now();
        let Some(thread) = self.thread.take() else { return };
        while !thread.is_finished() && begun.elapsed() < FAREWELL {
            std::thread::sleep(Duration::from_millis(5));
        }
        if thread.is_finished() {
            let _ = thread.join();
        } else if let Some(seen) = Seen::read(&self.home) {
            // It waits for the bot's files, and ends with this process: it counts as not begun.
            let _ = seen.untried().write(&self.home);
        }
    }
}

/// Checks that backups can be made as they are configured, and answers how they are encrypted. The folder may be missing now: its disk
/// may be away.
///
/// # Errors
/// A folder within the home, a file with a passphrase that others may read, or a user who may not read all of the home.
pub fn check(home: &Home, backups: &Backups) -> Result<Seal, Error> {
    // Of a folder that is not there, what there is of its way.
    if let Some(there) = backups.folder.ancestors().find_map(|above| Folder::open(above).ok()) {
        check_outside(home, &there, &backups.folder)?;
    }
    let seal = seal(&backups.sealing)?;
    if Hands::default().read_all(home)? {
        return Ok(seal);
    }
    Err(Error::refused(Fault::NeedsRoot {
        file: home.admin_config(),
        clock: other_clock(backups.times.zone(), &TimeZone::system(), Timestamp::now()),
        line: cron_line(home, backups),
    }))
}

/// That cron goes by another clock than the configuration: Debian's knows no zone but the machine's, and no `CRON_TZ`.
fn other_clock(zone: &TimeZone, machine: &TimeZone, now: Timestamp) -> String {
    // Two names may be of one clock. Summer and winter tell the others apart.
    let mut quarters =
        (0..4).filter_map(|quarter| now.checked_add(SignedDuration::from_hours(quarter * 91 * 24)).ok());
    if quarters.all(|at| zone.to_offset(at) == machine.to_offset(at)) {
        return String::new();
    }
    let name = |zone: &TimeZone| zone.iana_name().unwrap_or("see `timedatectl`").to_owned();
    format!(
        ", with its times in the time zone of this machine ({}) instead of {}, since cron knows no other",
        name(machine),
        name(zone)
    )
}

/// The line for root's cron. Root runs what stands here, so each path is one word of the shell; one that cannot be shown is named.
fn cron_line(home: &Home, backups: &Backups) -> String {
    // Cron takes a bare `%` for the end of the line.
    let word = |path: &Path, name: &str| {
        quote::word(path).map_or_else(|| name.to_owned(), |word| word.replace('%', r"\%"))
    };
    let how = match &backups.sealing {
        Sealing::Plain => "--plain".to_owned(),
        Sealing::Passphrase(file) => format!("--passphrase-file {}", word(file, "FILE")),
        Sealing::Recipients(all) => {
            all.iter().map(|one| format!("--recipient {one}")).collect::<Vec<_>>().join(" ")
        }
    };
    let keys = if backups.with_keys { " --with-keys" } else { "" };
    format!(
        "{} root cl-admin --home {} backup {} {how}{keys} --keep {}",
        backups.times.cron(),
        word(home.root(), "HOME"),
        word(&backups.folder, "FOLDER"),
        backups.keep
    )
}

fn seal(sealing: &Sealing) -> Result<Seal, Error> {
    Ok(match sealing {
        Sealing::Plain => Seal::Plain,
        Sealing::Recipients(all) => Seal::Recipients(all.clone()),
        Sealing::Passphrase(path) => {
            let passphrase = keys::from_file(path)?;
            ask::check_passphrase(&passphrase)
                .map_err(|why| Error::usage(Fault::Passphrase { path: path.clone(), why }))?;
            Seal::Passphrase(passphrase)
        }
    })
}

/// What the thread works with.
struct Rounds {
    home: Home,
    log: Log,
    ended: Arc<AtomicBool>,
    seen: Option<Seen>,
}

impl Rounds {
    /// Makes a backup if one is due; answers when the next one is.
    fn pass(&mut self) -> Option<Timestamp> {
        // The driver says what is wrong with the configuration.
        let backups = Config::read(&self.home).ok()?.backups?;
        let now = Timestamp::now();
        let before = self.seen.clone();
        let mut seen = Seen::up_to(before.as_ref(), backups.times.written(), now);
        let done = |now| Seen::up_to(None, backups.times.written(), now);
        let after = match seen.due(&backups.times, now) {
            Due::Later(next) => {
                if before.as_ref() != Some(&seen) {
                    self.keep(seen);
                }
                return next;
            }
            Due::GivenUp => {
                let why = "it was cut off with the service twice; the next one is made at its time";
                let _ = Outcomes::note_failure(&self.home, why, None);
                self.tell(&Err(Error::failed(why)));
                done(Timestamp::now())
            }
            Due::Now => {
                // On the disk before it begins: a service that ends by it must not begin it for ever.
                seen.tries += 1;
                self.keep(seen.clone());
                let made = self.back_up(&backups);
                if made.is_err() && self.ended.load(Ordering::Relaxed) {
                    self.keep(seen.untried());
                    return None;
                }
                self.tell(&made);
                let now = Timestamp::now();
                if made.is_ok() { done(now) } else { seen.failed(&backups.times, now) }
            }
        };
        let next = after.next(&backups.times, Timestamp::now());
        self.keep(after);
        next
    }

    /// A home whose disk is full is backed up all the same: what was seen to is kept in memory too.
    fn keep(&mut self, seen: Seen) {
        if let Err(error) = seen.write(&self.home) {
            self.log.tell(&Event::BackupFailed {}, &format!("backup: {error}"));
        }
        self.seen = Some(seen);
    }

    fn tell(&self, made: &Result<PathBuf, Error>) {
        match made {
            Ok(file) => self.log.tell(&Event::BackupMade {}, &format!("backup: made {}", file.display())),
            Err(why) => self.log.tell(&Event::BackupFailed {}, &format!("backup: failed: {why}")),
        }
    }

    /// Makes a backup; answers its file, or why it is not complete.
    fn back_up(&self, backups: &Backups) -> Result<PathBuf, Error> {
        let begun = self.begin(backups).inspect_err(|error| {
            let _ = Outcomes::note_failure(&self.home, &error.to_string(), None);
        });
        let (mut target, plan) = begun?;
        let lacking = Outcomes::read(&self.home).failed.and_then(|failed| failed.file);
        let made = make(&self.home, &Hands::default(), &mut target, &plan)?;
        // Of backups that lack something only the newest stays, so that they do not fill the disk.
        let removed = lacking.map_or(Ok(()), |file| target.remove(&file)).and_then(|()| match made.lacks() {
            Some(_) => Ok(()),
            None => target.keep().map(drop),
        });
        if let Err(error) = removed {
            let _ = Outcomes::note_failure(&self.home, &format!("an older backup stays: {error}"), None);
            return Err(error);
        }
        made.lacks().map_or_else(|| Ok(target.path().to_owned()), |why| Err(Error::failed(why)))
    }

    fn begin(&self, backups: &Backups) -> Result<(Target, Plan), Error> {
        let seal = check(&self.home, backups)?;
        if !backups.folder.is_dir() {
            return Err(Error::failed(Fault::NoFolder(backups.folder.clone())));
        }
        let place = Place::choose(&self.home, &backups.folder, seal.is_encrypted())?;
        place.sweep();
        let mut target = Target::begin(place, Some(backups.keep), false)?;
        target.until(&self.ended);
        Ok((target, Plan { seal, with_keys: backups.with_keys }))
    }
}

#[cfg(test)]
mod tests;

//! A home from a backup, where no home exists: see `docs/adr/0011-a-restore-brings-nothing-back.md`.
//!
//! - [`Restore::prepare`]: reads all of the backup, looks at the place, and changes nothing
//! - [`Restore::run`]: writes the home; until its end both programs refuse it, and it can be run again
//! - [`profile`]: one profile into a home that stands

mod fault;
mod key;
pub mod profile;
mod write;

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use base::error::Error;
use base::folders::{PRIVATE, READABLE, READABLE_FILE, make_folder};
use base::home::Home;
use base::layout::{self, Users};
use base::lock::Lock;
use base::version;
use documents::home_file::{HomeFile, Restoring, VERSION};
use documents::yaml;
use ledger::{Ledger, RestoredRecord, manifest};
use nix::sys::statvfs::statvfs;
use review::approvers;
use shared_types::approvers::ApproversFile;
use shared_types::id::{ProfileId, SkillName};

use crate::data::{self, Found, Hands, Putter};
use crate::fault::Fault;
use crate::index::Index;
use crate::name::{Keys, Part};
use crate::reader::{self, Whole};
use crate::seal::Key;
use crate::verify::Opened;

use fault::Fault as Unfit;
pub use key::ApproverKey;
use write::Own;

/// By how much a serial that a profile says it has seen may be above the backup's. The bot writes that number.
const FARTHEST: u64 = 1_000_000;
/// The largest file that is looked at before anything is written.
const MOST_PEEKED: u64 = 4 << 20;
/// The two files of a backup that say whose data it is, and who may decide.
const PEEKED: [&str; 2] = ["config/default.yaml", "config/approvers.yaml"];

/// A restore that was prepared.
pub struct Restore<'a> {
    home: &'a Home,
    hands: &'a Hands,
    opened: &'a Opened,
    unlock: Option<&'a Key>,
    whole: Whole,
    peeked: BTreeMap<String, String>,
    /// What an earlier run that was cut off had found.
    resumed: Option<Restoring>,
}

/// What a restore came to.
#[derive(Debug, Default)]
pub struct Done {
    /// The serial of the manifest.
    pub serial: u64,
    /// The profiles whose data was there, and stays as it is.
    pub kept: Vec<ProfileId>,
    /// Skills and plugins that are not active: later manifests than the backup's were seen.
    pub dropped: Vec<SkillName>,
}

impl<'a> Restore<'a> {
    /// Reads all of a backup and looks at the place; nothing is changed.
    ///
    /// # Errors
    /// A backup that does not hold, a place where something is, too little room.
    pub fn prepare(
        home: &'a Home,
        hands: &'a Hands,
        opened: &'a Opened,
        unlock: Option<&'a Key>,
    ) -> Result<Restore<'a>, Error> {
        let mut peeked = BTreeMap::new();
        let whole = reader::read::<Fault>(
            opened.read(unlock)?,
            |_| Ok(()),
            |file| {
                if PEEKED.contains(&file.name.as_str()) && file.size <= MOST_PEEKED {
                    let mut text = String::new();
                    file.content.read_to_string(&mut text).map_err(Fault::Read)?;
                    peeked.insert(file.name.to_string(), text);
                }
                Ok(())
            },
        )?;
        if whole.index.header.home > VERSION {
            return Err(Error::refused(Unfit::Newer(whole.index.header.home)));
        }
        let resumed = free_place(home, &whole)?;
        room(home, whole.index.bytes())?;
        Ok(Restore { home, hands, opened, unlock, whole, peeked, resumed })
    }

    /// What is in the backup.
    pub fn index(&self) -> &Index {
        &self.whole.index
    }

    /// Writes the home. Where the backup holds no keys, `approver` signs the new key of the service.
    ///
    /// # Errors
    /// No approver's key where one is needed, a backup that would take back a change of the approvers, a failing disk. What
    /// was written then is used by neither program; the same restore can be run again.
    pub fn run(self, approver: Option<&ApproverKey>) -> Result<Done, Error> {
        let home = self.home;
        let header = &self.whole.index.header;
        let key = match (header.with_keys, approver) {
            (true, _) => None,
            (false, Some(key)) => Some(key),
            (false, None) => return Err(key::missing(header)),
        };
        if let Some(key) = key {
            key.check(&self.chain()?)?;
        }
        layout::trust::check(home)?;
        let restoring = match &self.resumed {
            // One that was cut off before it had looked at `data/` knows nothing of what is there.
            Some(restoring) if restoring.looked => restoring.clone(),
            _ => self.begin()?,
        };
        self.write(&restoring)?;
        let done = self.finish(&restoring, key)?;
        let users = Users::of(home)?;
        if users.bot.is_some() {
            layout::apply(home, &users);
        }
        version::write(home, &HomeFile::current())?;
        Ok(done)
    }

    fn chain(&self) -> Result<shared_types::approvers::Approvers, Error> {
        let text = self.peeked.get(PEEKED[1]).ok_or_else(|| Fault::Missing(PEEKED[1].to_owned()))?;
        let file: ApproversFile = yaml::from_own(text).map_err(|e| Error::integrity(Unfit::Approvers(e)))?;
        file.verify().map_err(|e| Error::integrity(Unfit::Chain(e)))
    }

    /// Marks the place, and looks at what the bot has there. A refusal takes the marks away again.
    fn begin(&self) -> Result<Restoring, Error> {
        let home = self.home;
        // A home may have been made since the person was asked.
        free_place(home, &self.whole)?;
        let digest = self.whole.digest.clone();
        let mut restoring = Restoring { backup: digest, looked: false, seen: 0, kept: vec![] };
        make_folder(home.root(), READABLE)?;
        make_folder(&home.config(), READABLE)?;
        let marked = HomeFile { restoring: Some(restoring.clone()), ..HomeFile::current() };
        version::write(home, &marked)?;
        if let Some(text) = self.peeked.get(PEEKED[0]) {
            let path = home.bot_config();
            durable::replace(&path, text.as_bytes(), READABLE_FILE).map_err(Error::io(&path))?;
        }
        let looked = data::survey(home, self.hands).and_then(|found| self.judge(found, &mut restoring));
        if let Err(error) = looked {
            let _ = fs::remove_dir_all(home.config());
            return Err(error);
        }
        restoring.looked = true;
        version::write(home, &HomeFile { restoring: Some(restoring.clone()), ..HomeFile::current() })?;
        Ok(restoring)
    }

    /// What profiles that are there have seen must not be taken back.
    fn judge(&self, found: Vec<Found>, restoring: &mut Restoring) -> Result<(), Error> {
        let chain = self.chain()?;
        for profile in found.into_iter().filter(|profile| profile.files > 0) {
            if let Some(seen) = profile.approvers() {
                chain.check_seen(&seen).map_err(|why| {
                    Error::refused(Unfit::ApproversChanged {
                        profile: profile.id.clone(),
                        why,
                        data: self.home.data().to_string(),
                    })
                })?;
            }
            if profile.serial > self.whole.index.header.serial.saturating_add(FARTHEST) {
                return Err(Error::refused(Unfit::SeenTooFar {
                    profile: profile.id,
                    serial: profile.serial,
                }));
            }
            restoring.seen = restoring.seen.max(profile.serial);
            restoring.kept.push(profile.id);
        }
        Ok(())
    }

    /// Writes every file; what belongs to the bot is written by a child that is the bot's user.
    fn write(&self, restoring: &Restoring) -> Result<(), Error> {
        let home = self.home;
        for folder in [home.profile_files(), home.config().join("heads"), home.skills()] {
            make_folder(&folder, READABLE)?;
        }
        for folder in [home.admin(), home.keys(), home.build()] {
            make_folder(&folder, PRIVATE)?;
        }
        let mut profiles = self.whole.index.profiles();
        profiles.push("default".parse().map_err(Error::failed)?);
        let users = Users::of(home)?;
        let give_away = || users.bot.as_ref().map(|_| layout::apply(home, &users));
        // The bot's user passes the folders above those that it makes.
        give_away();
        data::make_folders(home, self.hands, &profiles)?;
        give_away();
        let own = Own::new(home);
        let mut putter: Option<Putter> = None;
        let again = reader::read::<Error>(
            self.opened.read(self.unlock)?,
            |_| Ok(()),
            |mut file| {
                let put = match file.name.part() {
                    Part::Shared
                    | Part::ProfileFile(_)
                    | Part::Admin
                    | Part::Keys(Keys::Admin | Keys::Secrets | Keys::Certificates) => {
                        return own.write(&mut file);
                    }
                    Part::Profile(id) => !restoring.kept.contains(&id),
                    // A login that was taken away stays away; so do logs that continue.
                    Part::Keys(Keys::Logins) | Part::Net => restoring.kept.is_empty(),
                };
                if !put {
                    return Ok(());
                }
                let started = match putter.take() {
                    Some(putter) => putter,
                    None => Putter::start(home, self.hands)?,
                };
                let putter = putter.insert(started);
                putter
                    .put(file.name, file.size, file.mode, &mut *file.content)
                    .map_err(Error::step("handing over a file"))
            },
        );
        // A child that failed knows the reason.
        putter.map_or(Ok(()), Putter::end)?;
        if again?.digest != self.whole.digest {
            return Err(Error::integrity(Unfit::Exchanged));
        }
        Ok(())
    }

    /// Brings the journal, the keys and all that is signed up to the restored home.
    fn finish(&self, restoring: &Restoring, approver: Option<&ApproverKey>) -> Result<Done, Error> {
        let home = self.home;
        let header = &self.whole.index.header;
        let lock = Lock::take(home)?;
        let read = Ledger::read(home)?;
        if read.serial() != header.serial {
            return Err(Error::integrity(Unfit::Serial { named: header.serial, found: read.serial() }));
        }
        let key = approver.map(|approver| approver.replace(home, &read)).transpose()?;
        let mut ledger = read.open_on(home)?;
        let later = restoring.seen > header.serial;
        let names = ledger.active().keys().chain(ledger.plugins().keys()).cloned();
        let dropped: Vec<SkillName> = names.filter(|_| later).collect();
        ledger.append(RestoredRecord {
            backup: restoring.backup.clone(),
            made_at: header.made_at.clone(),
            serial: restoring.seen.max(header.serial),
            dropped: dropped.clone(),
            key,
        })?;
        approvers::reconcile(home, &mut ledger)?;
        manifest::reconcile(home, &mut ledger)?;
        ledger.publish_head(home)?;
        drop(lock);
        Ok(Done { serial: ledger.serial(), kept: restoring.kept.clone(), dropped })
    }
}

/// Whether a home may be written here: nothing is there, or only `data/`, or what the same restore left when it was cut off.
fn free_place(home: &Home, whole: &Whole) -> Result<Option<Restoring>, Error> {
    if let Some(HomeFile { restoring, .. }) = version::read(home)? {
        match restoring {
            Some(restoring) if restoring.backup == whole.digest => return Ok(Some(restoring)),
            Some(_) => {
                return Err(Error::refused(Unfit::OtherCutOff(home.root().to_owned())));
            }
            None => {}
        }
    }
    let entries = match fs::read_dir(home.root()) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        other => other.map_err(Error::io(home.root()))?,
    };
    let data = home.data().unguarded_path();
    let is_other = |path: &PathBuf| *path != data && path.file_name() != Some("lost+found".as_ref());
    match entries.flatten().map(|entry| entry.path()).find(is_other) {
        None => Ok(None),
        Some(path) => Err(Error::refused(Unfit::NotEmpty { home: home.root().to_owned(), there: path })),
    }
}

/// Whether the disk has room for this many bytes.
fn room(home: &Home, bytes: u64) -> Result<(), Error> {
    let there = home.root().ancestors().find(|above| above.exists()).unwrap_or(Path::new("/"));
    let Ok(disk) = statvfs(there) else { return Ok(()) };
    let free = disk.blocks_available() * disk.fragment_size();
    if free >= bytes {
        return Ok(());
    }
    Err(Error::failed(Unfit::NoRoom { bytes, place: there.to_owned(), free }))
}

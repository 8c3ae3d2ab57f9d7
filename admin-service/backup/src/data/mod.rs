//! What the bot owns: read, written and removed by a child that is the bot's user and sees `data/` alone.

mod child;
pub mod gather;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use base::error::Error;
use base::home::Home;
use base::layout::Users;
use confine::{Child, ExitKind, Piped};
use nix::unistd::geteuid;
use serde::{Deserialize, Serialize};
use shared_types::approvers::SeenChain;
use shared_types::id::ProfileId;
use shared_types::text;

use crate::fault::Fault;
use crate::index::Skipped;
use crate::name::{Keys, Name, Part};
use crate::reader::stream;
use crate::writer::Writer;

pub use child::serve;

/// The word of the child's hidden verb.
pub const VERB: &str = "data";
/// The entry with which the child ends what it hands over.
const REPORT: &str = "report.json";
/// The longest answer of the child, in bytes.
const MOST_ANSWER: u64 = 16 << 20;

/// What the child is to do.
#[derive(Debug, Serialize, Deserialize)]
struct Orders {
    /// `data/`.
    data: PathBuf,
    /// The user and group that it becomes.
    user: Option<(u32, u32)>,
    job: Job,
}

#[derive(Debug, Serialize, Deserialize)]
enum Job {
    /// Hand over every file, of one profile or of all.
    Gather { profile: Option<ProfileId>, logins: bool },
    /// Tell of which profiles there is something, and what each has seen.
    Survey,
    /// Write the files that come in.
    Put,
    /// Remove what there is of a profile.
    Erase { profile: ProfileId },
}

/// What there is of a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The profile.
    pub id: ProfileId,
    /// How many files there are.
    pub files: u64,
    /// The highest serial of a manifest that it has seen.
    pub serial: u64,
    /// The newest change of the approvers that it has seen, as text.
    approvers: Option<String>,
}

impl Found {
    /// The newest change of the approvers that it has seen.
    pub fn approvers(&self) -> Option<SeenChain> {
        self.approvers.as_deref()?.parse().ok()
    }
}

/// Adds every file of the bot to a backup.
///
/// # Errors
/// A child that fails, or a disk that does.
pub fn gather<W: Write>(
    home: &Home,
    profile: Option<&ProfileId>,
    logins: bool,
    writer: &mut Writer<W>,
    target: &Path,
) -> Result<(), Error> {
    if home.data().folder()?.is_none() {
        return Ok(());
    }
    let mut child = start(home, Job::Gather { profile: profile.cloned(), logins }, false)?;
    let output = child.stdout.take().expect("it was started with a pipe");
    let mut whole = false;
    let taken = stream(output, |name, size, mode, content| -> Result<(), Error> {
        if name == REPORT {
            let mut bytes = Vec::new();
            content.take(MOST_ANSWER).read_to_end(&mut bytes).map_err(Fault::Read)?;
            for Skipped { name, why } in serde_json::from_slice::<Vec<Skipped>>(&bytes)? {
                writer.skip(name, why);
            }
            whole = true;
            return Ok(());
        }
        match Name::parse(name) {
            Ok(name) if matches!(name.part(), Part::Profile(_) | Part::Net | Part::Keys(Keys::Logins)) => {
                writer.add(name, size, mode, content).map_err(Error::io(target))
            }
            Ok(_) => Err(Error::integrity(format!("the child handed over `{}`", text::cut(name, 120)))),
            Err(why) => {
                writer.skip(name, why.to_string());
                Ok(())
            }
        }
    });
    let ended = end(child, "reads");
    match (taken, ended) {
        // A full disk ends the child as well, which then only says that nobody reads it.
        (Err(error @ Error::Io { .. }), _) | (_, Err(error)) | (Err(error), Ok(())) => Err(error),
        (Ok(()), Ok(())) if whole => Ok(()),
        (Ok(()), Ok(())) => {
            Err(Fault::Child { doing: "reads", words: "it ended before it was done".to_owned() }.into())
        }
    }
}

/// What there is of each profile.
///
/// # Errors
/// A child that fails.
pub fn survey(home: &Home) -> Result<Vec<Found>, Error> {
    if home.data().folder()?.is_none() {
        return Ok(vec![]);
    }
    answer(home, Job::Survey, "reads")
}

/// Removes all that there is of a profile; answers how many files that were.
///
/// # Errors
/// A child that fails, or a service whose user may not remove the bot's files.
pub fn erase(home: &Home, profile: &ProfileId) -> Result<u64, Error> {
    if home.data().folder()?.is_none() {
        return Ok(0);
    }
    answer(home, Job::Erase { profile: profile.clone() }, "removes")
}

fn answer<T: serde::de::DeserializeOwned>(home: &Home, job: Job, doing: &'static str) -> Result<T, Error> {
    let writes = !matches!(job, Job::Survey);
    let mut child = start(home, job, writes)?;
    let output = child.stdout.take().expect("it was started with a pipe");
    let mut bytes = Vec::new();
    output.take(MOST_ANSWER).read_to_end(&mut bytes).map_err(Error::step("the child's answer"))?;
    end(child, doing)?;
    Ok(serde_json::from_slice(&bytes)?)
}

/// A child that writes files below `data/`.
pub struct Putter {
    child: Piped,
    tar: tar::Builder<std::process::ChildStdin>,
}

impl Putter {
    /// Starts it.
    ///
    /// # Errors
    /// A child that cannot be started, or a service whose user may not write the bot's files.
    pub fn start(home: &Home) -> Result<Putter, Error> {
        let mut child = start(home, Job::Put, true)?;
        let tar = tar::Builder::new(child.stdin.take().expect("it was started with a pipe"));
        Ok(Putter { child, tar })
    }

    /// Has one file written; one of that name is replaced.
    ///
    /// # Errors
    /// A child that has ended; [`Putter::end`] says why.
    pub fn put(&mut self, name: &Name, size: u64, mode: u32, content: impl Read) -> io::Result<()> {
        crate::writer::entry(&mut self.tar, name.as_str(), size, mode, content)
    }

    /// Waits until all of it is on the disk.
    ///
    /// # Errors
    /// Why it is not.
    pub fn end(self) -> Result<(), Error> {
        let Putter { mut child, tar } = self;
        // A child that has ended early says why itself.
        drop(tar.into_inner());
        let mut rest = Vec::new();
        if let Some(output) = child.stdout.take() {
            let _ = output.take(MOST_ANSWER).read_to_end(&mut rest);
        }
        end(child, "writes")?;
        if rest == WRITTEN.as_bytes() {
            Ok(())
        } else {
            Err(Fault::Child { doing: "writes", words: "it ended before it was done".to_owned() }.into())
        }
    }
}

/// What the child says when everything is on the disk.
const WRITTEN: &str = "written";

/// Whether this user may have the bot's files written or removed.
///
/// # Errors
/// It may not: only root can become the bot's user.
pub fn may_write(home: &Home) -> Result<(), Error> {
    user(home, true).map(|_| ())
}

/// Whether this user reads all of the bot's files: as root, which becomes the bot's user, or where both are one.
///
/// # Errors
/// A configuration that cannot be read, or a user that this system does not know.
pub fn reads_all(home: &Home) -> Result<bool, Error> {
    let own = geteuid();
    Ok(Users::of(home)?.bot.is_none_or(|bot| own.is_root() || own.as_raw() == bot.uid))
}

/// The user that the child becomes.
fn user(home: &Home, writes: bool) -> Result<Option<(u32, u32)>, Error> {
    let own = geteuid();
    match Users::of(home)?.bot {
        Some(bot) if own.is_root() => Ok(Some((bot.uid, bot.gid))),
        Some(bot) if writes && own.as_raw() != bot.uid => Err(Error::refused(format!(
            "the files below `data/` belong to `{}`, and only root may act as that user: run this as root",
            bot.name
        ))),
        _ => Ok(None),
    }
}

fn start(home: &Home, job: Job, writes: bool) -> Result<Piped, Error> {
    let user = user(home, writes)?;
    let orders = serde_json::to_vec(&Orders { data: home.data().unguarded_path(), user, job })?;
    Child::new(Path::new("/proc/self/exe"))
        .args(["child", VERB])
        .orders(orders)
        .piped()
        .map_err(Error::step("starting a child"))
}

fn end(child: Piped, doing: &'static str) -> Result<(), Error> {
    match child.end().map_err(Error::step("waiting for a child"))? {
        (ExitKind::Code(0), _) => Ok(()),
        (how, words) => {
            let words = text::line(words.trim());
            let words = if words.is_empty() { format!("{how:?}") } else { words };
            Err(Fault::Child { doing, words }.into())
        }
    }
}

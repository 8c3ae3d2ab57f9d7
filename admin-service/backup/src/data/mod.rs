//! What the bot owns: read, written and removed by a child that is the bot's user and sees `data/` alone.

mod child;
pub mod gather;
mod hands;
mod orders;

use std::io::{self, Read, Write};
use std::path::Path;

use base::error::Error;
use base::folders::{PRIVATE, READABLE, make_folder};
use base::home::Home;
use base::layout::{Users, while_open};
use confine::{ExitKind, Piped};
use pipeline::profiles;
use serde::{Deserialize, Serialize};
use shared_types::approvers::SeenChain;
use shared_types::id::ProfileId;
use shared_types::text;

use crate::fault::Fault;
use crate::name::{Keys, Name, Part};
use crate::reader::stream;
use crate::writer::Writer;

pub use child::serve;
pub use hands::{Errand, Hands};
pub use orders::VERB;
use orders::{Job, Orders};

/// The entry with which the child ends what it hands over.
const REPORT: &str = "report.json";
/// The longest answer of the child, in bytes.
const MOST_ANSWER: u64 = 16 << 20;

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
    hands: &Hands,
    logins: bool,
    writer: &mut Writer<W>,
    target: &Path,
) -> Result<(), Error> {
    if home.data().folder()?.is_none() {
        return Ok(());
    }
    let mut child = hands.start(home, Job::Gather { logins })?;
    let output = child.stdout.take().expect("it was started with a pipe");
    let mut whole = false;
    let taken = stream(output, |name, size, mode, content| -> Result<(), Error> {
        if name == REPORT {
            let mut bytes = Vec::new();
            content.take(MOST_ANSWER).read_to_end(&mut bytes).map_err(Fault::Read)?;
            writer.left.take(serde_json::from_slice(&bytes)?);
            whole = true;
            return Ok(());
        }
        match Name::parse(name) {
            Ok(name) if matches!(name.part(), Part::Profile(_) | Part::Net | Part::Keys(Keys::Logins)) => {
                writer.add(name, size, mode, content).map_err(Error::io(target))
            }
            Ok(_) => Err(Fault::Handed(text::cut(name, 120)).into()),
            Err(why) => {
                writer.left.skip(name, &why.to_string());
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
pub fn survey(home: &Home, hands: &Hands) -> Result<Vec<Found>, Error> {
    if home.data().folder()?.is_none() {
        return Ok(vec![]);
    }
    answer(hands.start(home, Job::Survey)?, &[], "reads")
}

/// Removes all that there is of a profile; answers how many files that were.
///
/// # Errors
/// A child that fails, or a service whose user may not remove the bot's files.
pub fn erase(home: &Home, hands: &Hands, profile: &ProfileId) -> Result<u64, Error> {
    if home.data().folder()?.is_none() {
        return Ok(0);
    }
    answer(hands.start(home, Job::Erase { profile: profile.clone() })?, &[], "removes")
}

/// Makes the folders of profiles, where they are missing, and the bot's others.
///
/// # Errors
/// A child that fails, or a folder that cannot be made or given away.
pub fn make_folders(home: &Home, hands: &Hands, ids: &[ProfileId]) -> Result<(), Error> {
    hands.may_write(home)?;
    let users = Users::of(home)?;
    if !hands.are_the_bots(&users) {
        for folder in [home.credentials(), home.net()] {
            folder.make(PRIVATE)?;
        }
        return ids.iter().try_for_each(|id| profiles::make_folders(home, id));
    }
    for folder in ids.iter().flat_map(|id| [home.status(id), home.runs(id)]) {
        make_folder(&folder, READABLE)?;
    }
    while_open(home, &users, || {
        answer::<()>(hands.start(home, Job::Folders)?, &serde_json::to_vec(ids)?, "makes folders for")
    })
}

fn answer<T: serde::de::DeserializeOwned>(
    mut child: Piped,
    input: &[u8],
    doing: &'static str,
) -> Result<T, Error> {
    let told = child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(input));
    let output = child.stdout.take().expect("it was started with a pipe");
    let mut bytes = Vec::new();
    output.take(MOST_ANSWER).read_to_end(&mut bytes).map_err(Error::step("the child's answer"))?;
    end(child, doing)?;
    told.map_err(Error::step("telling the child"))?;
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
    pub fn start(home: &Home, hands: &Hands) -> Result<Putter, Error> {
        let mut child = hands.start(home, Job::Put)?;
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

fn end(child: Piped, doing: &'static str) -> Result<(), Error> {
    match child.end().map_err(Error::step("waiting for a child"))? {
        (ExitKind::Code(0), words) => {
            words.lines().for_each(|line| eprintln!("note: the bot's files: {}", text::line(line)));
            Ok(())
        }
        (how, words) => {
            let words = text::line(words.trim());
            let words = if words.is_empty() { format!("{how:?}") } else { words };
            Err(Fault::Child { doing, words }.into())
        }
    }
}

//! The profile's folders: opened beneath their roots, made where this user may.

use std::path::Path;
use std::sync::Arc;

use bot_base::error::Error;
use bot_base::owned::{made, own};
use bot_base::paths::{Folder, PathError, SHARED_FOLDER};
use confine::User;
use ports::verified::{APPROVERS_SEEN, Seen, Signed};
use shared_types::home::Home;
use shared_types::id::ProfileId;

/// The file, beneath `memory/`, with the highest serial of a manifest that was seen.
const SERIAL: &str = "manifest_serial";

/// What is in a profile's folder.
const PARTS: [&str; 3] = ["memory", "logs", "workspace"];

/// The open folders of one profile.
#[derive(Debug)]
pub struct Folders {
    /// The profile's own folder.
    pub root: Arc<Folder>,
    /// Facts, conversations, records of skills.
    pub memory: Arc<Folder>,
    pub logs: Arc<Folder>,
    /// The skills' files.
    pub workspace: Arc<Folder>,
    /// What was asked for.
    pub proposals: Arc<Folder>,
    /// The admin's mirror of it, once there is one.
    pub status: Option<Arc<Folder>>,
    /// The modules of learned skills, once there are any.
    pub skills: Option<Arc<Folder>>,
}

impl Folders {
    /// Opens them all; `becomes` is the user to whom root hands over what it makes.
    ///
    /// # Errors
    /// A folder that is missing and that this user may not make, or one that belongs to another user of the bot.
    pub fn open(home: &Home, profile: &ProfileId, becomes: Option<&User>) -> Result<Folders, Error> {
        let root = made(&home.profile(profile), SHARED_FOLDER)?;
        let proposals = made(&home.proposals(profile), SHARED_FOLDER)?;
        own(&root, &PARTS, becomes)?;
        own(&proposals, &[], becomes)?;
        let below = |name: &str| {
            let folder = root.make_folder(name)?;
            own(&folder, &[], becomes)?;
            Ok::<_, Error>(Arc::new(folder))
        };
        Ok(Folders {
            memory: below("memory")?,
            logs: below("logs")?,
            workspace: below("workspace")?,
            root: Arc::new(root),
            proposals: Arc::new(proposals),
            status: optional(&home.status(profile))?,
            skills: optional(&home.skills())?,
        })
    }

    /// What this profile has seen of the signed files.
    pub fn seen(&self) -> Seen {
        let read = |name: &str| self.memory.read_text(name, 128).ok();
        Seen {
            serial: read(SERIAL).and_then(|t| t.trim().parse().ok()).unwrap_or(0),
            approvers: read(APPROVERS_SEEN).and_then(|t| t.parse().ok()).into_iter().collect(),
        }
    }

    /// Remembers what is newer than what was seen before. Where nothing can be written it answers a warning: what is signed
    /// now was verified all the same, and to talk needs no disk.
    ///
    /// # Errors
    /// Any other error of the operating system.
    pub fn remember(&self, signed: &Signed) -> Result<Option<String>, Error> {
        let Err(error) = self.record(signed) else { return Ok(None) };
        let PathError::Refused { source, .. } = &error else { return Err(error.into()) };
        let Some(why) = durable::unwritable(source) else { return Err(error.into()) };
        Ok(Some(format!(
            "{why}, so nothing new is kept: conversations, facts, and which list of skills was seen last"
        )))
    }

    fn record(&self, signed: &Signed) -> Result<(), PathError> {
        let seen = self.seen();
        if signed.serial() > seen.serial {
            self.memory.replace_or_overwrite(SERIAL, format!("{}\n", signed.serial()).as_bytes())?;
        }
        let present = signed.approvers().seen();
        if seen.approvers.iter().all(|seen| present.serial > seen.serial) {
            self.memory.replace_or_overwrite(APPROVERS_SEEN, format!("{present}\n").as_bytes())?;
        }
        Ok(())
    }
}

fn optional(path: &Path) -> Result<Option<Arc<Folder>>, Error> {
    match Folder::root(path) {
        Ok(folder) => Ok(Some(Arc::new(folder))),
        Err(e) if e.is_missing() => Ok(None),
        Err(e) => Err(e.into()),
    }
}

//! The text of a workflow, found as the chat program finds it and read safely, and the digest that may run.

use std::path::{Path, PathBuf};

use base::config::{Schedule, What};
use base::error::Error;
use base::home::Home;
use beneath::{Folder, NotOpened};
use documents::sop::{FILES, MAX_BYTES};
use ledger::schedules::ScheduleState;
use shared_types::id::{Digest, ProfileId, WorkflowName};

/// A workflow that is not there.
#[derive(Debug, thiserror::Error)]
#[error("the profile `{profile}` has no workflow `{name}`: `cl-bot sop list` shows them")]
struct NoWorkflow {
    profile: ProfileId,
    name: WorkflowName,
}

/// A workflow's file as it is now.
#[derive(Debug, Clone)]
pub struct Present {
    /// Its path, for messages.
    pub path: PathBuf,
    /// What stands in it.
    pub text: String,
    /// The digest of that.
    pub sha256: Digest,
}

/// Reads a workflow: the admin's of that name, or else the one in the profile's workspace.
///
/// # Errors
/// None, two files in one folder, or anything but a small regular file of text.
pub fn present(home: &Home, profile: &ProfileId, name: &WorkflowName) -> Result<Present, Error> {
    let below = Path::new("sops").join(name.as_str());
    let config = Folder::open(&home.config()).map_err(|why| Error::NotOpened { path: home.config(), why })?;
    if let Some(found) = one_of(&config, &below)? {
        return Ok(found);
    }
    // The bot's workspace is opened only if the admin has no workflow of that name, so a broken workspace delays no other
    // workflow.
    if let Some(workspace) = home.workspace(profile).folder()?
        && let Some(found) = one_of(&workspace, &below)?
    {
        return Ok(found);
    }
    Err(Error::failed(NoWorkflow { profile: profile.clone(), name: name.clone() }))
}

/// Reads the one file of a workflow; `None` if it does not exist.
fn one_of(root: &Folder, below: &Path) -> Result<Option<Present>, Error> {
    let mut found = None;
    for (file, _) in FILES {
        let below = below.join(file);
        let path = root.path().join(&below);
        let text = match root.file(&below).and_then(|file| file.text(MAX_BYTES as u64)) {
            Err(NotOpened::Gone | NotOpened::NotAFolder) => continue,
            Err(why) => return Err(Error::NotOpened { path, why }),
            Ok(text) => text,
        };
        if found.is_some() {
            let folder = path.parent().unwrap_or(&path);
            let why = format!("{} holds two files; only one can count", folder.display());
            return Err(Error::failed(why));
        }
        found = Some(Present { sha256: Digest::of(text.as_bytes()), path, text });
    }
    Ok(found)
}

/// Why a schedule's workflow may not run, with the next step.
#[derive(Debug, thiserror::Error)]
pub enum Unpinned {
    /// The workflow does not exist, or it cannot be read.
    #[error(transparent)]
    Absent(#[from] Error),
    /// No person has pinned it.
    #[error("nobody has seen the workflow `{0}` yet: {1}")]
    Unseen(WorkflowName, String),
    /// It is not what a person pinned.
    #[error("the workflow `{0}` was changed since a person saw it: {1}")]
    Changed(WorkflowName, String),
}

/// The digest with which a schedule's workflow may run now.
///
/// # Errors
/// See [`Unpinned`].
pub fn allowed(
    home: &Home,
    schedule: &Schedule,
    standing: &ScheduleState,
) -> Result<Option<Digest>, Unpinned> {
    let What::Workflow(workflow, written) = &schedule.what else { return Ok(None) };
    let next = format!("cl-admin schedule pin {}", schedule.name);
    let present = present(home, &schedule.profile, workflow)?;
    match written.as_ref().or(standing.pinned.as_ref()) {
        None => Err(Unpinned::Unseen(workflow.clone(), next)),
        Some(pinned) if *pinned != present.sha256 => {
            let next = match written {
                None => next,
                Some(_) => format!("look at it, then write `sop_sha256: {}`", present.sha256),
            };
            Err(Unpinned::Changed(workflow.clone(), next))
        }
        Some(pinned) => Ok(Some(pinned.clone())),
    }
}

//! The text of a workflow, found as the chat program finds it and read safely, and the digest that may run.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use nix::fcntl::{OFlag, OpenHow, ResolveFlag, openat2};
use shared_types::home::Home;
use shared_types::id::{Digest, ProfileId, WorkflowName};
use shared_types::sop::{FILES, MAX_BYTES};

use super::standing::Standing;
use crate::config::{Schedule, What};
use crate::error::Error;

/// A workflow's file as it is now.
#[derive(Debug, Clone)]
pub struct Present {
    /// Where it lies, for messages.
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
    let places = [home.config(), home.profile(profile).join("workspace")];
    for root in places {
        let below = Path::new("sops").join(name.as_str());
        let mut found = Vec::new();
        for (file, _) in FILES {
            found.extend(read(&root, &below.join(file))?);
        }
        match found.len() {
            0 => {}
            1 => return Ok(found.remove(0)),
            _ => {
                let why = format!("{} holds two files; only one can count", root.join(below).display());
                return Err(Error::Failed(why));
            }
        }
    }
    Err(Error::Failed(format!(
        "the profile `{profile}` has no workflow `{name}`: `cl-bot sop list` shows them"
    )))
}

/// Reads a file beneath a root, no link followed; `None` where it is missing.
fn read(root: &Path, below: &Path) -> Result<Option<Present>, Error> {
    use nix::errno::Errno;
    let path = root.join(below);
    let Ok(handle) = File::open(root) else { return Ok(None) };
    let how = OpenHow::new()
        .flags(OFlag::O_RDONLY | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC)
        .resolve(
            ResolveFlag::RESOLVE_BENEATH
                | ResolveFlag::RESOLVE_NO_SYMLINKS
                | ResolveFlag::RESOLVE_NO_MAGICLINKS,
        );
    let file = match openat2(&handle, below, how) {
        Ok(file) => File::from(file),
        Err(Errno::ENOENT | Errno::ENOTDIR) => return Ok(None),
        Err(errno) => return Err(Error::io(&path)(errno.into())),
    };
    let failed = |why: &str| Error::Failed(format!("{}: {why}", path.display()));
    if !file.metadata().map_err(Error::io(&path))?.is_file() {
        return Err(failed("not a regular file"));
    }
    let mut text = String::new();
    file.take(MAX_BYTES as u64 + 1).read_to_string(&mut text).map_err(Error::io(&path))?;
    if text.len() > MAX_BYTES {
        return Err(failed("more bytes than a workflow may have"));
    }
    Ok(Some(Present { sha256: Digest::of(text.as_bytes()), path, text }))
}

/// The digest with which a schedule's workflow may run now.
///
/// # Errors
/// Why it may not, with the next step.
pub fn allowed(home: &Home, schedule: &Schedule, standing: &Standing) -> Result<Option<Digest>, String> {
    let What::Workflow(workflow, written) = &schedule.what else { return Ok(None) };
    let next = format!("cl-admin schedule pin {}", schedule.name);
    let present = present(home, &schedule.profile, workflow).map_err(|e| e.to_string())?;
    match written.as_ref().or(standing.pinned.as_ref()) {
        None => Err(format!("nobody has seen the workflow `{workflow}` yet: {next}")),
        Some(pinned) if *pinned != present.sha256 => {
            let next = match written {
                None => next,
                Some(_) => format!("look at it, then write `sop_sha256: {}`", present.sha256),
            };
            Err(format!("the workflow `{workflow}` was changed since a person saw it: {next}"))
        }
        Some(pinned) => Ok(Some(pinned.clone())),
    }
}

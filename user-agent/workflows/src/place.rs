//! Where workflows are: in `config/sops/`, where only the admin writes, or in `sops/` of the profile's workspace, where skills
//! write too.

use std::path::PathBuf;

use bot_base::error::Error;
use bot_base::paths::{Folder, PathError};
use documents::sop::{FILES, MAX_BYTES, Sop};
use ports::{Kernel, KernelContext, Places, offered};
use serde::{Deserialize, Serialize};
use shared_types::id::{Digest, WorkflowName};
use shared_types::proposal::Fault;
use shared_types::provenance::Provenance;
use shared_types::sorted;

/// The folder of workflows, in the configuration and in a workspace.
const FOLDER: &str = "sops";

/// Whose a workflow is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// The admin's: `config/sops/`.
    Admin,
    /// The profile's: `sops/` in its workspace.
    Workspace,
}

impl Place {
    /// Both, the trusted one first: a name that is in both is the admin's.
    pub const ALL: [Place; 2] = [Place::Admin, Place::Workspace];

    /// The spelling in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Place::Admin => "admin",
            Place::Workspace => "workspace",
        }
    }

    /// What a conversation holds that runs such a workflow. A file of the workspace is somebody else's text and private, like
    /// any other there; what the admin wrote is neither.
    pub fn provenance(self) -> Provenance {
        match self {
            Place::Admin => Provenance::NONE,
            Place::Workspace => Provenance::BOTH,
        }
    }

    fn folder(self, kernel: &Kernel) -> Result<Option<Folder>, PathError> {
        let opened = Places::of(kernel);
        let above = match self {
            Place::Admin => Some(&opened.config),
            Place::Workspace => opened.workspace.as_deref(),
        };
        match above.map(|above| above.folder(FOLDER)) {
            None => Ok(None),
            Some(Err(e)) if e.is_missing() => Ok(None),
            Some(found) => found.map(Some),
        }
    }
}

/// A workflow's file, not yet read.
#[derive(Debug)]
pub struct Found {
    pub name: WorkflowName,
    /// Where it is.
    pub place: Place,
    /// For messages.
    pub path: PathBuf,
    /// What stands in it.
    pub text: String,
    /// The digest of that.
    pub sha256: Digest,
    form: documents::sop::Form,
}

impl Found {
    /// Reads it as a workflow that this kernel could run.
    ///
    /// # Errors
    /// [`Error::Config`] with every fault.
    pub fn read(&self, ctx: &KernelContext) -> Result<Sop, Error> {
        Sop::read(&self.name, &self.text, self.form, &|tool, args| offered::fault_of(ctx, tool, args))
            .map_err(|faults| Error::Config { file: self.path.clone(), faults })
    }
}

/// The names of all workflows with their places, sorted; the second list says what was passed over and why.
pub fn list(kernel: &Kernel) -> (Vec<(WorkflowName, Place)>, Vec<String>) {
    let (mut names, mut passed) = (Vec::<(WorkflowName, Place)>::new(), Vec::new());
    for place in Place::ALL {
        let entries = place.folder(kernel).and_then(|folder| folder.map_or(Ok(vec![]), |f| f.entries()));
        let entries = entries.unwrap_or_else(|e| {
            passed.push(e.to_string());
            vec![]
        });
        for entry in entries {
            match entry.parse::<WorkflowName>() {
                Err(e) => passed.push(format!("{} ({e})", place.as_str())),
                Ok(name) if names.iter().any(|(other, _)| *other == name) => {
                    passed.push(format!("{name} in the workspace: the admin's of that name is used"));
                }
                Ok(name) => names.push((name, place)),
            }
        }
    }
    sorted::by(&mut names, Ord::cmp);
    (names, passed)
}

/// Finds a workflow by its name.
///
/// # Errors
/// A workflow that does not exist, no file in its folder or two, or one that cannot be read.
pub fn find(kernel: &Kernel, name: &WorkflowName) -> Result<Found, Error> {
    for place in Place::ALL {
        let Some(all) = place.folder(kernel)? else { continue };
        let folder = match all.folder(name.as_str()) {
            Ok(folder) => folder,
            Err(e) if e.is_missing() => continue,
            Err(e) => return Err(e.into()),
        };
        return in_folder(&folder, name, place);
    }
    let (known, _) = list(kernel);
    let known: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
    let known = if known.is_empty() {
        "there is none yet".to_owned()
    } else {
        format!("there is: {}", known.join(" "))
    };
    Err(Error::Usage {
        what: format!("there is no workflow `{name}`; {known}"),
        hint: format!(
            "a workflow is in workspace/{FOLDER}/NAME/SOP.toml of the profile, or in config/{FOLDER}/"
        ),
    })
}

fn in_folder(folder: &Folder, name: &WorkflowName, place: Place) -> Result<Found, Error> {
    let mut found = Vec::new();
    for (file, form) in FILES {
        match folder.read_text(file, MAX_BYTES as u64) {
            Ok(text) => found.push((file, form, text)),
            Err(e) if e.is_missing() => {}
            Err(e) => return Err(e.into()),
        }
    }
    let fault =
        |why: String| Error::Config { file: folder.path().to_owned(), faults: vec![Fault::new("", why)] };
    match found.len() {
        1 => {
            let (file, form, text) = found.remove(0);
            let sha256 = Digest::of(text.as_bytes());
            Ok(Found { name: name.clone(), place, path: folder.path().join(file), text, sha256, form })
        }
        0 => Err(fault(format!("there is neither {} nor {} in it", FILES[0].0, FILES[1].0))),
        _ => Err(fault(format!("there is {} and {}; only one can count", FILES[0].0, FILES[1].0))),
    }
}

//! Further folders that the configuration opens to the profile: pinned before the confinement, opened anew behind it.

use std::fs::File;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bot_base::paths::Folder;
use confine::{Access, ConfineError, Handle};
use documents::folders::FurtherFolder;
use nix::unistd::geteuid;
use owners::further::{self, Unfit};
use ports::further::Further;
use shared_types::grants::FileGrants;

use super::Prepared;

/// The folders that are opened, and why others are not.
#[derive(Debug, Default)]
pub struct Pinned {
    folders: Vec<(Further, PathBuf, File)>,
    left_out: Vec<String>,
}

/// Why a folder is left out. The text follows its name.
#[derive(Debug, thiserror::Error)]
enum LeftOut {
    #[error(transparent)]
    Unfit(#[from] Unfit),
    #[error("is forbidden by grants.forbidden_paths of the profile")]
    Forbidden,
    #[error("cannot be looked at: {0}")]
    Refused(#[from] ConfineError),
    #[error("overlaps with `{0}`, which this profile has; name only one of the two")]
    Overlaps(String),
}

/// What skills may know of the folders, and in the same order the folders themselves.
pub type Settled = (Vec<Further>, Vec<Arc<Folder>>);

/// Pins every folder that this profile gets.
pub fn pin(prepared: &Prepared) -> Pinned {
    let mut pinned = Pinned::default();
    for entry in prepared.config.folders.iter().filter(|entry| entry.is_for(&prepared.profile)) {
        match one(prepared, entry, &pinned.folders) {
            Ok(folder) => pinned.folders.push(folder),
            Err(why) => pinned.left_out(&entry.path, &why.to_string()),
        }
    }
    pinned
}

fn one(
    prepared: &Prepared,
    entry: &FurtherFolder,
    others: &[(Further, PathBuf, File)],
) -> Result<(Further, PathBuf, File), LeftOut> {
    let admin = prepared.admin.unwrap_or_default();
    let path = further::locate(&entry.path, admin)?;
    let writes = entry.writes(prepared.settings.audience);
    let names = [entry.path.as_str(), path.to_str().unwrap_or_default()];
    let files =
        FileGrants::of_further(&names, writes, &prepared.settings.grants).ok_or(LeftOut::Forbidden)?;
    let own = prepared.user.as_ref().map_or(geteuid().as_raw(), confine::User::uid);
    let folder = further::open(&path, &protected(prepared), writes, &[0, admin, own])?;
    if let Some(user) = prepared.user.as_ref().filter(|_| geteuid().is_root()) {
        // A view would show what is in a folder that is closed to that user, and Landlock would not.
        confine::as_user(user, || further::open_again(&path, &folder))?.map_err(|why| match why {
            Unfit::Closed(_) => Unfit::Closed(user.uid()),
            why => why,
        })?;
    }
    let within = |other: &Path| path.starts_with(other) || other.starts_with(&path);
    if let Some((other, ..)) = others.iter().find(|(_, other, _)| within(other)) {
        return Err(LeftOut::Overlaps(other.spelled.clone()));
    }
    let further = Further { spelled: entry.path.clone(), path: path.display().to_string(), files };
    Ok((further, path, folder))
}

/// Where no folder that is opened may be, nor be above.
fn protected(prepared: &Prepared) -> [&Path; 2] {
    [prepared.home.root(), prepared.home.data()]
}

impl Pinned {
    /// The rules by which the kernel opens them, and no others.
    pub fn rules(&self) -> Vec<Handle<'_>> {
        let access = |further: &Further| if further.writes() { Access::Write } else { Access::Read };
        let folders = self.folders.iter();
        folders
            .map(|(further, at, folder)| Handle {
                handle: folder.as_fd(),
                at: at.clone(),
                access: access(further),
            })
            .collect()
    }

    /// Opens them anew, by the right and in the view that this process has now. What it may not open is left out.
    pub fn settle(mut self) -> (Settled, Vec<String>) {
        let (mut known, mut open) = (Vec::new(), Vec::new());
        for (further, path, folder) in std::mem::take(&mut self.folders) {
            match further::open_again(&path, &folder) {
                Ok(folder) => {
                    open.push(Arc::new(Folder::of(folder, &path)));
                    known.push(further);
                }
                Err(why) => self.left_out(&further.spelled, &why.to_string()),
            }
        }
        ((known, open), self.left_out)
    }

    fn left_out(&mut self, spelled: &str, why: &str) {
        self.left_out.push(format!("left out: `{spelled}` of `folders` in config/default.yaml {why}"));
    }
}

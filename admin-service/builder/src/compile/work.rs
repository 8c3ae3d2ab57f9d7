//! The one folder that a compiler may write.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Read;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use base::error::Error;
use base::folders::{PRIVATE, make_folder};
use base::home::Home;
use nix::libc;
use shared_types::id::{Digest, ProposalId};

use super::super::toolchain::Toolchain;
use super::{CompileFault, user, words};
use crate::workers;

/// A folder for one compilation; gone when it is dropped.
pub(super) struct WorkFolder {
    pub(super) path: PathBuf,
    /// The user of its own as which the compiler runs in it.
    pub(super) user: Option<u32>,
}

impl WorkFolder {
    /// Makes the folder within the home; for a user of its own that has no root of its own, where other users can reach it.
    pub(super) fn make(home: &Home, toolchain: &Toolchain) -> Result<WorkFolder, Error> {
        if !nix::unistd::geteuid().is_root() {
            return Self::within(home);
        }
        if workers::has_own_root() {
            // The folder itself is handed over; what is above it is not seen from within.
            let home_folder = Self::within(home)?;
            let user = user::of_its_own(toolchain, Path::new("/"), true);
            return home_folder.handed_to(user);
        }
        let shared = temporary();
        let Some(user) = user::of_its_own(toolchain, &shared, false) else { return Self::within(home) };
        let path = shared.join(format!("{}{}", prefix(home), ProposalId::generate().as_str()));
        // Fails if it is there already, so nobody else can have made it.
        fs::DirBuilder::new().mode(PRIVATE).create(&path).map_err(Error::io(&path))?;
        WorkFolder { path, user: None }.handed_to(Some(user))
    }

    fn within(home: &Home) -> Result<WorkFolder, Error> {
        let parent = home.build().join("work");
        make_folder(&parent, PRIVATE)?;
        let path = parent.join(ProposalId::generate().as_str());
        make_folder(&path, PRIVATE)?;
        Ok(WorkFolder { path, user: None })
    }

    fn handed_to(mut self, user: Option<u32>) -> Result<WorkFolder, Error> {
        self.user = user;
        if let Some(user) = user {
            std::os::unix::fs::chown(&self.path, Some(user), Some(user)).map_err(Error::io(&self.path))?;
        }
        Ok(self)
    }

    /// Puts a file in that the compiler reads; it stays the service's.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CompileFault> {
        let path = self.path.join(name);
        fs::write(&path, bytes)
            .and_then(|()| fs::set_permissions(&path, Permissions::from_mode(0o644)))
            .map_err(|e| CompileFault::Own(Error::io(&path)(e)))
    }

    /// Reads what the compiler made: a plain file of at most `most` bytes, anything else is refused.
    pub(super) fn read(&self, name: &str, most: u64) -> Result<Vec<u8>, CompileFault> {
        let path = self.path.join(name);
        let own = |e| CompileFault::Own(Error::io(&path)(e));
        let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
        let file: File = OpenOptions::new().read(true).custom_flags(flags).open(&path).map_err(own)?;
        if !file.metadata().map_err(own)?.is_file() {
            return Err(words::of_the_source(format!(
                "the compiler made something else than a file of {name}"
            )));
        }
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes).map_err(own)?;
        if bytes.len() as u64 > most {
            return Err(words::of_the_source(format!("the compiler made more than {most} bytes of {name}")));
        }
        Ok(bytes)
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // What stays behind is swept at the next start.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes what killed compilations left behind; only the service's holder may call it.
pub fn sweep(home: &Home) {
    let _ = fs::remove_dir_all(home.build().join("work"));
    if !nix::unistd::geteuid().is_root() {
        return;
    }
    let prefix = prefix(home);
    let left = fs::read_dir(temporary()).into_iter().flatten().filter_map(Result::ok);
    for entry in left.filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix)) {
        // Links are not followed; a plain file of that name is somebody's joke.
        let _ = fs::remove_dir_all(entry.path());
    }
}

/// Where every user can reach a folder of its own.
fn temporary() -> PathBuf {
    let given = std::env::temp_dir();
    if given.is_absolute() { given } else { Path::new("/tmp").to_owned() }
}

/// How the folders of a home are called, so that no service sweeps another's.
fn prefix(home: &Home) -> String {
    let digest = Digest::of(home.root().as_os_str().as_encoded_bytes());
    format!("tameclaw-build-{}-", &digest.as_str()[..8])
}

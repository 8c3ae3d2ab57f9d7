//! Which home, and whether anybody could have changed it who must not.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;
use shared_types::audience::Audience;
use shared_types::home::Home;
use shared_types::id::ProfileId;

use super::Options;
use crate::error::Error;

/// Chooses the home; it must have been made.
///
/// # Errors
/// No home named, or one that was not made yet.
pub fn choose(options: &Options) -> Result<Home, Error> {
    let cwd = std::env::current_dir()
        .map_err(|source| Error::System { what: "the working folder cannot be read", source })?;
    let home =
        Home::choose(options.home.as_deref(), |name| std::env::var_os(name), &cwd).ok_or(Error::NoHome)?;
    if home.config().is_dir() { Ok(home) } else { Err(Error::NotAHome(home.root().to_owned())) }
}

/// Refuses a home of which a component that the bot believes is writable by somebody who is neither root, nor this user,
/// nor the admin.
///
/// # Errors
/// The first such component.
pub fn check(home: &Home, profile: &ProfileId) -> Result<(), Error> {
    let config = home.config();
    let root = home.root().canonicalize().map_err(Error::io(home.root()))?;
    let data = canonical(home.data());
    let mut components: Vec<PathBuf> = root.ancestors().map(Path::to_owned).collect();
    components.extend(data.ancestors().map(Path::to_owned));
    components.extend([config.clone(), home.skills(), home.root().join("status"), home.status(profile)]);
    components.extend([
        home.profile_files(),
        home.profile_file(profile),
        home.manifest(),
        home.manifest_signature(),
        home.trust(),
    ]);
    components.extend([home.approvers(), home.bot_config(), home.system_profile(), home.persona()]);
    components.extend(Audience::ALL.map(|audience| home.persona_for(audience)));
    components.extend([
        data.join("profiles"),
        home.all_proposals(),
        home.credentials(),
        home.net(),
        home.secrets(),
    ]);
    written_by_others(home, components, geteuid().as_raw())
}

/// The same for the folders of the bot, which may belong to the user that it is going to become.
///
/// # Errors
/// The first such component.
pub fn check_own(home: &Home, profile: &ProfileId, becomes: Option<u32>) -> Result<(), Error> {
    let wanted = becomes.unwrap_or_else(|| geteuid().as_raw());
    let folders = vec![home.profile(profile), home.proposals(profile)];
    let admin = metadata(&home.config())?.uid();
    for path in &folders {
        let Some(owner) = std::fs::metadata(path).ok().map(|data| data.uid()) else { continue };
        if ![0, wanted, admin].contains(&owner) {
            return Err(Error::NotOurs { path: path.clone(), owner, wanted });
        }
    }
    written_by_others(home, folders, wanted)
}

fn written_by_others(home: &Home, components: Vec<PathBuf>, own: u32) -> Result<(), Error> {
    let admin = metadata(&home.config())?.uid();
    let trusted = [0, own, admin];
    for component in components {
        let data = match std::fs::metadata(&component) {
            Ok(data) => data,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
            Err(source) => return Err(Error::Io { path: component, source }),
        };
        if let Some(who) = stranger(data.uid(), data.gid(), data.mode(), data.is_dir(), &trusted) {
            return Err(Error::OpenHome { path: component, who });
        }
    }
    Ok(())
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Who could change something with this owner and mode, apart from the trusted users.
fn stranger(uid: u32, gid: u32, mode: u32, is_folder: bool, trusted: &[u32]) -> Option<String> {
    if !trusted.contains(&uid) {
        return Some(format!("the user {uid}"));
    }
    // In a folder with the sticky bit, such as /tmp, only the owner of an entry can rename it.
    let sticky = is_folder && mode & 0o1000 != 0;
    if mode & 0o002 != 0 && !sticky {
        return Some("everybody".to_owned());
    }
    // Many systems give each user a group of the same number with no other member.
    let private = gid == 0 || trusted.contains(&gid);
    (mode & 0o020 != 0 && !sticky && !private).then(|| format!("the group {gid}"))
}

fn metadata(path: &Path) -> Result<std::fs::Metadata, Error> {
    std::fs::metadata(path).map_err(Error::io(path))
}

#[cfg(test)]
mod tests;

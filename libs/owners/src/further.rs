//! A folder outside of the home that the configuration opens to a profile: where it is, and whether that can be done safely.

use std::fs::File;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, OpenHow, ResolveFlag, openat2};
use nix::sys::stat::{fstat, fstatat};
use nix::unistd::{Uid, User as Account};

use crate::writers::{self, Untrusted};

/// Why a folder is not opened to a profile. The text follows the folder's name: "`/srv/plans` is missing".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The system does not list the user whose home folder it is in.
    #[error("names the home folder of `{0}`, a user whom this system does not list; write an absolute path")]
    NoSuchUser(String),
    /// A folder of the system.
    #[error("belongs to the system ({0}); name a folder of your own, as in /srv/plans/**")]
    System(&'static str),
    /// A folder with more than one person's things in it, or all of one person's.
    #[error("holds {} whole; name one folder beneath it", .0.display())]
    TooWide(PathBuf),
    /// A name on the way begins with a dot: keys and settings of programs.
    #[error("is hidden, or in a hidden folder; name a folder without a dot before its name")]
    Hidden,
    /// The home of TameClaw, something in it, or a folder above it.
    #[error("is the home of TameClaw ({}), a part of it, or a folder above it; name another folder", .0.display())]
    OurHome(PathBuf),
    /// A link, at its end or on the way.
    #[error("is a link, or leads over one; name the folder to which it leads")]
    Link,
    /// Nothing is there.
    #[error("is missing; make the folder, or take the entry out of `folders`")]
    Missing,
    /// A file, a pipe or the like.
    #[error("is not a folder")]
    NotAFolder,
    /// The user of this program may not open it.
    #[error(
        "is closed to the user {0}; give that user the right (`setfacl -m u:{0}:rx`, `x` for each folder above it), or take the \
         entry out of `folders`"
    )]
    Closed(u32),
    /// Another user could exchange or change it.
    #[error("cannot be opened to a profile: {0}")]
    Untrusted(Untrusted),
    /// Any other error of the system.
    #[error("cannot be opened: {}", .0.desc())]
    Refused(Errno),
}

/// The folder that a configuration spells: `~/` is the home folder of the configuration's owner, `~NAME/` that of NAME, both by the
/// system's list of users.
///
/// # Errors
/// A user whom the system does not list.
pub fn locate(spelled: &str, owner: u32) -> Result<PathBuf, Unfit> {
    if !spelled.starts_with('~') {
        return Ok(PathBuf::from(spelled));
    }
    let (user, below) = spelled.split_once('/').unwrap_or((spelled, ""));
    Ok(home_of(user, owner)?.join(below))
}

/// The home folder that `~` or `~NAME` stands for in a configuration of `owner`, wherever it stands there; `HOME` does not matter.
///
/// # Errors
/// A user whom the system does not list.
pub fn home_of(tilde: &str, owner: u32) -> Result<PathBuf, Unfit> {
    let (account, who) = match tilde.trim_start_matches('~') {
        "" => (Account::from_uid(Uid::from_raw(owner)), owner.to_string()),
        name => (Account::from_name(name), name.to_owned()),
    };
    account.ok().flatten().map(|account| account.dir).ok_or(Unfit::NoSuchUser(who))
}

/// Opens a folder, no link followed, if it may be opened to a profile: not the system's, no home folder as a whole, not at, in or above a
/// `protected` folder. `trusted` users and the folder's owner may be able to exchange it, and where a profile `writes`, to change it.
///
/// # Errors
/// Why not.
pub fn open(path: &Path, protected: &[&Path], writes: bool, trusted: &[u32]) -> Result<File, Unfit> {
    place_is_fit(path, protected)?;
    let folder = pin(path)?;
    let facts = fstat(&folder).map_err(Unfit::Refused)?;
    // The same folder may be mounted under a second name.
    let identity = |path: &Path| fstatat(AT_FDCWD, path, AtFlags::empty()).ok().map(|f| (f.st_dev, f.st_ino));
    let own = Some((facts.st_dev, facts.st_ino));
    for ours in protected {
        let above = ours.ancestors().any(|part| identity(part) == own);
        if above
            || identity(ours).is_some_and(|ours| path.ancestors().any(|part| identity(part) == Some(ours)))
        {
            return Err(Unfit::OurHome((*ours).to_owned()));
        }
    }
    let trusted: Vec<u32> = trusted.iter().copied().chain([facts.st_uid]).collect();
    let way = path.parent().map_or(Ok(()), |above| writers::check_way(above, &trusted));
    let itself = || if writes { writers::check(path, &trusted) } else { Ok(()) };
    way.and_then(|()| itself()).map_err(Unfit::Untrusted)?;
    Ok(folder)
}

/// Opens the folder at a path over no link, for as long as it is the same one as `known`: the user may have changed since, or the view.
///
/// # Errors
/// Another folder is there, or none that this user may open.
pub fn open_again(path: &Path, known: &File) -> Result<File, Unfit> {
    let folder = pin(path)?;
    let facts = |file: &File| fstat(file).map(|facts| (facts.st_dev, facts.st_ino)).map_err(Unfit::Refused);
    if facts(&folder)? == facts(known)? { Ok(folder) } else { Err(Unfit::Missing) }
}

fn pin(path: &Path) -> Result<File, Unfit> {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let links = ResolveFlag::RESOLVE_NO_SYMLINKS | ResolveFlag::RESOLVE_NO_MAGICLINKS;
    match openat2(AT_FDCWD, path, OpenHow::new().flags(flags).resolve(links)) {
        Ok(folder) => Ok(File::from(folder)),
        Err(Errno::ELOOP) => Err(Unfit::Link),
        Err(Errno::ENOENT) => Err(Unfit::Missing),
        Err(Errno::ENOTDIR) => Err(Unfit::NotAFolder),
        Err(Errno::EACCES | Errno::EPERM) => Err(Unfit::Closed(nix::unistd::geteuid().as_raw())),
        Err(errno) => Err(Unfit::Refused(errno)),
    }
}

/// What a path says alone, with the system's list of users.
fn place_is_fit(path: &Path, protected: &[&Path]) -> Result<(), Unfit> {
    let removable = path.starts_with(REMOVABLE) && path != Path::new(REMOVABLE);
    if let Some(system) = SYSTEM.iter().find(|system| path.starts_with(system) && !removable) {
        return Err(Unfit::System(system));
    }
    if path.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b".")) {
        return Err(Unfit::Hidden);
    }
    if !path.is_absolute() || WIDE.iter().any(|wide| path == Path::new(wide)) {
        return Err(Unfit::TooWide(path.to_owned()));
    }
    if let Some(home) = homes().into_iter().find(|home| home.starts_with(path)) {
        return Err(Unfit::TooWide(home));
    }
    for ours in protected {
        let real = ours.canonicalize().unwrap_or_else(|_| (*ours).to_owned());
        if [*ours, &real].into_iter().any(|ours| ours.starts_with(path) || path.starts_with(ours)) {
            return Err(Unfit::OurHome((*ours).to_owned()));
        }
    }
    Ok(())
}

/// The home folders of people, and root's.
fn homes() -> Vec<PathBuf> {
    let accounts = std::fs::read("/etc/passwd").unwrap_or_default();
    let person = |line: &str| {
        let fields: Vec<&str> = line.split(':').collect();
        let uid: u32 = fields.get(2)?.parse().ok()?;
        let home = PathBuf::from(fields.get(5)?);
        ((uid == 0 || (1_000..65_534).contains(&uid)) && home.is_absolute()).then_some(home)
    };
    let listed = String::from_utf8_lossy(&accounts).lines().filter_map(person).collect::<Vec<_>>();
    listed.into_iter().chain([PathBuf::from("/root")]).collect()
}

/// Folders of the system: neither they nor anything beneath them is opened to a profile.
const SYSTEM: [&str; 13] = [
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/run", "/sbin", "/sys",
    "/usr",
];
/// Where desktops mount what a person plugs in; a part of `/run`.
const REMOVABLE: &str = "/run/media";
/// Folders that hold the things of many; one beneath them may be opened.
const WIDE: [&str; 8] = ["/", "/home", "/media", "/mnt", "/opt", "/tmp", "/var", "/var/lib"];

#[cfg(test)]
mod tests;

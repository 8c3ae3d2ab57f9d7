//! The user who owns a home, and whom root becomes for good before it works there: `docs/adr/0012-root-becomes-the-homes-owner.md`.

use std::ffi::CString;
use std::os::fd::OwnedFd;
use std::path::Path;

use beneath::Folder;
use confine::User;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, openat};
use nix::sys::prctl::set_no_new_privs;
use nix::sys::stat::{FileStat, Mode, fchmod, fstat};
use nix::unistd::{Gid, User as Account, fchown, geteuid, getgrouplist};
use owners::writers::of_first_group;

use super::Users;
use crate::error::Error;
use crate::folders::READABLE;
use crate::home::Home;

/// The owner of a home, where this process is root and the owner is not.
#[derive(Debug)]
pub struct HomeOwner {
    user: User,
    groups: Vec<u32>,
    bot: Option<User>,
    name: String,
}

impl HomeOwner {
    /// The owner of a home that exists; nobody where this is not root, where the home is root's, or where the home and its
    /// `config/` belong to two users.
    ///
    /// # Errors
    /// A user whom the system cannot look up, or one whose first group is root's.
    pub fn of(home: &Home) -> Result<Option<HomeOwner>, Error> {
        if !geteuid().is_root() {
            return Ok(None);
        }
        // What is open is asked: a name may lead elsewhere a moment later.
        let opened = open(AT_FDCWD, home.root(), PIN).and_then(|root| {
            let config = open(&root, Path::new("config"), PIN | OFlag::O_NOFOLLOW)?;
            Ok((fstat(root)?, fstat(config)?))
        });
        match opened {
            Ok((root, config)) if root.st_uid == config.st_uid => HomeOwner::by(&config),
            _ => Ok(None),
        }
    }

    /// The owner of a place for a home: of its folder, or of the nearest one above that exists.
    ///
    /// # Errors
    /// As [`HomeOwner::of`].
    pub fn of_place(home: &Home) -> Result<Option<HomeOwner>, Error> {
        if !geteuid().is_root() {
            return Ok(None);
        }
        let found = home.root().ancestors().find_map(|above| open(AT_FDCWD, above, PIN).ok());
        let facts = found.map(fstat).transpose().map_err(|errno| Error::io(home.root())(errno.into()))?;
        facts.map_or(Ok(None), |facts| HomeOwner::by(&facts))
    }

    fn by(folder: &FileStat) -> Result<Option<HomeOwner>, Error> {
        let uid = folder.st_uid;
        if uid == 0 {
            return Ok(None);
        }
        let lookup = Error::step::<Errno>("looking up the owner of the home");
        let (name, gid, mut groups) = match Account::from_uid(uid.into()) {
            Ok(Some(account)) => {
                let word = CString::new(account.name.as_bytes()).map_err(Error::failed)?;
                let groups = getgrouplist(&word, account.gid).map_err(lookup)?;
                (account.name, account.gid, groups)
            }
            // The system lists neither its name nor its groups.
            Ok(None) | Err(Errno::ENOENT) => (uid.to_string(), uid.into(), vec![folder.st_gid.into()]),
            Err(errno) => return Err(lookup(errno)),
        };
        groups.retain(|group| group.as_raw() != 0 && *group != gid);
        let user = User::find(&uid.to_string(), Some(&gid.to_string())).map_err(Error::refused)?;
        let bot = bot(uid, folder.st_gid.into(), &groups)?;
        Ok(Some(HomeOwner { user, groups: groups.into_iter().map(Gid::as_raw).collect(), bot, name }))
    }

    /// The name, or the number as text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bot's user: the one user in whose own group root has put the owner.
    pub fn bot(&self) -> Option<&User> {
        self.bot.as_ref()
    }

    /// Becomes the owner; nothing brings root back, and nothing of root's session comes along.
    ///
    /// # Errors
    /// The system refuses; the process must end then.
    pub fn become_for_good(&self) -> Result<(), Error> {
        let step = "becoming the owner of the home";
        confine::become_for_good(&self.user, &self.groups).map_err(Error::step(step))?;
        // No program that it starts is root again by its s-bit.
        set_no_new_privs().map_err(Error::step::<Errno>(step))?;
        // What root had read is nothing for other processes of that user.
        confine::refuse_tracing().map_err(Error::step(step))
    }
}

/// Neither reads nor waits, regardless of what has that name.
const PIN: OFlag = OFlag::O_PATH.union(OFlag::O_DIRECTORY).union(OFlag::O_CLOEXEC);

fn open(above: impl std::os::fd::AsFd, name: &Path, flags: OFlag) -> nix::Result<OwnedFd> {
    openat(above, name, flags, Mode::empty())
}

/// The one user beside the owner whose first group the owner is in. The group of the folder decides, where it is not the
/// owner's own: only root, or a member of that group, could set it.
fn bot(owner: u32, folder: Gid, groups: &[Gid]) -> Result<Option<User>, Error> {
    let shared = groups.iter().find(|group| **group == folder).map_or(groups, std::slice::from_ref);
    let mut found = vec![];
    for group in shared {
        let users = of_first_group(group.as_raw()).into_iter().filter(|uid| *uid != 0 && *uid != owner);
        found.extend(users.map(|uid| (uid, *group)));
    }
    match found[..] {
        [(uid, gid)] => {
            User::find(&uid.to_string(), Some(&gid.to_string())).map(Some).map_err(Error::refused)
        }
        _ => Ok(None),
    }
}

/// Does something while the bot's user may make its own folders in those of the service, which are closed again after it. The
/// sticky bit keeps the service's own folders in their places meanwhile.
///
/// # Errors
/// What `work` answers, or a folder that this user may not open to the bot.
pub fn while_open<T>(
    home: &Home,
    users: &Users,
    work: impl FnOnce() -> Result<T, Error>,
) -> Result<T, Error> {
    let gid = users.bot.as_ref().map(|bot| Gid::from_raw(bot.gid));
    let places = [home.data(), home.profiles(), home.all_proposals()];
    // Before any of them is open: the bot makes none of these.
    let folders = places.iter().map(|place| place.make(READABLE)).collect::<Result<Vec<_>, _>>()?;
    let set = |folder: &Folder, mode| {
        fchmod(folder, Mode::from_bits_truncate(mode)).map_err(|errno| Error::io(folder.path())(errno.into()))
    };
    let opened = folders.iter().try_for_each(|folder| {
        fchown(folder, None, gid).map_err(|errno| Error::io(folder.path())(errno.into()))?;
        set(folder, 0o3770)
    });
    let done = opened.and_then(|()| work());
    // Each is closed, also after others failed.
    let closed = folders.iter().map(|folder| set(folder, 0o2750)).fold(Ok(()), Result::and);
    let done = done?;
    closed.map(|()| done)
}

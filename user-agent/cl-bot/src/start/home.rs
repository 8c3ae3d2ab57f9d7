//! Which home, and whether anybody could have changed it who must not.

use std::os::unix::fs::MetadataExt;

use bot_base::error::Error;
use bot_base::paths::Folder;
use documents::home_file::{self, HomeFile};
use nix::unistd::geteuid;
use owners::writers::{self, Untrusted};
use shared_types::home::Home;
use shared_types::id::ProfileId;

use super::Options;

/// Chooses the home; it must have been made.
///
/// # Errors
/// No home named, one that is closed to this user, that was not made yet, or that a later release made.
pub fn choose(options: &Options) -> Result<Home, Error> {
    let cwd = std::env::current_dir()
        .map_err(|source| Error::System { what: "the working folder cannot be read", source })?;
    let home =
        Home::choose(options.home.as_deref(), |name| std::env::var_os(name), &cwd).ok_or(Error::NoHome)?;
    if let Some(closed) = owners::closed::on_the_way(&home.config()) {
        return Err(Error::NoPermission(closed));
    }
    if !home.config().is_dir() {
        return Err(Error::NotAHome(home.root().to_owned()));
    }
    check_version(&home)?;
    Ok(home)
}

/// Refuses a home that a later release made, and one into which a restore has not ended.
fn check_version(home: &Home) -> Result<(), Error> {
    let text = match Folder::root(&home.config())?.read_text(home_file::NAME, home_file::MAX_BYTES) {
        Ok(text) => Some(text),
        Err(e) if e.is_missing() => None,
        Err(e) => return Err(e.into()),
    };
    Ok(HomeFile::read(text.as_deref()).and_then(|file| file.check())?)
}

/// Refuses a home of which a component that the bot believes may be changed by somebody who is neither root nor the admin;
/// above the home and its data, this user may change things too.
///
/// `config/` is looked at as a whole, `skills/`, `status/`, `secrets/` and `certificates/` by their folders: modules are compared
/// with the signed manifest.
///
/// # Errors
/// The first such component.
pub fn check(home: &Home, profile: &ProfileId) -> Result<(), Error> {
    let admin = admin_of(home)?;
    let (own, theirs) = ([0, geteuid().as_raw(), admin], [0, admin]);
    let look = || -> Result<(), Untrusted> {
        writers::check_way(home.root(), &own)?;
        writers::check_way(home.data(), &own)?;
        writers::check_tree(&home.config(), 3, &theirs)?;
        let status = [home.root().join("status"), home.status(profile)];
        for folder in [home.skills(), home.secrets(), home.certificates()].into_iter().chain(status) {
            writers::check_tree(&folder, 0, &theirs)?;
        }
        for folder in [home.data().join("profiles"), home.all_proposals()] {
            writers::check(&folder, &own)?;
        }
        Ok(())
    };
    look().map_err(|what| Error::OpenHome { what, rightful: admin })
}

/// The same for the folders of the bot, which may belong to the user that it is going to become.
///
/// # Errors
/// The first such component.
pub fn check_own(home: &Home, profile: &ProfileId, becomes: Option<u32>) -> Result<(), Error> {
    let wanted = becomes.unwrap_or_else(|| geteuid().as_raw());
    let admin = admin_of(home)?;
    let folders = [home.profile(profile), home.proposals(profile)];
    for path in &folders {
        let Some(owner) = std::fs::metadata(path).ok().map(|data| data.uid()) else { continue };
        if ![0, wanted, admin].contains(&owner) {
            return Err(Error::NotOurs { path: path.clone(), owner, wanted });
        }
    }
    for path in folders.iter().chain(&[home.credentials(), home.net()]) {
        writers::check(path, &[0, wanted, admin])
            .map_err(|what| Error::OpenHome { what, rightful: wanted })?;
    }
    Ok(())
}

fn admin_of(home: &Home) -> Result<u32, Error> {
    let config = home.config();
    std::fs::metadata(&config).map(|data| data.uid()).map_err(Error::io(&config))
}

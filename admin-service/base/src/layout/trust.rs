//! What every start looks at: whether somebody beside root and the service's user could have changed the home.

use std::path::Path;

use owners::writers::{self, Untrusted};

use crate::error::Error;
use crate::home::Home;

/// Refuses a home of which a component may be changed by a third, non-root user.
///
/// Every folder above it, the home, `config/` as a whole, and the parts of `admin/` that are trusted at a start: its direct
/// entries, keys, heads and journal. `admin/` is closed to others as a whole, so that nothing deeper is looked at; packages
/// and sources are compared with their digests whenever they are used. What the bot reads besides is looked at by its
/// folder.
///
/// # Errors
/// The component, its owner and mode, and who may change it.
pub fn check(home: &Home) -> Result<(), Error> {
    let trusted = [0, nix::unistd::geteuid().as_raw()];
    let look = || -> Result<(), Untrusted> {
        writers::check_way(home.root(), &trusted)?;
        writers::check_tree(&home.config(), 3, &trusted)?;
        let shared = ["status", "runs"].map(|name| home.root().join(name));
        for folder in [home.skills(), home.secrets(), home.certificates()].into_iter().chain(shared) {
            writers::check_tree(&folder, 0, &trusted)?;
        }
        let admin = home.admin();
        for (folder, depth) in
            [(home.keys(), 2), (home.own_heads(), 1), (admin.join("journal"), 1), (admin, 1)]
        {
            writers::check_tree(&folder, depth, &trusted)?;
        }
        Ok(())
    };
    look().map_err(Error::Untrusted)
}

/// The same for any path: nobody else may exchange it, or a folder on the way to it.
///
/// # Errors
/// As [`check`].
pub fn check_above(path: &Path) -> Result<(), Error> {
    writers::check_way(path, &[0, nix::unistd::geteuid().as_raw()]).map_err(Error::Untrusted)
}

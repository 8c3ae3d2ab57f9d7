//! The user that the bot becomes when root starts it: who that is, and what it must be able to read.

use std::os::unix::fs::MetadataExt;

use bot_base::config::Security;
use bot_base::error::Error;
use confine::User;
use nix::unistd::geteuid;
use shared_types::home::Home;
use shared_types::id::ProfileId;

/// Finds the user that the configuration names.
///
/// # Errors
/// Nobody of that name, root, or a program that was started by yet another user and so cannot switch.
pub fn find(security: &Security) -> Result<Option<User>, Error> {
    let Some(name) = &security.user else { return Ok(None) };
    let user = User::find(name, security.group.as_deref()).map_err(Error::User)?;
    let own = geteuid();
    if own.is_root() || own.as_raw() == user.uid() {
        Ok(Some(user))
    } else {
        Err(Error::OtherUser { wanted: name.clone(), own: own.as_raw() })
    }
}

/// Refuses a home whose parts that the bot reads are closed to the user: it would end in the middle of a conversation.
///
/// # Errors
/// The first such part.
pub fn may_read(home: &Home, profile: &ProfileId, user: Option<&User>) -> Result<(), Error> {
    let Some(user) = user.filter(|_| geteuid().is_root()) else { return Ok(()) };
    for path in [
        home.config(),
        home.bot_config(),
        home.manifest(),
        home.config().join("profiles"),
        home.skills(),
        home.status(profile),
    ] {
        // What is not there is somebody else's complaint.
        let Ok(data) = std::fs::metadata(&path) else { continue };
        let needed = if data.is_dir() { 0o5 } else { 0o4 };
        let granted = rights(data.uid(), data.gid(), data.mode(), user);
        if granted & needed != needed {
            return Err(Error::Unreadable { path, user: user.name().to_owned(), gid: user.gid() });
        }
    }
    Ok(())
}

/// The three bits that count for a user.
fn rights(uid: u32, gid: u32, mode: u32, user: &User) -> u32 {
    let shift = match () {
        () if uid == user.uid() => 6,
        () if gid == user.gid() => 3,
        () => 0,
    };
    mode >> shift & 0o7
}

/// The user that the admin runs as: who may write the configuration.
pub fn admin(home: &Home) -> Option<u32> {
    std::fs::metadata(home.config()).ok().map(|data| data.uid())
}

#[cfg(test)]
mod tests;

//! From a command line to a confined mind: home, configuration, manifest, the fork, confinement, the kernel.
//!
//! - [`home`]: which home, and whether it can be trusted
//! - [`folders`]: the profile's folders
//! - [`user`]: the user that root's process becomes
//! - [`network`]: the process that has the network
//! - `isolation`: what is said of the confinement that was reached
//! - [`mind`]: everything else

use std::path::PathBuf;

use confine::{Held, Manner, Tier, User, Wall};
use shared_types::home::Home;
use shared_types::id::ProfileId;
use shared_types::text::cut;

use crate::config::{Config, Profile};
use crate::error::Error;
use crate::kernel::paths::Folder;
use crate::kernel::registry::Verified;

pub mod folders;
pub mod home;
mod isolation;
pub mod mind;
pub mod network;
pub mod user;

/// What a command line says to every verb.
#[derive(Debug, Clone)]
pub struct Options {
    /// The home.
    pub home: Option<PathBuf>,
    /// The profile.
    pub profile: ProfileId,
}

/// How the program was started, and what holds.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// The line of `-m`.
    pub message: Option<String>,
    /// The conversation that was asked for, or `last`.
    pub conversation: Option<String>,
    /// Whether a person sits at a terminal.
    pub interactive: bool,
    /// Whether something starts the program again after exit code 75.
    pub supervised: bool,
    /// Whether escapes may be written.
    pub colour: bool,
    /// The tier of isolation.
    pub tier: Option<Tier>,
    /// What holds.
    pub held: Held,
    /// The serial of the manifest.
    pub serial: u64,
    /// Whether there is a network process.
    pub network: bool,
}

/// Everything that is read before confinement.
#[derive(Debug)]
pub struct Prepared {
    /// The paths.
    pub home: Home,
    /// The profile.
    pub profile: ProfileId,
    /// The open `config/`.
    pub config_folder: Folder,
    /// The configuration.
    pub config: Config,
    /// The profile's settings.
    pub settings: Profile,
    /// The verified manifest.
    pub verified: Verified,
    /// The profile's folders.
    pub folders: folders::Folders,
    /// The user that this program becomes.
    pub user: Option<User>,
    /// The user that the admin runs as.
    pub admin: Option<u32>,
}

impl Prepared {
    /// Reads and checks everything that the start needs.
    ///
    /// # Errors
    /// The first thing that forbids the start.
    pub fn read(options: &Options) -> Result<Prepared, Error> {
        let home = home::choose(options)?;
        home::check(&home, &options.profile)?;
        let config_folder = Folder::root(&home.config())?;
        let config = read_config(&home, &config_folder)?;
        let user = user::find(&config.security)?;
        home::check_own(&home, &options.profile, user.as_ref().map(User::uid))?;
        user::may_read(&home, &options.profile, user.as_ref())?;
        let settings = read_profile(&options.profile, &config_folder)?;
        let folders = folders::Folders::open(&home, &options.profile, user.as_ref())?;
        let verified = Verified::read(&config_folder, folders.seen_serial())?;
        let profile = options.profile.clone();
        let admin = user::admin(&home);
        Ok(Prepared { home, profile, config_folder, config, settings, verified, folders, user, admin })
    }

    /// Opens all folders anew, in the view of the file system that the program has meanwhile. Those that were open lead
    /// out of that view.
    ///
    /// # Errors
    /// As [`Prepared::read`].
    pub fn reopen(&mut self) -> Result<(), Error> {
        self.config_folder = Folder::root(&self.home.config())?;
        self.folders = folders::Folders::open(&self.home, &self.profile, self.user.as_ref())?;
        Ok(())
    }

    /// As whom, and behind which wall, both processes of the bot are confined.
    pub fn manner(&self, hidden: Vec<PathBuf>, paired: bool) -> Manner {
        let wall = if self.config.security.landlock { Wall::Either } else { Wall::Namespace };
        Manner { user: self.user.clone(), wall, hidden, paired }
    }
}

/// Reads the configuration; an absent file has every default.
///
/// # Errors
/// Every fault in one pass.
pub fn read_config(home: &Home, folder: &Folder) -> Result<Config, Error> {
    let text = match folder.read_text("default.yaml", shared_types::yaml::MAX_OWN_BYTES as u64) {
        Ok(text) => text,
        Err(e) if e.is_missing() => String::new(),
        Err(e) => return Err(e.into()),
    };
    Config::parse(&home.bot_config(), &text)
}

fn read_profile(id: &ProfileId, config: &Folder) -> Result<Profile, Error> {
    let unknown = || Error::NoProfile { id: id.clone(), known: known_profiles(config) };
    let folder = config.folder("profiles").map_err(|e| if e.is_missing() { unknown() } else { e.into() })?;
    let name = format!("{id}.yaml");
    match folder.read_text(&name, shared_types::yaml::MAX_BYTES as u64) {
        Ok(text) => Profile::parse(&folder.path().join(name), &text),
        Err(e) if e.is_missing() => Err(unknown()),
        Err(e) => Err(e.into()),
    }
}

fn known_profiles(config: &Folder) -> String {
    let names = config.folder("profiles").and_then(|f| f.files()).unwrap_or_default();
    let names: Vec<&str> = names.iter().filter_map(|n| n.strip_suffix(".yaml")).collect();
    if names.is_empty() { "none".to_owned() } else { cut(&names.join(" "), 200) }
}

#[cfg(test)]
mod tests;

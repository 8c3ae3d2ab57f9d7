//! From a command line to a confined mind: home, configuration, manifest, the fork, confinement, the kernel.
//!
//! - [`home`]: which home, and whether it can be trusted
//! - [`profiles`]: the profiles that are configured
//! - [`entry`]: who may open which
//! - [`core`]: a start with the core skills alone
//! - [`folders`]: the profile's folders
//! - `further`: the further folders that the configuration opens
//! - `pin`: the approvers whom any profile of the home has seen
//! - [`user`]: the user that root's process becomes
//! - [`network`]: the process that has the network
//! - `pins`: the connection to the service that has the pins
//! - [`person`]: a person who is asked in place of a model
//! - [`login`]: the process that logs in, which has the network and a terminal
//! - `isolation`: what is said of the confinement that was reached
//! - [`mind`]: everything else

use std::path::{Path, PathBuf};

use bot_base::config::Config;
use bot_base::error::Error;
use bot_base::log::{self, Event};
use bot_base::paths::Folder;
use confine::{Manner, User, Wall};
use documents::profile_file::Profile;
use ports::verified::Signed;
use shared_types::home::Home;
use shared_types::id::ProfileId;

pub mod core;
pub mod entry;
pub mod folders;
mod further;
pub mod home;
mod isolation;
pub mod login;
pub mod mind;
pub mod network;
mod options;
pub mod person;
mod pin;
pub mod pins;
pub mod profiles;
pub mod retention;
pub mod user;

pub use options::Options;

/// A home whose profile this caller may open; nothing of the manifest was looked at.
#[derive(Debug)]
pub struct Reached {
    /// The open `config/`.
    pub config_folder: Folder,
    /// The profile's folders.
    pub folders: folders::Folders,
}

impl Reached {
    /// Opens a profile's folders after the same questions as every start; a configuration or a manifest that is broken
    /// does not matter here.
    ///
    /// # Errors
    /// A home or a profile that this caller may not open.
    pub fn read(options: &Options) -> Result<Reached, Error> {
        let home = home::choose(options)?;
        home::check(&home, &options.profile)?;
        let config_folder = Folder::root(&home.config())?;
        let user = match read_config(&home, &config_folder) {
            Ok(config) => user::find(&config.security)?,
            Err(_) => None,
        };
        home::check_own(&home, &options.profile, user.as_ref().map(User::uid))?;
        let settings = profiles::read(&home, &options.profile, &config_folder)?;
        let folders = entry::open(&home, options, &settings, user.as_ref())?;
        Ok(Reached { config_folder, folders })
    }
}

/// Everything that is read before confinement.
#[derive(Debug)]
pub struct Prepared {
    /// The paths.
    pub home: Home,
    pub profile: ProfileId,
    /// The open `config/`.
    pub config_folder: Folder,
    pub config: Config,
    pub settings: Profile,
    /// The signed manifest.
    pub signed: Signed,
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
        tell(&home.bot_config(), &config)?;
        let user = user::find(&config.security)?;
        home::check_own(&home, &options.profile, user.as_ref().map(User::uid))?;
        user::may_read(&home, &options.profile, user.as_ref())?;
        let settings = profiles::read(&home, &options.profile, &config_folder)?;
        // Before a PIN is typed in vain.
        profiles::check_guarded(&options.profile, &settings, &config_folder)?;
        let folders = entry::open(&home, options, &settings, user.as_ref())?;
        let pinned = pin::read(&home)?;
        let mut seen = folders.seen();
        seen.approvers.extend(pinned.clone());
        let signed = Signed::read(&config_folder, &seen)?.for_profile(&options.profile, settings.audience);
        pin::remember(&home, pinned.as_ref(), &signed, user.as_ref())?;
        let workspace = home.profile(&options.profile).join("workspace");
        let profile = log::Name::of(options.profile.as_str());
        log::event(Event::WorkspaceOpened { path: &workspace, profile });
        let profile = options.profile.clone();
        let admin = user::admin(&home);
        Ok(Prepared { home, profile, config_folder, config, settings, signed, folders, user, admin })
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
        Manner { user: self.user.clone(), wall, hidden, paired, reads_all: false }
    }
}

/// Sets what the program tells about its work: as configured, or as the environment overrides it.
pub(crate) fn tell(file: &Path, config: &Config) -> Result<(), Error> {
    let configured = (config.logging.level, config.logging.format);
    let (level, format) = match std::env::var(log::VARIABLE) {
        Ok(words) => log::wish(&words, configured).map_err(|_| Error::Variable {
            name: log::VARIABLE,
            value: shared_types::text::cut(&words, 40),
            allowed: log::WORDS,
        })?,
        Err(_) => configured,
    };
    log::tell(level, format);
    log::event(Event::Startup);
    log::event(Event::ConfigLoaded { path: file, providers: config.models.providers.len() });
    Ok(())
}

/// Reads the configuration; an absent file has every default.
///
/// # Errors
/// Every fault in one pass.
pub fn read_config(home: &Home, folder: &Folder) -> Result<Config, Error> {
    Config::parse(&home.bot_config(), &config_text(folder)?)
}

/// The text of the configuration; an absent file is empty.
///
/// # Errors
/// A file that cannot be read.
pub fn config_text(folder: &Folder) -> Result<String, Error> {
    match folder.read_text("default.yaml", documents::yaml::MAX_OWN_BYTES as u64) {
        Err(e) if e.is_missing() => Ok(String::new()),
        other => other.map_err(Error::from),
    }
}

#[cfg(test)]
mod tests;

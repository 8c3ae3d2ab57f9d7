//! The paths of a home, as the admin may use them.
//!
//! Its own folders have paths. Everything below `data/` belongs to the bot, which may replace it at any moment, so it has
//! a [`DataPath`] instead: a value that no function of the standard library opens. It is opened beneath the handle of
//! `data/`, by the rules of [`beneath`].

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use beneath::{Facts, Folder, NotOpened, Opened};
use shared_types::audience::Audience;
use shared_types::home::Home as Paths;
use shared_types::id::{ProfileId, ProposalId, SecretName, SkillName};

use crate::error::Error;

/// The paths of one home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home(Paths);

/// A place below `data/`, where the bot writes. The admin's own folders open by path, and this does not:
///
/// ```
/// let home = base::home::Home::new("/nowhere".into(), None);
/// assert!(std::fs::File::open(home.config()).is_err());
/// assert!(home.profiles().folder().is_ok_and(|folder| folder.is_none()));
/// ```
/// ```compile_fail,E0277
/// let home = base::home::Home::new("/nowhere".into(), None);
/// assert!(std::fs::File::open(home.profiles()).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataPath {
    data: PathBuf,
    below: PathBuf,
}

/// Paths of the admin's own folders, as [`Paths`] has them.
macro_rules! own {
    ($($name:ident($($arg:ident: $type:ty),*))*) => {
        /// The admin's own folders: written by nobody else.
        impl Home {
            $(
                #[doc = concat!("As [`Paths::", stringify!($name), "`].")]
                pub fn $name(&self $(, $arg: $type)*) -> PathBuf {
                    self.0.$name($($arg),*)
                }
            )*
        }
    };
}

own! {
    config() bot_config() system_profile() approvers() trust() manifest() manifest_signature() halt() profile_files()
    profile_file(profile: &ProfileId) persona() persona_for(audience: Audience) stop() skills() models()
    module(name: &SkillName, version: u32) status(profile: &ProfileId) runs(profile: &ProfileId) secrets()
    secret(name: &SecretName) certificates() made_certificate(profile: &ProfileId) admin() admin_config() composition_rules() journal() build() keys()
    package(id: &ProposalId) record(name: &SkillName, version: u32) journal_head() published_heads() own_heads() reserve()
}

impl Home {
    /// As [`Paths::new`].
    pub fn new(root: PathBuf, data: Option<PathBuf>) -> Home {
        Home(Paths::new(root, data))
    }

    /// As [`Paths::choose`].
    pub fn choose(
        option: Option<&Path>,
        variable: impl Fn(&str) -> Option<OsString>,
        cwd: &Path,
    ) -> Option<Home> {
        Paths::choose(option, variable, cwd).map(Home)
    }

    /// The home folder itself.
    pub fn root(&self) -> &Path {
        self.0.root()
    }

    /// `data/`.
    pub fn data(&self) -> DataPath {
        self.below(self.0.data())
    }

    /// `data/profiles/`.
    pub fn profiles(&self) -> DataPath {
        self.data().join("profiles")
    }

    /// `data/profiles/<id>/`.
    pub fn profile(&self, profile: &ProfileId) -> DataPath {
        self.below(&self.0.profile(profile))
    }

    /// `data/profiles/<id>/workspace/`.
    pub fn workspace(&self, profile: &ProfileId) -> DataPath {
        self.profile(profile).join("workspace")
    }

    /// `data/profiles/<id>/stop`.
    pub fn profile_stop(&self, profile: &ProfileId) -> DataPath {
        self.below(&self.0.profile_stop(profile))
    }

    /// `data/profiles/<id>/logs/`.
    pub fn logs(&self, profile: &ProfileId) -> DataPath {
        self.below(&self.0.logs(profile))
    }

    /// `data/profiles/<id>/logs/chat.lock`.
    pub fn chat_lock(&self, profile: &ProfileId) -> DataPath {
        self.below(&self.0.chat_lock(profile))
    }

    /// `data/profiles/<id>/logs/due`.
    pub fn due(&self, profile: &ProfileId) -> DataPath {
        self.below(&self.0.due(profile))
    }

    /// `data/profiles/<id>/logs/strangers`.
    pub fn strangers(&self, profile: &ProfileId) -> DataPath {
        self.below(&self.0.strangers(profile))
    }

    /// `data/profiles/<id>/logs/spent`.
    pub fn spent(&self, profile: &ProfileId) -> DataPath {
        self.below(&self.0.spent(profile))
    }

    /// `data/profiles/<id>/logs/digest`.
    pub fn shown(&self, profile: &ProfileId) -> DataPath {
        self.below(&self.0.shown(profile))
    }

    /// `data/credentials/`.
    pub fn credentials(&self) -> DataPath {
        self.below(&self.0.credentials())
    }

    /// `data/net/`.
    pub fn net(&self) -> DataPath {
        self.below(&self.0.net())
    }

    /// The two logs of a profile's network.
    pub fn net_logs(&self, profile: &ProfileId) -> [DataPath; 2] {
        self.0.net_logs(profile).map(|path| self.below(&path))
    }

    /// `data/proposals/`.
    pub fn all_proposals(&self) -> DataPath {
        self.below(&self.0.all_proposals())
    }

    /// `data/proposals/<profile>/`.
    pub fn proposals(&self, profile: &ProfileId) -> DataPath {
        self.below(&self.0.proposals(profile))
    }

    fn below(&self, path: &Path) -> DataPath {
        let below = path.strip_prefix(self.0.data()).expect("a place of the bot's is below `data/`");
        DataPath { data: self.0.data().to_owned(), below: below.to_owned() }
    }
}

impl DataPath {
    /// A place beneath this one.
    #[must_use]
    pub fn join(&self, name: impl AsRef<Path>) -> DataPath {
        DataPath { data: self.data.clone(), below: self.below.join(name) }
    }

    /// Opens the folder; `None` when it is missing.
    ///
    /// # Errors
    /// Anything but a folder has that name, or a link stands on the way.
    pub fn folder(&self) -> Result<Option<Folder>, Error> {
        match self.present() {
            Err(Error::NotOpened { why: NotOpened::Gone, .. }) => Ok(None),
            other => other.map(Some),
        }
    }

    /// Opens the folder, which must be there.
    ///
    /// # Errors
    /// As [`DataPath::folder`], or it is missing.
    pub fn present(&self) -> Result<Folder, Error> {
        let opened = Folder::open(&self.data).and_then(|data| match self.below.as_os_str().is_empty() {
            true => Ok(data),
            false => data.folder(&self.below),
        });
        opened.map_err(|why| Error::NotOpened { path: self.shown(), why })
    }

    /// Makes the folder and what is missing above it, and opens it.
    ///
    /// # Errors
    /// Anything but a folder has one of these names, or a failing disk.
    pub fn make(&self, mode: u32) -> Result<Folder, Error> {
        crate::folders::make_folder(&self.data, mode)?;
        let failed = |why| Error::NotOpened { path: self.shown(), why };
        let mut folder = Folder::open(&self.data).map_err(failed)?;
        for name in &self.below {
            folder = folder.make(name, mode).map_err(failed)?;
        }
        Ok(folder)
    }

    /// Opens the file, which must belong to the owner of its folder and have one name.
    ///
    /// # Errors
    /// Anything else has that name.
    pub fn file(&self) -> Result<Opened, NotOpened> {
        let (Some(above), Some(name)) = (self.below.parent(), self.below.file_name()) else {
            return Err(NotOpened::Outside);
        };
        let data = Folder::open(&self.data)?;
        if above.as_os_str().is_empty() { data.file(name) } else { data.folder(above)?.file(name) }
    }

    /// What has this name, a link at its end included; nothing is opened.
    ///
    /// # Errors
    /// Nothing has that name, or a link stands on the way.
    pub fn facts(&self) -> Result<Facts, NotOpened> {
        let data = Folder::open(&self.data)?;
        if self.below.as_os_str().is_empty() { Ok(*data.facts()) } else { data.facts_of(&self.below) }
    }

    /// The path as text. The bot can replace what it names at any moment, so nothing is opened by it: it is for tables and
    /// checks that open beneath the handle of `data/`, for children that do the same, and for command lines that root
    /// runs. A test lists the callers.
    pub fn unguarded_path(&self) -> PathBuf {
        self.shown()
    }

    fn shown(&self) -> PathBuf {
        // A trailing slash would show for `data/` itself.
        if self.below.as_os_str().is_empty() { self.data.clone() } else { self.data.join(&self.below) }
    }
}

impl fmt::Display for DataPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shown().display().fmt(f)
    }
}

/// The most profiles whose folders are looked at.
const MOST_PROFILES: usize = 1_000;

/// The profiles that have a proposals folder, at most a thousand; other names in there are skipped.
///
/// # Errors
/// A folder that cannot be listed.
pub fn profiles(home: &Home) -> Result<Vec<ProfileId>, Error> {
    profiles_in(&home.all_proposals())
}

/// The names of profiles in a folder, sorted, at most a thousand; other names in there are skipped.
///
/// # Errors
/// A folder that cannot be listed.
pub fn profiles_in(place: &DataPath) -> Result<Vec<ProfileId>, Error> {
    let Some(folder) = place.folder()? else { return Ok(vec![]) };
    let names = folder.names().map_err(|why| Error::NotOpened { path: folder.path().to_owned(), why })?;
    let names = names.map_while(Result::ok).filter_map(|name| name.to_str()?.parse().ok());
    let mut found: Vec<ProfileId> = names.take(MOST_PROFILES).collect();
    found.sort();
    Ok(found)
}

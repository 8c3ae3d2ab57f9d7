//! The configured profiles, as anybody who may read the home finds them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use beneath::NotOpened;
use documents::folders::FurtherFolder;
use documents::profile_file::Profile;
use documents::profile_file::talk::{Spent, Talk};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use language::Language;
use nix::unistd::geteuid;
use shared_types::id::ProfileId;
use shared_types::proposal::Fault;

use crate::error::Error;
use crate::home::{DataPath, Home};

/// A configured profile.
#[derive(Debug)]
pub struct Listed {
    /// Its name.
    pub id: ProfileId,
    /// Its settings, or what is wrong with its file.
    pub settings: Result<Profile, Vec<Fault>>,
}

/// Every configured profile, by name; a file whose name is not the name of a profile is left out, as the bot leaves
/// it out.
///
/// # Errors
/// A folder that cannot be listed.
pub fn list(home: &Home) -> Result<Vec<Listed>, Error> {
    let folder = home.profile_files();
    let mut listed: Vec<Listed> = vec![];
    for entry in fs::read_dir(&folder).map_err(Error::io(&folder))? {
        let path = entry.map_err(Error::io(&folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some(id) = name.strip_suffix(".yaml").and_then(|stem| stem.parse().ok()) else { continue };
        let text = fs::read_to_string(&path).map_err(Error::io(&path))?;
        listed.push(Listed { id, settings: parse(home, &text) });
    }
    listed.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(listed)
}

/// The settings of one profile.
///
/// # Errors
/// A file that cannot be read, or every fault in it.
pub fn read(home: &Home, id: &ProfileId) -> Result<Profile, Error> {
    let file = home.profile_file(id);
    let text = fs::read_to_string(&file).map_err(Error::io(&file))?;
    parse(home, &text).map_err(|faults| Error::Config { file, faults })
}

/// The account of a profile's day cannot be read, so its bot answers nobody but a person in need.
#[derive(Debug, thiserror::Error)]
#[error("{path} is not an account of the day, so nobody is answered: move it away, and the day begins anew")]
pub struct BrokenAccount {
    path: DataPath,
}

/// What a profile's day had of talk, as its bot counts it; nothing where its file is missing.
///
/// # Errors
/// A file that cannot be read, or of another form.
pub fn spent(home: &Home, id: &ProfileId, talk: &Talk) -> Result<Spent, BrokenAccount> {
    let broken = || BrokenAccount { path: home.spent(id) };
    let file = match home.spent(id).file() {
        Err(NotOpened::Gone) => return Ok(Spent::default()),
        file => file.map_err(|_| broken())?,
    };
    let text = file.text(Spent::MOST).map_err(|_| broken())?;
    let now = Timestamp::now().to_zoned(talk.zone(TimeZone::system));
    Ok(Spent::read(&text).ok_or_else(broken)?.at(&now))
}

/// The further folders that the bot's configuration opens to profiles.
///
/// # Errors
/// Every fault of the configuration: one with faults opens none.
pub fn further_folders(home: &Home) -> Result<Vec<FurtherFolder>, Vec<Fault>> {
    let text = fs::read_to_string(home.bot_config()).unwrap_or_default();
    let mut top = documents::settings::section(settings::bot::BOT, &text);
    let folders = FurtherFolder::read_all(&mut top);
    let faults = top.finish();
    if faults.is_empty() { Ok(folders) } else { Err(faults) }
}

/// Reads the text of a profile's file.
///
/// # Errors
/// Every fault in it.
pub fn parse(home: &Home, text: &str) -> Result<Profile, Vec<Fault>> {
    let owner = owner(&home.config());
    let languages = || Language::all().map(Language::code).collect();
    Profile::parse(text, languages, |tilde| owners::further::home_of(tilde, owner))
}

/// The user who owns a file or folder of the configuration; this one where it is missing.
pub fn owner(config: &Path) -> u32 {
    fs::metadata(config).map_or_else(|_| geteuid().as_raw(), |facts| facts.uid())
}

//! The configured profiles, as anybody who may read the home finds them.

use std::fs;

use documents::folders::FurtherFolder;
use documents::profile_file::Profile;
use language::Language;
use shared_types::id::ProfileId;
use shared_types::proposal::Fault;

use crate::error::Error;
use crate::home::Home;

/// A configured profile.
#[derive(Debug)]
pub struct Listed {
    /// Its name.
    pub id: ProfileId,
    /// Its settings, or what is wrong with its file.
    pub settings: Result<Profile, Vec<Fault>>,
}

/// Every configured profile, by name; a file whose name is no profile's is left out, as the bot leaves it out.
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
        listed.push(Listed { id, settings: parse(&text) });
    }
    listed.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(listed)
}

/// The further folders that the bot's configuration opens to profiles; one with faults there opens none.
pub fn further_folders(home: &Home) -> Vec<FurtherFolder> {
    let text = fs::read_to_string(home.bot_config()).unwrap_or_default();
    let mut top = documents::settings::section(settings::bot::BOT, &text);
    let folders = FurtherFolder::read_all(&mut top);
    if top.finish().is_empty() { folders } else { vec![] }
}

/// Reads the text of a profile's file.
///
/// # Errors
/// Every fault in it.
pub fn parse(text: &str) -> Result<Profile, Vec<Fault>> {
    Profile::parse(text, || Language::all().map(Language::code).collect())
}

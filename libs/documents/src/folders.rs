//! `folders:` of `config/default.yaml`: further folders that are open to profiles.

use serde::Serialize;
use shared_types::audience::Audience;
use shared_types::id::ProfileId;
use shared_types::settings::Section;
use shared_types::text::{cut, is_unsafe};

/// One entry: a folder with the tree beneath it, and who gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FurtherFolder {
    /// The folder as the configuration spells it, without `/**`: absolute, or with `~/` or `~NAME/` in front.
    pub path: String,
    /// The profiles that get it.
    pub profiles: Vec<ProfileId>,
    /// Whether files are written there too.
    pub write: bool,
    /// Whether a minor's profile writes there too.
    pub minors_write: bool,
}

/// Why a text is not the pattern of a further folder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` {why}; allowed: FOLDER/** as in /srv/plans/**, ~/Documents/** or ~anna/Documents/**")]
pub struct FolderFault {
    given: String,
    why: &'static str,
}

impl FurtherFolder {
    /// Reads every entry of `folders`; what is wrong becomes a fault of the section.
    pub fn read_all(top: &mut Section) -> Vec<FurtherFolder> {
        let mut folders = Vec::new();
        for mut entry in top.sections("folders") {
            folders.extend(FurtherFolder::read(&mut entry));
            top.close(entry);
        }
        folders
    }

    fn read(entry: &mut Section) -> Option<FurtherFolder> {
        let path = entry.text("path").map(|text| folder_of(&text));
        let path = path.and_then(|path| path.map_err(|why| entry.fault("path", why.to_string())).ok());
        let named = entry.texts("profiles");
        if named.is_empty() {
            entry.fault("profiles", "names no profile; name each that gets the folder, as in [anna]");
        }
        let mut profiles = Vec::new();
        for name in &named {
            match name.parse() {
                Ok(id) => profiles.push(id),
                Err(e) => entry.fault("profiles", format!("{e}")),
            }
        }
        let (write, minors_write) = (entry.word("access") == "write", entry.flag("minors_write"));
        if minors_write && !write {
            entry.fault("minors_write", "needs `access: write`");
        }
        (profiles.len() == named.len()).then_some(()).and(path).map(|path| FurtherFolder {
            path,
            profiles,
            write,
            minors_write,
        })
    }

    /// Whether a profile gets the folder.
    pub fn is_for(&self, profile: &ProfileId) -> bool {
        self.profiles.contains(profile)
    }

    /// `read` or `write`: what a profile that gets the folder may do there.
    pub fn access(&self, audience: Audience) -> &'static str {
        if self.writes(audience) { "write" } else { "read" }
    }

    /// Whether a profile that gets the folder writes there.
    pub fn writes(&self, audience: Audience) -> bool {
        self.write && (self.minors_write || !audience.is_minor())
    }
}

/// The folder that a pattern names, as it is spelled.
fn folder_of(text: &str) -> Result<String, FolderFault> {
    let fault = |why| FolderFault { given: cut(text, 80), why };
    if text.len() > 400 || text.chars().any(is_unsafe) {
        return Err(fault("has more than 400 bytes, or control or invisible characters"));
    }
    let folder = text.strip_suffix("/**").ok_or_else(|| fault("does not end in /**"))?;
    if !folder.starts_with(['/', '~']) && !folder.is_empty() {
        return Err(fault("is not absolute"));
    }
    let below = folder.get(1..).unwrap_or_default();
    let mut parts = below.split('/');
    if folder.starts_with('~') && parts.next().is_some_and(|user| user.contains(['.', '*'])) {
        return Err(fault("names no user of the system"));
    }
    if below.is_empty() || folder.starts_with('~') && !folder.contains('/') {
        return Err(fault("is a whole disk or a whole home folder"));
    }
    for part in parts {
        match part {
            "" | "." | ".." => return Err(fault("has an empty part, `.` or `..` in it")),
            part if part.starts_with('.') => return Err(fault("leads through a hidden folder")),
            part if part.contains(['*', '?', '[', '$']) => {
                return Err(fault("has another pattern or a variable in it"));
            }
            _ => {}
        }
    }
    Ok(folder.to_owned())
}

#[cfg(test)]
mod tests;

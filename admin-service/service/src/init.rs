//! Makes a home: folders, shipped configuration, keys, and the first record of its journal.

use std::fs;
use std::path::Path;

use base::config;
use base::error::Error;
use base::failpoints::{Point, at};
use base::folders::{PRIVATE, READABLE, READABLE_FILE, make_folder};
use base::home::Home;
use base::keys;
use base::layout;
use base::version;
use beneath::NotOpened;
use pipeline::profiles;
use review::approvers;
use shared_types::approvers::Approver;
use shared_types::audience::Audience;
use shared_types::id::{ApproverId, ProfileId};
use shared_types::region;
use shared_types::secret::Secret;

use super::Runtime;

const BOT_CONFIG: &str = include_str!("../../../config/default.yaml");
/// Where the shipped configuration names no region of help lines.
const NO_REGION: &str = "  # region: de\n";
const PERSONA: &str = include_str!("../../../config/persona.default.md");
const PERSONAS: [(Audience, &str); 3] = [
    (Audience::Child, include_str!("../../../config/persona.child.md")),
    (Audience::Teen, include_str!("../../../config/persona.teen.md")),
    (Audience::Work, include_str!("../../../config/persona.work.md")),
];
const PROFILE: &str = include_str!("../../../config/profile.yaml");

/// The region of the help lines of a new home.
pub struct Region {
    locale: String,
    /// Its code, where the locale tells it.
    code: Option<&'static str>,
}

impl Region {
    /// The region that the locale of this process tells.
    pub fn of_locale() -> Region {
        let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LANG"].iter().find_map(set).unwrap_or_default();
        Region { code: region::of_locale(&locale), locale }
    }

    /// The region of that code; none for another word.
    pub fn named(code: &str) -> Region {
        Region { code: region::REGIONS.into_iter().find(|known| *known == code), locale: String::new() }
    }

    /// Its code, where there is one.
    pub fn code(&self) -> Option<&'static str> {
        self.code
    }

    /// What to say about it to the person who made the home.
    pub fn words(&self) -> String {
        let change = "`help_lines.region` in config/default.yaml";
        match self.code {
            Some(code) => {
                format!("help lines: those of `{code}`, by the locale {}; {change} changes it", self.locale)
            }
            None => format!("help lines: those of every country, until {change} names yours"),
        }
    }

    fn config(&self) -> String {
        match self.code {
            Some(code) => BOT_CONFIG.replace(NO_REGION, &format!("  region: {code}\n")),
            None => BOT_CONFIG.to_owned(),
        }
    }
}

/// Makes what is missing of a home; answers whether there was none. A passphrase is for the approver's key, should that be
/// made now; the help lines are those of the region.
///
/// # Errors
/// A folder or file that cannot be made, or a home that strangers may write to.
pub fn make(home: &Home, passphrase: Option<&Secret>, region: &Region) -> Result<bool, Error> {
    layout::trust::check(home)?;
    version::check(home)?;
    let fresh = !home.trust().exists();
    make_places(home, region)?;
    make_keys(home, passphrase)?;
    // With the lock held: the journal's first record and the signed manifest.
    match Runtime::open(home, true) {
        Ok(_) | Err(Error::Busy { .. }) => Ok(fresh),
        Err(error) => Err(error),
    }
}

/// Makes what is missing of the folders and of the shipped files, and nothing else: no key, and no record.
///
/// # Errors
/// A folder or file that cannot be made.
pub fn make_places(home: &Home, region: &Region) -> Result<(), Error> {
    let profile: ProfileId = "default".parse().map_err(Error::failed)?;
    make_folder(home.root(), READABLE)?;
    for folder in [home.config(), home.profile_files(), home.config().join("heads"), home.skills()] {
        make_folder(&folder, READABLE)?;
    }
    version::write_missing(home)?;
    for folder in [home.admin(), home.keys(), home.build()] {
        make_folder(&folder, PRIVATE)?;
    }
    // Where the bot has a user of its own, only that user enters them.
    for folder in [home.credentials(), home.net()] {
        if matches!(folder.facts(), Err(NotOpened::Gone)) {
            folder.make(PRIVATE)?;
        }
    }
    profiles::make_folders(home, &profile)?;
    at(Point::InitFolders);
    write_missing(&home.bot_config(), &region.config(), READABLE_FILE)?;
    write_missing(&home.persona(), PERSONA, READABLE_FILE)?;
    for (audience, persona) in PERSONAS {
        write_missing(&home.persona_for(audience), persona, READABLE_FILE)?;
    }
    write_missing(&home.profile_file(&profile), PROFILE, READABLE_FILE)?;
    write_missing(&home.admin_config(), config::SHIPPED, 0o600)?;
    write_missing(&home.composition_rules(), compose::rules::SHIPPED, 0o600)?;
    Ok(())
}

fn make_keys(home: &Home, passphrase: Option<&Secret>) -> Result<(), Error> {
    // A public half is missing too where making the home broke off after the key.
    let key = keys::manifest_key(home);
    keys::make(&key, None)?;
    at(Point::InitManifestKey);
    let path = home.trust();
    if !path.exists() {
        let public = keys::open(&key)?.public_key()?;
        durable::replace(&path, format!("{public}\n").as_bytes(), READABLE_FILE).map_err(Error::io(&path))?;
    }
    at(Point::InitTrust);
    // The list of approvers exists already; a key that is on no list would only be left over.
    if home.approvers().exists() {
        return Ok(());
    }
    let id = owner();
    let path = keys::approver_key(home, &id);
    keys::make(&path, passphrase)?;
    at(Point::InitApproverKey);
    let signer = match passphrase {
        Some(passphrase) => keys::unlock(&path, passphrase)?,
        // A key that was made before, with a passphrase: the list follows from the journal, or `approver seal` makes it.
        None if keys::has_passphrase(&path)? => return Ok(()),
        None => keys::open(&path)?,
    };
    let root = approvers::found(vec![Approver { id, public_key: signer.public_key()? }], &signer)?;
    approvers::write_first(home, root, passphrase.is_some())?;
    at(Point::InitApprovers);
    Ok(())
}

/// The approver of a new home.
pub fn owner() -> ApproverId {
    "owner".parse().expect("a valid name")
}

fn write_missing(path: &Path, text: &str, mode: u32) -> Result<(), Error> {
    if fs::symlink_metadata(path).is_ok() {
        return Ok(());
    }
    durable::create_new(path, text.as_bytes(), mode).map_err(Error::io(path))
}

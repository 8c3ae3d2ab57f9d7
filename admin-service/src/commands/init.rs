//! `cl-admin init`

use std::fs;
use std::io::IsTerminal;
use std::path::Path;

use shared_types::decision::{Approver, Approvers};
use shared_types::home::Home;
use shared_types::id::{ApproverId, ProfileId};
use shared_types::yaml;

use crate::commands::out::outln;
use crate::error::Error;
use crate::install::{PRIVATE, READABLE, READABLE_FILE, make_folder};
use crate::service::Shared;
use crate::{compose, config, keys};

/// Make a home: folders, shipped configuration, keys, and a signed manifest of the built-in skills.
///
/// What is there already is left as it is, so it can be run again.
#[derive(Debug, clap::Args)]
pub struct Args {}

const BOT_CONFIG: &str = include_str!("../../../config/default.yaml");
const PERSONA: &str = include_str!("../../../config/persona.default.md");
const PROFILE: &str =
    "# The profile `default`. Keys that are left out have the defaults of default.yaml.\n{}\n";

/// Makes the home.
///
/// # Errors
/// A folder or file that cannot be made.
pub fn run(home: &Home, _args: &Args) -> Result<u8, Error> {
    let fresh = make(home)?;
    if fresh {
        outln!("made a home at {}", home.root().display());
    } else {
        outln!("the home at {} is complete", home.root().display());
    }
    if std::io::stdout().is_terminal() {
        outln!("next: `cl-admin up` starts service and chat; `cl-admin doctor` looks at the machine");
    }
    Ok(shared_types::exit::DONE)
}

/// Makes what is missing of a home; answers whether there was none.
///
/// # Errors
/// A folder or file that cannot be made, or a home that strangers may write to.
pub fn make(home: &Home) -> Result<bool, Error> {
    super::home::check(home)?;
    let fresh = !home.trust().exists();
    let profile: ProfileId = "default".parse().map_err(|e| Error::Failed(format!("{e}")))?;
    make_folder(home.root(), READABLE)?;
    for folder in [
        home.config(),
        home.config().join("profiles"),
        home.config().join("heads"),
        home.skills(),
        home.status(&profile),
        home.runs(&profile),
    ] {
        make_folder(&folder, READABLE)?;
    }
    for folder in [home.admin(), home.keys(), home.build()] {
        make_folder(&folder, PRIVATE)?;
    }
    for folder in [home.profile(&profile), home.credentials(), home.net(), home.proposals(&profile)] {
        make_folder(&folder, PRIVATE)?;
    }
    for below in ["memory", "logs", "workspace"] {
        make_folder(&home.profile(&profile).join(below), PRIVATE)?;
    }
    write_missing(&home.bot_config(), BOT_CONFIG, READABLE_FILE)?;
    write_missing(&home.persona(), PERSONA, READABLE_FILE)?;
    write_missing(&home.config().join("profiles/default.yaml"), PROFILE, READABLE_FILE)?;
    write_missing(&home.admin_config(), config::SHIPPED, 0o600)?;
    write_missing(&home.composition_rules(), compose::rules::SHIPPED, 0o600)?;
    make_keys(home)?;
    // With the lock held: the journal's first record and the signed manifest.
    match Shared::open(home, true) {
        Ok(_) | Err(Error::Busy { .. }) => Ok(fresh),
        Err(error) => Err(error),
    }
}

fn make_keys(home: &Home) -> Result<(), Error> {
    if let Some(public) = keys::make(&keys::manifest_key(home))? {
        let path = home.trust();
        durable::replace(&path, format!("{public}\n").as_bytes(), READABLE_FILE).map_err(Error::io(&path))?;
    }
    let owner: ApproverId = "owner".parse().map_err(|e| Error::Failed(format!("{e}")))?;
    if let Some(public_key) = keys::make(&keys::approver_key(home, &owner))? {
        let listed = Approvers { approvers: vec![Approver { id: owner, public_key }] };
        let text = yaml::to_string(&listed).map_err(|e| Error::Failed(e.to_string()))?;
        let path = home.approvers();
        durable::replace(&path, text.as_bytes(), READABLE_FILE).map_err(Error::io(&path))?;
    }
    Ok(())
}

fn write_missing(path: &Path, text: &str, mode: u32) -> Result<(), Error> {
    if fs::symlink_metadata(path).is_ok() {
        return Ok(());
    }
    durable::create_new(path, text.as_bytes(), mode).map_err(Error::io(path))
}

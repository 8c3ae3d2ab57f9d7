//! `cl-admin init`

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use beneath::NotOpened;
use shared_types::approvers::Approver;
use shared_types::audience::Audience;
use shared_types::id::{ApproverId, ProfileId};
use shared_types::secret::Secret;

use crate::commands::out::outln;
use crate::error::Error;
use crate::failpoints::{Point, at};
use crate::folders::{PRIVATE, READABLE, READABLE_FILE, make_folder};
use crate::home::Home;
use crate::layout::{self, Bot, Users};
use crate::review::approvers;
use crate::service::Runtime;
use crate::{ask, compose, config, keys, profiles};

/// Make a home: folders, shipped configuration, keys, and a signed manifest of the built-in skills.
///
/// What is there already is left as it is, so it can be run again.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file (mode 0600) that holds a passphrase for the approver's key; `approver passphrase` sets one later
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// The user of the bot, by name or number: sets owners, groups and modes of every folder, so that the service runs as
    /// root or as its own user and the bot as this one
    #[arg(long, value_name = "NAME")]
    bot_user: Option<String>,
    /// The group by which the two read each other's files [default: the first group of the bot's user]
    #[arg(long, value_name = "NAME", requires = "bot_user")]
    bot_group: Option<String>,
}

const BOT_CONFIG: &str = include_str!("../../../config/default.yaml");
const PERSONA: &str = include_str!("../../../config/persona.default.md");
const PERSONAS: [(Audience, &str); 3] = [
    (Audience::Child, include_str!("../../../config/persona.child.md")),
    (Audience::Teen, include_str!("../../../config/persona.teen.md")),
    (Audience::Work, include_str!("../../../config/persona.work.md")),
];
const PROFILE: &str = include_str!("../../../config/profile.yaml");

/// Makes the home.
///
/// # Errors
/// A folder or file that cannot be made.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    // An unknown user is reported before anything is made.
    let named =
        args.bot_user.as_deref().map(|name| Bot::find(name, args.bot_group.as_deref())).transpose()?;
    let passphrase = args.passphrase_file.as_deref().map(ask::from_file).transpose()?;
    if let Some(passphrase) = &passphrase {
        ask::check_passphrase(passphrase).map_err(|why| Error::Usage(format!("--passphrase-file: {why}")))?;
        if keys::approver_key(home, &owner()).exists() && home.approvers().exists() {
            return Err(Error::Usage(
                "this home has its approver's key already: `cl-admin approver passphrase` gives it a passphrase"
                    .into(),
            ));
        }
    }
    let fresh = make(home, passphrase.as_ref())?;
    if fresh {
        outln!("made a home at {}", home.root().display());
    } else {
        outln!("the home at {} is complete", home.root().display());
    }
    let settled = match named {
        Some(bot) => two_users(home, &bot)?,
        None => match Bot::recorded(home)? {
            Some(bot) => two_users(home, &bot)?,
            None => true,
        },
    };
    if !settled {
        return Ok(shared_types::exit::FAILED);
    }
    if std::io::stdout().is_terminal() {
        outln!("next: `cl-admin up` starts service and chat; `cl-admin doctor` looks at the machine");
    }
    Ok(shared_types::exit::DONE)
}

/// Makes what is missing of a home; answers whether there was none. A passphrase is for the approver's key, should that be
/// made now.
///
/// # Errors
/// A folder or file that cannot be made, or a home that strangers may write to.
pub fn make(home: &Home, passphrase: Option<&Secret>) -> Result<bool, Error> {
    layout::trust::check(home)?;
    let fresh = !home.trust().exists();
    let profile: ProfileId = "default".parse().map_err(|e| Error::Failed(format!("{e}")))?;
    make_folder(home.root(), READABLE)?;
    for folder in [home.config(), home.profile_files(), home.config().join("heads"), home.skills()] {
        make_folder(&folder, READABLE)?;
    }
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
    write_missing(&home.bot_config(), BOT_CONFIG, READABLE_FILE)?;
    write_missing(&home.persona(), PERSONA, READABLE_FILE)?;
    for (audience, persona) in PERSONAS {
        write_missing(&home.persona_for(audience), persona, READABLE_FILE)?;
    }
    write_missing(&home.profile_file(&profile), PROFILE, READABLE_FILE)?;
    write_missing(&home.admin_config(), config::SHIPPED, 0o600)?;
    write_missing(&home.composition_rules(), compose::rules::SHIPPED, 0o600)?;
    make_keys(home, passphrase)?;
    // With the lock held: the journal's first record and the signed manifest.
    match Runtime::open(home, true) {
        Ok(_) | Err(Error::Busy { .. }) => Ok(fresh),
        Err(error) => Err(error),
    }
}

/// Gives the home two users: writes down who the bot's is, and sets owners, groups and modes. Answers whether all of it
/// could be done by this user; what is left for root is reported.
fn two_users(home: &Home, bot: &Bot) -> Result<bool, Error> {
    let admin = Users::of(home)?.admin;
    if bot.uid == admin {
        return Err(Error::Refused(format!(
            "`{}` is the user of the service already; name another, which `useradd --system NAME` makes",
            bot.name
        )));
    }
    layout::record(home, bot)?;
    let users = Users { admin, bot: Some(bot.clone()) };
    match layout::apply(home, &users) {
        0 => outln!("the bot's user is `{}`; owners and modes are as they should be", bot.name),
        changed => outln!(
            "the bot's user is `{}`; owners and modes of {changed} files and folders are set",
            bot.name
        ),
    }
    if let Some(closed) = layout::closed_to_the_bot(home, bot) {
        let closed = owners::quote::shown(&closed);
        eprintln!("note: {closed} is closed to `{}`: {}", bot.name, layout::ABOUT_THE_WAY);
    }
    let (_, left) = layout::verify(home, &users);
    let Some(first) = left.first() else { return Ok(true) };
    eprintln!("error: {} ({} in all)", first.words, left.len());
    if nix::unistd::geteuid().is_root() {
        eprintln!("hint: {}; `cl-admin doctor` names all", first.remedy);
        return Ok(false);
    }
    eprintln!(
        "hint: this user may not do it. Run once as root, while neither program runs, and then this again:"
    );
    for command in layout::for_root(home, &users) {
        eprintln!("    {command}");
    }
    Ok(false)
}

fn make_keys(home: &Home, passphrase: Option<&Secret>) -> Result<(), Error> {
    // A public half is missing too where making the home broke off after the key.
    let key = keys::manifest_key(home);
    keys::make(&key, None)?;
    at(Point::InitManifestKey);
    let path = home.trust();
    if !path.exists() {
        let public = keys::open(&key)?.public()?;
        durable::replace(&path, format!("{public}\n").as_bytes(), READABLE_FILE).map_err(Error::io(&path))?;
    }
    at(Point::InitTrust);
    let id = owner();
    let path = keys::approver_key(home, &id);
    keys::make(&path, passphrase)?;
    at(Point::InitApproverKey);
    if home.approvers().exists() {
        return Ok(());
    }
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
pub(crate) fn owner() -> ApproverId {
    "owner".parse().expect("a valid name")
}

fn write_missing(path: &Path, text: &str, mode: u32) -> Result<(), Error> {
    if fs::symlink_metadata(path).is_ok() {
        return Ok(());
    }
    durable::create_new(path, text.as_bytes(), mode).map_err(Error::io(path))
}

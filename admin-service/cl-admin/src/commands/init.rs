//! `cl-admin init`

use std::io::IsTerminal;
use std::path::PathBuf;

use base::error::Error;
use base::home::Home;
use base::keys;
use base::layout::{self, Bot, Users};
use review::ask;
use service::init::{Region, make, owner};

use crate::commands::out::outln;

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

/// Why no home is made, or no user of the bot's own.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("this home has its approver's key already: `cl-admin approver passphrase` gives it a passphrase")]
    HasKey,
    #[error("`{0}` is the user of the service already; name another, which `useradd --system NAME` makes")]
    UserOfService(String),
}

/// Makes the home.
///
/// # Errors
/// A folder or file that cannot be made.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    // An unknown user is reported before anything is made.
    let named =
        args.bot_user.as_deref().map(|name| Bot::find(name, args.bot_group.as_deref())).transpose()?;
    let passphrase = args.passphrase_file.as_deref().map(keys::from_file).transpose()?;
    if let Some(passphrase) = &passphrase {
        ask::check_passphrase(passphrase).map_err(Error::option("--passphrase-file"))?;
        if keys::approver_key(home, &owner()).exists() && home.approvers().exists() {
            return Err(Error::usage(Fault::HasKey));
        }
    }
    let region = Region::of_locale();
    let fresh = make(home, passphrase.as_ref(), &region)?;
    if fresh {
        outln!("made a home at {}", home.root().display());
        outln!("{}", region.words());
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

/// Gives the home two users: writes down who the bot's is, and sets owners, groups and modes. Answers whether all of it
/// could be done by this user; what is left for root is reported.
fn two_users(home: &Home, bot: &Bot) -> Result<bool, Error> {
    let admin = Users::of(home)?.admin;
    if bot.uid == admin {
        return Err(Error::refused(Fault::UserOfService(bot.name.clone())));
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

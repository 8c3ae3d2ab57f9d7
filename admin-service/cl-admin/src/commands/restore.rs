//! `cl-admin restore`

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use backup::data::{Errand, Hands};
use backup::index::{Header, Index};
use backup::restore::{ApproverKey, Restore, profile};
use backup::seal::Key;
use backup::verify::Opened;
use base::error::Error;
use base::home::Home;
use base::keys;
use base::layout::HomeOwner;
use owners::writers;
use review::ahead;
use review::ask::Source;
use shared_types::id::{ApproverId, ProfileId};
use shared_types::text::line;

use crate::commands::out::outln;

/// Make a home from a backup, where no home exists; or bring one profile back into a home
///
/// A restore brings nothing back that was taken away since, as far as this place knows of it. The home named by --home must be
/// empty, but for `data/`, which stays.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The backup
    file: PathBuf,
    /// Bring back this profile's data alone, and its configuration where the home has none
    #[arg(long, value_name = "ID", conflicts_with_all = ["approver_key", "approver_passphrase_file"])]
    profile: Option<ProfileId>,
    /// The file (mode 0600) that holds the passphrase of the backup; without it the terminal asks
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// The file (mode 0600) that holds the identity (`AGE-SECRET-KEY-1...`), for a backup that was encrypted for a public key
    #[arg(long, value_name = "FILE", conflicts_with = "passphrase_file")]
    identity: Option<PathBuf>,
    /// The file of an approver's key, who signs a new key for the service: for a backup without keys
    #[arg(long, value_name = "FILE")]
    approver_key: Option<PathBuf>,
    /// The file (mode 0600) that holds the passphrase of that key; without it the terminal asks
    #[arg(long, value_name = "FILE", requires = "approver_key")]
    approver_passphrase_file: Option<PathBuf>,
    /// The approver who signs that new key with a passkey
    #[arg(long, value_name = "NAME", conflicts_with_all = ["approver_key", "profile"])]
    approver: Option<ApproverId>,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

/// Restores.
///
/// # Errors
/// A backup that does not hold, a place that is not empty, no key where one is needed, or a failing disk.
pub fn run(home: &Home, existing: &dyn Fn() -> Result<Home, Error>, args: &Args) -> Result<u8, Error> {
    let owner = match &args.profile {
        Some(_) => HomeOwner::of(home)?,
        None => HomeOwner::of_place(home)?,
    };
    if args.profile.is_some() && owner.is_none() {
        existing()?;
    }
    // What the caller names is read before root becomes another user.
    let opened = Opened::open(&args.file)?;
    let source = Source::passphrase(args.passphrase_file.clone());
    let key = super::backup::key(&opened, &source, args.identity.as_deref())?;
    let approver = approver(args, owner.is_some())?;
    let hands = Hands::of(home, owner.as_ref(), Errand::Restore)?;
    if let Some(id) = &args.profile {
        let home = existing()?;
        let prepared = profile::prepare(&home, &hands, &opened, key.as_ref(), id)?;
        origin(prepared.header(), key.as_ref());
        outln!("profile    {id}: {} files", prepared.files());
        if !args.yes && !agreed("Bring it back? [y/N] ")? {
            outln!("nothing was changed");
            return Ok(shared_types::exit::FAILED);
        }
        let done = profile::run(&home, &hands, &opened, key.as_ref(), id, prepared)?;
        outln!("the profile `{id}` is back: {} files", done.files);
        if done.configured {
            outln!("its configuration came from the backup; a PIN is in no backup without keys");
        }
        if done.had_head {
            eprintln!(
                "note: its receipts may end before the head that this home has signed. The service then raises an alarm; \
                 `cl-admin audit acknowledge {id} --reason \"restored from a backup\"` takes note of it"
            );
        }
        return Ok(shared_types::exit::DONE);
    }
    let restore = Restore::prepare(home, &hands, &opened, key.as_ref())?;
    show(restore.index(), key.as_ref());
    if !args.yes && !agreed("Restore? [y/N] ")? {
        outln!("nothing was changed");
        return Ok(shared_types::exit::FAILED);
    }
    let with_keys = restore.index().header.with_keys;
    let done = restore.run(approver.as_ref())?;
    outln!("restored a home at {}; its manifest has serial {}", home.root().display(), done.serial);
    for id in &done.kept {
        outln!("kept the data of `{id}`, which was there");
    }
    for name in &done.dropped {
        outln!(
            "not active: {name}. A manifest later than the backup was seen, which may have left it out: ask for it again"
        );
    }
    if !with_keys {
        outln!(
            "set again what no backup without keys holds: PINs, secrets, logins, one-time codes, other approvers' keys"
        );
    }
    Ok(shared_types::exit::DONE)
}

fn origin(header: &Header, key: Option<&Key>) {
    // A passphrase alone tells who wrote the file.
    let kind = match key {
        Some(Key::Passphrase(_)) => "encrypted",
        Some(Key::Identities(_)) => "for a public key: anyone who could write the file could have changed it",
        None => "plain: anyone who could write the file could have changed it",
    };
    outln!("made at    {} by version {} ({kind})", line(&header.made_at), line(&header.program));
    outln!("signed by  {}", line(&header.trust));
}

fn show(index: &Index, key: Option<&Key>) {
    let header = &index.header;
    let list = |words: &[String]| if words.is_empty() { "none".to_owned() } else { line(&words.join(", ")) };
    let profiles: Vec<String> = index.profiles().iter().map(ToString::to_string).collect();
    origin(header, key);
    outln!("profiles   {}", list(&profiles));
    outln!("skills     {}", list(&header.active));
    outln!("approvers  {}", list(&header.approvers));
    outln!("keys       {}", if header.with_keys { "in the backup" } else { "not in the backup" });
    outln!("What was removed or revoked after that time is not known here: remove it again.");
}

/// Why nothing is restored.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("root reads no key that another user could exchange: {0}; copy it to /root")]
    Exchangeable(writers::Untrusted),
    #[error("nobody can be asked here: give --yes")]
    NobodyHere,
}

fn approver(args: &Args, as_root: bool) -> Result<Option<ApproverKey>, Error> {
    let Some(path) = &args.approver_key else {
        return Ok(args.approver.clone().map(ApproverKey::Elsewhere));
    };
    if as_root {
        // Its copy in the home belongs to the owner: what another user puts in its place is not to be read by root.
        let whole = std::path::absolute(path).map_err(Error::io(path))?;
        writers::check_way(&whole, &[0]).map_err(|why| Error::refused(Fault::Exchangeable(why)))?;
    }
    let signer = if keys::has_passphrase(path)? {
        let source =
            Source { file: args.approver_passphrase_file.clone(), option: "--approver-passphrase-file FILE" };
        source.unlock("passphrase of the approver's key", path)?.1
    } else {
        keys::open(path)?
    };
    ApproverKey::new(signer, path).map(Some)
}

/// Asks; anything but a typed yes is a no.
pub(super) fn agreed(question: &str) -> Result<bool, Error> {
    if !std::io::stdin().is_terminal() {
        return Err(Error::usage(Fault::NobodyHere));
    }
    ahead::forget_typed_ahead();
    let mut output = std::io::stdout();
    write!(output, "{question}")
        .and_then(|()| output.flush())
        .map_err(Error::io(Path::new("the terminal")))?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(Error::io(Path::new("the terminal")))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

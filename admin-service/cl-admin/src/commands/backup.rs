//! `cl-admin backup`

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use backup::Fault;
use backup::data::{Errand, Hands};
use backup::index::Skipped;
use backup::make::{Plan, make};
use backup::place::{Place, Target};
use backup::seal::{Key, Recipient, Seal};
use backup::verify::Opened;
use base::backups::Outcomes;
use base::error::Error;
use base::home::Home;
use base::keys;
use base::layout::HomeOwner;
use review::ask::{self, Source};

use crate::commands::out::outln;

/// Why a place or a key is not used.
#[derive(Debug, thiserror::Error)]
enum Unusable {
    #[error(
        "{place} is not a folder, and --keep removes older backups of one: make it with `mkdir {place}`",
        place = .0.display()
    )]
    NoFolder(PathBuf),
    #[error(
        "a passphrase or an identity was given, and the file is not encrypted: it is damaged, or not the backup that was made with it"
    )]
    NotEncrypted,
    #[error("{}: {why}", .path.display())]
    Identity { path: PathBuf, why: Fault },
}

/// Back up the home while everything runs, encrypted with a passphrase or for a public key
///
/// The backup holds every profile's memory, workspace and receipts, the journal, the skills and the configuration. Without
/// --with-keys it holds no key, secret, login, PIN or secret of one-time codes. The `age` program opens it too.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file to write, or a folder in which it gets a name with the time
    #[arg(value_name = "FILE|FOLDER")]
    place: PathBuf,
    /// Read this backup whole instead, check every digest, and change nothing
    #[arg(long, conflicts_with_all = ["with_keys", "plain", "keep", "recipients"])]
    verify: bool,
    /// Take keys, secrets, logins, PINs and secrets of one-time codes along
    #[arg(long, conflicts_with = "plain")]
    with_keys: bool,
    /// Do not encrypt: anyone who reads the file reads every diary in it
    #[arg(long, conflicts_with_all = ["passphrase_file", "recipients"])]
    plain: bool,
    /// The file (mode 0600) that holds the passphrase; without it the terminal asks
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// Encrypt for this public key (`age1...`) instead; what makes the backup cannot open it then. May be given again
    #[arg(long = "recipient", value_name = "KEY", conflicts_with = "passphrase_file")]
    recipients: Vec<Recipient>,
    /// With --verify: the file (mode 0600) that holds the identity (`AGE-SECRET-KEY-1...`) of such a key
    #[arg(long, value_name = "FILE", requires = "verify", conflicts_with = "passphrase_file")]
    identity: Option<PathBuf>,
    /// Keep only this many backups in the folder, the newest ones
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    keep: Option<u16>,
}

/// Backs up, or verifies.
///
/// # Errors
/// A home or a backup that does not hold, or a failing disk; an older backup then stands as it was.
pub fn run(
    named: &dyn Fn() -> Result<Home, Error>,
    existing: &dyn Fn() -> Result<Home, Error>,
    args: &Args,
) -> Result<u8, Error> {
    let source = Source::passphrase(args.passphrase_file.clone());
    if args.verify {
        verify(&args.place, &source, args.identity.as_deref())?;
        return Ok(shared_types::exit::DONE);
    }
    let named = named()?;
    let owner = HomeOwner::of(&named)?;
    if owner.is_none() {
        existing()?;
    }
    let begun = begin(&named, args, &source, owner.is_some());
    let (mut target, plan) = begun.inspect_err(|error| note_as(owner.as_ref(), &named, error))?;
    let hands = Hands::of(&named, owner.as_ref(), Errand::Backup { logins: args.with_keys })?;
    let home = existing()?;
    let made = make(&home, &hands, &mut target, &plan)?;
    report(&made.index.skipped);
    let kind = if plan.seal.is_encrypted() { "encrypted" } else { "plain" };
    let keys = if plan.with_keys { "with keys" } else { "without keys" };
    outln!(
        "{}: {} files, {} bytes, {kind}, {keys}",
        target.path().display(),
        made.index.files.len(),
        made.bytes
    );
    if !hands.read_all(&home)? {
        eprintln!(
            "error: this user may not read all files below data/: the memory of the profiles is not in this backup, and no older \
             backup was removed; run it as root, who becomes both users"
        );
        return Ok(shared_types::exit::FAILED);
    }
    if let Some(why) = made.lacks() {
        eprintln!("error: {why}; so no older backup was removed: run it again, or look at that file");
        return Ok(shared_types::exit::FAILED);
    }
    let kept = target.keep()?;
    for name in &kept.removed {
        outln!("removed {}", target.path().with_file_name(name).display());
    }
    if kept.nameless > 0 {
        eprintln!(
            "note: {} file(s) in the folder have names of an earlier release, which name no home; --keep neither counts nor \
             removes them: remove by hand what you no longer need",
            kept.nameless
        );
    }
    Ok(shared_types::exit::DONE)
}

/// Begins the file, as the user who started this.
fn begin(home: &Home, args: &Args, source: &Source, as_root: bool) -> Result<(Target, Plan), Error> {
    if args.keep.is_some() && !args.place.is_dir() {
        return Err(Error::usage(Unusable::NoFolder(args.place.clone())));
    }
    let place = Place::choose(home, &args.place, !args.plain)?;
    let seal = match (args.plain, args.recipients.is_empty()) {
        (true, _) => Seal::Plain,
        (false, false) => Seal::Recipients(args.recipients.clone()),
        (false, true) => Seal::Passphrase(source.new_one("passphrase of the backup", ask::check_passphrase)?),
    };
    place.sweep();
    Ok((Target::begin(place, args.keep, as_root)?, Plan { seal, with_keys: args.with_keys }))
}

/// Notes for the status what kept root from beginning, such as a disk that is away from a job of cron's. A person at a terminal
/// sees it there. Root writes nothing into the home: it becomes its owner, and this process ends then.
fn note_as(owner: Option<&HomeOwner>, home: &Home, error: &Error) {
    if let Some(owner) = owner.filter(|_| !io::stderr().is_terminal())
        && owner.become_for_good().is_ok()
    {
        // Where even this cannot be written, the error itself says more.
        let _ = Outcomes::note_failure(home, &error.to_string(), None);
    }
}

fn verify(path: &Path, source: &Source, identity: Option<&Path>) -> Result<(), Error> {
    let opened = Opened::open(path)?;
    let key = key(&opened, source, identity)?;
    let whole = opened.verify(key.as_ref())?;
    let header = &whole.index.header;
    let keys = if header.with_keys { "with keys" } else { "without keys" };
    report(&whole.index.skipped);
    outln!(
        "holds   {}: {} files, {} bytes, made at {} by version {}, {keys}",
        path.display(),
        whole.index.files.len(),
        whole.index.bytes(),
        shared_types::text::line(&header.made_at),
        shared_types::text::line(&header.program)
    );
    Ok(())
}

/// What opens a backup: the identity or the passphrase that the caller names, or the passphrase that the terminal asks for.
pub(super) fn key(opened: &Opened, source: &Source, identity: Option<&Path>) -> Result<Option<Key>, Error> {
    let is_named = source.file.is_some() || identity.is_some();
    match (opened.is_sealed(), identity) {
        // Somebody may have put a plain one in the place of the one that was encrypted.
        (false, _) if is_named => Err(Error::refused(Unusable::NotEncrypted)),
        (false, _) => Ok(None),
        (true, Some(path)) => {
            let read = Key::identities(&keys::from_file(path)?);
            read.map(Some).map_err(|why| Error::usage(Unusable::Identity { path: path.to_owned(), why }))
        }
        (true, None) if !is_named && !opened.takes_passphrase()? => Err(Fault::WantsIdentity.into()),
        (true, None) => source.known("passphrase of the backup").map(Key::Passphrase).map(Some),
    }
}

/// Names what is not in a backup; it may be the bot's choice of a name.
fn report(skipped: &[Skipped]) {
    for Skipped { name, why } in skipped.iter().take(20) {
        eprintln!("not in the backup: {}: {}", shared_types::text::line(name), shared_types::text::line(why));
    }
    if skipped.len() > 20 {
        eprintln!("and {} more", skipped.len() - 20);
    }
}

//! `cl-admin approver totp`

mod sheet;

use std::fs;
use std::io::IsTerminal;
use std::path::PathBuf;

use api::Request;
use api::people::Asked;
use base::error::Error;
use base::home::Home;
use base::keys;
use base::totp::Seed;
use codes::{text_to_remove, text_to_set};
use ledger::Ledger;
use review::ask::{self, Source};
use service::session::submit_on;
use shared_types::id::ApproverId;

use self::sheet::Shown;
use super::by::By;
use super::names::{known, named};
use crate::commands::out::outln;

/// Why one-time codes stay as they are.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("`{0}` has one-time codes already: `cl-admin approver totp remove` comes first")]
    HasCodes(ApproverId),
    #[error("nothing was typed; no code is needed")]
    NothingTyped,
    #[error("there is no secret to confirm: `cl-admin approver totp set {0}` makes one")]
    NoSecret(ApproverId),
    #[error("`{0}` has no one-time codes")]
    NoCodes(ApproverId),
}

/// One-time codes of an authenticator program.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Make a secret, show it once, and need its codes from then on
    ///
    /// A terminal with room for it shows a QR code, until the code is typed; nothing of it is left to scroll back to. Keep a copy of the secret where you keep such things: without device and copy only another approver can help. On a
    /// terminal the code is asked for at once; elsewhere a second call with --confirm ends it.
    Set(Set),
    /// Need no codes any more; takes the approver's key and a code, or another approver
    Remove(Remove),
}

/// What `set` takes.
#[derive(Debug, clap::Args)]
pub struct Set {
    /// Whose yes will need a code
    #[arg(default_value = "owner")]
    name: String,
    /// The code that the program shows for the secret of the call before
    #[arg(long, value_name = "CODE")]
    confirm: Option<String>,
    /// The file (mode 0600) that holds the passphrase of the approver's key; without it the terminal asks
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

/// What `remove` takes.
#[derive(Debug, clap::Args)]
pub struct Remove {
    /// Whose yes needs no code any more; --approver names another approver who signs for them
    #[arg(default_value = "owner")]
    name: String,
    #[command(flatten)]
    by: By,
}

/// Sets or removes codes.
///
/// # Errors
/// An unknown approver, a wrong code, a key that does not open.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::Set(args) => set(home, args),
        Verb::Remove(args) => remove(home, args),
    }
}

fn set(home: &Home, args: &Set) -> Result<u8, Error> {
    let approver = named(&args.name)?;
    let mut ledger = Ledger::read(home)?;
    known(&ledger.people().approvers()?, &approver)?;
    if ledger.people().codes(&approver).is_some() {
        return Err(Error::refused(Fault::HasCodes(approver)));
    }
    let pending = pending(home, &approver);
    let code = match &args.confirm {
        Some(code) => code.clone(),
        None => {
            let asks = std::io::stdin().is_terminal();
            let _shown = show(&pending, &approver, asks)?;
            if !asks {
                outln!(
                    "it is not needed yet: `cl-admin approver totp set {approver} --confirm CODE` ends this"
                );
                return Ok(shared_types::exit::DONE);
            }
            confine::terminal::ask_unseen("the code that your program shows now: ")
                .map_err(|_| Error::failed(Fault::NothingTyped))?
        }
    };
    if !pending.exists() {
        return Err(Error::usage(Fault::NoSecret(approver)));
    }
    let secret = keys::from_file(&pending)?;
    let signer = ask::approver_key(home, &approver, &Source::passphrase(args.passphrase_file.clone()))?;
    let signature = signer.sign(text_to_set(&approver, secret.expose()).as_bytes())?;
    let asked = Asked::SetCodes { approver, secret: secret.expose().to_owned(), code, signature };
    outln!("{}", submit_on(home, &mut ledger, Request::People(asked))?);
    let _ = fs::remove_file(&pending);
    Ok(shared_types::exit::DONE)
}

/// Makes a secret and shows it; one that was never confirmed is replaced. Where somebody is about to type a code, and the
/// terminal can show it, it is a sheet that goes with the returned value.
fn show(pending: &std::path::Path, approver: &ApproverId, asks: bool) -> Result<Option<Shown>, Error> {
    let seed = Seed::generate()?;
    durable::replace(pending, seed.base32().expose().as_bytes(), 0o600).map_err(Error::io(pending))?;
    let (address, secret) = (seed.uri(approver.as_str()), seed.base32());
    let once = "it is shown this once; put it into your program, and keep a copy in a safe place";
    let lines = [once, "", "secret:", secret.expose(), "", address.expose()].map(str::to_owned);
    if asks && let Some(shown) = Shown::begin(&address, &lines) {
        return Ok(Some(shown));
    }
    outln!("{}", address.expose());
    outln!("secret: {}", secret.expose());
    outln!("{once}");
    Ok(None)
}

fn remove(home: &Home, args: &Remove) -> Result<u8, Error> {
    let approver = named(&args.name)?;
    let mut ledger = Ledger::read(home)?;
    let Some(set_at) = ledger.people().codes(&approver).map(|c| c.set_at.clone()) else {
        return Err(Error::usage(Fault::NoCodes(approver)));
    };
    let signers = args.by.open(home, &ledger.people().approvers()?)?;
    let (by, signer) = signers.first();
    let signature = signer.sign(text_to_remove(&approver, &set_at).as_bytes())?;
    let codes = signers.codes(&ledger)?;
    let asked = Asked::RemoveCodes { approver, by: by.clone(), signature, codes };
    outln!("{}", submit_on(home, &mut ledger, Request::People(asked))?);
    Ok(shared_types::exit::DONE)
}

fn pending(home: &Home, approver: &ApproverId) -> PathBuf {
    home.keys().join(format!("totp-{approver}.new"))
}

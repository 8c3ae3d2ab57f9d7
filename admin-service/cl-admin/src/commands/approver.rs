//! `cl-admin approver`

mod by;
mod names;
mod passkeys;
mod people;
mod rule;
mod totp;

use std::path::PathBuf;

use crate::commands::out::outln;
use api::Request;
use base::error::Error;
use base::home::Home;
use base::keys;
use names::known;
use review::approvers;
use review::ask::{self, Source};
use review::elsewhere::Remote;
use service::session::submit;
use shared_types::id::ApproverId;

/// A key that is kept elsewhere.
#[derive(Debug, thiserror::Error)]
#[error("the key of `{0}` is not on this machine, so it gets no passphrase here")]
struct NotHere(ApproverId);

/// The people who may approve.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Give the approver's key a passphrase, or another one
    ///
    /// From then on approving asks for it, and profiles for children and teenagers can start. What the key signed stays
    /// good. There is no way to get a forgotten passphrase back.
    Passphrase(Passphrase),
    /// List the approvers, and whose key asks for a passphrase or needs a one-time code
    List(people::List),
    /// Let somebody else approve too, by a change that an approver signs
    Add(people::Add),
    /// Let somebody approve no more; what they approved is signed anew by the person who signs the change
    Remove(people::Remove),
    /// Let passkeys alone decide from now on: nothing on this machine can approve then
    ///
    /// A passkey signs this itself. Approvers with other keys go, with their keys; it is never taken back.
    Passkeys(passkeys::Args),
    /// Sign decisions of installed skills beside those who made them
    Countersign(people::Countersign),
    /// Sign the list of a home that was made before lists were signed
    Seal(people::Seal),
    /// Tokens that need the yes of two approvers
    #[command(subcommand)]
    Rule(rule::Verb),
    /// One-time codes of an authenticator program, needed for every yes
    #[command(subcommand)]
    Totp(totp::Verb),
}

/// What `passphrase` takes.
#[derive(Debug, clap::Args)]
pub struct Passphrase {
    /// Whose key
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: ApproverId,
    /// The file (mode 0600) that holds the new passphrase; without it the terminal asks twice
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// The file (mode 0600) that holds the present passphrase, where there is one
    #[arg(long, value_name = "FILE")]
    present_passphrase_file: Option<PathBuf>,
}

/// Does what is asked about the approvers.
///
/// # Errors
/// An unknown approver, a wrong or missing passphrase, a change that is refused.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    match verb {
        Verb::Passphrase(args) => passphrase(home, args),
        Verb::List(args) => people::list(home, args),
        Verb::Add(args) => people::add(home, args),
        Verb::Remove(args) => people::remove(home, args),
        Verb::Passkeys(args) => passkeys::run(home, args),
        Verb::Countersign(args) => people::countersign(home, args),
        Verb::Seal(args) => people::seal(home, args),
        Verb::Rule(verb) => rule::run(home, verb),
        Verb::Totp(verb) => totp::run(home, verb),
    }
}

fn passphrase(home: &Home, args: &Passphrase) -> Result<u8, Error> {
    let present = args.present_passphrase_file.clone();
    let new = Source::passphrase(args.passphrase_file.clone());
    outln!("{}", set_passphrase(home, args.approver.clone(), "new passphrase", present, &new)?);
    Ok(shared_types::exit::DONE)
}

/// Gives an approver's key a passphrase, or another one; answers in words. `what` is how the new one is asked for.
///
/// # Errors
/// An unknown approver, a wrong or missing passphrase.
pub(super) fn set_passphrase(
    home: &Home,
    approver: ApproverId,
    what: &str,
    present_file: Option<PathBuf>,
    new: &Source,
) -> Result<String, Error> {
    let approvers = approvers::read(home)?;
    known(&approvers, &approver)?;
    if Remote::of(home, &approver)?.is_some() {
        return Err(Error::usage(NotHere(approver)));
    }
    let key = keys::approver_key(home, &approver);
    let present = if keys::has_passphrase(&key)? {
        let source = Source { file: present_file, option: "--present-passphrase-file FILE" };
        // Told before a new one is typed twice in vain.
        Some(source.unlock("present passphrase", &key)?.0)
    } else {
        None
    };
    let new = new.new_one(what, ask::check_passphrase)?;
    keys::set_passphrase(&key, present.as_ref(), &new)?;
    submit(home, Request::PassphraseSet { approver })
}

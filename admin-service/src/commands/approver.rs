//! `cl-admin approver`

use std::path::PathBuf;

use shared_types::home::Home;

use crate::ask::{self, Source};
use crate::commands::out::outln;
use crate::error::Error;
use crate::keys;
use crate::review::approvers;
use crate::service::requests::Request;
use crate::service::session::submit;

/// The people who may approve.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Give the approver's key a passphrase, or another one
    ///
    /// From then on approving asks for it, and profiles for children and teenagers can start. What the key signed stays
    /// good. There is no way to get a forgotten passphrase back.
    Passphrase(Passphrase),
}

/// What `passphrase` takes.
#[derive(Debug, clap::Args)]
pub struct Passphrase {
    /// Whose key
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: String,
    /// The file (mode 0600) that holds the new passphrase; without it the terminal asks twice
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// The file (mode 0600) that holds the present passphrase, where there is one
    #[arg(long, value_name = "FILE")]
    present_passphrase_file: Option<PathBuf>,
}

/// Sets a passphrase.
///
/// # Errors
/// No such approver, a wrong or missing passphrase, a key that cannot be written.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    let Verb::Passphrase(args) = verb;
    let approver = super::approve::parse_approver(&args.approver)?;
    let listed = approvers::read(home)?.approvers;
    if !listed.iter().any(|a| a.id == approver) {
        let names: Vec<&str> = listed.iter().map(|a| a.id.as_str()).collect();
        return Err(Error::Usage(format!("`{approver}` is no approver; there is {}", names.join(", "))));
    }
    let key = keys::approver_key(home, &approver);
    let present = if keys::has_passphrase(&key)? {
        let source =
            Source { file: args.present_passphrase_file.clone(), option: "--present-passphrase-file" };
        let present = source.known("present passphrase")?;
        // Told before a new one is typed twice in vain.
        keys::unlock(&key, &present)?;
        Some(present)
    } else {
        None
    };
    let new =
        Source::passphrase(args.passphrase_file.clone()).new_one("new passphrase", ask::check_passphrase)?;
    keys::set_passphrase(&key, present.as_ref(), &new)?;
    outln!("{}", submit(home, Request::PassphraseSet { approver })?);
    Ok(shared_types::exit::DONE)
}

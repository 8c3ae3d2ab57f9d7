//! `cl-admin approver list|add|remove|countersign|seal`

use std::path::PathBuf;

use api::Request;
use api::people::Asked;
use base::error::Error;
use base::home::Home;
use base::keys;
use codes::Codes;
use ledger::Ledger;
use review::approvers;
use review::ask::{self, Source};
use service::session::{submit, submit_on};
use shared_types::approvers::{Approver, check_key};
use shared_types::id::{ApproverId, SkillName};
use shared_types::passkey::{Backup, InvalidPasskey, Passkey};

use super::by::{By, Set};
use super::names::{known, named};
use crate::commands::out::{self, outln};

/// Why the approvers stay as they are.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{}: {why}", .path.display())]
    Passkey { path: PathBuf, why: InvalidPasskey },
    #[error("`{0}` is an approver already")]
    Present(ApproverId),
    #[error(
        "{} is there already, of somebody who is not an approver: move it away, or give --public-key or --passkey",
        .0.display()
    )]
    KeyOfNobody(PathBuf),
    #[error("{} appeared meanwhile", .0.display())]
    Appeared(PathBuf),
    #[error("`{0}` is the last approver: add another one first")]
    Last(ApproverId),
    #[error("a two-person rule needs two approvers: add another one first")]
    RuleNeedsTwo,
    #[error("{0} is not installed")]
    NotInstalled(SkillName),
    #[error("`{0}` is not on the list")]
    NotListed(ApproverId),
}

/// What `list` takes.
#[derive(Debug, clap::Args)]
pub struct List {
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// What `add` takes.
#[derive(Debug, clap::Args)]
pub struct Add {
    /// The name of the new approver
    name: String,
    /// The public key of a key that is kept elsewhere, as minisign prints it; without it a key is made here
    #[arg(long, value_name = "KEY")]
    public_key: Option<String>,
    /// The file of a passkey, which the signing page makes: a phone or a security key signs then
    #[arg(long, value_name = "FILE", conflicts_with = "public_key")]
    passkey: Option<PathBuf>,
    /// The file (mode 0600) that holds the passphrase for the key that is made; without it the terminal asks twice
    #[arg(long, value_name = "FILE", conflicts_with_all = ["public_key", "passkey"])]
    new_passphrase_file: Option<PathBuf>,
    #[command(flatten)]
    by: By,
}

/// What `remove` takes.
#[derive(Debug, clap::Args)]
pub struct Remove {
    /// Who approves no more
    name: String,
    #[command(flatten)]
    by: By,
}

/// What `countersign` takes.
#[derive(Debug, clap::Args)]
pub struct Countersign {
    /// The skills; without any, all that are installed
    skills: Vec<String>,
    #[command(flatten)]
    by: By,
}

/// What `seal` takes.
#[derive(Debug, clap::Args)]
pub struct Seal {
    /// Who signs, and stands first from then on
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: String,
    /// The file (mode 0600) that holds the passphrase of that key; without it the terminal asks
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

/// Lists the approvers.
///
/// # Errors
/// A journal that cannot be read, or a chain that does not hold.
pub fn list(home: &Home, args: &List) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    let approvers = ledger.people().approvers()?;
    for approver in approvers.listed() {
        let key = keys::approver_key(home, &approver.id);
        let passphrase = keys::has_passphrase(&key).ok();
        let codes = ledger.people().codes(&approver.id).is_some();
        if args.json {
            out::json(
                &serde_json::json!({"name": approver.id, "public_key": approver.public_key, "passphrase": passphrase,
                    "totp": codes, "serial": approvers.serial()}),
            );
            continue;
        }
        let key = match (approver.passkey(), passphrase) {
            (Some(key), _) if key.backup() == Backup::Synced => format!("synced passkey of {}", key.origin()),
            (Some(key), _) => format!("passkey on one device, of {}", key.origin()),
            (None, Some(true)) => "asks for a passphrase".to_owned(),
            (None, Some(false)) => "no passphrase".to_owned(),
            (None, None) => "key kept elsewhere".to_owned(),
        };
        let codes = if codes { ", one-time codes" } else { "" };
        outln!("{:16} {key}{codes}", approver.id.as_str());
    }
    if !args.json && approvers.passkeys().is_some() {
        outln!("passkeys alone decide");
    }
    Ok(shared_types::exit::DONE)
}

impl Add {
    /// The public key of a key that is kept elsewhere, where one is given.
    fn elsewhere(&self) -> Result<Option<String>, Error> {
        if let Some(key) = &self.public_key {
            check_key(key).map_err(Error::option("--public-key"))?;
            return Ok(Some(key.clone()));
        }
        let Some(path) = &self.passkey else { return Ok(None) };
        let text = std::fs::read_to_string(path).map_err(Error::io(path))?;
        let key: Passkey = text
            .trim_end()
            .parse()
            .map_err(|why| Error::usage(Fault::Passkey { path: path.clone(), why }))?;
        Ok(Some(key.to_string()))
    }
}

/// Adds an approver.
///
/// # Errors
/// A name or key that is taken, or a change that is refused; then no key stays behind.
pub fn add(home: &Home, args: &Add) -> Result<u8, Error> {
    let id = named(&args.name)?;
    let mut ledger = Ledger::read(home)?;
    let present = ledger.people().approvers()?;
    if present.named(&id).is_some() {
        return Err(Error::usage(Fault::Present(id)));
    }
    let elsewhere = args.elsewhere()?;
    let path = keys::approver_key(home, &id);
    if elsewhere.is_none() && path.exists() {
        return Err(Error::usage(Fault::KeyOfNobody(path)));
    }
    let signers = args.by.open(home, &present)?;
    let made = match &elsewhere {
        Some(_) => None,
        None => {
            let source =
                Source { file: args.new_passphrase_file.clone(), option: "--new-passphrase-file FILE" };
            let what = format!("passphrase of the new approver `{id}`");
            let passphrase = source.new_one(&what, ask::check_passphrase)?;
            keys::make(&path, Some(&passphrase))?
        }
    };
    let Some(public_key) = elsewhere.or_else(|| made.clone()) else {
        return Err(Error::failed(Fault::Appeared(path)));
    };
    let mut set = present.listed().to_vec();
    set.push(Approver { id: id.clone(), public_key });
    match signers.change(home, &mut ledger, Set::with(&present, set)) {
        Ok((words, _)) => {
            outln!("{words}: `{id}` may approve, with `--approver {id}`");
            Ok(shared_types::exit::DONE)
        }
        Err(error) => {
            if made.is_some() {
                // Nobody ever used it.
                let _ = std::fs::remove_file(&path);
            }
            Err(error)
        }
    }
}

/// Removes an approver.
///
/// # Errors
/// The last one, one that a two-person rule needs, or a change that is refused.
pub fn remove(home: &Home, args: &Remove) -> Result<u8, Error> {
    let id = named(&args.name)?;
    let mut ledger = Ledger::read(home)?;
    let present = ledger.people().approvers()?;
    known(&present, &id)?;
    let set: Vec<Approver> = present.listed().iter().filter(|a| a.id != id).cloned().collect();
    if set.is_empty() {
        return Err(Error::refused(Fault::Last(id)));
    }
    if set.len() < 2 && !present.rules().is_empty() {
        return Err(Error::refused(Fault::RuleNeedsTwo));
    }
    let signers = args.by.open(home, &present)?;
    let (words, taken) = signers.change(home, &mut ledger, Set::with(&present, set))?;
    outln!("{words}: `{id}` approves no more");
    if !taken.is_empty() {
        let names: Vec<&str> = taken.iter().map(SkillName::as_str).collect();
        outln!("signed anew, since `{id}` had approved them: {}", names.join(", "));
    }
    let key = keys::approver_key(home, &id);
    if key.exists() {
        outln!("{} proves nothing any more and can be deleted", key.display());
    }
    Ok(shared_types::exit::DONE)
}

/// Signs decisions of installed skills beside those who made them.
///
/// # Errors
/// A skill that is not installed, or nothing left to sign.
pub fn countersign(home: &Home, args: &Countersign) -> Result<u8, Error> {
    let mut ledger = Ledger::read(home)?;
    let present = ledger.people().approvers()?;
    let mut skills: Vec<SkillName> = vec![];
    for name in &args.skills {
        let skill = name.parse().map_err(Error::usage)?;
        if !ledger.active().contains_key(&skill) {
            return Err(Error::usage(Fault::NotInstalled(skill)));
        }
        skills.push(skill);
    }
    if skills.is_empty() {
        skills = ledger.active().keys().cloned().collect();
    }
    let signers = args.by.open(home, &present)?;
    let countersigned = signers.countersign(&ledger, present.listed(), &skills)?;
    if countersigned.is_empty() {
        outln!("nothing to sign: these decisions carry that signature already");
        return Ok(shared_types::exit::DONE);
    }
    let codes = signers.codes(&ledger)?;
    outln!("{}", submit_on(home, &mut ledger, Request::People(Asked::Countersign { countersigned, codes }))?);
    Ok(shared_types::exit::DONE)
}

/// Signs the list of a home that was made before lists were signed.
///
/// # Errors
/// A list that is signed already, or a key that is not the listed one.
pub fn seal(home: &Home, args: &Seal) -> Result<u8, Error> {
    let id = named(&args.approver)?;
    let file = approvers::file(home)?;
    if !file.changes.is_empty() || !Ledger::read(home)?.people().changes().is_empty() {
        outln!("the list of approvers is signed already");
        return Ok(shared_types::exit::DONE);
    }
    let mut listed: Vec<Approver> = file
        .approvers
        .iter()
        .map(|old| Approver { id: old.id.clone(), public_key: old.public_key.clone() })
        .collect();
    listed.sort_by_key(|a| a.id != id);
    if listed.first().is_none_or(|a| a.id != id) {
        return Err(Error::usage(Fault::NotListed(id)));
    }
    let signer = ask::approver_key(home, &id, &Source::passphrase(args.passphrase_file.clone()))?;
    let change = approvers::found(listed, &signer)?;
    let asked = Asked::Change { change, countersigned: vec![], codes: Codes::new() };
    outln!("{}", submit(home, Request::People(asked))?);
    Ok(shared_types::exit::DONE)
}

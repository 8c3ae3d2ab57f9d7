//! Who the approvers are, and whether their keys ask for a passphrase, as the bot reads it.
//!
//! The journal's signed changes are what holds; `config/approvers.yaml` follows from them.

use std::fs;
use std::path::PathBuf;

use base::error::Error;
use base::folders::READABLE_FILE;
use base::home::Home;
use base::keys::{self, Signer};
use documents::yaml::{self, YamlError};
use ledger::{Ledger, PeopleRecord};
use shared_types::approvers::{Approver, Approvers, ApproversFile, ChainError, Change, SignedChange};
use shared_types::id::ApproverId;

/// Why the list of approvers is not believed.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{}: {why}", .path.display())]
    Unread { path: PathBuf, why: YamlError },
    #[error("{}: {why}", .path.display())]
    Chain { path: PathBuf, why: ChainError },
}

/// The file as it is; nothing of it is checked.
///
/// # Errors
/// A file that is missing or broken.
pub fn file(home: &Home) -> Result<ApproversFile, Error> {
    let path = home.approvers();
    let text = fs::read_to_string(&path).map_err(Error::io(&path))?;
    yaml::from_own(&text).map_err(|why| Error::integrity(Fault::Unread { path, why }))
}

/// The approvers of the file, with every signature checked.
///
/// # Errors
/// A file that is missing or broken, or a chain that does not hold.
pub fn read(home: &Home) -> Result<Approvers, Error> {
    file(home)?.verify().map_err(|why| Error::integrity(Fault::Chain { path: home.approvers(), why }))
}

/// The first change of a chain: these approvers, signed by the first of them.
///
/// # Errors
/// A key that cannot sign.
pub fn found(approvers: Vec<Approver>, signer: &Signer) -> Result<SignedChange, Error> {
    let signers = approvers.iter().take(1).map(|a| a.id.clone()).collect();
    let at = base::clock::now();
    let change = Change { serial: 1, previous: None, approvers, rules: vec![], passkeys: None, signers, at };
    sign(&change, &[signer])
}

/// Signs a change with the keys of its signers, in their order.
///
/// # Errors
/// A key that cannot sign.
pub fn sign(change: &Change, signers: &[&Signer]) -> Result<SignedChange, Error> {
    let text = change.text();
    let signatures = signers.iter().map(|s| s.sign(&text)).collect::<Result<_, _>>()?;
    Ok(SignedChange { text, signatures })
}

/// Writes the file of a new home, which has no journal yet.
///
/// # Errors
/// A file that cannot be written.
pub fn write_first(home: &Home, change: SignedChange, passphrase: bool) -> Result<(), Error> {
    let root = Approvers::replay(std::slice::from_ref(&change)).map_err(Error::failed)?;
    let passphrases = root.listed().iter().filter(|_| passphrase).map(|a| a.id.clone()).collect();
    write(home, &ApproversFile { changes: vec![change], passphrases, approvers: vec![] })
}

/// Brings the journal's chain up to a file that continues it, and the file up to the journal and the keys: a person who
/// edits it finds it restored.
///
/// A key that is kept elsewhere, or cannot be read, is believed to have no passphrase. A list from before the chain is
/// sealed where its one approver's key opens without a passphrase; otherwise it stays, until `approver seal`.
///
/// # Errors
/// A chain that does not hold, a list that cannot be read or written.
pub fn reconcile(home: &Home, ledger: &mut Ledger) -> Result<(), Error> {
    if ledger.people().changes().is_empty() && !home.approvers().exists() {
        return Ok(());
    }
    let lies_there = file(home);
    let adopted = match &lies_there {
        Ok(file) => adoptable(home, ledger, file)?,
        Err(_) if ledger.people().changes().is_empty() => {
            return lies_there.map(drop).map_err(Error::integrity);
        }
        Err(_) => vec![],
    };
    for change in adopted {
        ledger.append(PeopleRecord::ApproversChanged { change, countersigned: vec![] })?;
    }
    if ledger.people().changes().is_empty() {
        return Ok(());
    }
    let expected = expected(home, ledger)?;
    if lies_there.is_ok_and(|file| file == expected) { Ok(()) } else { write(home, &expected) }
}

/// The file that follows from journal and keys.
///
/// # Errors
/// A journal whose chain does not hold.
pub fn expected(home: &Home, ledger: &Ledger) -> Result<ApproversFile, Error> {
    let approvers = ledger.people().approvers()?;
    let asks = |id: &ApproverId| keys::has_passphrase(&keys::approver_key(home, id)).unwrap_or(false);
    let passphrases = approvers.listed().iter().map(|a| a.id.clone()).filter(asks).collect();
    Ok(ApproversFile { changes: ledger.people().changes().to_vec(), passphrases, approvers: vec![] })
}

/// The changes of the file that the journal lacks and that hold.
fn adoptable(home: &Home, ledger: &Ledger, file: &ApproversFile) -> Result<Vec<SignedChange>, Error> {
    let known = ledger.people().changes();
    if known.is_empty() && file.changes.is_empty() {
        return Ok(seal_alone(home, file).into_iter().collect());
    }
    let goes_on = file.changes.len() > known.len() && file.changes.starts_with(known);
    match file.verify() {
        Ok(_) if goes_on => Ok(file.changes[known.len()..].to_vec()),
        Err(why) if known.is_empty() => Err(Error::integrity(Fault::Chain { path: home.approvers(), why })),
        // What the journal has is what holds.
        _ => Ok(vec![]),
    }
}

/// The first change for a list from before the chain: only where it names one approver whose key needs nobody.
fn seal_alone(home: &Home, file: &ApproversFile) -> Option<SignedChange> {
    let [only] = file.approvers.as_slice() else { return None };
    let signer = keys::open(&keys::approver_key(home, &only.id)).ok()?;
    let approver = Approver { id: only.id.clone(), public_key: only.public_key.clone() };
    let change = found(vec![approver], &signer).ok()?;
    // A key that is not the one of the list signs nothing that holds.
    Approvers::replay(std::slice::from_ref(&change)).ok()?;
    Some(change)
}

fn write(home: &Home, file: &ApproversFile) -> Result<(), Error> {
    let text = yaml::to_string(file).map_err(Error::failed)?;
    let path = home.approvers();
    durable::replace(&path, text.as_bytes(), READABLE_FILE).map_err(Error::io(&path))
}

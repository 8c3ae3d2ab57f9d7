//! Asks for what must not be shown: passphrases and PINs, without echo, or from a file for scripts.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::error::{Cause, Error};
use base::home::Home;
use base::keys::{self, Signer};
use confine::terminal::{self, Unseen};
use ledger::Ledger;
use shared_types::id::ApproverId;
use shared_types::secret::Secret;

use crate::elsewhere::Remote;

/// Why nothing was typed.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{}: {why}", .path.display())]
    Unfit { path: PathBuf, why: Cause },
    #[error("no {0} was set; everything is as it was")]
    NotSet(String),
    #[error("the {what} is wanted and nobody can be asked here: give {option}")]
    Wanted { what: String, option: &'static str },
    #[error("`{0}` needs a one-time code for every yes, and nobody can be asked here: give it by --code")]
    Code(ApproverId),
}

/// The least length of a passphrase, in characters.
pub const LEAST: usize = 8;
/// How often something new is asked for before the program gives up.
const QUESTIONS: u32 = 3;

/// What a yes needs besides the person.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needs {
    /// The passphrase of the approver's key.
    pub passphrase: bool,
    /// A one-time code.
    pub code: bool,
    /// The approver's other device: no key of theirs is here.
    pub device: bool,
}

/// What the person gave for a yes.
#[derive(Default)]
pub struct Proof {
    pub passphrase: Option<Secret>,
    /// The key, where the passphrase has opened it already.
    pub key: Option<Arc<Signer>>,
    /// The one-time code.
    pub code: Option<String>,
}

/// Where a secret comes from: a file, or else the person at the terminal.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The file, and the option that named it.
    pub file: Option<PathBuf>,
    /// The option that gives it, with its value, for messages.
    pub option: &'static str,
}

impl Source {
    /// A source that the option `--passphrase-file` may have named.
    pub fn passphrase(file: Option<PathBuf>) -> Source {
        Source { file, option: "--passphrase-file FILE" }
    }

    /// A secret that exists already.
    ///
    /// # Errors
    /// A file that cannot be read or that others may read, or nobody to ask.
    pub fn known(&self, what: &str) -> Result<Secret, Error> {
        match &self.file {
            Some(path) => keys::from_file(path),
            None => typed(&mut self.dialogue(what)?, what),
        }
    }

    /// The passphrase of a key, and the key that it opens; a person who mistypes it is asked again.
    ///
    /// # Errors
    /// As [`Source::known`], or a key that does not open.
    pub fn unlock(&self, what: &str, path: &Path) -> Result<(Secret, Signer), Error> {
        if self.file.is_some() {
            let secret = self.known(what)?;
            return keys::unlock(path, &secret).map(|key| (secret, key));
        }
        let mut dialogue = self.dialogue(what)?;
        for _ in 1..QUESTIONS {
            let secret = typed(&mut dialogue, what)?;
            if let Some(key) = keys::try_unlock(path, &secret)? {
                return Ok((secret, key));
            }
            eprintln!("that is not the passphrase");
        }
        let secret = typed(&mut dialogue, what)?;
        keys::unlock(path, &secret).map(|key| (secret, key))
    }

    /// A secret that is new, so a person types it twice; `check` says what is wrong with it.
    ///
    /// # Errors
    /// As [`Source::known`], or a secret that does not pass the check.
    pub fn new_one<E: std::error::Error + Send + Sync + 'static>(
        &self,
        what: &str,
        check: impl Fn(&Secret) -> Result<(), E>,
    ) -> Result<Secret, Error> {
        if let Some(path) = &self.file {
            let secret = keys::from_file(path)?;
            check(&secret)
                .map_err(|why| Error::usage(Fault::Unfit { path: path.clone(), why: why.into() }))?;
            return Ok(secret);
        }
        let mut dialogue = self.dialogue(what)?;
        for _ in 0..QUESTIONS {
            let first = typed(&mut dialogue, what)?;
            if let Err(why) = check(&first) {
                eprintln!("{why}");
                continue;
            }
            if typed(&mut dialogue, &format!("{what} again"))? == first {
                return Ok(first);
            }
            eprintln!("the two differ");
        }
        Err(Error::failed(Fault::NotSet(what.to_owned())))
    }

    /// A dialogue with the person; nothing typed shows until it is over.
    fn dialogue(&self, what: &str) -> Result<Unseen, Error> {
        if !std::io::stdin().is_terminal() {
            return Err(Error::refused(Fault::Wanted { what: what.to_owned(), option: self.option }));
        }
        Unseen::begin().map_err(|_| Error::NothingTyped)
    }
}

fn typed(dialogue: &mut Unseen, what: &str) -> Result<Secret, Error> {
    dialogue.ask(&format!("{what}: ")).map(Secret::new).map_err(|_| Error::NothingTyped)
}

/// Opens an approver's key, asking for its passphrase where it has one; a key on another device is asked when it signs.
///
/// # Errors
/// A key that cannot be opened, or a passphrase that is not given or not the one.
pub fn approver_key(home: &Home, approver: &ApproverId, source: &Source) -> Result<Signer, Error> {
    if let Some(remote) = Remote::of(home, approver)? {
        return Ok(Signer::Elsewhere(Box::new(remote)));
    }
    let path = keys::approver_key(home, approver);
    if !keys::has_passphrase(&path)? {
        return keys::open(&path);
    }
    source.unlock(&format!("passphrase of the approver `{approver}`"), &path).map(|(_, key)| key)
}

/// Asks for what a yes needs besides the person.
///
/// # Errors
/// A passphrase or code that is not given or not the one, or nobody to ask.
pub fn proof(
    home: &Home,
    needs: Needs,
    approver: &ApproverId,
    passphrase: &Source,
    code: Option<&str>,
) -> Result<Proof, Error> {
    let mut proof = Proof { code: code.map(str::to_owned), ..Proof::default() };
    if needs.passphrase || needs.device {
        proof.key = Some(Arc::new(approver_key(home, approver, passphrase)?));
    }
    // A touch takes longer than a code lives: it is asked for after that.
    if needs.code && proof.code.is_none() && !needs.device {
        let source = Source { file: None, option: "--code CODE" };
        let code = source.known(&format!("one-time code of the approver `{approver}`"))?;
        proof.code = Some(code.expose().trim().to_owned());
    }
    Ok(proof)
}

/// The one-time code of an approver who needs one: the one that was given, or else the person at the terminal types it.
///
/// # Errors
/// Nobody to ask.
pub fn code(ledger: &Ledger, approver: &ApproverId, given: Option<String>) -> Result<Option<String>, Error> {
    if given.is_some() || ledger.people().codes(approver).is_none() {
        return Ok(given);
    }
    if !std::io::stdin().is_terminal() {
        return Err(Error::refused(Fault::Code(approver.clone())));
    }
    terminal::ask_unseen(&format!("one-time code of the approver `{approver}`: "))
        .map(Some)
        .map_err(|_| Error::NothingTyped)
}

/// A passphrase that is too short.
#[derive(Debug, thiserror::Error)]
#[error("a passphrase has at least {LEAST} characters")]
pub struct TooShort;

/// What a passphrase must be.
///
/// # Errors
/// One with fewer than [`LEAST`] characters.
pub fn check_passphrase(passphrase: &Secret) -> Result<(), TooShort> {
    if passphrase.expose().chars().count() < LEAST { Err(TooShort) } else { Ok(()) }
}

#[cfg(test)]
mod tests;

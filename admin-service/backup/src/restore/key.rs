//! A new key for the service, where the backup holds none: an approver signs it.

use std::fs;
use std::path::Path;

use audit::{heads, watch};
use base::clock::now;
use base::error::Error;
use base::folders::READABLE_FILE;
use base::home::Home;
use base::keys::{self, Signer};
use ledger::Ledger;
use ledger::statements::Signed;
use ledger::statements::key::{KeyChange, Verdict};
use review::elsewhere::Remote;
use shared_types::approvers::{Approver, Approvers};
use shared_types::id::ApproverId;

use crate::index::Header;

use super::fault::Fault;

/// What an approver signs the service's new key with.
pub enum ApproverKey {
    /// A key that was opened.
    Here {
        /// The key.
        signer: Signer,
        /// Its public half.
        public_key: String,
        /// Its file, which the restored home gets a copy of.
        text: Vec<u8>,
    },
    /// The key of this approver, on another device: they are asked when it is time to sign.
    Elsewhere(ApproverId),
}

/// What is needed where the backup holds no keys and no approver's key was given.
pub(super) fn missing(header: &Header) -> Error {
    Error::refused(Fault::NoKeys { approvers: header.approvers.clone() })
}

impl ApproverKey {
    /// Takes a key that was opened, and its file.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn new(signer: Signer, path: &Path) -> Result<ApproverKey, Error> {
        let text = fs::read(path).map_err(Error::io(path))?;
        Ok(ApproverKey::Here { public_key: signer.public_key()?, signer, text })
    }

    /// Whose key it is.
    ///
    /// # Errors
    /// Nobody's of these.
    pub(super) fn check<'a>(&self, approvers: &'a Approvers) -> Result<&'a Approver, Error> {
        let is_theirs = |approver: &&Approver| match self {
            ApproverKey::Here { public_key, .. } => approver.public_key == *public_key,
            ApproverKey::Elsewhere(id) => approver.id == *id,
        };
        approvers.listed().iter().find(is_theirs).ok_or_else(|| {
            let names: Vec<String> =
                approvers.listed().iter().map(|approver| approver.id.to_string()).collect();
            Error::refused(Fault::KeyOfNobody { approvers: names })
        })
    }

    /// Makes the service's new key, has the approver sign it, and signs every head anew.
    pub(super) fn replace(&self, home: &Home, ledger: &Ledger) -> Result<Signed<KeyChange>, Error> {
        let approvers = ledger.people().approvers()?;
        let approver = self.check(&approvers)?;
        let asked;
        let signer = match self {
            ApproverKey::Here { signer, text, .. } => {
                let place = keys::approver_key(home, &approver.id);
                durable::replace(&place, text, 0o600).map_err(Error::io(&place))?;
                signer
            }
            ApproverKey::Elsewhere(_) => {
                asked = Signer::Elsewhere(Box::new(Remote::new(home, approver)));
                &asked
            }
        };
        let trust = home.trust();
        let previous = fs::read_to_string(&trust).map_err(Error::io(&trust))?.trim().to_owned();
        let mut signed = vec![];
        for log in watch::logs(home) {
            signed.extend(heads::own(home, &log)?);
        }
        let path = keys::manifest_key(home);
        // One that an earlier run made, which was cut off.
        match fs::remove_file(&path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(&path)(e)),
            _ => {}
        }
        keys::make(&path, None)?;
        let public_key = keys::open(&path)?.public_key()?;
        let change = KeyChange {
            verdict: Verdict::ReplaceKey,
            previous,
            public_key: public_key.clone(),
            records: ledger.records(),
            approver: approver.id.clone(),
            decided_at: now(),
        };
        let change = Signed::by(&change, |text| signer.sign(text))?;
        durable::replace(&trust, format!("{public_key}\n").as_bytes(), READABLE_FILE)
            .map_err(Error::io(&trust))?;
        for head in &signed {
            heads::publish(home, head)?;
        }
        // The journal's head is signed anew when the restore is recorded.
        let head = home.journal_head();
        match fs::remove_file(&head) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io(&head)(e)),
            _ => Ok(change),
        }
    }
}

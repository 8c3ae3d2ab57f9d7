//! Who signs: one approver, or two where a rule asks for it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use api::Request;
use api::people::Asked;
use base::clock::now;
use base::error::Error;
use base::home::Home;
use base::keys::Signer;
use codes::Codes;
use ledger::{Countersigned, Ledger};
use review::approvers;
use review::ask::{self, Source};
use service::session::submit_on;
use shared_types::approvers::{Approver, Approvers, Change, Passkeys, TwoPersons};
use shared_types::id::{ApproverId, SkillName};
use shared_types::manifest::Learned;
use shared_types::signed::Countersignature;

use super::names::{known, named};

/// Why those named do not sign.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("--second: `{0}` signs already; it takes another approver")]
    SignsAlready(ApproverId),
    #[error("a two-person rule holds, so two approvers sign this: name the other one by --second")]
    RuleHolds,
}

/// The options that name the signers.
#[derive(Debug, clap::Args)]
pub struct By {
    /// Who signs
    #[arg(long, value_name = "NAME", default_value = "owner")]
    approver: String,
    /// The file (mode 0600) that holds the passphrase of that key; without it the terminal asks
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// The one-time code of that approver; without it the terminal asks
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
    /// Who signs as well, where a two-person rule holds
    #[arg(long, value_name = "NAME")]
    second: Option<String>,
    /// The file (mode 0600) that holds the passphrase of the second key
    #[arg(long, value_name = "FILE")]
    second_passphrase_file: Option<PathBuf>,
    /// The one-time code of the second approver
    #[arg(long, value_name = "CODE")]
    second_code: Option<String>,
}

/// What holds after a change.
pub struct Set {
    /// Who may decide.
    pub approvers: Vec<Approver>,
    /// The two-person rules.
    pub rules: Vec<TwoPersons>,
    /// Which passkeys alone may.
    pub passkeys: Option<Passkeys>,
}

impl Set {
    /// The present one, with other approvers.
    pub fn with(present: &Approvers, approvers: Vec<Approver>) -> Set {
        Set { approvers, rules: present.rules().to_vec(), passkeys: present.passkeys() }
    }
}

/// Opened keys with their owners.
pub struct Signers {
    list: Vec<(ApproverId, Signer)>,
    given: BTreeMap<ApproverId, Option<String>>,
}

impl By {
    /// Opens the keys.
    ///
    /// # Errors
    /// A person who is not an approver, or a key that does not open.
    pub fn open(&self, home: &Home, approvers: &Approvers) -> Result<Signers, Error> {
        let mut signers = Signers { list: vec![], given: BTreeMap::new() };
        let first = (Some(&self.approver), &self.passphrase_file, "--passphrase-file", &self.code);
        let second = (
            self.second.as_ref(),
            &self.second_passphrase_file,
            "--second-passphrase-file",
            &self.second_code,
        );
        for (name, file, option, code) in [first, second] {
            let Some(name) = name else { continue };
            let id = named(name)?;
            known(approvers, &id)?;
            if signers.given.contains_key(&id) {
                return Err(Error::usage(Fault::SignsAlready(id)));
            }
            let signer = ask::approver_key(home, &id, &Source { file: file.clone(), option })?;
            signers.given.insert(id.clone(), code.clone());
            signers.list.push((id, signer));
        }
        Ok(signers)
    }
}

impl Signers {
    /// The first signer.
    pub fn first(&self) -> &(ApproverId, Signer) {
        self.list.first().expect("there is a first signer")
    }

    /// The codes of those who need one; the terminal is asked for what is missing.
    ///
    /// # Errors
    /// Nobody to ask.
    pub fn codes(&self, ledger: &Ledger) -> Result<Codes, Error> {
        let mut codes = Codes::new();
        for (id, given) in &self.given {
            if let Some(code) = ask::code(ledger, id, given.clone())? {
                codes.insert(id.clone(), code);
            }
        }
        Ok(codes)
    }

    /// Signatures of all signers who are in the set over the decisions of these skills, where they have not signed yet.
    ///
    /// # Errors
    /// A key that cannot sign.
    pub fn countersign(
        &self,
        ledger: &Ledger,
        set: &[Approver],
        skills: &[SkillName],
    ) -> Result<Vec<Countersigned>, Error> {
        let mut signed = vec![];
        for (id, signer) in self.list.iter().filter(|(id, _)| set.iter().any(|a| a.id == *id)) {
            let missing = |entry: &&Learned| !entry.decision.names(id);
            let entries: Vec<_> =
                skills.iter().filter_map(|name| ledger.active().get(name)).filter(missing).collect();
            if entries.is_empty() {
                continue;
            }
            let texts: Vec<&str> = entries.iter().map(|entry| entry.decision.text.as_str()).collect();
            for (entry, signature) in entries.iter().zip(signer.sign_all(&texts)?) {
                let by = Countersignature { approver: id.clone(), signature };
                signed.push(Countersigned { skill: entry.name.clone(), by });
            }
        }
        Ok(signed)
    }

    /// Signs a change of the approvers and hands it in.
    ///
    /// # Errors
    /// Too few signers, or a change that is refused.
    pub fn change(
        &self,
        home: &Home,
        ledger: &mut Ledger,
        set: Set,
    ) -> Result<(String, Vec<SkillName>), Error> {
        let before = ledger.people().approvers()?;
        let ids = self.list.iter().map(|(id, _)| id.clone()).collect();
        let change = Change { passkeys: set.passkeys, ..before.next(set.approvers, set.rules, ids, now()) };
        if self.list.len() < before.signers_for_change(&change) {
            return Err(Error::refused(Fault::RuleHolds));
        }
        let keys: Vec<&Signer> = self.list.iter().map(|(_, signer)| signer).collect();
        let signed = approvers::sign(&change, &keys)?;
        let after = before.clone().follow(&signed).map_err(Error::refused)?;
        let lost = pipeline::people::lost(ledger, &before, &after, &[]);
        let lost: Vec<SkillName> = lost.iter().filter_map(|name| name.parse().ok()).collect();
        let countersigned = self.countersign(ledger, &change.approvers, &lost)?;
        let mut taken: Vec<SkillName> = countersigned.iter().map(|c| c.skill.clone()).collect();
        taken.dedup();
        let codes = self.codes(ledger)?;
        let change = Asked::Change { change: signed, countersigned, codes };
        let words = submit_on(home, ledger, Request::People(change))?;
        Ok((words, taken))
    }
}

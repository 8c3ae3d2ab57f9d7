//! Who decides, and what opens the key of that person.

use std::path::PathBuf;

use base::error::Error;
use base::home::Home;
use base::keys::Signer;
use ledger::Ledger;
use review::ask::{self, Needs, Proof, Source};
use shared_types::id::ApproverId;

/// The options that name the one who decides.
#[derive(Debug, clap::Args)]
pub struct Decider {
    /// Who decides
    #[arg(long, value_name = "NAME", default_value = "owner")]
    pub approver: ApproverId,
    /// The file (mode 0600) that holds the passphrase of the approver's key; without it the terminal asks
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
    /// The one-time code, where the approver needs one; without it the terminal asks
    #[arg(long, value_name = "CODE")]
    code: Option<String>,
}

impl Decider {
    /// Opens the key.
    ///
    /// # Errors
    /// See [`ask::approver_key`].
    pub fn key(&self, home: &Home) -> Result<Signer, Error> {
        ask::approver_key(home, &self.approver, &Source::passphrase(self.passphrase_file.clone()))
    }

    /// The one-time code, where one is needed.
    ///
    /// # Errors
    /// See [`ask::code`].
    pub fn code(&self, ledger: &Ledger) -> Result<Option<String>, Error> {
        ask::code(ledger, &self.approver, self.code.clone())
    }

    /// What a yes needs besides the person.
    ///
    /// # Errors
    /// See [`ask::proof`].
    pub fn proof(&self, home: &Home, needs: Needs) -> Result<Proof, Error> {
        let passphrase = Source::passphrase(self.passphrase_file.clone());
        ask::proof(home, needs, &self.approver, &passphrase, self.code.as_deref())
    }
}

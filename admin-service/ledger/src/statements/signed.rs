//! A statement as it travels and as the journal keeps it: the exact text that was signed, and the signature.

use std::marker::PhantomData;

use base::error::Error;
use base::keys::Signer;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use shared_types::approvers::Approvers;
use shared_types::id::ApproverId;

use super::StatementError;

/// What an approver may sign. Its verdict stands in the text, so that no statement can stand for one of another kind.
pub trait Statement: Serialize + DeserializeOwned {
    /// What an error calls it.
    const KIND: &'static str;

    /// Who signs it.
    fn approver(&self) -> &ApproverId;
}

/// A statement of one kind, signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub struct Signed<T> {
    /// The statement as canonical JSON (RFC 8785); these bytes are signed.
    pub text: String,
    /// The approver's signature over the text.
    pub signature: String,
    #[serde(skip)]
    kind: PhantomData<fn() -> T>,
}

impl<T> Signed<T> {
    /// A text and a signature, neither of them judged.
    pub fn unchecked(text: String, signature: String) -> Signed<T> {
        Signed { text, signature, kind: PhantomData }
    }
}

impl<T: Statement> Signed<T> {
    /// Signs a statement with the approver's open key.
    ///
    /// # Errors
    /// A key that cannot sign.
    pub fn by(signer: &Signer, statement: &T) -> Result<Signed<T>, Error> {
        let text = serde_json_canonicalizer::to_string(statement).map_err(Error::failed)?;
        let signature = signer.sign(&text)?;
        Ok(Signed::unchecked(text, signature))
    }

    /// What the text says; the signature is not judged.
    ///
    /// # Errors
    /// A text of another kind.
    pub fn read(&self) -> Result<T, StatementError> {
        serde_json::from_str(&self.text).map_err(|why| StatementError::Unreadable { kind: T::KIND, why })
    }

    /// What a present approver signed.
    ///
    /// # Errors
    /// A text of another kind, an approver who is not listed, or a signature that does not hold.
    pub fn check(&self, approvers: &Approvers) -> Result<T, Error> {
        let statement = self.read()?;
        approvers
            .check(statement.approver(), &self.signature, self.text.as_bytes())
            .map_err(Error::refused)?;
        Ok(statement)
    }
}

//! What an approver signed, as it travels and as journal and manifest keep it: the exact text, and the signatures under it.
//!
//! A change of the approvers is another type ([`crate::approvers::SignedChange`]): its text says who signs it, in order, each of
//! those signatures must hold, and those who may sign are the approvers before it.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::approvers::Approvers;
use crate::id::ApproverId;
use crate::passkey::Passkey;
use crate::signature::{Claim, SignatureError, Verifier};

/// What an approver may sign. Its verdict stands in the text, so that no statement can pass as one of another kind.
pub trait Statement: Serialize + DeserializeOwned {
    /// What an error calls it.
    const KIND: &'static str;
    /// Whether other approvers may sign it beside the one that it names, or in their place.
    const BY_SEVERAL: bool = false;

    /// Who signs it.
    fn approver(&self) -> &ApproverId;

    /// How many present approvers must sign it.
    fn signers(&self, _: &Approvers) -> usize {
        1
    }
}

/// A statement of one kind, signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub struct Signed<T> {
    /// The statement as canonical JSON (RFC 8785); these bytes are signed.
    pub text: String,
    /// The signature of the approver that the text names.
    pub signature: String,
    /// Signatures of other approvers over the same text: of the second person, or of one who replaces an approver who left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Countersignature>,
    #[serde(skip)]
    kind: PhantomData<fn() -> T>,
}

/// Another approver's signature over the same text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Countersignature {
    /// Whose.
    pub approver: ApproverId,
    /// The signature.
    pub signature: String,
}

/// A signed statement that proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecisionError {
    /// The text is not a statement of its kind.
    #[error("the {kind} cannot be read: {why}")]
    Unreadable {
        /// The kind: `decision`, `removal`.
        kind: &'static str,
        /// What the reader says.
        why: String,
    },
    /// Signatures beside the one of the approver that the text names, where one person speaks.
    #[error("the {0} is one person's, and others signed it too")]
    Together(&'static str),
    /// The approver is not listed.
    #[error("`{0}` is not an approver")]
    UnknownApprover(ApproverId),
    /// The signature does not hold.
    #[error("the decision of `{approver}`: {source}")]
    Signature {
        /// Who is said to have decided.
        approver: ApproverId,
        /// What is wrong.
        source: SignatureError,
    },
    /// A rule asks for two persons.
    #[error("its tokens need the yes of two approvers, and only `{0}` gave one")]
    NeedsSecond(ApproverId),
}

/// A signed statement whose text was read once, its signatures not judged.
#[derive(Debug)]
pub struct Opened<'a, T> {
    signed: &'a Signed<T>,
    statement: Result<T, DecisionError>,
}

/// A statement with those whose signatures under it hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weighed<T> {
    /// What was signed.
    pub statement: T,
    /// Present approvers who signed it; at least one, nobody twice.
    pub signers: Vec<ApproverId>,
    /// How many the rules ask for.
    pub needed: usize,
}

impl<T> Signed<T> {
    /// A text and one signature, neither of them judged.
    pub fn unchecked(text: String, signature: String) -> Signed<T> {
        Signed { text, signature, others: vec![], kind: PhantomData }
    }
}

impl<T: Statement> Signed<T> {
    /// Signs a statement, by what makes a signature over its text.
    ///
    /// # Errors
    /// A key that cannot sign.
    pub fn by<E>(statement: &T, sign: impl FnOnce(&str) -> Result<String, E>) -> Result<Signed<T>, E> {
        let text = serde_json_canonicalizer::to_string(statement).expect("no statement has what JSON lacks");
        let signature = sign(&text)?;
        Ok(Signed::unchecked(text, signature))
    }

    /// What the text says; the signatures are not judged.
    ///
    /// # Errors
    /// A text of another kind.
    pub fn read(&self) -> Result<T, DecisionError> {
        let unreadable = |why: serde_json::Error| {
            let why = crate::text::cut(&why.to_string(), 200);
            DecisionError::Unreadable { kind: T::KIND, why }
        };
        serde_json::from_slice(self.text.as_bytes()).map_err(unreadable)
    }

    /// Reads the text; that it cannot be read is a fault of its verification.
    pub fn open(&self) -> Opened<'_, T> {
        Opened { signed: self, statement: self.read() }
    }

    /// Checks that enough present approvers signed, and hands out the statement that they signed.
    ///
    /// # Errors
    /// An unreadable text, signatures that do not hold or of people who are not listed, or too few of them.
    pub fn verify(&self, approvers: &Approvers) -> Result<T, DecisionError> {
        self.open().verify_by(approvers, &Verifier::default())
    }

    /// Finds who of the present approvers signed. The signature of a former approver does not count:
    /// a key that was taken off the list could have signed it yesterday under any date.
    ///
    /// # Errors
    /// An unreadable text, signatures of several where one person speaks, or nobody whose signature holds: then the first reason.
    pub fn weigh(&self, approvers: &Approvers) -> Result<Weighed<T>, DecisionError> {
        self.open().weigh_by(approvers, &Verifier::default())
    }

    /// Each signature with the name of its approver.
    fn signed_by<'a: 'f, 'f>(
        &'a self,
        first: &'f ApproverId,
    ) -> impl Iterator<Item = (&'f ApproverId, &'a str)> {
        let others = self.others.iter().map(|other| (&other.approver, other.signature.as_str()));
        std::iter::once((first, self.signature.as_str())).chain(others)
    }

    /// Whether a signature in the name of this approver is there; it is not judged.
    pub fn names(&self, approver: &ApproverId) -> bool {
        self.read().is_ok_and(|statement| self.signed_by(statement.approver()).any(|(by, _)| by == approver))
    }
}

impl<'a, T: Statement> Opened<'a, T> {
    /// As [`Signed::verify`], by a verifier that may have checked the signatures already.
    ///
    /// # Errors
    /// The same.
    pub fn verify_by(self, approvers: &Approvers, verifier: &Verifier<'_>) -> Result<T, DecisionError> {
        let mut weighed = self.weigh_by(approvers, verifier)?;
        if weighed.signers.len() < weighed.needed {
            return Err(DecisionError::NeedsSecond(weighed.signers.swap_remove(0)));
        }
        Ok(weighed.statement)
    }

    fn weigh_by(self, approvers: &Approvers, verifier: &Verifier<'_>) -> Result<Weighed<T>, DecisionError> {
        let Opened { signed, statement } = self;
        let statement = statement?;
        if !T::BY_SEVERAL && !signed.others.is_empty() {
            return Err(DecisionError::Together(T::KIND));
        }
        let (mut signers, mut wrong): (Vec<ApproverId>, _) = (vec![], None);
        for (approver, signature) in signed.signed_by(statement.approver()) {
            match check(approvers, verifier, approver, signature, signed.text.as_bytes()) {
                Ok(()) if signers.contains(approver) => {}
                Ok(()) => signers.push(approver.clone()),
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        if signers.is_empty() {
            return Err(wrong.unwrap_or_else(|| DecisionError::UnknownApprover(statement.approver().clone())));
        }
        let needed = statement.signers(approvers);
        Ok(Weighed { statement, signers, needed })
    }

    /// The signatures of present approvers, to be checked in one batch with those of other statements. A passkey's are not among
    /// them: each is checked separately.
    pub fn claims(&self, approvers: &'a Approvers) -> Vec<Claim<'a>> {
        let Ok(statement) = &self.statement else { return vec![] };
        let signed = self.signed;
        let bytes = signed.text.as_bytes();
        let key = |approver| approvers.named(approver).map(|listed| listed.public_key.as_str());
        let key = |approver| key(approver).filter(|key| !Passkey::is_one(key));
        let signatures = signed.signed_by(statement.approver());
        signatures
            .filter_map(|(approver, signature)| Some(Claim { key: key(approver)?, signature, bytes }))
            .collect()
    }
}

/// Checks that somebody who may decide now signed a text.
fn check(
    approvers: &Approvers,
    verifier: &Verifier<'_>,
    approver: &ApproverId,
    signature: &str,
    bytes: &[u8],
) -> Result<(), DecisionError> {
    let listed = approvers.named(approver).ok_or_else(|| DecisionError::UnknownApprover(approver.clone()))?;
    listed
        .verify_by(verifier, signature, bytes)
        .map_err(|source| DecisionError::Signature { approver: approver.clone(), source })
}

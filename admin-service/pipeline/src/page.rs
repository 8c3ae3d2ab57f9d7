//! The tokens with which approvers look at the page of the review.

use base::error::Error;
use ledger::{PeopleRecord, Store};
use shared_types::id::{ApproverId, Digest, DoorTokenName};

/// The most tokens of a home.
pub const MOST_TOKENS: usize = 64;

/// Why the tokens stay as they are.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// Another token has the name.
    #[error(
        "there is a token `{0}` of the page already: choose another name, or remove it by `cl-admin page remove {0}`"
    )]
    Taken(DoorTokenName),
    /// There is room for no other token.
    #[error(
        "there are {MOST_TOKENS} tokens of the page, and more are not allowed: `cl-admin page remove NAME` removes one"
    )]
    Full,
    /// No token has the name.
    #[error("there is no token `{0}` of the page; `cl-admin page list` shows all")]
    NoToken(DoorTokenName),
    /// Nobody of that name approves.
    #[error("`{0}` is not an approver; `cl-admin approver list` shows all")]
    NotAnApprover(ApproverId),
}

/// Adds a token, of which only the digest is known here.
///
/// # Errors
/// A name that is taken, too many tokens, somebody who approves nothing, or a failing disk.
pub fn add_token(
    store: &Store,
    name: &DoorTokenName,
    approver: &ApproverId,
    sha256: &Digest,
) -> Result<String, Error> {
    let mut ledger = store.ledger();
    let people = ledger.people();
    if people.approvers()?.named(approver).is_none() {
        return Err(Error::refused(Fault::NotAnApprover(approver.clone())));
    }
    if people.page_tokens().contains_key(name) {
        return Err(Error::refused(Fault::Taken(name.clone())));
    }
    if people.page_tokens().len() >= MOST_TOKENS {
        return Err(Error::refused(Fault::Full));
    }
    let (name, approver, sha256) = (name.clone(), approver.clone(), sha256.clone());
    let done = format!("with the token `{name}`, `{approver}` may look at the page of the review");
    ledger.append(PeopleRecord::PageTokenAdded { name, approver, sha256 })?;
    Ok(done)
}

/// Takes a token away.
///
/// # Errors
/// An unknown token, or a failing disk.
pub fn remove_token(store: &Store, name: &DoorTokenName) -> Result<String, Error> {
    let mut ledger = store.ledger();
    if !ledger.people().page_tokens().contains_key(name) {
        return Err(Error::refused(Fault::NoToken(name.clone())));
    }
    ledger.append(PeopleRecord::PageTokenRemoved { name: name.clone() })?;
    Ok(format!("`{name}` is removed: the page refuses it from now on"))
}

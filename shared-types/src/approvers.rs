//! Who may decide: a chain of changes, each signed by those who could decide before it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::capability::TokenSet;
use crate::id::{ApproverId, Digest};
use crate::passkey::{Backup, Passkey};
use crate::signature::{self, Claim, SignatureError, Verifier};
use crate::sorted;

/// The most approvers that one set has.
pub const MOST_APPROVERS: usize = 32;
/// The most two-person rules that one set has.
pub const MOST_RULES: usize = 32;
/// The most changes that a chain has.
pub const MOST_CHANGES: usize = 4096;

/// One person who may decide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approver {
    /// The name.
    pub id: ApproverId,
    /// The public key: base64 as minisign prints it, or the line of a [`Passkey`].
    pub public_key: String,
}

impl Approver {
    /// Whether they sign with a passkey.
    pub fn is_passkey(&self) -> bool {
        Passkey::is_one(&self.public_key)
    }

    /// The passkey with which they sign, where it is one.
    pub fn passkey(&self) -> Option<Passkey> {
        self.public_key.parse().ok()
    }

    /// Checks a signature of theirs.
    ///
    /// # Errors
    /// What is wrong with key, signature or bytes.
    pub fn verify(&self, signature: &str, bytes: &[u8]) -> Result<(), SignatureError> {
        self.verify_by(&Verifier::default(), signature, bytes)
    }

    /// As [`Approver::verify`], by a verifier that may have checked the signature already.
    ///
    /// # Errors
    /// The same.
    pub fn verify_by(
        &self,
        verifier: &Verifier<'_>,
        signature: &str,
        bytes: &[u8],
    ) -> Result<(), SignatureError> {
        if self.is_passkey() {
            return Ok(self.public_key.parse::<Passkey>()?.verify(signature, bytes)?);
        }
        verifier.verify(&Claim { key: &self.public_key, signature, bytes })
    }
}

/// Checks that a text is the public key of somebody who may be an approver: minisign's, or a passkey's.
///
/// # Errors
/// Another form.
pub fn check_key(public_key: &str) -> Result<(), SignatureError> {
    if Passkey::is_one(public_key) {
        return Ok(public_key.parse::<Passkey>().map(|_| ())?);
    }
    signature::check_key(public_key)
}

/// A package whose granted tokens include all of these needs the yes of two different approvers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwoPersons {
    /// The tokens; never empty.
    pub tokens: TokenSet,
}

/// The passkeys that alone may decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Passkeys {
    /// Any.
    Any,
    /// Those that cannot be copied from their device.
    OneDevice,
}

impl Passkeys {
    /// Whether the approver's key is one of these.
    pub fn hold(self, approver: &Approver) -> bool {
        approver.passkey().is_some_and(|key| self == Passkeys::Any || key.backup() == Backup::OneDevice)
    }
}

/// One change: the whole of what holds after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Counted from 1.
    pub serial: u64,
    /// SHA-256 of the text of the change before; none for the first.
    pub previous: Option<Digest>,
    /// All who may decide from now on.
    pub approvers: Vec<Approver>,
    /// The two-person rules from now on.
    pub rules: Vec<TwoPersons>,
    /// Which keys alone may decide from now on, where not any may: this is never taken back. The key is missing where any may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passkeys: Option<Passkeys>,
    /// Who signs this change, in the order of the signatures.
    pub signers: Vec<ApproverId>,
    /// When, in RFC 3339.
    pub at: String,
}

impl Change {
    /// The text that is signed: canonical JSON (RFC 8785).
    pub fn text(&self) -> String {
        serde_json_canonicalizer::to_string(self).expect("a change has nothing that JSON lacks")
    }
}

/// A change as it travels: the exact signed text and the signatures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedChange {
    /// The change as canonical JSON; these bytes are signed.
    pub text: String,
    /// One for each signer.
    pub signatures: Vec<String>,
}

/// `config/approvers.yaml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApproversFile {
    /// Every change from the first on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<SignedChange>,
    /// Whose secret keys ask for a passphrase, as the admin found them. A fact about files, so nobody signs it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passphrases: Vec<ApproverId>,
    /// The list of a home that was made before the chain; it proves nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvers: Vec<Unsigned>,
}

/// An approver of a list that nobody signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unsigned {
    /// The name.
    pub id: ApproverId,
    /// The public key.
    pub public_key: String,
    /// Whether the key asked for a passphrase.
    #[serde(default)]
    pub passphrase: bool,
}

impl ApproversFile {
    /// Replays the chain.
    ///
    /// # Errors
    /// A list that is not signed, or the first change that proves nothing.
    pub fn verify(&self) -> Result<Approvers, ChainError> {
        if self.changes.is_empty() && !self.approvers.is_empty() {
            return Err(ChainError::Unsigned);
        }
        let mut approvers = Approvers::replay(&self.changes)?;
        approvers.passphrases = sorted::collected(self.passphrases.iter().cloned());
        Ok(approvers)
    }
}

/// What was seen of a chain: a later look must find the same change at that place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenChain {
    /// The serial of the newest change.
    pub serial: u64,
    /// SHA-256 of its text.
    pub head: Digest,
}

impl std::fmt::Display for SeenChain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.serial, self.head)
    }
}

impl std::str::FromStr for SeenChain {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (serial, head) = text.trim().split_once(' ').ok_or(())?;
        Ok(SeenChain { serial: serial.parse().map_err(|_| ())?, head: head.parse().map_err(|_| ())? })
    }
}

/// The approvers of a chain that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approvers {
    links: Vec<Digest>,
    present: Change,
    passphrases: BTreeSet<ApproverId>,
}

impl Approvers {
    /// Checks every change from the first on.
    ///
    /// # Errors
    /// No change at all, or the first that proves nothing.
    pub fn replay(changes: &[SignedChange]) -> Result<Approvers, ChainError> {
        let (first, rest) = changes.split_first().ok_or(ChainError::Empty)?;
        if changes.len() > MOST_CHANGES {
            return Err(ChainError::Change { serial: 1, why: format!("more than {MOST_CHANGES} changes") });
        }
        let present = read(first, 1)?;
        let refused = |why: &str| ChainError::Change { serial: 1, why: why.to_owned() };
        if present.previous.is_some() {
            return Err(refused("the first change names one before it"));
        }
        if !present.rules.is_empty() {
            return Err(refused("the first change has rules already"));
        }
        let Some(root) = present.approvers.first() else { return Err(refused("nobody is an approver")) };
        if present.signers != [root.id.clone()] {
            return Err(refused("the first change is signed by its first approver and nobody else"));
        }
        check_set(&present)?;
        check_signatures(&present, first, &present.approvers)?;
        let start = Approvers {
            links: vec![Digest::of(first.text.as_bytes())],
            present,
            passphrases: BTreeSet::new(),
        };
        rest.iter().try_fold(start, |approvers, change| approvers.follow(change))
    }

    /// The approvers after one more change.
    ///
    /// # Errors
    /// A change that does not follow on this chain, that too few signed, or that leaves a set that cannot decide.
    pub fn follow(mut self, signed: &SignedChange) -> Result<Approvers, ChainError> {
        let serial = self.serial() + 1;
        let change = read(signed, serial)?;
        let refused = |why: String| ChainError::Change { serial, why };
        if change.previous.as_ref() != Some(self.head()) {
            return Err(refused("it does not follow on the change before it".into()));
        }
        check_set(&change)?;
        let needed = self.signers_for_change(&change);
        let different: BTreeSet<&ApproverId> = sorted::collected(&change.signers);
        if different.len() != change.signers.len() || change.signers.len() < needed {
            return Err(refused(format!("it needs {needed} different signer(s)")));
        }
        self.check_passkeys(&change).map_err(|why| refused(why.to_owned()))?;
        check_signatures(&change, signed, &self.present.approvers)?;
        self.links.push(Digest::of(signed.text.as_bytes()));
        self.present = change;
        Ok(self)
    }

    /// Refuses a change that asks for less of the keys than the one before, or that begins to ask for passkeys without the
    /// signature of one of these: a person who cannot use their passkey would be locked out.
    fn check_passkeys(&self, change: &Change) -> Result<(), &'static str> {
        if change.passkeys < self.present.passkeys {
            return Err("that passkeys alone decide is never taken back");
        }
        let Some(wanted) = change.passkeys.filter(|_| change.passkeys != self.present.passkeys) else {
            return Ok(());
        };
        let by_one = change.signers.iter().filter_map(|id| self.named(id)).any(|signer| wanted.hold(signer));
        if by_one { Ok(()) } else { Err("that passkeys alone decide is signed by such a passkey") }
    }

    /// A change that would follow: to be signed by `signers`. What holds for the keys stays.
    pub fn next(
        &self,
        approvers: Vec<Approver>,
        rules: Vec<TwoPersons>,
        signers: Vec<ApproverId>,
        at: String,
    ) -> Change {
        let previous = Some(self.head().clone());
        let passkeys = self.present.passkeys;
        Change { serial: self.serial() + 1, previous, approvers, rules, passkeys, signers, at }
    }

    /// Which passkeys alone may decide; nothing where any key may.
    pub fn passkeys(&self) -> Option<Passkeys> {
        self.present.passkeys
    }

    /// How many approvers must sign a change. While a two-person rule holds that is two for all but what only adds rules:
    /// a person who could add an approver alone would count as two.
    pub fn signers_for_change(&self, change: &Change) -> usize {
        let only_adds_rules = change.approvers == self.present.approvers
            && change.passkeys >= self.present.passkeys
            && self.present.rules.iter().all(|rule| change.rules.contains(rule));
        if self.present.rules.is_empty() || only_adds_rules { 1 } else { 2 }
    }

    /// How many approvers must say yes to these tokens: one, or two where a rule says so.
    pub fn signers_for(&self, tokens: &TokenSet) -> usize {
        let two = |rule: &TwoPersons| rule.tokens.without(tokens).is_empty();
        if self.present.rules.iter().any(two) { 2 } else { 1 }
    }

    /// All who may decide.
    pub fn listed(&self) -> &[Approver] {
        &self.present.approvers
    }

    /// One who may decide.
    pub fn named(&self, id: &ApproverId) -> Option<&Approver> {
        self.present.approvers.iter().find(|approver| approver.id == *id)
    }

    /// The two-person rules.
    pub fn rules(&self) -> &[TwoPersons] {
        &self.present.rules
    }

    /// The serial of the newest change.
    pub fn serial(&self) -> u64 {
        self.present.serial
    }

    /// SHA-256 of the newest change's text.
    pub fn head(&self) -> &Digest {
        self.links.last().expect("a chain has its first change")
    }

    /// What a later look must find again.
    pub fn seen(&self) -> SeenChain {
        SeenChain { serial: self.serial(), head: self.head().clone() }
    }

    /// Checks that this chain continues what was seen before.
    ///
    /// # Errors
    /// A chain that is shorter, or that says something else at that place.
    pub fn check_seen(&self, seen: &SeenChain) -> Result<(), ChainError> {
        let at = usize::try_from(seen.serial).ok().and_then(|serial| serial.checked_sub(1));
        match at.and_then(|at| self.links.get(at)) {
            None => Err(ChainError::Older { found: self.serial(), seen: seen.serial }),
            Some(link) if *link != seen.head => Err(ChainError::Another { serial: seen.serial }),
            Some(_) => Ok(()),
        }
    }

    /// Whether this approver's key asks for its owner: the admin found that it has a passphrase, or it is a passkey.
    pub fn has_passphrase(&self, id: &ApproverId) -> bool {
        self.passphrases.contains(id) || self.named(id).is_some_and(Approver::is_passkey)
    }

    /// Checks that every approver's key asks for a passphrase.
    ///
    /// # Errors
    /// The first approver whose key does not.
    pub fn all_have_passphrases(&self) -> Result<(), &ApproverId> {
        match self.listed().iter().find(|approver| !self.has_passphrase(&approver.id)) {
            Some(approver) => Err(&approver.id),
            None => Ok(()),
        }
    }
}

/// A chain of approvers that proves nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// Nobody signed the list.
    #[error("the list of approvers is not signed")]
    Unsigned,
    /// There is no change at all.
    #[error("nobody is an approver")]
    Empty,
    /// A change that does not hold.
    #[error("change {serial} of the approvers: {why}")]
    Change {
        /// Its place.
        serial: u64,
        /// What is wrong.
        why: String,
    },
    /// A shorter chain than one that was seen.
    #[error("the approvers' chain ends with change {found}, but change {seen} was seen before")]
    Older {
        /// Where it ends.
        found: u64,
        /// The highest that was seen.
        seen: u64,
    },
    /// A chain that says something else than the one that was seen.
    #[error("change {serial} of the approvers is not the one that was seen before")]
    Another {
        /// The place.
        serial: u64,
    },
}

fn read(signed: &SignedChange, serial: u64) -> Result<Change, ChainError> {
    let refused = |why: String| ChainError::Change { serial, why };
    let change: Change = serde_json::from_slice(signed.text.as_bytes())
        .map_err(|e| refused(format!("it cannot be read: {}", crate::text::cut(&e.to_string(), 200))))?;
    if change.text() != signed.text {
        return Err(refused("its text is not canonical".into()));
    }
    if change.serial != serial {
        return Err(refused(format!("it says that it is change {}", change.serial)));
    }
    Ok(change)
}

fn check_set(change: &Change) -> Result<(), ChainError> {
    let refused = |why: String| Err(ChainError::Change { serial: change.serial, why });
    let (approvers, rules) = (&change.approvers, &change.rules);
    if approvers.is_empty() {
        return refused("nobody would be an approver".into());
    }
    if approvers.len() > MOST_APPROVERS || rules.len() > MOST_RULES {
        return refused(format!("more than {MOST_APPROVERS} approvers or {MOST_RULES} rules"));
    }
    let names: BTreeSet<&ApproverId> = sorted::collected(approvers.iter().map(|a| &a.id));
    let keys: BTreeSet<&str> = sorted::collected(approvers.iter().map(|a| key_bytes(&a.public_key)));
    if names.len() != approvers.len() || keys.len() != approvers.len() {
        return refused("two approvers share a name or a key".into());
    }
    if let Some(bad) = approvers.iter().find(|a| check_key(&a.public_key).is_err()) {
        return refused(format!("the key of `{}` is neither one in minisign's format nor a passkey", bad.id));
    }
    if let Some(bad) = approvers.iter().find(|a| change.passkeys.is_some_and(|wanted| !wanted.hold(a))) {
        return refused(format!("the key of `{}` is not such a passkey as alone may decide", bad.id));
    }
    if rules.iter().any(|rule| rule.tokens.is_empty()) {
        return refused("a rule names no token".into());
    }
    if !rules.is_empty() && approvers.len() < 2 {
        return refused("a two-person rule needs two approvers".into());
    }
    Ok(())
}

/// The part of a key that holds nothing but the key: what is before it, such as minisign's number, anybody may choose.
fn key_bytes(public_key: &str) -> &str {
    match public_key.rsplit_once(' ') {
        Some((_, point)) => point,
        None => public_key.trim().get(16..).unwrap_or(public_key),
    }
}

fn check_signatures(change: &Change, signed: &SignedChange, by: &[Approver]) -> Result<(), ChainError> {
    let refused = |why: String| ChainError::Change { serial: change.serial, why };
    if change.signers.len() != signed.signatures.len() {
        return Err(refused("it does not have one signature for each signer".into()));
    }
    for (signer, signature) in change.signers.iter().zip(&signed.signatures) {
        let Some(listed) = by.iter().find(|a| a.id == *signer) else {
            return Err(refused(format!("`{signer}` signed it and was not an approver")));
        };
        listed
            .verify(signature, signed.text.as_bytes())
            .map_err(|e| refused(format!("the signature of `{signer}`: {e}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;

//! What the journal says of those who decide and of profiles.

use std::net::SocketAddr;

use serde::{Deserialize, Serialize};
use shared_types::approvers::SignedChange;
use shared_types::audience::Audience;
use shared_types::id::{ApproverId, Digest, DoorTokenName, ProfileId, SkillName};
use shared_types::signed::Countersignature;

/// Something about those who decide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum PeopleRecord {
    /// The approvers or their rules changed; where installed skills were signed anew, that raises the manifest's serial.
    ApproversChanged {
        /// The change with its signatures.
        change: SignedChange,
        /// What the signers took over from somebody who left.
        countersigned: Vec<Countersigned>,
    },
    /// Present approvers signed decisions of installed skills; raises the manifest's serial.
    Countersigned {
        /// The signatures.
        countersigned: Vec<Countersigned>,
    },
    /// An approver's key was given a passphrase, or another one.
    PassphraseSet {
        /// Whose key.
        approver: ApproverId,
    },
    /// An approver needs a one-time code for every yes from now on.
    CodesSet {
        /// Who.
        approver: ApproverId,
        /// The step of the code that confirmed it.
        step: u64,
    },
    /// An approver needs no one-time code any more.
    CodesRemoved {
        /// Who.
        approver: ApproverId,
        /// Who signed that.
        by: ApproverId,
    },
    /// A one-time code was used: its step and those before it count no more.
    CodeUsed {
        /// Whose.
        approver: ApproverId,
        /// The step, of 30 seconds each since 1970.
        step: u64,
    },
    /// A wrong one-time code was given.
    CodeWrong {
        /// For whom.
        approver: ApproverId,
    },
    /// A token opens the page of the review for an approver.
    PageTokenAdded {
        /// The token's name.
        name: DoorTokenName,
        /// Who looks with it.
        approver: ApproverId,
        /// The digest of its text.
        sha256: Digest,
    },
    /// A token opens the page of the review no more.
    PageTokenRemoved {
        /// The token's name.
        name: DoorTokenName,
    },
}

/// A profile comes, changes or goes: told for the readers of the journal, the files themselves hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum ProfileRecord {
    /// A profile was configured; of its PIN only that there is one.
    #[serde(rename = "profile-added")]
    Added {
        /// The profile.
        id: ProfileId,
        /// For whom it is.
        audience: Audience,
        /// The users who open it freely.
        users: Vec<String>,
        /// Whether others are asked for a PIN.
        pin: bool,
    },
    /// A profile's configuration was taken away; its data stays.
    #[serde(rename = "profile-removed")]
    Removed {
        /// The profile.
        id: ProfileId,
    },
    /// A profile's data was removed for good.
    #[serde(rename = "profile-erased")]
    Erased {
        /// The profile.
        id: ProfileId,
        /// How many files that were.
        files: u64,
    },
    /// A token opens the profile's door; the journal has neither its text nor its digest.
    #[serde(rename = "door-token-added")]
    DoorTokenAdded {
        /// The profile.
        id: ProfileId,
        /// The token's name.
        name: DoorTokenName,
        /// Whether what comes with it counts as typed by the profile's person.
        person: bool,
    },
    /// A token opens the profile's door no more.
    #[serde(rename = "door-token-removed")]
    DoorTokenRemoved {
        /// The profile.
        id: ProfileId,
        /// The token's name.
        name: DoorTokenName,
    },
    /// The profile's door has another address, or none.
    #[serde(rename = "door-address-set")]
    DoorAddressSet {
        /// The profile.
        id: ProfileId,
        /// The address; without one, a socket file.
        address: Option<SocketAddr>,
        /// The SHA-256 of the certificate that was chosen with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        certificate: Option<Digest>,
        /// Whether TLS was taken away with it; where it was kept, or there was none, the key is missing.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        tls_removed: bool,
    },
}

/// A present approver's signature over the decision of a skill that is installed already.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Countersigned {
    pub skill: SkillName,
    /// The signature over the text of its decision.
    pub by: Countersignature,
}

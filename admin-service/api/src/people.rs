//! Requests about the people who decide.

use codes::Codes;
use ledger::Countersigned;
use serde::{Deserialize, Serialize};
use shared_types::approvers::SignedChange;
use shared_types::id::{ApproverId, Digest, DoorTokenName};

/// What a verb may ask about the people who decide.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "people", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Asked {
    /// The approvers or their rules change.
    Change {
        /// The change with its signatures.
        change: SignedChange,
        /// What the signers take over of installed skills.
        countersigned: Vec<Countersigned>,
        /// The codes of those signers who need one.
        codes: Codes,
    },
    /// Present approvers sign decisions of installed skills.
    Countersign {
        /// The signatures.
        countersigned: Vec<Countersigned>,
        /// The codes of those signers who need one.
        codes: Codes,
    },
    /// An approver will need a one-time code for every yes.
    SetCodes {
        /// Who.
        approver: ApproverId,
        /// The secret in base32.
        secret: String,
        /// A present code of it.
        code: String,
        /// The approver's signature over [`codes::text_to_set`].
        signature: String,
    },
    /// An approver will need no code any more.
    RemoveCodes {
        /// Whose codes.
        approver: ApproverId,
        /// Who signs: the approver, or another one for somebody who lost the device.
        by: ApproverId,
        /// The signature over [`codes::text_to_remove`].
        signature: String,
        /// The codes of the signer.
        codes: Codes,
    },
    /// A token is to open the page of the review.
    AddPageToken {
        name: DoorTokenName,
        /// Who looks with it.
        approver: ApproverId,
        /// The digest of its text.
        sha256: Digest,
    },
    /// A token is to open the page of the review no more.
    RemovePageToken { name: DoorTokenName },
}

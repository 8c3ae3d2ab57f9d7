//! What the page of the review may ask of the service. This list is its whole role: it looks, tries, notes and rejects, and it
//! hands in a signature that was made on another device. It signs nothing, and takes neither passphrase nor one-time code.
//!
//! The page runs as a process of its own. It asks over a socket of its own: a line of JSON for each request, and one for the
//! answer.

use std::collections::BTreeMap;

use review::pages::line::Page;
use review::queue::Item;
use serde::{Deserialize, Serialize};
use shared_types::id::{ApproverId, Digest, ProposalId};
use shared_types::recipients::Recipients;

/// The largest request, in bytes.
pub const LARGEST_ASKED: u64 = 256 * 1024;
/// The largest answer, in bytes: a package with its module in base64.
pub const LARGEST_ANSWER: u64 = 8 * 1024 * 1024;

/// A request, and the token of the person who makes it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The token; [`Ask::Language`] alone needs none.
    pub token: Option<String>,
    /// What is asked.
    pub ask: Ask,
}

/// What the page may ask.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Ask {
    /// In which language the home's review speaks.
    Language {},
    /// Whether the token is one of a present approver.
    Known {},
    /// What waits.
    Queue {},
    /// One package or action.
    Show {
        /// Which.
        id: ProposalId,
    },
    /// A tool of a package is called in the sandbox of the trials.
    Try {
        /// The package.
        id: ProposalId,
        tool: String,
        /// Its arguments, a JSON object.
        args: String,
    },
    /// A note for the next person at the package.
    Note {
        /// The package.
        id: ProposalId,
        /// The note.
        text: String,
    },
    /// A no.
    Reject {
        /// The package or action.
        id: ProposalId,
        /// Why.
        reason: String,
    },
    /// The request for the signing page: a yes to what was shown.
    ToSign {
        /// The package or action.
        id: ProposalId,
        /// The digest of what was shown, from [`Yes::There`].
        seen: Digest,
        /// To whom the skill goes; without it, to those of [`Shown::recipients`].
        #[serde(default)]
        recipients: Option<Recipients>,
    },
    /// A yes that was signed on another device.
    Decide {
        /// The package or action.
        id: ProposalId,
        /// The text that was signed, as the request had it.
        text: String,
        /// The signature: one line.
        signature: String,
    },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// In which language the home's review speaks, by its code.
    Language(String),
    /// The token is one of a present approver.
    Known,
    /// What waits, the oldest first.
    Queue(Queue),
    /// One package or action.
    Package(Box<Shown>),
    /// It is done; in words.
    Done(String),
    /// The request for the signing page, as one line.
    ToSign(String),
    /// It is not done.
    Refused {
        /// What kind of no.
        why: Refusal,
        /// Why, in words.
        message: String,
    },
}

/// What every page shows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Holds {
    /// Who looks.
    pub approver: ApproverId,
    /// In which language the review speaks, by its code.
    pub language: String,
    /// Why the emergency stop holds, where it does.
    pub stopped: Option<String>,
}

/// What waits.
#[derive(Debug, Serialize, Deserialize)]
pub struct Queue {
    /// What every page shows.
    pub holds: Holds,
    /// The proposals that are not settled; those that wait for a person come first.
    pub items: Vec<Item>,
}

/// A package or action as it is shown.
#[derive(Debug, Serialize, Deserialize)]
pub struct Shown {
    /// What every page shows.
    pub holds: Holds,
    /// Which it is.
    pub item: Item,
    /// Its pages, as the console has them.
    pub pages: Vec<Page>,
    /// The tools that can be tried, with the names of their parameters.
    pub tools: BTreeMap<String, Vec<String>>,
    /// To whom a yes gives the skill by default.
    pub recipients: Recipients,
    /// The recipients that a person can choose instead; empty if none can be chosen.
    pub choices: Vec<Recipients>,
    /// How this approver says yes to it.
    pub yes: Yes,
}

/// How an approver says yes to what is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Yes {
    /// It does not wait for a decision.
    NotNow,
    /// With a passkey, at the signing page.
    There {
        /// The origin of the signing page.
        origin: String,
        /// The digest of what is shown.
        seen: Digest,
    },
    /// With a minisign key on another machine; the signing page says how.
    Elsewhere {
        /// The digest of what is shown.
        seen: Digest,
    },
    /// At the machine of the service only.
    AtTheMachine { why: Why, command: String },
}

/// Why an approver says yes at the machine of the service only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// Their key is stored there.
    KeyIsThere,
    /// They need a one-time code, which is typed there alone.
    NeedsCode,
    /// It is held at a gate: the yes lets it continue by one step, and nothing is signed.
    Gate,
}

/// What kind of no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// No token that holds.
    Unauthorized,
    /// Something that cannot be read or is missing.
    Invalid,
    /// A rule forbids it.
    Refused,
    /// It was not found.
    NotFound,
    /// Too much at once.
    Busy,
    /// It went wrong.
    Failed,
}

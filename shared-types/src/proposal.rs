//! A proposal, valid by construction.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::{Action, ActionResult};
use crate::capability::TokenSet;
use crate::id::{EventType, HostName, ProfileId, ProposalId, SecretName, SkillName, ToolName};
use crate::profile::SystemCapability;
use crate::schema::Parameters;
use crate::status::{Status, Wait};

pub mod lesson;
mod shape;
mod validate;

pub use validate::{Fault, InvalidProposal, RawDocument, RawProposal};

/// How far a skill's records or files reach.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The skill's own only.
    #[default]
    Own,
    /// The whole profile's.
    Profile,
}

/// An example by which a tool is tried: its arguments, and text that the answer must contain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The arguments.
    pub args: Value,
    /// What the answer must contain; the empty text is in every answer.
    #[serde(default)]
    pub expect: String,
}

/// A tool as a proposal asks for it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolWish {
    /// The name within the skill.
    pub name: ToolName,
    /// One line, at most 200 characters.
    pub description: String,
    /// The parameters.
    pub parameters: Parameters,
    /// Examples, at most 8; of a wish by examples at most [`lesson::MOST_PAIRS`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
}

/// What the system must offer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirements {
    /// Abstract abilities.
    #[serde(default)]
    pub system_capabilities: Vec<SystemCapability>,
}

/// The kinds of proposal that this version takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A new ability.
    Skill,
    /// One effect outside the bot's sandbox.
    Action,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 2] = [Kind::Skill, Kind::Action];

    /// The spelling in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Skill => "skill",
            Kind::Action => "action",
        }
    }
}

/// Who generated a proposal whose tools and examples a model wrote.
pub const BY_MODEL: &str = "proposer with a model";

/// A wish for a new ability, checked in every field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawProposal")]
pub struct Proposal {
    /// The identifier that the bot gave it.
    pub id: ProposalId,
    /// What kind of wish.
    pub kind: Kind,
    /// The skill's name.
    pub name: SkillName,
    /// One line.
    pub description: String,
    /// The tokens asked for.
    pub capabilities: TokenSet,
    /// Events that the skill may send.
    pub emits_events: Vec<EventType>,
    /// Events that the skill wants to receive.
    pub handles_events: Vec<EventType>,
    /// Skills that it needs.
    pub dependencies: Vec<SkillName>,
    /// The tools asked for; empty leaves the choice to the implementer.
    pub tools: Vec<ToolWish>,
    /// The exact hosts, when a network token is asked for.
    pub network: Vec<HostName>,
    /// Names of secrets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<SecretName>,
    /// How far memory reaches.
    pub memory_scope: Scope,
    /// How far files reach.
    pub file_scope: Scope,
    /// What the system must offer.
    pub requirements: Requirements,
    /// What is to be done, with `kind: action` and only there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// Why it is wanted.
    pub rationale: String,
    /// The line that the person typed.
    pub user_context: String,
    /// Who wrote the proposal.
    pub generated_by: String,
    /// When, in RFC 3339.
    pub generated_at: String,
    /// The profile that asks; what counts is the folder in which the file is.
    pub profile_id: ProfileId,
}

impl Proposal {
    /// Whether a model wrote the examples: they may be wrong, and count only once a second source agrees.
    pub fn has_examples_of_a_model(&self) -> bool {
        self.generated_by == BY_MODEL
    }
}

/// One step of a proposal's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryEntry {
    /// When, in RFC 3339.
    pub timestamp: String,
    /// The status that was reached.
    pub status: Status,
    /// Who moved it.
    pub actor: String,
    /// Why, where that needs saying.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The parts of the program that reject a proposal automatically.
const PROGRAM: [&str; 3] = ["discovery", "implementer", "review"];

impl HistoryEntry {
    /// Whether a person rejected the proposal in this step.
    pub fn is_refusal(&self) -> bool {
        self.status == Status::Rejected && !PROGRAM.contains(&self.actor.as_str())
    }
}

/// A file of `proposals/` or of `status/`: the proposal with its status and history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The wish.
    pub proposal: Proposal,
    /// Where it stands.
    pub status: Status,
    /// What it waits for; in the mirror only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<Wait>,
    /// How it came there.
    pub history: Vec<HistoryEntry>,
    /// What came of an action; in the mirror only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ActionResult>,
}

impl Document {
    /// A new proposal's document, as the bot writes it.
    pub fn new(proposal: Proposal) -> Self {
        let first = HistoryEntry {
            timestamp: proposal.generated_at.clone(),
            status: Status::New,
            actor: proposal.generated_by.clone(),
            reason: None,
        };
        Document { proposal, status: Status::New, waits_for: None, history: vec![first], result: None }
    }

    /// The name of the file: `<slug>-<id>.yaml`.
    pub fn file_name(&self) -> String {
        format!("{}-{}.yaml", self.proposal.name, self.proposal.id)
    }
}

/// The most faults that are reported for one document.
pub const MAX_FAULTS: usize = 50;

/// Judges a document that somebody else wrote: by its form, or, where its keys do not fit that, as the plain value that it is,
/// so that each key that does not fit is reported beside what is wrong in the others. A wish claims no status, waiting or
/// history of its own.
///
/// # Errors
/// A syntax fault alone, or every fault of the content in one pass.
pub fn judge<E: ToString>(
    form: Result<RawDocument, E>,
    value: impl FnOnce() -> Result<Value, E>,
    wish: bool,
) -> Result<Document, Vec<Fault>> {
    let judged = match form {
        Ok(raw) => raw.validate(wish),
        Err(error) => match value() {
            Ok(value) => shape::read(value, &error.to_string(), wish),
            Err(error) => Err(vec![Fault::new("", error.to_string())]),
        },
    };
    judged.map_err(|mut faults| {
        let more = faults.len().saturating_sub(MAX_FAULTS);
        if more > 0 {
            faults.truncate(MAX_FAULTS);
            faults.push(Fault::new("", format!("and {more} more faults of this kind")));
        }
        faults
    })
}

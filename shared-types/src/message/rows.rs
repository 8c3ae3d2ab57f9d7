//! Rows of lists that people are shown.

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::capability::TokenSet;
use crate::id::{ProposalId, SkillName, ToolName};
use crate::proposal::{Document, Kind};
use crate::status::{Status, Wait};
use crate::text::cut;

/// A proposal as one row of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalRow {
    /// The identifier.
    pub id: ProposalId,
    /// What kind of wish.
    pub kind: Kind,
    /// The skill's name.
    pub name: SkillName,
    /// Where it stands.
    pub status: Status,
    /// What it waits for.
    pub waits_for: Option<Wait>,
    /// Why it stands there.
    pub reason: Option<String>,
    /// One line.
    pub description: String,
    /// The tokens asked for.
    pub capabilities: TokenSet,
    /// When it was asked for, in RFC 3339.
    pub generated_at: String,
    /// What is to be done, with an action.
    pub action: Option<ActionRow>,
    /// What came of an action.
    pub result: Option<ResultRow>,
}

/// An action in one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionRow {
    /// Its kind.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it does.
    pub what: String,
}

/// What came of an action, without what it wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultRow {
    /// The exit code; absent where a signal or the time limit ended it.
    pub exit: Option<i32>,
    /// Why there is no exit code.
    pub ended: Option<String>,
    /// Whether its output was longer than what is kept.
    pub cut: bool,
    /// How long it took, in milliseconds.
    pub ms: u64,
}

/// A provider as one row of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProviderRow {
    /// The name in the configuration.
    pub name: String,
    /// The kind.
    pub kind: String,
    /// The model that is asked; empty where there is only one.
    pub model: String,
    /// The models that it has.
    pub models: Vec<String>,
    /// How it fares, in words.
    pub state: String,
    /// Its last error.
    pub error: Option<String>,
    /// Whether it is asked first.
    pub current: bool,
}

/// The rights of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkillRow {
    /// The skill.
    pub skill: SkillName,
    /// Where it comes from.
    pub origin: &'static str,
    /// The tokens that hold.
    pub tokens: TokenSet,
    /// Its tools.
    pub tools: Vec<ToolName>,
}

impl From<&Document> for ProposalRow {
    fn from(document: &Document) -> ProposalRow {
        let proposal = &document.proposal;
        ProposalRow {
            id: proposal.id.clone(),
            kind: proposal.kind,
            name: proposal.name.clone(),
            status: document.status,
            waits_for: document.waits_for,
            reason: document.history.last().and_then(|entry| entry.reason.clone()),
            description: proposal.description.clone(),
            capabilities: proposal.capabilities.clone(),
            generated_at: proposal.generated_at.clone(),
            action: proposal.action.as_ref().map(ActionRow::from),
            result: document.result.as_ref().map(|result| ResultRow {
                exit: result.exit,
                ended: result.ended.clone(),
                cut: result.cut,
                ms: result.ms,
            }),
        }
    }
}

impl From<&Action> for ActionRow {
    fn from(action: &Action) -> ActionRow {
        let what = match action {
            Action::Shell { line, .. } => cut(line, 200),
            Action::Plugin { plugin, tool, .. } => format!("{plugin}.{tool}"),
            Action::Permit { tool, .. } => format!("a yes to one call of {}", cut(tool, 100)),
        };
        ActionRow { kind: action.word().to_owned(), what }
    }
}

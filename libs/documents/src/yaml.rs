//! Text to value within a budget: the only place that reads or writes YAML.

use granit_parser::{Event, Parser};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The largest document that is read, in bytes.
pub const MAX_BYTES: usize = 64 * 1024;

/// The largest configuration or manifest that is read, in bytes; these come from the admin.
pub const MAX_OWN_BYTES: usize = 4 * 1024 * 1024;

/// The largest mirror of a proposal that is read, in bytes: the result of an action may hold two long outputs.
pub const MAX_MIRROR_BYTES: usize = 1024 * 1024;

/// A document that could not be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum YamlError {
    /// More bytes than allowed.
    #[error("the document has {bytes} bytes; at most {limit} are read")]
    TooLarge {
        /// What it has.
        bytes: usize,
        /// What is allowed.
        limit: usize,
    },
    /// A node with a tag: it would be read as something else than what stands there.
    #[error("line {line}: the tag `{tag}` is not allowed; write the value without a tag, a text in quotes")]
    Tag {
        /// Counted from 1.
        line: usize,
        /// As it was written.
        tag: String,
    },
    /// The parser's own words, stripped of anything unsafe to show.
    #[error("{0}")]
    Syntax(String),
}

/// What one reading may cost.
struct Budget {
    bytes: usize,
    nodes: usize,
    depth: usize,
    anchors: usize,
    aliases: usize,
    /// Nodes that all aliases together may stand for.
    replayed: usize,
}

const OUTSIDE: Budget =
    Budget { bytes: MAX_BYTES, nodes: 2_000, depth: 16, anchors: 16, aliases: 32, replayed: 500 };
const MIRROR: Budget = Budget { bytes: MAX_MIRROR_BYTES, ..OUTSIDE };
const OWN: Budget =
    Budget { bytes: MAX_OWN_BYTES, nodes: 200_000, depth: 32, anchors: 0, aliases: 0, replayed: 0 };

/// Reads one document of somebody else's making: at most 64 KiB, 2,000 nodes, 16 levels as written, 16 anchors, and 32
/// aliases that stand for at most 500 nodes; no tags, no merge keys, no second document.
///
/// # Errors
/// The first fault, with its line where the parser knows it.
pub fn from_outside<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    without_tags(text, &OUTSIDE)
}

/// Reads the mirror of a proposal: as [`from_outside`], with room for the result of an action.
///
/// # Errors
/// As [`from_outside`].
pub fn from_mirror<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    without_tags(text, &MIRROR)
}

fn without_tags<T: DeserializeOwned>(text: &str, budget: &Budget) -> Result<T, YamlError> {
    let value = read(text, budget);
    // Everything else that is wrong is reported first: only what the budget has let through is read a second time.
    match value {
        Ok(value) => tag(text).map_or(Ok(value), Err),
        Err(fault) => Err(fault),
    }
}

/// The first tag of a document that the budget has let through. A tag can make a text of a number, hide a text in base64, or
/// name a type of somebody's programming language; nobody needs one here.
fn tag(text: &str) -> Option<YamlError> {
    Parser::new_from_str(text).map_while(Result::ok).find_map(|(event, span)| match event {
        Event::Scalar(_, _, _, Some(tag))
        | Event::SequenceStart(_, _, Some(tag))
        | Event::MappingStart(_, _, Some(tag)) => Some(YamlError::Tag {
            line: span.start.line(),
            tag: shared_types::text::cut(&tag.to_string(), 60),
        }),
        _ => None,
    })
}

/// Reads one document that the admin or this program wrote: the same strictness with more room.
///
/// # Errors
/// The first fault, with its line where the parser knows it.
pub fn from_own<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    read(text, &OWN)
}

/// Reads one document that a program wrote and people seldom touch: as [`from_own`], by way of a tree. A fault has no line,
/// and a number is not taken for a text; for that the parser is built once for the tree instead of once for each type. The tree is read as
/// the JSON that it is written as: a program reads most of these types as JSON anyway, so it needs no second reader for them.
///
/// # Errors
/// The first fault.
pub fn from_program<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    let tree: serde_json::Value = from_own(text)?;
    shared_types::json::read(&tree)
        .map_err(|e| YamlError::Syntax(shared_types::text::cut(&e.to_string(), 400)))
}

fn read<T: DeserializeOwned>(text: &str, budget: &Budget) -> Result<T, YamlError> {
    if text.len() > budget.bytes {
        return Err(YamlError::TooLarge { bytes: text.len(), limit: budget.bytes });
    }
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_anchors: budget.anchors,
            max_aliases: budget.aliases,
            max_recorded_anchor_events: budget.nodes,
            max_depth: budget.depth,
            flow_nesting_limit: budget.depth,
            max_documents: 1,
            max_nodes: budget.nodes,
            max_events: budget.nodes * 4,
            max_merge_keys: 0,
            max_total_scalar_bytes: budget.bytes,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: budget.replayed,
            max_replay_stack_depth: 4,
            max_alias_expansions_per_anchor: budget.aliases,
        },
        merge_keys: serde_saphyr::options::MergeKeyPolicy::Error,
        reject_unsupported_tags: true,
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::Error,
        strict_booleans: true,
        legacy_octal_numbers: false,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options)
        .map_err(|e| YamlError::Syntax(shared_types::text::cut(&for_users(&e), 400)))
}

/// What the parser says of a fault to the author of a document; its other wording advises the programmer.
fn for_users(error: &serde_saphyr::Error) -> String {
    error.render_with_formatter(&serde_saphyr::UserMessageFormatter)
}

/// Writes a value as one document.
///
/// # Errors
/// Only for values that YAML cannot express.
pub fn to_string<T: Serialize>(value: &T) -> Result<String, YamlError> {
    serde_saphyr::to_string(value).map_err(|e| YamlError::Syntax(e.to_string()))
}

#[cfg(test)]
mod tests;

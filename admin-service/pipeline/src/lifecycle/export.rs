//! A skill as one file: what was asked for, its source, and the digests that it had; no module, and nothing secret.

use builder::workers::Trial;
use serde::{Deserialize, Serialize};
use shared_types::id::{Digest, SkillName};
use shared_types::proposal::{Fault, Proposal};

/// What the first key of a file says.
pub const FORMAT: &str = "tameclaw-skill-1";
/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 320 * 1024;
/// The largest source, in bytes.
const MAX_SOURCE: usize = 64 * 1024;

/// The most examples beside those of the proposal.
const MAX_EXAMPLES: usize = 64;

/// The file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exported {
    /// [`FORMAT`].
    pub format: String,
    /// The skill.
    pub name: SkillName,
    /// The version that it had.
    pub version: u32,
    /// The proposal, a YAML document.
    pub spec: String,
    /// The canonical source.
    pub source: String,
    /// Examples of its author, beside those of the proposal.
    #[serde(default)]
    pub examples: Vec<Trial>,
    /// SHA-256 of the proposal.
    pub spec_sha256: Digest,
    /// SHA-256 of the source.
    pub source_sha256: Digest,
    /// SHA-256 of the module that was built from it.
    pub module_sha256: Digest,
    /// SHA-256 of the report that was decided on.
    pub report_sha256: Digest,
    /// Who approved it there; a name, and no proof here.
    pub approved_by: String,
    /// When it was approved there, in RFC 3339.
    pub approved_at: String,
}

/// A file that was read and whose digests hold.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Checked {
    pub file: Exported,
    /// Its proposal, checked in every field.
    pub proposal: Proposal,
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Wrong {
    /// It is not an exported skill, or asks for what no proposal may.
    Faults(Vec<Fault>),
    /// A digest does not fit: somebody changed it.
    Lies(String),
}

/// Reads a file of somebody else's making; runs in a confined child.
///
/// # Errors
/// Every fault of the form, or the first digest that does not fit.
pub fn parse(text: &str) -> Result<Checked, Wrong> {
    let fault = |key: &str, message: String| Wrong::Faults(vec![Fault::new(key, message)]);
    if text.len() > MAX_BYTES {
        return Err(fault("", format!("has {} bytes; at most {MAX_BYTES} are read", text.len())));
    }
    let file: Exported = serde_json::from_str(text).map_err(|e| fault("", e.to_string()))?;
    if file.format != FORMAT {
        return Err(fault("format", format!("must be `{FORMAT}`")));
    }
    if file.source.len() > MAX_SOURCE {
        return Err(fault("source", format!("has more than {MAX_SOURCE} bytes")));
    }
    for (key, text, said) in
        [("spec", &file.spec, &file.spec_sha256), ("source", &file.source, &file.source_sha256)]
    {
        let found = Digest::of(text.as_bytes());
        if found != *said {
            return Err(Wrong::Lies(format!("{key}_sha256 says {said}, but `{key}` has {found}")));
        }
    }
    if file.examples.len() > MAX_EXAMPLES {
        return Err(fault("examples", format!("has more than {MAX_EXAMPLES}")));
    }
    let proposal = documents::proposal::parse(&file.spec).map_err(Wrong::Faults)?.proposal;
    if proposal.name != file.name {
        return Err(fault(
            "name",
            format!("says `{}`, but the proposal is for `{}`", file.name, proposal.name),
        ));
    }
    Ok(Checked { file, proposal })
}

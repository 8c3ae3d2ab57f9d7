//! The ten wishes, with the inputs that no model is shown.

use base::error::Error;
use builder::workers::Trial;
use documents::yaml;
use serde::Deserialize;
use serde_json::{Value, json};
use shared_types::id::{ProposalId, SkillName};
use shared_types::proposal::{Example, Proposal};

/// How many wishes there are.
pub(super) const MANY: usize = 10;

/// A word that names no wish.
#[derive(Debug, thiserror::Error)]
#[error("`{word}` is not a wish of the bench; the wishes are 1 to {MANY}: {}", .known.join(", "))]
struct Unknown {
    word: String,
    known: Vec<String>,
}

const WISHES: &str = include_str!("../../../../data/bench.yaml");

/// A wish of the list.
#[derive(Debug)]
pub(super) struct Wish {
    /// Its place in the list, from 1.
    pub(super) number: usize,
    /// The name of the skill.
    pub(super) name: SkillName,
    /// What a proposal would say of it.
    pub(super) proposal: Proposal,
    /// Calls that the model is not shown, with what each answer must hold.
    pub(super) unseen: Vec<Trial>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: SkillName,
    description: String,
    wish: String,
    tool: Value,
    unseen: Vec<Example>,
}

/// The wishes that are asked for by number or name, in the order of the list; all of them where none is named.
///
/// # Errors
/// A word that is neither.
pub(super) fn chosen(only: &[String]) -> Result<Vec<Wish>, Error> {
    let all = all()?;
    let is = |wish: &Wish, word: &String| word == wish.name.as_str() || *word == wish.number.to_string();
    if let Some(word) = only.iter().find(|word| !all.iter().any(|wish| is(wish, word))) {
        let known = all.iter().map(|wish| wish.name.to_string()).collect();
        return Err(Error::usage(Unknown { word: shared_types::text::cut(word, 40), known }));
    }
    Ok(all.into_iter().filter(|wish| only.is_empty() || only.iter().any(|word| is(wish, word))).collect())
}

fn all() -> Result<Vec<Wish>, Error> {
    let entries: Vec<Entry> = yaml::from_own(WISHES).map_err(Error::step("the wishes of the bench"))?;
    entries.into_iter().enumerate().map(|(at, entry)| wish(at + 1, entry)).collect()
}

fn wish(number: usize, entry: Entry) -> Result<Wish, Error> {
    let tool = entry.tool["name"].as_str().unwrap_or_default().to_owned();
    let value = json!({
        "id": ProposalId::generate(), "kind": "skill", "name": entry.name, "description": entry.description,
        "capabilities": [], "tools": [entry.tool], "rationale": "a wish of the bench", "user_context": entry.wish,
        "generated_by": "bench", "generated_at": base::clock::now(), "profile_id": "default",
    });
    let proposal = serde_json::from_value(value).map_err(Error::step("a wish of the bench"))?;
    let unseen = entry.unseen.into_iter();
    let unseen = unseen.map(|e| Trial { tool: tool.clone(), args: e.args, expect: e.expect }).collect();
    Ok(Wish { number, name: entry.name, proposal, unseen })
}

#[cfg(test)]
mod tests;

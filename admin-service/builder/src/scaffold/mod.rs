//! The parts of a skill that follow from its specification: description, parameters, phrases, dispatch, reading of arguments.
//! The model writes one function for each tool. This module builds the source file from them.
//!
//! - `arguments`: from a schema to typed arguments, and the signature of a tool's function
//! - `take`: from an answer to the function and what it needs, however much stands around it
//! - `glue`: from the two to the one file
//!
//! Answers are hostile bytes: [`assemble`] runs in a confined child ([`crate::workers::Job::Assemble`]).

mod arguments;
mod glue;
mod imports;
mod take;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use shared_types::proposal::{Proposal, ToolWish};
use shared_types::schema::Parameters;

use crate::scan;
use take::Extracted;

/// The longest phrase, in characters.
const LONGEST_PHRASE: usize = 200;
/// The most phrases of one tool that a writer may add.
const MOST_PHRASES: usize = 8;

/// A tool as the specification has it, and what its writer answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Slot {
    /// The tool.
    pub name: String,
    /// One line about it.
    pub about: String,
    pub parameters: Parameters,
    /// Arguments of an example, for a sentence that the skill answers.
    #[serde(default)]
    pub sample: Option<serde_json::Value>,
    /// Phrases that the writer added, each with its language.
    #[serde(default)]
    pub phrases: Vec<(String, String)>,
    /// The answer: code, with or without fences, signature, imports and chatter.
    pub answer: String,
}

/// What a file is put together from.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    /// One line about the skill.
    pub about: String,
    /// Its tools, at least one.
    pub slots: Vec<Slot>,
}

/// What came of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Assembled {
    /// The answer was a whole skill, and stays as it is.
    Whole(String),
    /// A file around the functions of the answers, printed.
    Made(String),
    /// The answer cannot be used. Each entry is a tool's name and the message for the model.
    Refused(Vec<(String, String)>),
}

/// Whether a file can be made around the tools of this proposal: it names some, and each parameter is a plain value or a list.
pub fn serves(proposal: &Proposal) -> bool {
    !proposal.tools.is_empty()
        && proposal.emits_events.is_empty()
        && proposal.handles_events.is_empty()
        && proposal.tools.iter().all(|tool| arguments::of(&tool.parameters).is_some())
}

/// The signature of a tool's function, such as `fn split(amount: f64, people: i64) -> Result<String, String>`.
pub fn signature(tool: &ToolWish) -> String {
    let arguments = arguments::of(&tool.parameters).unwrap_or_default();
    arguments::signature(&arguments::function_name(tool.name.as_str()), &arguments)
}

/// Puts a file together. Run it in a child: it parses what somebody else wrote.
pub fn assemble(order: &Order) -> Assembled {
    scan::with_stack(|| put_together(order)).unwrap_or_else(|| {
        let tool = order.slots.first().map(|slot| slot.name.clone()).unwrap_or_default();
        Assembled::Refused(vec![(tool, "scaffold: the answer cannot be read".to_owned())])
    })
}

fn put_together(order: &Order) -> Assembled {
    let (mut functions, mut refused) = (Vec::new(), Vec::new());
    for slot in &order.slots {
        let arguments = arguments::of(&slot.parameters).unwrap_or_default();
        match take::from_answer(slot, &arguments) {
            Ok(Extracted::Whole(source)) if scan::scan(&source).is_ok() || order.slots.len() > 1 => {
                return Assembled::Whole(source);
            }
            Ok(Extracted::Whole(source)) => match take::from_whole(&source, slot, &arguments) {
                Some(function) => functions.push((slot, arguments, function)),
                None => return Assembled::Whole(source),
            },
            Ok(Extracted::Function(function)) => functions.push((slot, arguments, *function)),
            Err(why) => refused.push((slot.name.clone(), why.to_string())),
        }
    }
    if !refused.is_empty() {
        return Assembled::Refused(refused);
    }
    match glue::file(&order.about, functions) {
        Ok(source) => Assembled::Made(source),
        Err(unfit) => Assembled::Refused(vec![(unfit.tool, unfit.why.to_string())]),
    }
}

/// What of a file that was made here somebody else wrote, for each of its tools in their order; by the layout alone.
pub fn functions(source: &str, tools: usize) -> Vec<String> {
    match tools {
        0 => vec![],
        1 => {
            let imports = source.lines().take_while(|line| line.starts_with("use "));
            let imports = imports.filter(|line| !line.contains("skill_sdk")).map(|line| format!("{line}\n"));
            let rest = source.lines().skip(entry_ends(source)).map(|line| format!("{line}\n"));
            vec![imports.chain(rest).collect()]
        }
        _ => pieces(source).into_iter().map(|(_, text)| text).collect(),
    }
}

/// Which tool's function a line of such a file belongs to, from 0; none where it is a line of this module.
pub fn tool_at(source: &str, tools: usize, line: usize) -> Option<usize> {
    if tools == 1 {
        return (line > entry_ends(source)).then_some(0);
    }
    let pieces = pieces(source);
    pieces.iter().rposition(|(first, text)| (*first..first + text.lines().count()).contains(&line))
}

/// How many lines there are up to the end of what this module wrote.
fn entry_ends(source: &str) -> usize {
    let begins = source.lines().position(|line| line == "impl skill_sdk::Skill for Skill {").unwrap_or(0);
    source.lines().skip(begins).position(|line| line == "}").map_or(begins, |length| begins + length + 1)
}

/// The functions after it, each with its first line; a printed item ends with a brace at the margin.
fn pieces(source: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = vec![];
    let mut open = false;
    for (at, line) in source.lines().enumerate().skip(entry_ends(source)) {
        match found.last_mut().filter(|_| open) {
            Some((_, text)) => text.push_str(&format!("{line}\n")),
            None => found.push((at + 1, format!("{line}\n"))),
        }
        open = line != "}";
    }
    found
}

/// Lines such as `phrase en: split {amount} between {people}` that a writer put beside its code.
pub fn phrases(answer: &str, parameters: &Parameters) -> Vec<(String, String)> {
    let known = |slot: &str| parameters.properties().any(|(name, _)| name == slot);
    let slots = |pattern: &str| -> Option<Vec<String>> {
        let mut rest = pattern;
        let mut found = vec![];
        while let Some((_, after)) = rest.split_once('{') {
            let (slot, after) = after.split_once('}')?;
            found.push(slot.to_owned());
            rest = after;
        }
        (!rest.contains('}')).then_some(found)
    };
    let fits = |pattern: &&str| {
        let required = || parameters.properties().map(|(name, _)| name).filter(|n| parameters.is_required(n));
        pattern.chars().count() <= LONGEST_PHRASE
            && !pattern.chars().any(shared_types::text::is_refused)
            && pattern.chars().any(char::is_alphabetic)
            && slots(pattern).is_some_and(|found| {
                found.iter().all(|slot| known(slot)) && required().all(|name| found.iter().any(|f| f == name))
            })
    };
    answer
        .lines()
        .filter_map(|line| {
            let line = line.trim().trim_start_matches(['/', '-', '*', ' ']).trim();
            let (language, pattern) = line.strip_prefix("phrase ")?.split_once(':')?;
            let pattern = pattern.trim().trim_matches(['"', '`']).trim();
            let language = ["en", "de"].into_iter().find(|known| *known == language.trim())?;
            Some((language.to_owned(), pattern)).filter(|(_, pattern)| fits(pattern))
        })
        .map(|(language, pattern)| (language, pattern.to_owned()))
        .take(MOST_PHRASES)
        .collect()
}

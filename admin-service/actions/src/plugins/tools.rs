//! From the tools that a plugin lists to those that are offered.

use std::collections::BTreeMap;

use base::error::Error;
use language::{Language, Pattern, PatternError, slot};
use ledger::facts::Way;
use serde_json::Value;
use shared_types::id::ToolName;
use shared_types::plugin::PluginTool;
use shared_types::risk::Risk;
use shared_types::schema::Parameters;
use shared_types::text::{cut, line};

use super::arguments::{Checked, Unusable};
use super::form::{Form, FormTool, MOST_TOOLS};
use super::mcp::frames::{MOST_SCHEMA, Tool};
use super::schema::{Misfit, Shown, short};

/// The tools that are offered, and those that are not.
#[derive(Debug, Default)]
pub struct Offer {
    /// What the assistant is offered.
    pub tools: Vec<PluginTool>,
    /// How each is called.
    pub calls: BTreeMap<ToolName, Way>,
    /// The schemas of a server's tools as it lists them, as JSON.
    pub schemas: BTreeMap<ToolName, String>,
    /// Further lines about a tool for the review page; safe to show.
    pub notes: BTreeMap<ToolName, Vec<String>>,
    /// What is left out, with the reason.
    pub left_out: Vec<(String, LeftOut)>,
    /// Bytes of the parameters so far.
    bytes: usize,
    /// How many schemas a child looked at.
    looked: usize,
}

/// What is wrong with a tool that a person can mend.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("tools.{tool}: {}", .faults.join("; "))]
    Parameters { tool: ToolName, faults: Vec<String> },
    #[error("tools.{tool}: {why}")]
    NoRoom { tool: ToolName, why: LeftOut },
    #[error("tools.{tool}: phrases.{code} `{said}`: {why}")]
    Phrase { tool: ToolName, code: String, said: String, why: Unfit },
    #[error("--risk `{0}`: TOOL=low, TOOL=medium or TOOL=high")]
    Risk(String),
    #[error("--risk: no tool `{name}` is offered; there are: {}", .known.join(" "))]
    RiskOfNone { name: String, known: Vec<String> },
}

/// Why a sentence can call nothing.
#[derive(Debug, thiserror::Error)]
enum Unfit {
    #[error("known languages are {}", Language::all().map(Language::code).collect::<Vec<_>>().join(", "))]
    Language,
    #[error("a tool has at most {MOST_PHRASES} sentences")]
    TooMany,
    #[error("one line of at most {LONGEST_PHRASE} characters")]
    NotALine,
    #[error(transparent)]
    Pattern(PatternError),
    #[error("each {{slot}} is a parameter of the tool that a sentence can hold")]
    Slot,
    #[error("the parameter {0} is required, and the sentence has no {{{0}}}")]
    Lacks(String),
}

/// Has a child look at a schema.
type Look<'a> = &'a dyn Fn(&str) -> Result<Result<Checked, Unusable>, Error>;

/// Why a tool is not added.
#[derive(Debug, thiserror::Error)]
enum NotAdded {
    #[error(transparent)]
    LeftOut(#[from] LeftOut),
    /// Nothing can be offered now.
    #[error(transparent)]
    Failed(#[from] Error),
}

/// Why a tool is not offered.
#[derive(Debug, thiserror::Error)]
pub enum LeftOut {
    /// Its name cannot be made plain.
    #[error("its name cannot be that of a tool here")]
    Name,
    /// There are enough already.
    #[error("more than {MOST_TOOLS} tools")]
    TooMany,
    /// Its plain name is that of another one.
    #[error("another one is called `{0}` already")]
    Twice(ToolName),
    /// Its parameters cannot be offered.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// Arguments cannot be validated against its parameters; the reason is safe to show.
    #[error("its parameters cannot be checked: {0}")]
    Unusable(String),
    /// Its parameters are longer than a person reads.
    #[error("its parameters have more than {MOST_PARAMETERS} bytes")]
    Long,
    /// With them all parameters are.
    #[error("the parameters of all tools have more than {MOST_TOGETHER} bytes")]
    LongTogether,
}

impl Offer {
    /// Lets parameters in that a person can still read: one tool's, and all of them together. A server's own schema counts
    /// where it is longer than what is shown of it.
    fn room_for(&mut self, parameters: &Parameters, own: &str) -> Result<(), LeftOut> {
        let shown = serde_json::to_string(parameters).map_or(usize::MAX, |text| text.len());
        let length = shown.max(own.len());
        if length > MOST_PARAMETERS {
            return Err(LeftOut::Long);
        }
        if self.bytes + length > MOST_TOGETHER {
            return Err(LeftOut::LongTogether);
        }
        self.bytes += length;
        Ok(())
    }

    /// Offers a server's tool.
    fn add(&mut self, listed: &Tool, look: Look<'_>) -> Result<(), NotAdded> {
        let name = plain(&listed.name).ok_or(LeftOut::Name)?;
        if self.tools.len() >= MOST_TOOLS || self.looked >= MOST_LOOKS {
            return Err(LeftOut::TooMany.into());
        }
        if self.calls.contains_key(&name) {
            return Err(LeftOut::Twice(name).into());
        }
        let own = listed.schema.clone().ok_or(LeftOut::Long)?;
        self.looked += 1;
        let Checked { shown: Shown { schema, names }, unchecked, .. } = look(&own)?.map_err(LeftOut::from)?;
        let parameters = Parameters::foreign(schema);
        self.room_for(&parameters, &own)?;
        let called = |(shown, own): (String, String)| {
            format!("the parameter {} is the server's {}", line(&shown), line(&Value::from(own).to_string()))
        };
        let note = |pattern: String| format!("not checked here, but by the server: the pattern {pattern}");
        let description = match short(&listed.description) {
            text if text.is_empty() => "(says nothing about itself)".to_owned(),
            text => text,
        };
        self.calls.insert(name.clone(), Way::Named(listed.name.clone()));
        self.schemas.insert(name.clone(), own);
        let notes = names.into_iter().map(called).chain(unchecked.into_iter().map(note));
        self.notes.insert(name.clone(), notes.collect());
        self.tools.push(PluginTool { name, description, parameters, phrases: vec![], risk: Risk::Medium });
        Ok(())
    }
}

impl From<Unusable> for LeftOut {
    fn from(why: Unusable) -> LeftOut {
        match why {
            Unusable::Misfit(misfit) => misfit.into(),
            why => LeftOut::Unusable(why.to_string()),
        }
    }
}

/// The most schemas that a child looks at for one server: a hostile one costs some seconds each.
const MOST_LOOKS: usize = MOST_TOOLS * 2;
/// The most bytes of one tool's parameters, as JSON.
const MOST_PARAMETERS: usize = MOST_SCHEMA;
/// The most bytes of all tools' parameters.
const MOST_TOGETHER: usize = 128 * 1024;

/// What is offered of an MCP server's list.
///
/// # Errors
/// What keeps a child from looking at schemas.
pub fn of_server(listed: &[Tool], look: Look<'_>) -> Result<Offer, Error> {
    let mut offer = Offer::default();
    for tool in listed {
        match offer.add(tool, look) {
            Ok(()) => {}
            Err(NotAdded::LeftOut(why)) => offer.left_out.push((cut(&tool.name, 80), why)),
            Err(NotAdded::Failed(error)) => return Err(error),
        }
    }
    Ok(offer)
}

/// What is offered of a form.
///
/// # Errors
/// Parameters outside the subset: its maker can mend that, so nothing is left out here.
pub fn of_form(form: &Form) -> Result<Offer, Error> {
    let mut offer = Offer::default();
    for tool in &form.tools {
        let schema = tool.parameters.clone().unwrap_or(Value::Null);
        let parameters = Parameters::parse(schema).map_err(|faults| {
            let faults = faults.iter().map(ToString::to_string).collect();
            Error::usage(Fault::Parameters { tool: tool.name.clone(), faults })
        })?;
        let no_room = |why| Error::usage(Fault::NoRoom { tool: tool.name.clone(), why });
        offer.room_for(&parameters, "").map_err(no_room)?;
        let program = tool.command.as_ref().or(form.command.as_ref());
        let args = if tool.command.is_some() { &tool.args } else { &form.args };
        let argv: Vec<String> = program.into_iter().chain(args).cloned().collect();
        offer.calls.insert(tool.name.clone(), Way::Argv(argv));
        let phrases = phrases(tool, &parameters)?;
        let (name, description) = (tool.name.clone(), short(&tool.description));
        offer.tools.push(PluginTool { name, description, parameters, phrases, risk: Risk::Medium });
    }
    Ok(offer)
}

/// The most sentences of one tool.
const MOST_PHRASES: usize = 24;
/// The longest sentence, in characters.
const LONGEST_PHRASE: usize = 200;

/// The sentences of a tool, each with its language.
///
/// # Errors
/// The first that can call nothing: its language, its form, a slot without a parameter, or a parameter that it leaves out.
fn phrases(tool: &FormTool, parameters: &Parameters) -> Result<Vec<(String, String)>, Error> {
    let all = tool.phrases.iter().flat_map(|(code, said)| said.iter().map(move |said| (code, said)));
    let mut phrases = Vec::new();
    for (code, said) in all {
        let fault = |why| {
            let (code, said) = (cut(code, 10), cut(said, 60));
            Error::usage(Fault::Phrase { tool: tool.name.clone(), code, said, why })
        };
        let Some(language) = Language::of_code(code) else {
            return Err(fault(Unfit::Language));
        };
        if phrases.len() == MOST_PHRASES {
            return Err(fault(Unfit::TooMany));
        }
        if said.chars().count() > LONGEST_PHRASE || *said != line(said) {
            return Err(fault(Unfit::NotALine));
        }
        let pattern = Pattern::parse(said).map_err(|why| fault(Unfit::Pattern(why)))?;
        if slot::kinds(parameters.as_json(), pattern.slots(), language.decimal_comma()).is_none() {
            return Err(fault(Unfit::Slot));
        }
        let is_missing =
            |name: &&str| parameters.is_required(name) && !pattern.slots().iter().any(|slot| slot == name);
        if let Some(name) = parameters.properties().map(|(name, _)| name).find(is_missing) {
            return Err(fault(Unfit::Lacks(name.to_owned())));
        }
        phrases.push((code.clone(), said.clone()));
    }
    Ok(phrases)
}

/// A name as tools have it here: `getSum` becomes `get_sum`.
fn plain(name: &str) -> Option<ToolName> {
    if let Ok(name) = name.parse() {
        return Some(name);
    }
    let mut plain = String::new();
    let mut after_small = false;
    for c in name.chars() {
        let parted = std::mem::replace(&mut after_small, c.is_ascii_lowercase() || c.is_ascii_digit());
        match c {
            'A'..='Z' => {
                if parted {
                    plain.push('_');
                }
                plain.push(c.to_ascii_lowercase());
            }
            '.' | '/' | ' ' => plain.push('_'),
            c => plain.push(c),
        }
    }
    plain.parse().ok()
}

/// Sets the risks that a person named, as in `count=low`.
///
/// # Errors
/// A word of another form, or a tool that is not offered.
pub fn set_risks(tools: &mut [PluginTool], risks: &[String]) -> Result<(), Error> {
    for word in risks {
        let (name, level) = word.split_once('=').unwrap_or((word, ""));
        let allowed = [Risk::Low, Risk::Medium, Risk::High];
        let Some(risk) = allowed.into_iter().find(|risk| risk.as_str() == level) else {
            return Err(Error::usage(Fault::Risk(cut(word, 80))));
        };
        let Some(tool) = tools.iter_mut().find(|tool| tool.name.as_str() == name) else {
            let known = tools.iter().map(|t| t.name.to_string()).collect();
            return Err(Error::usage(Fault::RiskOfNone { name: cut(name, 80), known }));
        };
        tool.risk = risk;
    }
    Ok(())
}

#[cfg(test)]
mod tests;

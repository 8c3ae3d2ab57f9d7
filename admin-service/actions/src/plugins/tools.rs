//! From the tools that a plugin lists to those that are offered.

use std::collections::BTreeMap;

use base::error::Error;
use ledger::facts::Way;
use serde::Serialize;
use serde_json::Value;
use shared_types::id::{Digest, ToolName};
use shared_types::plugin::PluginTool;
use shared_types::risk::Risk;
use shared_types::schema::Parameters;
use shared_types::text::cut;

use super::form::{Form, MOST_TOOLS};
use super::schema::{Misfit, fit, short};

/// A tool as an MCP server lists it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Listed {
    /// The server's name for it.
    pub name: String,
    /// What it says about it.
    pub description: String,
    /// Its parameters.
    pub input: Value,
}

/// The tools that are offered, and those that are not.
#[derive(Debug, Default)]
pub struct Offer {
    /// What the assistant is offered.
    pub tools: Vec<PluginTool>,
    /// How each is called.
    pub calls: BTreeMap<ToolName, Way>,
    /// What is left out, with the reason.
    pub left_out: Vec<(String, LeftOut)>,
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
    /// Its parameters are outside the subset.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// Its parameters are longer than a person reads.
    #[error("its parameters have more than {MOST_PARAMETERS} bytes")]
    Long,
    /// With them all parameters are.
    #[error("the parameters of all tools have more than {MOST_TOGETHER} bytes")]
    LongTogether,
}

impl Offer {
    /// Lets parameters in that a person can still read: one tool's, and all of them together.
    fn room_for(&self, parameters: Parameters) -> Result<Parameters, LeftOut> {
        let length =
            |parameters: &Parameters| serde_json::to_string(parameters).map_or(usize::MAX, |t| t.len());
        let own = length(&parameters);
        if own > MOST_PARAMETERS {
            return Err(LeftOut::Long);
        }
        let before: usize = self.tools.iter().map(|tool| length(&tool.parameters)).sum();
        if before + own > MOST_TOGETHER {
            return Err(LeftOut::LongTogether);
        }
        Ok(parameters)
    }
}

/// The most bytes of one tool's parameters, as JSON.
const MOST_PARAMETERS: usize = 8 * 1024;
/// The most bytes of all tools' parameters.
const MOST_TOGETHER: usize = 64 * 1024;

/// SHA-256 of a list, whatever its order: a server that lists anything else later is not the one that was approved.
pub fn digest(listed: &[Listed]) -> Digest {
    let mut all: Vec<&Listed> = listed.iter().collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    let text = serde_json_canonicalizer::to_string(&all).unwrap_or_default();
    Digest::of(text.as_bytes())
}

/// What is offered of an MCP server's list.
pub fn of_server(listed: &[Listed]) -> Offer {
    let mut offer = Offer::default();
    for tool in listed {
        let shown = cut(&tool.name, 80);
        let fitted =
            fit(&tool.input).map_err(LeftOut::from).and_then(|parameters| offer.room_for(parameters));
        let mut leave = |why| offer.left_out.push((shown.clone(), why));
        let Some(name) = plain(&tool.name) else {
            leave(LeftOut::Name);
            continue;
        };
        if offer.tools.len() >= MOST_TOOLS {
            leave(LeftOut::TooMany);
            continue;
        }
        if offer.calls.contains_key(&name) {
            leave(LeftOut::Twice(name));
            continue;
        }
        let description = short(&tool.description);
        let description =
            if description.is_empty() { "(says nothing about itself)".to_owned() } else { description };
        match fitted {
            Ok(parameters) => {
                offer.calls.insert(name.clone(), Way::Named(tool.name.clone()));
                offer.tools.push(PluginTool { name, description, parameters, risk: Risk::Medium });
            }
            Err(why) => leave(why),
        }
    }
    offer
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
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            Error::usage(format!("tools.{}: {}", tool.name, faults.join("; ")))
        })?;
        let parameters =
            offer.room_for(parameters).map_err(|why| Error::usage(format!("tools.{}: {why}", tool.name)))?;
        let program = tool.command.as_ref().or(form.command.as_ref());
        let args = if tool.command.is_some() { &tool.args } else { &form.args };
        let argv: Vec<String> = program.into_iter().chain(args).cloned().collect();
        offer.calls.insert(tool.name.clone(), Way::Argv(argv));
        let description = short(&tool.description);
        offer.tools.push(PluginTool { name: tool.name.clone(), description, parameters, risk: Risk::Medium });
    }
    Ok(offer)
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
            return Err(Error::usage(format!(
                "--risk `{}`: TOOL=low, TOOL=medium or TOOL=high",
                cut(word, 80)
            )));
        };
        let Some(tool) = tools.iter_mut().find(|tool| tool.name.as_str() == name) else {
            let known: Vec<&str> = tools.iter().map(|t| t.name.as_str()).collect();
            return Err(Error::usage(format!(
                "--risk: no tool `{}` is offered; there are: {}",
                cut(name, 80),
                known.join(" ")
            )));
        };
        tool.risk = risk;
    }
    Ok(())
}

#[cfg(test)]
mod tests;

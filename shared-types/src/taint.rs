//! What a conversation holds: where its content comes from, what the person typed, and to what they said yes.
//!
//! The kernel notes it where it passes; nothing here takes it away again.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::memory::Turn;
use crate::provenance::Provenance;
use crate::risk::Autonomy;
use crate::typed::{self, Typed};
use crate::verdict::{Circumstances, Weight};

/// The most flags of one call that still count as saying nothing.
const MOST_FLAGS: usize = 4;
/// How many calls with addresses that content from outside named, or that were asked for before, one yes covers: of one
/// destination, and besides the first.
const MOST_PAGES: usize = 8;
/// The most addresses that are remembered as named by content from outside, and the longest of them, in bytes.
const MOST_NAMED: usize = 4_096;
const LONGEST_NAMED: usize = 1_024;

/// What a conversation holds, and to what the person said yes in it.
#[derive(Debug, Clone, Default)]
pub struct Taint {
    /// Where its content comes from.
    provenance: Provenance,
    /// What the person typed in it.
    typed: Typed,
    /// Arguments that a person wrote as a whole, on a command line.
    written: Vec<Value>,
    /// How many calls typed words excused, in earlier runs of the program too.
    excused: usize,
    /// To what the person said yes, and how many named addresses each still covers.
    agreed: BTreeMap<Yes, usize>,
    /// The addresses that content from outside named.
    named: BTreeSet<String>,
}

/// What one yes covers: a tool, where it sends, and the addresses in the arguments that neither the person typed nor content
/// from outside named.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Yes {
    tool: String,
    to: String,
    addresses: BTreeSet<String>,
}

impl Taint {
    /// What a conversation holds that is resumed from its records. A yes is given anew, and what was typed before excuses
    /// nothing more; `excused` is how many calls it did. Records that cannot be read may hold anything.
    pub fn of(records: Option<&[Turn]>, excused: usize) -> Taint {
        let mut taint = Taint { excused, ..Taint::default() };
        if records.is_none() {
            taint.bring(Provenance::BOTH);
        }
        for record in records.unwrap_or_default() {
            taint.bring(Provenance { outside: record.outside, private: record.private });
            if record.role == "user" && record.metadata["untyped"] != true {
                taint.typed.line(&record.content);
            }
        }
        taint.typed.retire();
        taint
    }

    /// Where its content comes from.
    pub fn provenance(&self) -> Provenance {
        self.provenance
    }

    /// Takes in a line that the person typed.
    pub fn line(&mut self, text: &str) {
        self.typed.line(text);
    }

    /// Takes the arguments of a command line as what the person typed.
    pub fn written(&mut self, args: &Value) {
        self.written.push(args.clone());
    }

    /// Under which circumstances a call is judged.
    pub fn circumstances(
        &self,
        autonomy: Autonomy,
        weight: &Weight,
        tool: &str,
        args: &Value,
    ) -> Circumstances {
        let to = weight.carries_to.as_deref();
        let said = Said::of(args);
        let written = self.written.contains(args);
        let private = to.is_some_and(|to| self.typed.is_private_to(to));
        Circumstances {
            autonomy,
            holds: Provenance { private: self.provenance.private || private, ..self.provenance },
            typed: written || to.is_some_and(|to| self.typed_all(to, &said)),
            excused: if written { 0 } else { self.excused },
            strange_address: !written && said.addresses().any(|address| !self.typed.has_whole(address)),
            said_yes: to.is_some_and(|to| self.said_yes(to, tool, &said)),
        }
    }

    /// The words of a call that the person did not type, for the question about it.
    pub fn strange(&self, args: &Value) -> Vec<String> {
        self.typed.strange(Said::of(args).texts())
    }

    /// Whether a yes covers a call; one to a call that goes nowhere covers no other.
    fn said_yes(&self, to: &str, tool: &str, said: &Said) -> bool {
        let left = self.agreed.get(&self.yes(to, tool, said));
        left.is_some_and(|left| *left > 0 || !self.is_named(to, said))
    }

    /// The yes that would cover a call.
    fn yes(&self, to: &str, tool: &str, said: &Said) -> Yes {
        let strange = |address: &&str| !self.typed.has_whole(address) && !self.names(to, address);
        let addresses = said.addresses().filter(strange).map(str::to_owned).collect();
        Yes { tool: tool.to_owned(), to: to.to_owned(), addresses }
    }

    /// Whether a call asks for a page by an address that content from outside named, or that the person typed and was
    /// asked for before: a yes covers a limited number of those.
    fn is_named(&self, to: &str, said: &Said) -> bool {
        let repeated = |address: &str| self.typed.has_whole(address) && !self.typed.has_left(address);
        said.addresses()
            .any(|address| repeated(address) || (!self.typed.has_whole(address) && self.names(to, address)))
    }

    /// Whether content from outside named an address, and it leads to one of the hosts of a destination.
    fn names(&self, to: &str, address: &str) -> bool {
        let hosts = || to.split(", ").filter_map(typed::host_of);
        typed::host_of(address).is_some_and(|host| hosts().any(|other| other == host))
            && self.named.contains(&typed::page(address))
    }

    /// Remembers that the person said yes to a call.
    pub fn agree(&mut self, weight: &Weight, tool: &str, args: &Value) {
        let (Some(to), said) = (weight.carries_to.as_deref(), Said::of(args)) else { return };
        self.agreed.insert(self.yes(to, tool, &said), MOST_PAGES);
        self.typed.use_up(to, said.texts());
    }

    /// Takes a call from what an earlier yes covers.
    pub fn use_yes(&mut self, weight: &Weight, tool: &str, args: &Value) {
        let (Some(to), said) = (weight.carries_to.as_deref(), Said::of(args)) else { return };
        if self.is_named(to, &said) {
            let yes = self.yes(to, tool, &said);
            self.agreed.entry(yes).and_modify(|left| *left = left.saturating_sub(1));
        }
        self.typed.use_up(to, said.texts());
    }

    /// Uses up the typed words that excuse a call.
    pub fn excuse(&mut self, weight: &Weight, args: &Value) {
        if self.written.contains(args) {
            return;
        }
        self.excused = self.excused.saturating_add(1);
        self.typed.use_up(weight.carries_to.as_deref().unwrap_or_default(), Said::of(args).texts());
    }

    /// Lets typed words excuse nothing more.
    pub fn excuse_nothing(&mut self) {
        self.excused = usize::MAX;
    }

    /// Notes what came into the conversation.
    pub fn bring(&mut self, more: Provenance) {
        if more.outside {
            self.typed.outside_came();
        }
        self.provenance = self.provenance.with(more);
    }

    /// The same, for a judgement that looks ahead.
    pub fn bringing(&self, more: Provenance) -> Taint {
        let mut taint = self.clone();
        taint.bring(more);
        taint
    }

    /// Notes the addresses that content from outside names.
    pub fn name_pages(&mut self, text: &str) {
        for page in typed::pages_named(text) {
            if self.named.len() >= MOST_NAMED {
                return;
            }
            if page.len() <= LONGEST_NAMED {
                self.named.insert(page);
            }
        }
    }

    /// Whether the arguments say nothing but what the person typed, as far as that may be sent to a destination.
    fn typed_all(&self, to: &str, said: &Said) -> bool {
        said.flags <= MOST_FLAGS && self.typed.covers(to, said.texts())
    }
}

/// What arguments say. The names of their fields say nothing: a tool's schema lists them all.
#[derive(Default)]
struct Said {
    texts: Vec<String>,
    flags: usize,
}

impl Said {
    fn of(args: &Value) -> Said {
        let mut said = Said::default();
        said.collect(args);
        said
    }

    fn texts(&self) -> impl Iterator<Item = &str> + Clone {
        self.texts.iter().map(String::as_str)
    }

    /// What in them looks like an address.
    fn addresses(&self) -> impl Iterator<Item = &str> {
        typed::addresses(self.texts())
    }

    fn collect(&mut self, value: &Value) {
        match value {
            Value::Null | Value::Bool(_) => self.flags += 1,
            Value::Number(number) => self.texts.push(number.to_string()),
            Value::String(text) => self.texts.push(text.clone()),
            Value::Array(items) => items.iter().for_each(|item| self.collect(item)),
            Value::Object(fields) => fields.values().for_each(|inner| self.collect(inner)),
        }
    }
}

#[cfg(test)]
mod tests;

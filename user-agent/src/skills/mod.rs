//! The one list of the skills that are part of the bot; no skill holds another.
//!
//! - [`cli`]: lines in, lines out
//! - [`reasoning`]: the conversation
//! - [`memory`]: facts and conversations
//! - [`proposer`]: a wish becomes a proposal
//! - [`clock`]: the date and the time
//! - [`files`]: files of the workspace
//! - [`web`]: pages of granted hosts
//! - [`shell`]: commands, run by the admin service
//! - [`plugins`]: what an approver installed, run by the admin service
//! - [`powers`]: what each of them may do beyond its tokens
//! - [`words`]: sentences that several of them say

use shared_types::id::{EventType, SkillName};

pub use crate::kernel::skill::{Call, Denial, Outcome, Skill, Tool};

pub mod cli;
pub mod clock;
pub mod files;
pub mod memory;
pub mod plugins;
pub mod powers;
pub mod proposer;
pub mod reasoning;
pub mod shell;
pub mod web;
pub mod words;

/// Every skill that is part of the bot; which of them run is written in the manifest.
pub fn built_in() -> Vec<Box<dyn Skill>> {
    vec![
        Box::new(cli::Cli::default()),
        Box::new(reasoning::Reasoning::default()),
        Box::new(memory::Memory::default()),
        Box::new(proposer::Proposer::default()),
        Box::new(clock::Clock::default()),
        Box::new(files::Files::default()),
        Box::new(web::Web::default()),
        Box::new(shell::Shell::default()),
    ]
}

/// Sentence patterns that stand in the source, by language.
fn phrases(patterns: &[(&str, &str)]) -> Vec<models::Phrase> {
    let phrase = |(language, pattern): &(&str, &str)| models::Phrase {
        language: (*language).to_owned(),
        pattern: (*pattern).to_owned(),
    };
    patterns.iter().map(phrase).collect()
}

/// A name that stands in the source.
fn own_name(name: &'static str) -> SkillName {
    name.parse().expect("the names of the built-in skills are well-formed")
}

/// Event types that stand in the source.
fn core_events(types: &[&'static str]) -> Vec<EventType> {
    types.iter().map(|t| t.parse().expect("the core event types are well-formed")).collect()
}

//! The one list of the skills that are part of the bot; no skill holds another. The driver, [`terminal::Cli`], is the layer below.
//!
//! - [`reasoning`]: the conversation
//! - [`memory`]: facts and conversations
//! - [`proposer`]: a wish becomes a proposal
//! - [`clock`]: the date and the time
//! - [`files`]: files of the workspace
//! - [`web`]: pages of granted hosts
//! - [`shell`]: commands, run by the admin service
//! - [`plugins`]: what an approver installed, run by the admin service
//! - [`powers`]: what each of them may do beyond its tokens
//! - [`words`]: sentences that several of them say; [`when`]: days, times and spans as people write them
#![forbid(unsafe_code)]

use kernel::skill::Skill;
use ports::Shared;
use shared_types::id::EventType;
use shared_types::manifest::Builtin;

pub mod clock;
pub mod files;
pub mod memory;
pub mod plugins;
pub mod powers;
pub mod proposer;
pub mod reasoning;
pub mod shell;
pub mod web;
mod when;
pub mod words;

/// Every skill that is part of the bot; which of them run is written in the manifest. The tool `web_search` is there where a
/// search engine is configured.
pub fn built_in(searches: bool) -> Vec<Box<dyn Skill<Shared>>> {
    vec![
        Box::new(terminal::Cli::default()),
        Box::new(reasoning::Reasoning::default()),
        Box::new(memory::Memory::default()),
        Box::new(proposer::Proposer::default()),
        Box::new(clock::Clock::default()),
        Box::new(files::Files::default()),
        Box::new(web::Web::new(searches)),
        Box::new(shell::Shell::default()),
    ]
}

/// What a built-in skill of the manifest gets: its tokens, and of its events those that the manifest names, or all of its
/// own where the manifest names none.
pub fn granted_events(own: Vec<EventType>, named: &[EventType]) -> Vec<EventType> {
    if named.is_empty() { own } else { own.into_iter().filter(|e| named.contains(e)).collect() }
}

/// Pairs the manifest's built-in entries with the skills of this program; an unknown name is a warning.
pub fn pair(
    wanted: &[Builtin],
    mut skills: Vec<Box<dyn Skill<Shared>>>,
    warnings: &mut Vec<String>,
) -> Vec<(Box<dyn Skill<Shared>>, Builtin)> {
    let mut pairs = Vec::new();
    for entry in wanted {
        match skills.iter().position(|s| s.name() == &entry.name) {
            Some(at) => {
                let skill = skills.swap_remove(at);
                let missing = skill.capabilities().without(&entry.capabilities);
                if !missing.is_empty() {
                    warnings.push(format!("the skill {} was not granted {missing}", entry.name));
                }
                pairs.push((skill, entry.clone()));
            }
            None => warnings.push(format!("this program has no built-in skill {}", entry.name)),
        }
    }
    pairs
}

#[cfg(test)]
mod tests;

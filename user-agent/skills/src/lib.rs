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
//!
//! # How it works
//!
//! The skill `files` reads and writes the workspace as far as the profile's `grants` name a path. A path is made
//! canonical (`skills/src/files/place.rs`): absolute ones, `~`, `..`, and control or direction-changing characters are
//! refused before anything is opened. Then it is opened folder by folder (`user-agent/base/src/paths/walk.rs`): no
//! link, no other mount, no file with a second name, and each name must be the one that its folder lists. So the text
//! that the grants judged is the file that is opened, however the workspace was prepared or is changed meanwhile.
//! Nothing beyond the workspace can be granted, so `/etc`, `/sys`, `/boot` and `~/.ssh` are out of reach by
//! construction. A write replaces the whole file in one step. The folders of learned skills are in the same workspace:
//! what such a skill does there was decided by its approver, and the grants are about `files` alone.
//!
//! The skill `web` reads pages. `mind` judges the address first, to say which grant is missing; the decision is
//! `net`'s, which took the hosts from the profile's file before the fork and believes no word of `mind` about them. It
//! asks hop by hop (`net/src/visit.rs`), at most five redirects, each judged by the same grants and recorded, never
//! from https down to http. A name is resolved once, the addresses are judged, and one of those is connected to; an
//! address that is not public must be named, with its port, in `network.local` too. Plain http is allowed where the
//! grant names the host, and the reason says so. `net` decodes text and sends it on; `mind` makes text of HTML
//! (`skills/src/web/page.rs`), in one pass without recursion. Both read addresses by one type
//! (`models::http::Address`).
//!
//! The skill `reasoning` holds the conversation. What goes to a model only ever grows at its end (`talk.rs`,
//! `offer.rs`): the instructions change once a day and when something is forgotten (they hold what the person prefers
//! and, in a line each, what earlier conversations were about: `known.rs`, `past.rs`), a memory goes along once, at the
//! line that called for it, and a tool that was offered stays offered; so a local server reads each line once. Tools
//! that only count days and times are the companion's. With more tools than fit into 7 KiB (800 bytes where a line only
//! greets, thanks or takes leave), those that a line is about are offered and the shortest built-in ones; the others
//! are named, and one that is called by its name runs and is offered from then on. `rounds.rs` runs the calls, those
//! that only read beside each other, and ends it in every case: after the configured rounds, or when a call comes a
//! third time. What the program says, and what lines mean, is data per language (`libs/language/data`), made into
//! tables when the program is built. `libs/language` has the one matcher of sentence patterns and the one folding of
//! letters; tools' phrases and intents are matched by it.
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

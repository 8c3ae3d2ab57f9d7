//! How far a call reaches: the skill's own rights, and those of every skill that its events reach.

use shared_types::capability::{Token, TokenSet};
use shared_types::id::SkillName;

use super::context::KernelContext;
use super::program::Program;
use super::registry::Registry;

/// What a call of a skill's tool can reach.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// The tokens of the skill and of all that its events reach.
    pub tokens: TokenSet,
    /// Whether it gets at more than its own: the person's memory, the whole workspace, or another part of the bot.
    pub wide: bool,
    /// The other skills on its way that have the network.
    pub through: Vec<SkillName>,
}

impl Reach {
    pub(super) fn of<P: Program>(registry: &Registry<P>, place: usize) -> Reach {
        let mut reached = vec![place];
        let mut next = 0;
        while let Some(from) = reached.get(next).copied() {
            next += 1;
            for (event, handler) in registry.handlers() {
                let sends = registry.entries()[from].grants.emits(event);
                if sends && !reached.contains(&handler) {
                    reached.push(handler);
                }
            }
        }
        let mut reach = Reach::default();
        for (n, entry) in reached.iter().map(|at| (*at, &registry.entries()[*at])) {
            let tokens = entry.grants.tokens();
            let is_part = n != place && !entry.learned;
            reach.wide |= entry.grants.wide || (is_part && !entry.grants.shows_for_others);
            if n != place && [Token::NetworkRead, Token::NetworkWrite].iter().any(|t| tokens.contains(*t)) {
                reach.through.push(entry.skill.name().clone());
            }
            reach.tokens = reach.tokens.union(tokens);
        }
        reach
    }
}

impl<P: Program> KernelContext<P> {
    /// How far a call of this skill's tools reaches, by what was granted and not by what it says.
    pub fn reach(&self) -> Reach {
        Reach::of(&self.kernel().registry, self.place())
    }
}

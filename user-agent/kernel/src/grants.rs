//! What a skill is granted: by its tokens, and as a part of the bot by its powers.
//!
//! It is decided here alone, when the registry is made. The handles are made of what was decided, and of nothing else.

use shared_types::capability::{Token, TokenSet};
use shared_types::id::{EventType, SkillName};
use shared_types::power::{Power, Powers};
use shared_types::proposal::Scope;

use super::program::{ByKernel, Program};

/// Which skill the grants are for.
pub enum Holder<'a> {
    /// A part of the bot, with what it may do beyond its tokens.
    BuiltIn(&'a SkillName, Powers<'a>),
    /// A plugin. It gets the way to ask for a call of its tools; these run in the admin's confinement.
    Plugin(&'a SkillName),
    /// A learned skill, with how far its memory and its files reach.
    Learned(&'a SkillName, Scope, Scope),
}

/// Which files a skill reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// None.
    Nothing,
    /// Those of its own folder in the workspace.
    Own,
    /// Those of the whole workspace.
    Workspace,
}

/// What a skill may reach; its handles are made of this.
#[derive(Debug, Clone)]
pub struct Rights<'a> {
    /// Who it is.
    pub name: &'a SkillName,
    /// Its tokens.
    pub tokens: &'a TokenSet,
    /// Whether records to read come with the person's facts.
    pub reads_facts: bool,
    /// Whether it keeps the person's facts and conversations.
    pub keeps_facts: bool,
    /// What it reads.
    pub reads: Room,
    /// What it writes.
    pub writes: Room,
    /// Whether it reads and writes the further folders that the configuration opens, as far as that says.
    pub further: bool,
    /// Whether the network is for pages too.
    pub pages: bool,
    /// Whether it puts proposals into their folder.
    pub outbox: bool,
    /// Whether it asks the admin service for effects.
    pub actions: bool,
}

impl<'a> Rights<'a> {
    fn of(holder: &Holder<'a>, tokens: &'a TokenSet) -> Rights<'a> {
        let has = |token| tokens.contains(token);
        let (name, powers) = match holder {
            Holder::BuiltIn(name, powers) => (*name, *powers),
            Holder::Plugin(name) | Holder::Learned(name, ..) => (*name, Powers::default()),
        };
        let keeps_facts = powers.has(Power::KeepFacts);
        let room = match holder {
            Holder::Learned(_, _, Scope::Profile) => Room::Workspace,
            // The profile's grants say which files of the workspace.
            Holder::BuiltIn(..) if powers.has(Power::WholeWorkspace) => Room::Workspace,
            Holder::BuiltIn(..) if powers.is_made_for(Power::WholeWorkspace) => Room::Nothing,
            Holder::BuiltIn(..) | Holder::Plugin(_) | Holder::Learned(..) => Room::Own,
        };
        // Who is made to send proposals or to ask for effects has no files in their place.
        let (sends, acts) = (powers.is_made_for(Power::Outbox), powers.is_made_for(Power::Actions));
        Rights {
            name,
            tokens,
            // The facts go no further than to who keeps them, and to whom a person granted the profile's memory.
            reads_facts: keeps_facts || matches!(holder, Holder::Learned(_, Scope::Profile, _)),
            keeps_facts,
            reads: if has(Token::FileRead) && !acts { room } else { Room::Nothing },
            writes: if has(Token::FileWrite) && !sends && !acts { room } else { Room::Nothing },
            further: powers.has(Power::WholeWorkspace),
            pages: powers.has(Power::Pages),
            outbox: has(Token::FileWrite) && powers.has(Power::Outbox),
            actions: matches!(holder, Holder::Plugin(_))
                || (has(Token::FileWrite) && powers.has(Power::Actions)),
        }
    }
}

/// The right to ask the person.
pub struct UserInput(());

/// The right to show the person something.
pub struct UserOutput(());

/// What one skill was granted.
pub struct Grants<P: Program> {
    tokens: TokenSet,
    emits: Vec<EventType>,
    handles: Vec<EventType>,
    pub(super) user_input: Option<UserInput>,
    pub(super) user_output: Option<UserOutput>,
    pub(super) services: P::Handles,
    pub(super) calls_tools: bool,
    /// Whether the skill only shows and asks, always under the sender's name.
    pub(super) shows_for_others: bool,
    /// Whether the skill gets at the person's memory or at the whole workspace, and not only at its own.
    pub(super) wide: bool,
    pub(super) plugin: bool,
}

impl<P: Program> Grants<P> {
    /// Decides what these tokens grant, and has the handles made of it, and no other.
    pub fn new(
        holder: &Holder<'_>,
        tokens: &TokenSet,
        emits: Vec<EventType>,
        handles: Vec<EventType>,
        services: &P::Services,
    ) -> Grants<P> {
        let (none, plugin) = (TokenSet::new(), matches!(holder, Holder::Plugin(_)));
        let held = if plugin { &none } else { tokens };
        let has = |token| held.contains(token);
        let (calls_tools, shows_for_others, wide) = match holder {
            Holder::BuiltIn(_, powers) => {
                (has(Token::LlmCall) && powers.has(Power::CallTools), powers.has(Power::ShowForOthers), false)
            }
            Holder::Plugin(_) => (false, false, false),
            Holder::Learned(_, memory, files) => {
                let memory = *memory == Scope::Profile && (has(Token::MemoryRead) || has(Token::MemoryWrite));
                let files = *files == Scope::Profile && (has(Token::FileRead) || has(Token::FileWrite));
                (false, false, memory || files)
            }
        };
        Grants {
            user_input: has(Token::UserInput).then_some(UserInput(())),
            user_output: has(Token::UserOutput).then_some(UserOutput(())),
            services: P::handles(&ByKernel::new(), &Rights::of(holder, held), services),
            calls_tools,
            shows_for_others,
            wide,
            plugin,
            tokens: tokens.clone(),
            emits,
            handles,
        }
    }

    /// The tokens.
    pub fn tokens(&self) -> &TokenSet {
        &self.tokens
    }

    /// Whether an event may reach the skill.
    pub fn handles(&self, event: &EventType) -> bool {
        self.handles.contains(event)
    }

    /// Whether the skill may send an event.
    pub fn emits(&self, event: &EventType) -> bool {
        self.emits.contains(event)
    }
}

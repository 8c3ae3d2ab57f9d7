//! A wish becomes a proposal: a file that says what is wanted and why, and holds no code.

use bot_base::log;
use draft::{Drafted, NoHost};
use kernel::skill::Skill;
use language::pairs::Lesson;
use language::{Language, fill};
use models::ToolSpec;
use models::phrases::route;
use ports::offered;
use ports::own::{core_events, own_name};
use ports::spool::NotWritten;
use ports::{KernelContext, Shared};
use serde_json::json;
use served::Wanted;
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Shown;
use shared_types::event::{Event, core};
use shared_types::id::{EventType, HostName, SkillName};
use shared_types::message::{Answer, Message, ProposalRow, Request, TurnOutcome};
use shared_types::profile::SystemCapability;
use shared_types::proposal::{Document, Kind};
use shared_types::text;

use crate::words;

pub mod draft;
mod mend;
pub mod outbox;
mod served;

/// The skill.
pub struct Proposer {
    name: SkillName,
}

impl Default for Proposer {
    fn default() -> Self {
        Proposer { name: own_name("proposer") }
    }
}

impl Skill<Shared> for Proposer {
    fn name(&self) -> &SkillName {
        &self.name
    }

    fn description(&self) -> &str {
        "Writes down what the assistant should learn, for a person to decide"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn capabilities(&self) -> TokenSet {
        [Token::LlmCall, Token::FileWrite].into_iter().collect()
    }

    fn handles_events(&self) -> Vec<EventType> {
        core_events(&[core::SKILL_PROPOSAL])
    }

    fn answer(&self, event: &Event<Message>, ctx: &KernelContext) -> Option<Answer> {
        let outbox = ctx.handles().outbox()?;
        let documents = || outbox::list(&outbox.proposals, outbox.status.as_deref());
        let Message::Request(request) = &event.payload else { return None };
        Some(match request {
            Request::List => Answer::Proposals(documents().iter().map(ProposalRow::from).collect()),
            Request::Show { id } => {
                Answer::Proposal(outbox::find(&documents(), id).map(|found| Box::new(found.clone())))
            }
            Request::Wish { wish, line } => {
                let language = words::language(ctx, line);
                let (reply, outcome) = self
                    .wish(wish, line, language, ctx)
                    .unwrap_or_else(|why| (why.in_words(language, ctx), TurnOutcome::Failed));
                Answer::Wished { reply, outcome }
            }
        })
    }
}

/// Why no proposal was written.
enum Unwritten {
    /// Nowhere to put one.
    NoOutbox,
    /// The folder, or the proposal.
    Refused(NotWritten),
}

impl Unwritten {
    /// What to tell the person.
    fn in_words(&self, language: Language, ctx: &KernelContext) -> String {
        match self {
            _ if ctx.shared().audience.is_minor() => language.says().broken_minor.to_owned(),
            Unwritten::NoOutbox => language.says().no_outbox.to_owned(),
            Unwritten::Refused(why) => fill(language.says().not_written, &[("why", &why.to_string())]),
        }
    }
}

impl Proposer {
    /// Writes a proposal for a wish, unless there is one already; answers what to tell the person, and what came of it.
    ///
    /// # Errors
    /// See [`Unwritten`].
    fn wish(
        &self,
        wish: &str,
        line: &str,
        language: Language,
        ctx: &KernelContext,
    ) -> Result<(String, TurnOutcome), Unwritten> {
        if let Some(lesson) = language::pairs::lesson(line) {
            return self.lesson(&lesson, line, language, ctx);
        }
        let outbox = ctx.handles().outbox().ok_or(Unwritten::NoOutbox)?;
        let known = outbox::list(&outbox.proposals, outbox.status.as_deref());
        let first = language::draft(wish);
        if let Some(reply) = served(wish, language, ctx) {
            return Ok((reply, TurnOutcome::Answered));
        }
        if let Some(line) = language::able(wish) {
            let reply = fill(language.says().can_already, &[("line", &line)]);
            return Ok((reply, TurnOutcome::Answered));
        }
        if let Some(reply) = already(&first.name, wish, line, &known, language, ctx) {
            return Ok((reply, TurnOutcome::Answered));
        }
        if let Some(reply) = lacking(&first, language, ctx) {
            return Ok((reply, TurnOutcome::Unknown));
        }
        let drafted = match draft::draft(wish, line, ctx) {
            Ok(drafted) => drafted,
            Err(NoHost { topic }) => {
                let says = language.says();
                let is_minor = ctx.shared().audience.is_minor();
                let sentence = match topic.as_str() {
                    _ if is_minor => says.no_service_minor,
                    "news" => says.no_feed,
                    _ => says.no_service,
                };
                let reply = fill(sentence, &[("topic", &topic)]);
                return Ok((reply, TurnOutcome::Unknown));
            }
        };
        if let Some(reply) = already(&drafted.document.proposal.name, wish, line, &known, language, ctx) {
            return Ok((reply, TurnOutcome::Answered));
        }
        outbox::write(&outbox.proposals, &drafted.document).map_err(Unwritten::Refused)?;
        log::event(log::Event::ProposalWritten { id: log::Name::of(drafted.document.proposal.id.as_str()) });
        let before = refused_before(&drafted.document.proposal.name, line, &known, language, ctx);
        Ok((written(&drafted, language, ctx) + &before, TurnOutcome::Proposed))
    }
}

impl Proposer {
    /// Writes a proposal for a wish that is expressed by examples; the service looks for the rule.
    ///
    /// # Errors
    /// See [`Unwritten`].
    fn lesson(
        &self,
        lesson: &Lesson,
        line: &str,
        language: Language,
        ctx: &KernelContext,
    ) -> Result<(String, TurnOutcome), Unwritten> {
        let outbox = ctx.handles().outbox().ok_or(Unwritten::NoOutbox)?;
        if lesson.pairs.len() < LEAST_PAIRS {
            return Ok((language.says().examples_how.to_owned(), TurnOutcome::Unknown));
        }
        let document = draft::by_examples(lesson, line, ctx)
            .map_err(|faults| Unwritten::Refused(NotWritten::Refused(faults)))?;
        let known = outbox::list(&outbox.proposals, outbox.status.as_deref());
        let name = &document.proposal.name;
        if let Some(reply) = already(name, name.as_str(), line, &known, language, ctx) {
            return Ok((reply, TurnOutcome::Answered));
        }
        outbox::write(&outbox.proposals, &document).map_err(Unwritten::Refused)?;
        log::event(log::Event::ProposalWritten { id: log::Name::of(document.proposal.id.as_str()) });
        let more = if ctx.shared().audience.is_minor() { "" } else { language.says().examples_more };
        Ok((written(&Drafted { document }, language, ctx) + more, TurnOutcome::Proposed))
    }
}

/// The examples with which a wish is written down; the service asks for more where they leave something open.
const LEAST_PAIRS: usize = 2;

/// Whether this system has what a skill needs. Who answers now says more of a model than the profile of the system, which is older.
fn has(ability: SystemCapability, ctx: &KernelContext) -> bool {
    match ability {
        SystemCapability::LanguageModel => {
            ctx.handles().model().is_some_and(|model| model.writes_freely("chat"))
        }
        other => ctx.shared().system.offers(other),
    }
}

/// What to say when the words of a wish ask for what this system or this version lacks.
fn lacking(drafted: &language::Draft, language: Language, ctx: &KernelContext) -> Option<String> {
    let says = language.says();
    // The rules know mail by its topic: no ability of a system stands for it.
    if drafted.topics.iter().any(|topic| topic == MAIL)
        && ctx.shared().config.services.iter().all(|service| service.topic != MAIL)
    {
        return Some(says.no_mail.to_owned());
    }
    let lacks = drafted.requirements.iter().find(|ability| !has(**ability, ctx))?;
    Some(match lacks {
        SystemCapability::Gpio if ctx.shared().audience.is_minor() => says.no_devices.to_owned(),
        SystemCapability::Gpio => says.no_pins.to_owned(),
        SystemCapability::AudioInput | SystemCapability::AudioOutput if ctx.shared().audience.is_minor() => {
            says.no_sound.to_owned()
        }
        SystemCapability::AudioInput | SystemCapability::AudioOutput => says.no_voice.to_owned(),
        _ if ctx.shared().audience.is_minor() => says.broken_minor.to_owned(),
        SystemCapability::LanguageModel => says.learns_by_model.to_owned(),
        // Nothing can be said of it at once; the service judges the proposal.
        _ => return None,
    })
}

/// The topic of wishes for mail.
const MAIL: &str = "mail";

/// What to say when a learned skill serves the wish in other words.
fn served(wish: &str, language: Language, ctx: &KernelContext) -> Option<String> {
    let wanted = Wanted::of(wish);
    let specs = offered::specs(ctx);
    let serves = |skill: &Shown| {
        let own = |spec: &&ToolSpec| spec.name.split('.').next() == Some(skill.name.as_str());
        let tools: Vec<ToolSpec> = specs.iter().filter(own).cloned().collect();
        // `lerne zu würfeln`: one of its sentences, in a language in which it does not say what it is for.
        let says_it = || route(wish, &tools, None).iter().any(|call| call.arguments == json!({}));
        skill.learned && (wanted.is_served_by(skill.name.as_str(), &skill.description, &tools) || says_it())
    };
    let skill = ctx.skills().into_iter().find(serves)?;
    Some(fill(language.says().learned_already, &[("name", skill.name.as_str())]))
}

/// What to say when the ability is there, or was asked for already.
fn already(
    name: &SkillName,
    wish: &str,
    line: &str,
    known: &[Document],
    language: Language,
    ctx: &KernelContext,
) -> Option<String> {
    if ctx.skills().iter().any(|skill| skill.learned && &skill.name == name) {
        return Some(fill(language.says().learned_already, &[("name", name.as_str())]));
    }
    let wanted = Wanted::of(wish);
    let same = |d: &&Document| {
        d.proposal.kind == Kind::Skill
            && !d.status.is_settled()
            && (&d.proposal.name == name
                || d.proposal.user_context.trim() == line.trim()
                || wanted.is_asked_for_by(&d.proposal))
    };
    let open = known.iter().find(same)?;
    let waits = open
        .waits_for
        .map_or(String::new(), |waits| fill(language.says().waits_for, &[("what", waits.as_str())]));
    let says = language.says();
    let is_minor = ctx.shared().audience.is_minor();
    Some(fill(
        if is_minor { says.wrote_proposal_minor } else { says.asked_already },
        &[
            ("name", open.proposal.name.as_str()),
            ("id", open.proposal.id.as_str()),
            ("status", &open.status.to_string()),
            ("waits", &waits),
            ("how", &ctx.shared().session.how_reviewed(&open.proposal.id)),
        ],
    ))
}

/// That a person refused the same before, and why; nothing where nobody did.
fn refused_before(
    name: &SkillName,
    line: &str,
    known: &[Document],
    language: Language,
    ctx: &KernelContext,
) -> String {
    let same = known.iter().filter(|d| {
        d.proposal.kind == Kind::Skill
            && (&d.proposal.name == name || d.proposal.user_context.trim() == line.trim())
    });
    let refusals = same.filter_map(|d| d.history.last()).filter(|step| step.is_refusal());
    let count = refusals.clone().count().to_string();
    let Some(last) = refusals.max_by(|a, b| a.timestamp.cmp(&b.timestamp)) else { return String::new() };
    let when = last.timestamp.parse::<jiff::Timestamp>().map_or_else(
        |_| last.timestamp.clone(),
        |at| {
            let at = at.to_zoned(ctx.shared().zone.clone());
            format!("{} {}", at.date(), words::clock(at.time()))
        },
    );
    let why = text::cut(&text::line(last.reason.as_deref().unwrap_or("-")), 200);
    fill(
        language.says().refused_before,
        &[("when", &when), ("who", &text::line(&last.actor)), ("why", &why), ("count", &count)],
    )
}

fn written(drafted: &Drafted, language: Language, ctx: &KernelContext) -> String {
    let proposal = &drafted.document.proposal;
    let hosts: Vec<String> = proposal.network.iter().map(HostName::to_string).collect();
    let asks = words::tokens(language, &proposal.capabilities, &hosts);
    let missing: Vec<&str> = proposal
        .requirements
        .system_capabilities
        .iter()
        .filter(|c| !has(**c, ctx))
        .map(|c| c.as_str())
        .collect();
    let says = language.says();
    let sentence = match missing.is_empty() {
        _ if ctx.shared().audience.is_minor() => says.wrote_proposal_minor,
        true => says.wrote_proposal,
        false => says.wrote_lacking,
    };
    let (name, id) = (proposal.name.as_str(), proposal.id.as_str());
    let (missing, how) = (missing.join(", "), ctx.shared().session.how_reviewed(&proposal.id));
    fill(sentence, &[("name", name), ("id", id), ("asks", &asks), ("what", &missing), ("how", &how)])
}

#[cfg(test)]
mod tests;

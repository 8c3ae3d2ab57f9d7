//! A wish becomes a proposal: a file that says what is wanted and why, and holds no code.

use serde_json::{Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::event::{Event, core};
use shared_types::id::{EventType, HostName, SkillName};
use shared_types::proposal::Document;

use crate::kernel::context::KernelContext;
use crate::skills::{Skill, core_events, own_name, words};
use draft::{Drafted, NoHost};

pub mod draft;
pub mod outbox;

/// The skill.
pub struct Proposer {
    name: SkillName,
}

impl Default for Proposer {
    fn default() -> Self {
        Proposer { name: own_name("proposer") }
    }
}

impl Skill for Proposer {
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

    fn handle(&self, event: &Event, ctx: &KernelContext) -> Option<Value> {
        let outbox = ctx.outbox()?;
        match event.payload["what"].as_str() {
            Some("list") => {
                let documents = outbox::list(&outbox.proposals, outbox.status.as_deref());
                Some(documents.iter().map(outbox::row).collect())
            }
            Some("show") => {
                let wanted = event.payload["id"].as_str().unwrap_or_default();
                let documents = outbox::list(&outbox.proposals, outbox.status.as_deref());
                Some(outbox::find(&documents, wanted).map_or(Value::Null, outbox::whole))
            }
            Some("wish") => {
                let field = |key: &str| event.payload[key].as_str().unwrap_or_default();
                let german = event.payload["german"].as_bool().unwrap_or(false);
                Some(json!({"reply": self.wish(field("wish"), field("line"), german, ctx)}))
            }
            _ => None,
        }
    }
}

impl Proposer {
    /// Writes a proposal for a wish, unless there is one already; answers what to tell the person.
    fn wish(&self, wish: &str, line: &str, german: bool, ctx: &KernelContext) -> String {
        let Some(outbox) = ctx.outbox() else { return no_outbox(german) };
        let known = outbox::list(&outbox.proposals, outbox.status.as_deref());
        let first = models::language::draft(wish);
        if let Some(reply) = already(&first.name, line, &known, german, ctx) {
            return reply;
        }
        let drafted = match draft::draft(wish, line, ctx) {
            Ok(drafted) => drafted,
            Err(NoHost { topic }) => return no_host(&topic, german),
        };
        if let Some(reply) = already(&drafted.document.proposal.name, line, &known, german, ctx) {
            return reply;
        }
        match outbox::write(&outbox.proposals, &drafted.document) {
            Ok(()) => written(&drafted, german, ctx),
            Err(why) => match german {
                false => format!("The proposal could not be written: {why}"),
                true => format!("Der Vorschlag konnte nicht geschrieben werden: {why}"),
            },
        }
    }
}

/// What to say when the ability is there, or was asked for already.
fn already(
    name: &SkillName,
    line: &str,
    known: &[Document],
    german: bool,
    ctx: &KernelContext,
) -> Option<String> {
    if ctx.skills().iter().any(|skill| skill.learned && &skill.name == name) {
        return Some(match german {
            false => format!("I have learned that already: the skill is called {name}."),
            true => format!("Das habe ich schon gelernt: die Fähigkeit heißt {name}."),
        });
    }
    let same = |d: &&Document| {
        !d.status.is_settled() && (&d.proposal.name == name || d.proposal.user_context.trim() == line.trim())
    };
    let open = known.iter().find(same)?;
    let (name, id, status) = (&open.proposal.name, &open.proposal.id, open.status);
    let waits = open.waits_for.map(|w| w.as_str());
    Some(match german {
        false => {
            let waits = waits.map_or(String::new(), |w| format!(", it waits for: {w}"));
            format!(
                "I have asked for that already: {name} ({id}), status {status}{waits}. A person decides with `cl-admin review`."
            )
        }
        true => {
            let waits = waits.map_or(String::new(), |w| format!(", er wartet auf: {w}"));
            format!(
                "Darum habe ich schon gebeten: {name} ({id}), Status {status}{waits}. Ein Mensch entscheidet mit `cl-admin review`."
            )
        }
    })
}

fn written(drafted: &Drafted, german: bool, ctx: &KernelContext) -> String {
    let proposal = &drafted.document.proposal;
    let hosts: Vec<String> = proposal.network.iter().map(HostName::to_string).collect();
    let asks = words::tokens(german, &proposal.capabilities, &hosts);
    let missing: Vec<&str> = proposal
        .requirements
        .system_capabilities
        .iter()
        .filter(|c| !ctx.shared().system.available_capabilities.contains(c))
        .map(|c| c.as_str())
        .collect();
    let missing = match (missing.is_empty(), german) {
        (true, _) => String::new(),
        (false, false) => format!(" This system does not offer what it needs yet: {}.", missing.join(", ")),
        (false, true) => {
            format!(" Dieses System bietet noch nicht, was sie braucht: {}.", missing.join(", "))
        }
    };
    let (name, id) = (&proposal.name, &proposal.id);
    match german {
        false => format!(
            "I wrote a proposal to learn this: {name} ({id}). {asks}{missing} A person decides with `cl-admin review`."
        ),
        true => format!(
            "Ich habe einen Vorschlag geschrieben, das zu lernen: {name} ({id}). {asks}{missing} Ein Mensch entscheidet \
             mit `cl-admin review`."
        ),
    }
}

fn no_host(topic: &str, german: bool) -> String {
    match german {
        false => format!(
            "For that I would need a service on the network, and the configuration names none for `{topic}`. Somebody \
             with access can add one under `services` in config/default.yaml; then ask me again."
        ),
        true => format!(
            "Dafür bräuchte ich einen Dienst im Netz, und die Konfiguration nennt keinen für `{topic}`. Wer Zugang hat, \
             kann einen unter `services` in config/default.yaml eintragen; dann frag mich noch einmal."
        ),
    }
}

fn no_outbox(german: bool) -> String {
    words::pick(
        german,
        "I cannot write proposals: the right file:write was not granted.",
        "Ich kann keine Vorschläge schreiben: das Recht file:write wurde nicht erteilt.",
    )
    .to_owned()
}

#[cfg(test)]
mod tests;

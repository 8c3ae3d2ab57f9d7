//! What `mind` answers without the conversation: looks at what is there, and the emergency stop.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bot_base::log;
use memory::Record;
use ports::{Kernel, KernelContext, Opened, Places, offered, stop};
use serde::Serialize;
use serde_json::{Value, json};
use shared_types::message::Command;
use skills::memory::correct::{NotCorrected, correct};
use user_agent::commands::{receipt, tool};

use crate::bodies::{Figures, Found, Health, Receipts, Status, Stopped, Tools};
use crate::frames::{Ask, Refusal};

/// The longest question to memory, in bytes.
const LONGEST_QUERY: usize = 1_000;
/// The most records of one answer.
const MOST: usize = 200;
/// For how long the last reading of the whole chain counts for those that watch.
const FRESH: Duration = Duration::from_secs(60);
/// For how long the last look at the proposals counts.
const READY: Duration = Duration::from_secs(3);

/// An answer, or why there is none.
pub(crate) type Answered = Result<Value, (Refusal, String)>;

/// What is known without asking anybody.
#[derive(Default)]
pub(crate) struct Duties {
    /// Whether the chain of receipts held, and when that was found out.
    chain: Mutex<Option<(Instant, bool)>>,
    /// How many skills were ready for review, and when that was found out.
    ready: Mutex<Option<(Instant, usize)>>,
}

/// What the driver counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted {
    pub(crate) conversations: u64,
    pub(crate) failures: u64,
    pub(crate) waiting: usize,
    /// Whether a PIN opens a session.
    pub(crate) asks_pin: bool,
}

impl Duties {
    /// Answers what needs no turn.
    pub(crate) fn answer(&self, ask: &Ask, kernel: &Arc<Kernel>, counted: Counted) -> Answered {
        let ctx =
            kernel.context_of("reasoning").ok_or((Refusal::Unavailable, "nobody is here".to_owned()))?;
        let opened = Places::of(kernel);
        match ask {
            Ask::Health => body(&Health { status: "ok".to_owned(), language: ctx.shared().language.clone() }),
            Ask::Known | Ask::Leave => Ok(Value::Null),
            Ask::Status => body(&status(&ctx, counted, self.ready(kernel))),
            Ask::Tools => body(&tools(&ctx)?),
            Ask::Search { query, limit } => body(&search(kernel, query, *limit)?),
            Ask::Conversations { limit } => {
                wait_for_storing(kernel);
                let listed =
                    memory(kernel)?.handles().recall().map_err(failed)?.conversations(bounded(*limit)?);
                Ok(json!({"conversations": listed.map_err(failed)?}))
            }
            Ask::Conversation { id } => {
                wait_for_storing(kernel);
                Ok(json!({"messages": messages(kernel, id)?}))
            }
            Ask::Facts { limit } => {
                let mut facts = memory(kernel)?
                    .handles()
                    .recall()
                    .map_err(failed)?
                    .facts(bounded(*limit)?)
                    .map_err(failed)?;
                facts.reverse();
                Ok(json!({"facts": facts}))
            }
            Ask::Forget { id } => forget(kernel, id),
            Ask::Correct { id, words } => corrected(kernel, id, words),
            Ask::Receipts { limit } => body(&receipts(opened, *limit)?),
            Ask::Metrics => {
                let counts = log::counts();
                body(&Figures {
                    conversations: counted.conversations,
                    tool_calls: counts.tool_calls,
                    tool_denials: counts.tool_denials,
                    provider_errors: counts.fallbacks + counted.failures,
                    receipt_chain_valid: self.chain_holds(opened, &ctx),
                    waiting: counted.waiting as u64,
                })
            }
            Ask::Stop { .. }
            | Ask::Session { .. }
            | Ask::Browser { .. }
            | Ask::Answer { .. }
            | Ask::Chat { .. }
            | Ask::Cancel { .. } => Err((Refusal::Invalid, "not a look".to_owned())),
        }
    }

    /// How many skills are ready for review. Every page asks, so the proposals are not read for each.
    fn ready(&self, kernel: &Arc<Kernel>) -> usize {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        match *ready {
            Some((at, count)) if at.elapsed() < READY => count,
            _ => {
                let count = kernel.context_of("cli").map_or(0, |ctx| terminal::count_ready(&ctx));
                *ready = Some((Instant::now(), count));
                count
            }
        }
    }

    fn chain_holds(&self, opened: &Opened, ctx: &KernelContext) -> bool {
        let mut chain = self.chain.lock().unwrap_or_else(PoisonError::into_inner);
        match *chain {
            Some((at, holds)) if at.elapsed() < FRESH => holds,
            _ => {
                let audited = receipt::audited(opened, &ctx.shared().profile);
                let holds = audited.is_ok_and(|(_, _, wrong)| wrong.is_none());
                *chain = Some((Instant::now(), holds));
                holds
            }
        }
    }
}

/// Waits until the last turn is stored, so that a page that is asked for after its answer shows both.
fn wait_for_storing(kernel: &Arc<Kernel>) {
    if let Some(ctx) = kernel.context_of("cli") {
        ctx.ask(Command::Conversations);
    }
}

fn body(value: &impl Serialize) -> Answered {
    serde_json::to_value(value).map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> (Refusal, String) {
    (Refusal::Failed, error.to_string())
}

fn status(ctx: &KernelContext, counted: Counted, ready: usize) -> Status {
    let shared = ctx.shared();
    let stopped = shared.stopped();
    Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        profile: shared.profile.to_string(),
        audience: shared.audience.to_string(),
        autonomy: shared.autonomy.as_str().to_owned(),
        isolation: shared.session.tier.map(|tier| tier.to_string()),
        provider: shared.config.models.providers.first().map(|provider| provider.name.clone()),
        skills: ctx.skills().iter().map(|skill| skill.name.to_string()).collect(),
        manifest_serial: shared.session.serial,
        stopped: stopped.as_ref().map(|stopped| stopped.words()),
        stop_reason: stopped.map(|stopped| stopped.why),
        halted: shared.halted(),
        waiting: counted.waiting,
        ready,
        language: shared.language.clone(),
        asks_pin: counted.asks_pin,
    }
}

fn tools(ctx: &KernelContext) -> Result<Tools, (Refusal, String)> {
    let rows = offered::listed(ctx).iter().map(tool::row).collect::<Vec<_>>();
    serde_json::from_value(json!({"tools": rows})).map_err(failed)
}

fn search(kernel: &Arc<Kernel>, query: &str, limit: usize) -> Result<Found, (Refusal, String)> {
    if query.trim().is_empty() || query.len() > LONGEST_QUERY {
        let why = format!("`q` holds the words to look for: 1 to {LONGEST_QUERY} bytes");
        return Err((Refusal::Invalid, why));
    }
    let limit = bounded(limit)?;
    let ctx = memory(kernel)?;
    let memory = ctx.handles().recall().map_err(failed)?;
    let facts = memory.search_facts(query, limit).map_err(failed)?;
    let messages = memory.search_turns(query, limit).map_err(failed)?;
    let values = |value: Result<Value, serde_json::Error>| match value {
        Ok(Value::Array(values)) => Ok(values),
        Ok(_) => Ok(vec![]),
        Err(error) => Err(failed(error)),
    };
    Ok(Found {
        facts: values(serde_json::to_value(facts))?,
        messages: values(serde_json::to_value(messages))?,
    })
}

fn memory(kernel: &Arc<Kernel>) -> Result<KernelContext, (Refusal, String)> {
    let inactive = || (Refusal::Unavailable, "the skill `memory` is not active".to_owned());
    kernel.context_of("memory").ok_or_else(inactive)
}

/// What was said in a conversation, by either side.
fn messages(kernel: &Arc<Kernel>, id: &str) -> Result<Vec<Value>, (Refusal, String)> {
    let records = memory(kernel)?.handles().recall().map_err(failed)?.show(id).map_err(failed)?;
    let said = records.into_iter().filter_map(|record| match record {
        Record::Turn(turn) if turn.role == "user" || turn.role == "assistant" => Some(turn),
        _ => None,
    });
    let said: Vec<Value> = said
        .map(|turn| json!({"role": turn.role, "content": turn.content, "timestamp": turn.timestamp}))
        .collect();
    if said.is_empty() {
        return Err((Refusal::NotFound, "no conversation is kept under this name".to_owned()));
    }
    Ok(said.into_iter().rev().take(MOST).rev().collect())
}

fn forget(kernel: &Arc<Kernel>, id: &str) -> Answered {
    let ctx = memory(kernel)?;
    let now = ctx.shared().timestamp();
    match ctx.handles().store().map_err(failed)?.forget(id, &now).map_err(failed)? {
        true => Ok(Value::Null),
        false => Err((Refusal::NotFound, "nothing is remembered under this name".to_owned())),
    }
}

fn corrected(kernel: &Arc<Kernel>, id: &str, words: &str) -> Answered {
    match correct(id, words, &memory(kernel)?) {
        Ok(fact) => Ok(json!({"id": fact.id})),
        Err(why) => {
            let kind = match why {
                NotCorrected::Nothing | NotCorrected::TooLong(_) => Refusal::Invalid,
                NotCorrected::Blocked(_) | NotCorrected::InNeed(_) => Refusal::Forbidden,
                NotCorrected::Unknown => Refusal::NotFound,
                NotCorrected::NotGranted(_) | NotCorrected::Memory(_) => Refusal::Failed,
            };
            Err((kind, why.to_string()))
        }
    }
}

fn receipts(opened: &Opened, limit: usize) -> Result<Receipts, (Refusal, String)> {
    let newest = receipt::newest(opened, bounded(limit)?, |_| true).map_err(failed)?;
    let rows = newest.iter().map(serde_json::to_value).collect::<Result<_, _>>().map_err(failed)?;
    Ok(Receipts { receipts: rows })
}

fn bounded(limit: usize) -> Result<usize, (Refusal, String)> {
    let fits = (1..=MOST).contains(&limit);
    fits.then_some(limit).ok_or_else(|| (Refusal::Invalid, format!("`limit` is a number from 1 to {MOST}")))
}

/// Sets the emergency stop of the profile.
pub(crate) fn stop(opened: &Opened, reason: &str) -> Answered {
    let nowhere = || (Refusal::Failed, "this profile has no folder".to_owned());
    let folder = opened.profile.as_deref().ok_or_else(nowhere)?;
    stop::set(folder, &shared_types::text::line(reason)).map_err(failed)?;
    let hint = "`cl-bot estop --clear` on the bot's machine lets tools run again".to_owned();
    body(&Stopped { stopped: true, hint })
}

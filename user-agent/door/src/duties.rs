//! What `mind` answers without the conversation: looks at what is there, and the emergency stop.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bot_base::log;
use ports::{Kernel, KernelContext, Opened, Places, offered, stop};
use serde::Serialize;
use serde_json::{Value, json};
use user_agent::commands::{receipt, tool};

use crate::bodies::{Figures, Found, Receipts, Status, Stopped, Tools};
use crate::frames::{Ask, Refusal};

/// The longest question to memory, in bytes.
const LONGEST_QUERY: usize = 1_000;
/// The most records of one answer.
const MOST: usize = 200;
/// For how long the last reading of the whole chain counts for those that watch.
const FRESH: Duration = Duration::from_secs(60);

/// An answer, or why there is none.
pub(crate) type Answered = Result<Value, (Refusal, String)>;

/// What is known without asking anybody.
#[derive(Default)]
pub(crate) struct Duties {
    /// Whether the chain of receipts held, and when that was found out.
    chain: Mutex<Option<(Instant, bool)>>,
}

/// What the driver counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted {
    pub(crate) conversations: u64,
    pub(crate) failures: u64,
    pub(crate) waiting: usize,
}

impl Duties {
    /// Answers what needs no turn.
    pub(crate) fn answer(&self, ask: &Ask, kernel: &std::sync::Arc<Kernel>, counted: Counted) -> Answered {
        let ctx =
            kernel.context_of("reasoning").ok_or((Refusal::Unavailable, "nobody is here".to_owned()))?;
        let opened = Places::of(kernel);
        match ask {
            Ask::Health => Ok(json!({"status": "ok"})),
            Ask::Status => body(&status(&ctx, counted.waiting)),
            Ask::Tools => body(&tools(&ctx)?),
            Ask::Search { query, limit } => body(&search(kernel, query, *limit)?),
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
            Ask::Stop { reason } => body(&set_stop(opened, reason)?),
            Ask::Chat { .. } | Ask::Cancel { .. } => Err((Refusal::Invalid, "not a look".to_owned())),
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

fn body(value: &impl Serialize) -> Answered {
    serde_json::to_value(value).map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> (Refusal, String) {
    (Refusal::Failed, error.to_string())
}

fn status(ctx: &KernelContext, waiting: usize) -> Status {
    let shared = ctx.shared();
    Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        profile: shared.profile.to_string(),
        audience: shared.audience.to_string(),
        autonomy: shared.autonomy.as_str().to_owned(),
        isolation: shared.session.tier.map(|tier| tier.to_string()),
        provider: shared.config.models.providers.first().map(|provider| provider.name.clone()),
        skills: ctx.skills().iter().map(|skill| skill.name.to_string()).collect(),
        manifest_serial: shared.session.serial,
        stopped: shared.stopped().map(|stopped| stopped.words()),
        halted: shared.halted(),
        waiting,
    }
}

fn tools(ctx: &KernelContext) -> Result<Tools, (Refusal, String)> {
    let rows = offered::listed(ctx).iter().map(tool::row).collect::<Vec<_>>();
    serde_json::from_value(json!({"tools": rows})).map_err(failed)
}

fn search(kernel: &std::sync::Arc<Kernel>, query: &str, limit: usize) -> Result<Found, (Refusal, String)> {
    if query.trim().is_empty() || query.len() > LONGEST_QUERY {
        let why = format!("`q` holds the words to look for: 1 to {LONGEST_QUERY} bytes");
        return Err((Refusal::Invalid, why));
    }
    let limit = bounded(limit)?;
    let inactive = || (Refusal::Unavailable, "the skill `memory` is not active".to_owned());
    let ctx = kernel.context_of("memory").ok_or_else(inactive)?;
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

fn receipts(opened: &Opened, limit: usize) -> Result<Receipts, (Refusal, String)> {
    let newest = receipt::newest(opened, bounded(limit)?, |_| true).map_err(failed)?;
    let rows = newest.iter().map(serde_json::to_value).collect::<Result<_, _>>().map_err(failed)?;
    Ok(Receipts { receipts: rows })
}

fn bounded(limit: usize) -> Result<usize, (Refusal, String)> {
    let fits = (1..=MOST).contains(&limit);
    fits.then_some(limit).ok_or_else(|| (Refusal::Invalid, format!("`limit` is a number from 1 to {MOST}")))
}

fn set_stop(opened: &Opened, reason: &str) -> Result<Stopped, (Refusal, String)> {
    let nowhere = || (Refusal::Failed, "this profile has no folder".to_owned());
    let folder = opened.profile.as_deref().ok_or_else(nowhere)?;
    stop::set(folder, &shared_types::text::line(reason)).map_err(failed)?;
    let hint = "`cl-bot estop --clear` on the bot's machine lets tools run again".to_owned();
    Ok(Stopped { stopped: true, hint })
}

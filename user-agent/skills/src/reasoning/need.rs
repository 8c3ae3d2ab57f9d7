//! What a person in need is answered: two sentences and the help lines. No provider, no guard and no other skill sees such a
//! line, and nothing of it is kept.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use language::Need;
use ports::KernelContext;
use shared_types::audience::Audience;
use shared_types::message::Reply;

/// After how much talk a child is reminded.
const REMINDER: Duration = Duration::from_secs(3 * 60 * 60);
/// The longest silence that still belongs to the same talk.
const SILENCE: Duration = Duration::from_secs(15 * 60);

/// The answer to a line that speaks of a person in need, whoever types it and whatever else holds.
pub(super) fn answer(need: Need, ctx: &KernelContext) -> Reply {
    let reply = format!("{}\n\n{}", need.answer(ctx.shared().audience.is_minor()), lines(need, ctx));
    Reply { reply, ..Reply::default() }
}

/// An answer of a model that speaks of such a thing, with the help lines; `None` where it does not.
pub(super) fn with_help(reply: &str, ctx: &KernelContext) -> Option<String> {
    let need = language::need_in_text(reply)?;
    Some(format!("{reply}\n\n{}", lines(need, ctx)))
}

fn lines(need: Need, ctx: &KernelContext) -> String {
    let lines = ctx.shared().config.help_lines.shown(need.language.code());
    lines.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n")
}

/// How long a child has been talking.
#[derive(Debug, Default)]
pub(super) struct TalkTime(Mutex<Option<(Instant, Duration)>>);

impl TalkTime {
    /// Counts a turn; whether it is time to remind a child that this is a machine, and of a pause.
    pub(super) fn is_over(&self, audience: Audience, now: Instant) -> bool {
        if audience != Audience::Child {
            return false;
        }
        let mut talk = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, before) = talk.unwrap_or((now, Duration::ZERO));
        let silence = now.saturating_duration_since(last);
        let talked = if silence <= SILENCE { before + silence } else { Duration::ZERO };
        let over = talked >= REMINDER;
        *talk = Some((now, if over { Duration::ZERO } else { talked }));
        over
    }
}

#[cfg(test)]
mod tests;

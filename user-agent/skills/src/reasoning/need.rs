//! What a person in need is answered: two sentences and the help lines. No provider, no guard and no other skill sees such a
//! line, and nothing of it is kept.

use language::Need;
use ports::{KernelContext, Shared};
use shared_types::audience::Audience;
use shared_types::message::{Line, Reply};

/// After how much talk a child is reminded, in seconds.
const REMINDER: i64 = 3 * 60 * 60;
/// The longest silence that still belongs to the same talk, in seconds.
const SILENCE: i64 = 15 * 60;

/// How many lines after a line of need may go on about it.
const AFTER: usize = 6;

/// What the last line of need spoke of, and how many lines may still go on about it. It is kept in memory alone.
#[derive(Debug, Default)]
pub(super) struct After(Option<(Need, usize)>);

impl After {
    /// The answer to a line that speaks of a person in need, whoever types it and whatever else holds, and to one that goes on
    /// about it. Any other line has no answer here.
    pub(super) fn answer(&mut self, line: &Line, ctx: &KernelContext) -> Option<Reply> {
        let last = self.0.take_if(|_| !line.untyped);
        let typed = (!line.untyped).then_some(line.text.as_str())?;
        let said = if let Some(need) = language::need(typed) {
            self.0 = Some((need, AFTER));
            (need, need.answer(ctx.shared().audience.is_minor()))
        } else {
            let (need, left) = last?;
            self.0 = Some((need, left - 1)).filter(|(_, left)| *left > 0);
            let need = need.goes_on(typed)?;
            (need, need.answer_after())
        };
        let reply = format!("{}\n\n{}", said.1, lines(said.0, ctx));
        Some(Reply { reply, ..Reply::default() })
    }
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

/// Counts a turn of a talk that began at one moment and was last at another, in seconds: when it began as it stands now, and
/// whether it is time to remind a child that this is a machine, and of a pause. The count begins anew with a reminder, after a
/// silence, and where the clock was set back.
fn count(talk: Option<(i64, i64)>, now: i64) -> (i64, bool) {
    let goes_on = |(began, last): &(i64, i64)| began <= last && (*last..=last + SILENCE).contains(&now);
    let began = talk.filter(goes_on).map_or(now, |(began, _)| began);
    let is_over = now - began >= REMINDER;
    (if is_over { now } else { began }, is_over)
}

/// Counts a turn of a child; whether it is time for the reminder. The times outlive the program.
pub(super) fn is_pause_due(shared: &Shared) -> bool {
    if shared.audience != Audience::Child {
        return false;
    }
    let now = jiff::Timestamp::now().as_second();
    let (began, is_over) = count(shared.talk(), now);
    shared.keep_talk((began, now));
    is_over
}

#[cfg(test)]
mod tests;

//! What a person in need is answered: two sentences and the help lines. No provider, no guard and no other skill sees such a
//! line, and nothing of it is kept.

use language::{After, Need, Said};
use ports::{KernelContext, Shared};
use shared_types::audience::Audience;
use shared_types::message::{Line, Reply};

/// After how much talk a child is reminded, in seconds.
const REMINDER: i64 = 3 * 60 * 60;
/// The longest silence that still belongs to the same talk, in seconds.
const SILENCE: i64 = 15 * 60;

/// The answer to a line that speaks of a person in need, regardless of who types it and what else holds, and to one that
/// continues about it. Any other line has no answer here, and one that stands in a workflow says nothing of it.
pub(super) fn answer(after: &mut After, line: &Line, ctx: &KernelContext) -> Option<Reply> {
    let typed = (!line.untyped || line.relayed).then_some(line.text.as_str())?;
    let (need, words) = match after.said(typed)? {
        Said::Now(need) => (need, need.answer(ctx.shared().audience.is_minor())),
        Said::More(need) => (need, need.answer_after()),
    };
    let reply = format!("{words}\n\n{}", lines(need, ctx));
    Some(Reply { reply, ..Reply::default() })
}

/// An answer of a model that speaks of such a thing, with the help lines; `None` where it does not.
pub(super) fn with_help(reply: &str, ctx: &KernelContext) -> Option<String> {
    let need = language::need_in_text(reply)?;
    Some(format!("{reply}\n\n{}", lines(need, ctx)))
}

fn lines(need: Need, ctx: &KernelContext) -> String {
    ctx.shared().config.help_lines.listed(need.language.code())
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
    let (began, is_over) = count(shared.last_talk(), now);
    shared.keep_talk((began, now));
    is_over
}

#[cfg(test)]
mod tests;

//! The gate's question about one call: facts of the program first, the arguments behind a margin, and no without a yes.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use language::{Says, fill};
use ports::KernelContext;
use ports::tongue::Tongue;
use serde_json::Value;
use shared_types::message::{Answer, CallQuestion};
use shared_types::text;

use super::input::{LineRead, Lines};
use super::tongue::says;
use super::{Cli, spinner};

/// What is shown of the arguments at first, in bytes.
const MOST_SHOWN: usize = 3_000;
/// How long nothing that is typed counts once the question is on the screen: it was meant for something else.
const DEAF: Duration = Duration::from_millis(400);
/// The margin before every row of what the assistant wrote.
const MARGIN: &str = "  | ";
/// How many words that nobody typed are marked one by one, and how much of each is shown.
const MOST_MARKED: usize = 12;
const LONGEST_MARKED: usize = 120;

/// What came of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Yes,
    No,
    /// The rest is asked for.
    Rest,
    /// A yes to something that was not shown.
    Unseen,
}

/// Asks the person about one call; a yes, or why there is none with the lawful next step, and whether they were asked.
pub(super) fn ask(cli: &Cli, asked: &CallQuestion, ctx: &KernelContext) -> Answer {
    let no = |asked: bool, why: &str| Answer::Unapproved { why: why.to_owned(), asked };
    if !ctx.shared().session.interactive {
        return no(
            false,
            "nobody is at a terminal to say it. Run `cl-bot` at a terminal and ask there, or have the admin set `autonomy` \
             or `grants` in the profile's file",
        );
    }
    let says = says(ctx);
    cli.screen.say(&head(asked, says, ctx.shared().tongue()));
    let (shown, whole) = arguments(&asked.args, MOST_SHOWN, spinner::columns(), says);
    cli.screen.say(&shown);
    cli.screen.say(&untyped(&asked.untyped, spinner::columns(), says));
    let _still = cli.screen.pause();
    let mut lines = cli.lines.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::sleep(DEAF);
    lines.put_aside();
    let mut seen = whole;
    loop {
        super::render::raw(if seen { says.approve } else { says.approve_cut });
        match answer(&mut lines, seen, ctx) {
            Ok(Said::Yes) => return Answer::Approved,
            Ok(Said::No) => {
                return no(true, "the person said no");
            }
            Ok(Said::Rest) => {
                super::render::show(&arguments(&asked.args, usize::MAX, spinner::columns(), says).0);
                seen = true;
            }
            Ok(Said::Unseen) => super::render::notice(says.approve_unseen),
            Err(why) => return no(true, why),
        }
    }
}

fn answer(lines: &mut Lines, seen: bool, ctx: &KernelContext) -> Result<Said, &'static str> {
    match lines.next(None, ctx.cancel()) {
        LineRead::Line(line) => Ok(meant(&line, seen, says(ctx))),
        LineRead::Cancelled => {
            super::render::raw("\n");
            Err("the person cancelled")
        }
        LineRead::End | LineRead::TooLate => {
            // The terminal is gone, or Ctrl-D was meant as a way out.
            super::render::raw("\n");
            ctx.cancel().store(true, Ordering::Relaxed);
            Err("the person left")
        }
    }
}

/// What a line means: anything but a yes is a no.
fn meant(line: &str, seen: bool, says: &Says) -> Said {
    let line = line.trim().to_lowercase();
    match (says.yes.split(' ').any(|yes| yes == line), seen) {
        (true, true) => Said::Yes,
        (true, false) => Said::Unseen,
        (false, false) if line == "v" => Said::Rest,
        (false, _) => Said::No,
    }
}

/// The facts, in the program's own words.
fn head(asked: &CallQuestion, says: &Says, tongue: Tongue) -> String {
    let facts = [
        ("tool", text::line(&asked.tool)),
        ("skill", asked.skill.to_string()),
        ("origin", if asked.learned { says.origin_learned } else { says.origin_own }.to_owned()),
        ("risk", tongue.say(asked.risk.as_str()).to_owned()),
        ("reason", text::line(&asked.reason)),
    ];
    let mut head = fill(says.approval, &facts.each_ref().map(|(name, value)| (*name, value.as_str())));
    if let Some(to) = &asked.to {
        head.push_str(&fill(says.approval_to, &[("to", &text::line(to))]));
    }
    head
}

/// The arguments row by row, and whether that is all of them. No row is wider than the terminal: the margin must not be lost.
fn arguments(args: &Value, most: usize, columns: usize, says: &Says) -> (String, bool) {
    let width = columns.saturating_sub(MARGIN.len() + 1).max(20);
    let mut rows = Vec::new();
    for (key, value) in args.as_object().into_iter().flatten() {
        let key = text::line(key);
        match value {
            Value::String(inner) if inner.contains('\n') => {
                rows.push(format!("{key}:"));
                rows.extend(text::block(inner).split('\n').map(|line| format!("    {line}")));
            }
            Value::String(inner) => rows.push(format!("{key}: {}", text::line(inner))),
            other => rows.push(format!("{key}: {}", text::line(&other.to_string()))),
        }
    }
    if rows.is_empty() {
        return (says.no_arguments.to_owned(), true);
    }
    let total: usize = rows.iter().map(String::len).sum();
    let mut shown = vec![says.arguments.to_owned()];
    let mut left = most;
    for row in rows {
        let fits = cut_at(&row, left);
        left -= fits.len();
        shown.extend(folded(fits, width).into_iter().map(|line| format!("{MARGIN}{line}")));
        if fits.len() < row.len() || left == 0 {
            break;
        }
    }
    let hidden = total.saturating_sub(most - left);
    if hidden > 0 {
        shown.push(fill(says.more_bytes, &[("count", &hidden.to_string())]));
    }
    (shown.join("\n"), hidden == 0)
}

/// The words of the arguments that the person did not type, behind the margin as they are the assistant's or a stranger's.
fn untyped(words: &[String], columns: usize, says: &Says) -> String {
    if words.is_empty() {
        return says.all_typed.to_owned();
    }
    let width = columns.saturating_sub(MARGIN.len() + 1).max(20);
    let marked = words.iter().take(MOST_MARKED).map(|word| text::line(&text::cut(word, LONGEST_MARKED)));
    let mut rows = vec![says.not_typed.to_owned()];
    rows.extend(marked.flat_map(|word| folded(&word, width)).map(|row| format!("{MARGIN}{row}")));
    if words.len() > MOST_MARKED {
        rows.push(fill(says.more_words, &[("count", &(words.len() - MOST_MARKED).to_string())]));
    }
    rows.join("\n")
}

/// As much of a text as fits into `most` bytes.
fn cut_at(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A row in pieces, none wider than `width` columns.
fn folded(row: &str, width: usize) -> Vec<String> {
    use unicode_width::UnicodeWidthChar;
    let (mut pieces, mut piece, mut used) = (Vec::new(), String::new(), 0);
    for c in row.chars() {
        let wide = c.width().unwrap_or(0);
        if used + wide > width {
            pieces.push(std::mem::take(&mut piece));
            used = 0;
        }
        piece.push(c);
        used += wide;
    }
    pieces.push(piece);
    pieces
}

#[cfg(test)]
mod tests;

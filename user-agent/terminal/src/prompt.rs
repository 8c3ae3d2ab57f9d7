//! The prompt: waits for a line, and while nothing is typed looks whether something was installed.

use std::os::fd::AsFd;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bot_base::error::Error;
use nix::sys::signal::{Signal, raise};
use nix::sys::termios::{
    InputFlags, LocalFlags, SetArg, SpecialCharacterIndices, Termios, tcgetattr, tcsetattr,
};
use ports::KernelContext;
use shared_types::text;

use super::ahead::Ahead;
use super::editor::{LineEditor, Read};
use super::fold::Folding;
use super::input::{LineRead, Lines, Rest};
use super::news::{Installed, News};
use super::ready::Ready;
use super::{input, render};

pub(super) const PROMPT: &str = "> ";
/// Where a line continues.
const GOES_ON: &str = ". ";
/// How often the manifest is looked at while nothing is typed.
const TICK: Duration = Duration::from_secs(1);
/// The same where the terminal itself edits lines, and Ctrl-C is a signal that has to be noticed.
const SHORT_TICK: Duration = Duration::from_millis(250);
/// The longest that one key is, in bytes: what is more was pasted, or typed ahead.
const LONGEST_KEY: usize = 12;
/// How long more is waited for where a line has begun to arrive.
const SETTLING: Duration = Duration::from_millis(30);
/// Lets the terminal mark what is pasted, so that its lines are one input.
const MARK_PASTES: (&str, &str) = ("\u{1b}[?2004h", "\u{1b}[?2004l");

/// What came of a prompt.
pub(super) enum Typed {
    /// An input, of one line or several.
    Line(String),
    /// The person leaves.
    Leave,
    /// Something was installed, and the program that started this one starts it again.
    Restart,
}

/// The prompt of one conversation.
pub(super) struct Prompt<'a> {
    /// Nothing on a terminal that wants no escapes: lines then come as the terminal itself edits them.
    editor: Option<LineEditor>,
    lines: &'a Mutex<Lines>,
    news: News,
    ready: Ready,
}

impl<'a> Prompt<'a> {
    /// Sets the line editor up; `lines` is what else reads from the terminal.
    pub(super) fn new(lines: &'a Mutex<Lines>, ctx: &KernelContext) -> Result<Prompt<'a>, Error> {
        let editor = if ctx.shared().session.colour { Some(LineEditor::new(ctx)?) } else { None };
        Ok(Prompt { editor, lines, news: News::default(), ready: Ready::default() })
    }

    /// Waits for an input.
    pub(super) fn read(&mut self, ctx: &KernelContext) -> Result<Typed, Error> {
        // First the mode, then the prompt, and the mode stays until there is a line: a Ctrl-D that comes while the
        // terminal itself edits lines would be eaten by it.
        let quiet = if self.editor.is_some() { Some(Quiet::begin()?) } else { None };
        if let Some(instead) = self.wait_for_key(ctx) {
            return Ok(instead);
        }
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let open = match queued(&mut lines.ahead, self.editor.is_some()) {
            Ok(line) => return Ok(Typed::Line(line)),
            Err(open) => open,
        };
        if lines.ahead.has_left() {
            return Ok(Typed::Leave);
        }
        let begun = lines.ahead.take_begun();
        let Some(editor) = &mut self.editor else {
            return Ok(folded(&mut lines, open, begun, (&mut self.news, &mut self.ready), ctx));
        };
        drop(lines);
        let mut begun = open.into_iter().chain([begun]).collect::<Vec<_>>().join("\n");
        let (news, ready) = (&mut self.news, &mut self.ready);
        loop {
            // A text that is being typed is never taken away: the news is shown above it.
            match editor.read(PROMPT, &begun, || while_typing(news, ready, ctx))? {
                Read::Line(line) => return Ok(Typed::Line(line)),
                Read::Leave => return Ok(Typed::Leave),
                Read::Suspended(typed) => begun = typed,
            }
            quiet.iter().for_each(Quiet::suspend);
        }
    }

    /// Keeps an input for the next time.
    pub(super) fn remember(&mut self, line: &str, ctx: &KernelContext) {
        match &mut self.editor {
            Some(editor) => editor.remember(line, ctx),
            None => super::editor::keep(line, ctx),
        }
    }

    /// Shows the prompt and waits for the first key without taking it; something else when there is no line to wait for.
    fn wait_for_key(&mut self, ctx: &KernelContext) -> Option<Typed> {
        render::raw(PROMPT);
        let tick = if self.editor.is_some() { TICK } else { SHORT_TICK };
        // Something may have been typed while the turn before ran.
        let mut typed = self.has_ahead();
        let mut rest = Rest::default();
        self.ready.look_again();
        let instead = loop {
            if typed {
                break None;
            }
            match self.news.look(ctx) {
                Some(Installed::Restart) if self.editor.is_none() && has_unsent() => {
                    let told = self.news.told_while_typing(ctx).map(str::to_owned);
                    self.keeps_unsent(told.as_slice());
                    break None;
                }
                Some(Installed::Restart) => break Some(Typed::Restart),
                Some(Installed::Tell(sentence)) => {
                    render::raw("\r");
                    render::notice(&sentence);
                    render::raw(PROMPT);
                }
                None => {}
            }
            let mut told = self.ready.look(ctx);
            told.extend(ctx.shared().session.later.take());
            if !told.is_empty() && self.editor.is_none() && self.keeps_unsent(&told) {
                break None;
            }
            if !told.is_empty() {
                render::raw("\r");
                told.iter().for_each(|sentence| render::notice(sentence));
                render::raw(PROMPT);
            }
            typed = input::readable(tick).unwrap_or(true);
            if !typed {
                rest.begin();
            } else if self.editor.is_some() && confine::terminal::waiting() > LONGEST_KEY {
                // Lines that come at once, from a paste that is not marked or from a program.
                self.has_ahead();
            }
            if ctx.is_cancelled() {
                break Some(Typed::Leave);
            }
        };
        if self.editor.is_some() || instead.is_some() {
            // The line editor draws the prompt itself.
            render::raw("\r");
        }
        if let Some(Typed::Restart) = instead {
            render::notice(ctx.shared().tongue().say("something was installed; starting again"));
        }
        instead
    }

    /// Puts aside what was typed ahead; answers whether there is something.
    fn has_ahead(&self) -> bool {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.put_aside();
        while lines.ahead.is_begun() && input::readable(SETTLING).is_ok_and(|is| is) {
            lines.put_aside();
        }
        lines.ahead.has_some()
    }

    /// Where the terminal itself edits lines: whether a text has been begun and not sent. It is taken over, so that no message
    /// overwrites it, and shown again below that.
    fn keeps_unsent(&mut self, told: &[String]) -> bool {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let is_unsent = has_unsent();
        if is_unsent {
            lines.read();
            tell_above(told, &lines.pending());
        }
        is_unsent
    }
}

/// What is shown while a text is being typed: that something was installed, and which reminders are due.
fn while_typing(news: &mut News, ready: &mut Ready, ctx: &KernelContext) -> Vec<String> {
    let told = news.told_while_typing(ctx).map(str::to_owned);
    told.into_iter().chain(ready.reminders(ctx)).collect()
}

/// Tells sentences, and shows the text again that is being typed.
fn tell_above(told: &[String], begun: &str) {
    if told.is_empty() {
        return;
    }
    render::raw("\n");
    told.iter().for_each(|sentence| render::notice(sentence));
    render::raw(&format!("{PROMPT}{}", text::line(begun)));
}

/// The next input that was typed ahead, shown as if it were typed now.
///
/// # Errors
/// The lines of one that continues in a line that is not typed yet.
fn queued(ahead: &mut Ahead, shown: bool) -> Result<String, Vec<String>> {
    let (mut folding, mut lines) = (Folding::default(), Vec::new());
    let mut whole = None;
    while let Some(line) = ahead.line() {
        lines.push(line.clone());
        whole = folding.take(line);
        if whole.is_some() {
            break;
        }
    }
    // After a Ctrl-D nothing more comes.
    let Some(whole) = whole.or_else(|| folding.rest().filter(|_| ahead.has_left())) else {
        return Err(lines);
    };
    for line in lines.iter().filter(|_| shown) {
        render::raw(&format!("{PROMPT}{}\n", text::line(line)));
    }
    Ok(whole)
}

/// An input of a terminal that itself edits lines; `open`, and what is begun, were typed ahead.
fn folded(
    lines: &mut Lines,
    open: Vec<String>,
    mut begun: String,
    (news, ready): (&mut News, &mut Ready),
    ctx: &KernelContext,
) -> Typed {
    let mut folding = Folding::default();
    for line in open {
        let _ = folding.take(line);
    }
    if folding.is_open() {
        render::raw(GOES_ON);
    }
    loop {
        // A text that was begun before the prompt stood there may stay for long; the news is shown meanwhile.
        match lines.next(Some(TICK), ctx.cancel()) {
            LineRead::Line(line) => match folding.take(std::mem::take(&mut begun) + &line) {
                Some(whole) => return Typed::Line(whole),
                None => render::raw(GOES_ON),
            },
            LineRead::End => return folding.rest().map_or(Typed::Leave, Typed::Line),
            LineRead::TooLate => {
                let told = while_typing(news, ready, ctx);
                tell_above(&told, &(begun.clone() + &lines.pending()));
            }
            LineRead::Cancelled => return Typed::Leave,
        }
    }
}

/// Whether a line has been begun at a terminal that hands lines out only when they are sent. For a moment the terminal
/// hands out every key; from then on what is there counts as sent, and can be read.
fn has_unsent() -> bool {
    let stdin = std::io::stdin();
    let Ok(before) = tcgetattr(stdin.as_fd()) else { return false };
    let mut by_key = before.clone();
    by_key.local_flags &= !LocalFlags::ICANON;
    by_key.control_chars[SpecialCharacterIndices::VMIN as usize] = 1;
    by_key.control_chars[SpecialCharacterIndices::VTIME as usize] = 0;
    let begun = tcsetattr(stdin.as_fd(), SetArg::TCSANOW, &by_key).is_ok()
        && input::readable(Duration::ZERO).is_ok_and(|is| is);
    // A terminal that is gone needs no mode.
    let _ = tcsetattr(stdin.as_fd(), SetArg::TCSANOW, &before);
    begun
}

/// The terminal without echo, where keys arrive one by one; ends when it is dropped.
struct Quiet {
    before: Termios,
    quiet: Termios,
}

impl Quiet {
    fn begin() -> Result<Quiet, Error> {
        let stdin = std::io::stdin();
        let failed = |errno: nix::errno::Errno| Error::System {
            what: "the terminal cannot be set up",
            source: errno.into(),
        };
        let before = tcgetattr(stdin.as_fd()).map_err(failed)?;
        let mut quiet = before.clone();
        quiet.local_flags &= !(LocalFlags::ECHO | LocalFlags::ICANON | LocalFlags::ISIG | LocalFlags::IEXTEN);
        // As the line editor has it, so that a key typed now means the same to it.
        quiet.input_flags &= !(InputFlags::ICRNL | InputFlags::IXON);
        quiet.control_chars[SpecialCharacterIndices::VMIN as usize] = 1;
        quiet.control_chars[SpecialCharacterIndices::VTIME as usize] = 0;
        let quiet = Quiet { before, quiet };
        quiet.take().map_err(failed)?;
        Ok(quiet)
    }

    fn take(&self) -> nix::Result<()> {
        tcsetattr(std::io::stdin().as_fd(), SetArg::TCSADRAIN, &self.quiet)?;
        render::raw(MARK_PASTES.0);
        Ok(())
    }

    fn give_back(&self) {
        render::raw(MARK_PASTES.1);
        // A terminal that is gone needs no mode.
        let _ = tcsetattr(std::io::stdin().as_fd(), SetArg::TCSADRAIN, &self.before);
    }

    /// Stops this program as a shell's Ctrl-Z does, and continues with `fg`; where no shell could continue it, nothing stops.
    fn suspend(&self) {
        render::raw("\n");
        self.give_back();
        // What cannot be stopped continues.
        let _ = raise(Signal::SIGTSTP).and_then(|()| self.take());
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        self.give_back();
    }
}

#[cfg(test)]
mod tests;

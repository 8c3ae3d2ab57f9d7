//! The prompt: a line editor, and while nothing is typed a look at whether something was installed.

use std::os::fd::AsFd;
use std::time::{Duration, SystemTime};

use nix::sys::termios::{
    InputFlags, LocalFlags, SetArg, SpecialCharacterIndices, Termios, tcgetattr, tcsetattr,
};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::input::{Lines, Taken};
use super::{input, render, slash};
use crate::error::Error;
use crate::kernel::context::KernelContext;

const PROMPT: &str = "> ";
/// How often the manifest is looked at while nothing is typed.
const TICK: Duration = Duration::from_millis(300);

/// What came of a prompt.
pub(super) enum Typed {
    /// A line.
    Line(String),
    /// The person leaves.
    Leave,
    /// Something was installed, and whoever started this program starts it again.
    Restart,
}

/// The prompt of one conversation.
pub(super) struct Prompt {
    /// Nothing on a terminal that wants no escapes: lines then come as the terminal itself edits them.
    editor: Option<Editor<Commands, MemHistory>>,
    lines: Lines,
    stamp: Option<(SystemTime, u64)>,
    told: bool,
}

impl Prompt {
    /// Sets the line editor up.
    pub(super) fn new(ctx: &KernelContext) -> Result<Prompt, Error> {
        let editor = if ctx.shared().session.colour { Some(editor(ctx)?) } else { None };
        Ok(Prompt { editor, lines: Lines::default(), stamp: None, told: false })
    }

    /// Waits for a line.
    pub(super) fn read(&mut self, ctx: &KernelContext) -> Result<Typed, Error> {
        // First the mode, then the prompt, and the mode stays until there is a line: a Ctrl-D that comes while the
        // terminal edits lines by itself would be eaten by it.
        let _quiet = if self.editor.is_some() { Some(Quiet::begin()?) } else { None };
        if let Some(instead) = self.wait_for_key(ctx) {
            return Ok(instead);
        }
        let Some(editor) = &mut self.editor else {
            return Ok(match self.lines.next(None, ctx.cancel()) {
                Taken::Line(line) => Typed::Line(line),
                Taken::End | Taken::TooLate | Taken::Cancelled => Typed::Leave,
            });
        };
        match editor.readline(PROMPT) {
            Ok(line) => Ok(Typed::Line(line)),
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => Ok(Typed::Leave),
            Err(ReadlineError::Io(e)) if e.raw_os_error() == Some(nix::libc::EIO) => Ok(Typed::Leave),
            Err(error) => Err(failed(error)),
        }
    }

    /// Keeps a line for the next time.
    pub(super) fn remember(&mut self, line: &str, ctx: &KernelContext) {
        let new = match &mut self.editor {
            Some(editor) => editor.add_history_entry(line).unwrap_or(false),
            None => true,
        };
        if new && let Some(input) = ctx.user_input() {
            input.keep_line(ctx, line);
        }
    }
    /// Shows the prompt and waits for the first key without taking it; something else when there is no line to wait for.
    fn wait_for_key(&mut self, ctx: &KernelContext) -> Option<Typed> {
        render::raw(PROMPT);
        let instead = loop {
            match input::readable(TICK) {
                Ok(true) | Err(_) => break None,
                Ok(false) => {}
            }
            if ctx.is_cancelled() {
                break Some(Typed::Leave);
            }
            if self.installed(ctx) {
                if ctx.shared().session.supervised {
                    break Some(Typed::Restart);
                }
                if !self.told {
                    self.told = true;
                    let id = ctx.conversation();
                    render::raw("\r");
                    render::notice(&format!(
                        "a new skill was installed; start cl-bot again: cl-bot agent --conversation {id}"
                    ));
                    render::raw(PROMPT);
                }
            }
        };
        if self.editor.is_some() || instead.is_some() {
            // The line editor draws the prompt itself.
            render::raw("\r");
        }
        if let Some(Typed::Restart) = instead {
            render::notice("something was installed; starting again");
        }
        instead
    }

    /// Whether another manifest lies there than the one that this program started with.
    fn installed(&mut self, ctx: &KernelContext) -> bool {
        let stamp = ctx.shared().manifest_stamp();
        if stamp.is_none() || stamp == self.stamp {
            return false;
        }
        let changed =
            ctx.shared().manifest_serial().is_some_and(|serial| serial != ctx.shared().session.serial);
        if !changed {
            self.stamp = stamp;
        }
        changed
    }
}

/// The line editor with its history.
fn editor(ctx: &KernelContext) -> Result<Editor<Commands, MemHistory>, Error> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .max_history_size(500)
        .map_err(failed)?
        .build();
    let history = MemHistory::with_config(&config);
    let mut editor = Editor::with_history(config, history).map_err(failed)?;
    editor.set_helper(Some(Commands));
    for line in ctx.user_input().map(|input| input.history(ctx)).unwrap_or_default() {
        let _ = editor.add_history_entry(line);
    }
    Ok(editor)
}

/// The terminal without echo, where keys arrive one by one; ends when it is dropped.
struct Quiet {
    before: Termios,
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
        tcsetattr(stdin.as_fd(), SetArg::TCSADRAIN, &quiet).map_err(failed)?;
        Ok(Quiet { before })
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        // A terminal that is gone needs no mode.
        let _ = tcsetattr(std::io::stdin().as_fd(), SetArg::TCSADRAIN, &self.before);
    }
}

/// Completes the commands that begin with `/`.
struct Commands;

impl Completer for Commands {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = &line[..at];
        let pairs = slash::names()
            .filter(|name| typed.starts_with('/') && name.starts_with(typed))
            .map(|name| Pair { display: name.to_owned(), replacement: name.to_owned() });
        Ok((0, pairs.collect()))
    }
}

impl Hinter for Commands {
    type Hint = String;
}

impl Highlighter for Commands {}
impl Validator for Commands {}
impl Helper for Commands {}

fn failed(error: ReadlineError) -> Error {
    Error::System { what: "the line editor failed", source: std::io::Error::other(error.to_string()) }
}

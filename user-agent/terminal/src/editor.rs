//! The line editor: keys, history, completion, inputs of several lines.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bot_base::error::Error;
use ports::{KernelContext, handles};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::{History, MemHistory};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter, Helper};

use super::{fold, slash, wrap};

/// The most inputs that are kept in memory.
const HISTORY: usize = 500;
/// How often there may be news while something is typed.
const TICK: Duration = Duration::from_secs(1);

/// What came of reading.
pub(super) enum Read {
    /// An input.
    Line(String),
    /// Ctrl-Z, with what was typed so far.
    Suspended(String),
    /// Ctrl-C, Ctrl-D on an empty line, or a terminal that is gone.
    Leave,
}

/// The line editor of one conversation.
pub(super) struct LineEditor {
    editor: Editor<Words, MemHistory>,
}

impl LineEditor {
    /// Sets it up with the history of the profile.
    pub(super) fn new(ctx: &KernelContext) -> Result<LineEditor, Error> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .max_history_size(HISTORY)
            .map_err(failed)?
            .build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(failed)?;
        let providers = ctx.shared().config.models.providers.iter().map(|p| p.name.clone()).collect();
        editor.set_helper(Some(Words { providers, continued: Mutex::default(), typed: Mutex::default() }));
        for line in ctx.user_input().map(|input| handles::history(input, ctx.shared())).unwrap_or_default() {
            let _ = editor.add_history_entry(unkept(&line));
        }
        Ok(LineEditor { editor })
    }

    /// Reads an input that begins with `begun`; what `news` says meanwhile is shown above it.
    pub(super) fn read(
        &mut self,
        prompt: &str,
        begun: &str,
        mut news: impl FnMut() -> Vec<String> + Send,
    ) -> Result<Read, Error> {
        let printer = self.editor.create_external_printer().ok();
        let editor = &mut self.editor;
        let read = std::thread::scope(|scope| {
            let (done, ended) = mpsc::channel::<()>();
            let watch = move || {
                let Some(mut printer) = printer else { return };
                while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    for sentence in news() {
                        // Without the sentence the person learns of it after the line.
                        let columns = wrap::columns_of(&std::io::stdout());
                        let _ = printer.print(wrap::wrapped(&format!("({sentence})\n"), columns));
                    }
                }
            };
            let builder = std::thread::Builder::new().name("news".into()).stack_size(512 * 1024);
            let _ = builder.spawn_scoped(scope, watch);
            let read = editor.readline_with_initial(prompt, (begun, ""));
            drop(done);
            read
        });
        match read {
            Ok(text) => {
                let continued = self.editor.helper().map(Words::take_continued).unwrap_or_default();
                Ok(Read::Line(fold::unfold(&text, &continued)))
            }
            // At Ctrl-Z the editor would stop every process beside this one, and no other may be signalled from here.
            Err(ReadlineError::Errno(errno)) if errno as i32 == nix::libc::EPERM => {
                Ok(Read::Suspended(self.editor.helper().map(Words::take_typed).unwrap_or_default()))
            }
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => Ok(Read::Leave),
            Err(ReadlineError::Io(e)) if e.raw_os_error() == Some(nix::libc::EIO) => Ok(Read::Leave),
            Err(error) => Err(failed(error)),
        }
    }

    /// Keeps an input for the next time, unless it is the one before again.
    pub(super) fn remember(&mut self, line: &str, ctx: &KernelContext) {
        if self.editor.history_mut().add(line).unwrap_or(false) {
            keep(line, ctx);
        }
    }
}

/// Writes an input to the history of the profile, as one line.
pub(super) fn keep(line: &str, ctx: &KernelContext) {
    if let Some(input) = ctx.user_input() {
        handles::keep_line(input, ctx.shared(), line);
    }
}

/// An input as it was before [`keep`].
fn unkept(line: &str) -> String {
    let mut chars = line.chars();
    let mut text = String::with_capacity(line.len());
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('\\', Some('n')) => {
                text.push('\n');
                chars.next();
            }
            ('\\', Some('\\')) => {
                text.push('\\');
                chars.next();
            }
            _ => text.push(c),
        }
    }
    text
}

/// What the editor learns about inputs: which words can be completed, and where one is not over yet.
struct Words {
    providers: Vec<String>,
    /// The texts at which the person continued in a new line.
    continued: Mutex<Vec<String>>,
    /// The line as it was drawn last.
    typed: Mutex<String>,
}

impl Words {
    fn take_continued(&self) -> Vec<String> {
        std::mem::take(&mut *self.continued.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn take_typed(&self) -> String {
        std::mem::take(&mut *self.typed.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (from, words) = slash::complete(&line[..at], &self.providers);
        let pairs = words.into_iter().map(|word| Pair { display: word.clone(), replacement: word });
        Ok((from, pairs.collect()))
    }
}

impl Validator for Words {
    fn validate(&self, ctx: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = ctx.input();
        if !fold::wants_more(text) {
            return Ok(ValidationResult::Valid(None));
        }
        self.continued.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
        Ok(ValidationResult::Incomplete)
    }
}

/// Nothing is hinted at: the editor asks here whenever it draws the line, and tells it no other way.
impl Hinter for Words {
    type Hint = String;

    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        line.clone_into(&mut self.typed.lock().unwrap_or_else(PoisonError::into_inner));
        None
    }
}

impl Highlighter for Words {}
impl Helper for Words {}

fn failed(error: ReadlineError) -> Error {
    Error::System { what: "the line editor failed", source: std::io::Error::other(error.to_string()) }
}

#[cfg(test)]
mod tests;

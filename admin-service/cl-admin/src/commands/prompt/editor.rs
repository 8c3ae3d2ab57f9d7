//! The line editor of the prompt: keys, a history of its own, completion of verbs, names and ids.

use base::error::Error;
use base::home::Home;
use console::desk::Desk;
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter, Helper};
use service::session::DOORS;

use super::VERBS;

/// What came of reading.
pub enum Read {
    Line(String),
    /// Ctrl-C: the line was thrown away.
    Cleared,
    /// Ctrl-D on an empty line, or a terminal that is gone.
    Leave,
}

/// The line editor; what is typed is kept for as long as the prompt runs, and nowhere.
pub struct LineEditor {
    editor: Editor<Words, MemHistory>,
}

impl LineEditor {
    /// Sets it up.
    ///
    /// # Errors
    /// A terminal that cannot be used.
    pub fn new(home: &Home) -> Result<LineEditor, Error> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(failed)?;
        editor.set_helper(Some(Words { home: home.clone() }));
        Ok(LineEditor { editor })
    }

    /// What prints above the line that is being typed, where the terminal can do that.
    pub fn printer(&mut self) -> Option<impl ExternalPrinter + Send + use<>> {
        self.editor.create_external_printer().ok()
    }

    /// Reads a line.
    ///
    /// # Errors
    /// A terminal that fails.
    pub fn read(&mut self) -> Result<Read, Error> {
        match self.editor.readline("cl-admin> ") {
            Ok(line) => {
                if !line.trim().is_empty() {
                    let _ = self.editor.add_history_entry(line.as_str());
                }
                Ok(Read::Line(line))
            }
            Err(ReadlineError::Interrupted) => Ok(Read::Cleared),
            Err(ReadlineError::Eof) => Ok(Read::Leave),
            Err(ReadlineError::Io(e)) if e.raw_os_error() == Some(nix::libc::EIO) => Ok(Read::Leave),
            Err(error) => Err(failed(error)),
        }
    }
}

fn failed(error: ReadlineError) -> Error {
    Error::step("the terminal")(error)
}

struct Words {
    home: Home,
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = &line[..pos];
        let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let begun = &typed[start..];
        let words: Vec<String> = match typed[..start].split_whitespace().count() {
            0 => VERBS.iter().chain(&["help", "quit"]).map(|verb| (*verb).to_owned()).collect(),
            // What is open: names first, ids for what shares a name.
            1 => {
                let open = Desk::new(&self.home, &service::init::owner(), DOORS).queue().unwrap_or_default();
                let ids = open.iter().map(|item| item.id.to_string());
                open.iter().map(|item| item.name.clone()).chain(ids).collect()
            }
            _ => vec![],
        };
        let fits = words.into_iter().filter(|word| word.starts_with(begun));
        let pair = |word: String| Pair { display: word.clone(), replacement: format!("{word} ") };
        Ok((start, fits.map(pair).collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

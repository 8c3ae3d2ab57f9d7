//! The person who is asked: numbered questions and plain lines, for a small window, a screen reader and a pipe alike.

mod keyboard;

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use base::error::Error;
use base::home::Home;
use console::line_mode::columns;
use review::pages::line::wrapped;
use review::words::Words;
use shared_types::exit;
use shared_types::text;

use super::own::Own;
use keyboard::Keyboard;

/// Why the steps end.
#[derive(Debug)]
pub(super) enum Stop {
    /// Ctrl-C, or the end of the input.
    Left,
    /// A step failed.
    Failed(Error),
}

/// What is said before a question is asked again.
#[derive(Debug)]
pub(super) struct Again(pub(super) String);

/// Who is asked, in which language, and what is left to do at the end.
pub(super) struct Person<'a> {
    /// What is said to them.
    pub(super) words: Words,
    /// Whether anything is asked.
    pub(super) asks: bool,
    /// How they continue after a stop.
    pub(super) command: String,
    keyboard: Keyboard,
    interrupted: &'a AtomicBool,
    left: Vec<String>,
    /// The server of this program's own that a turn needs.
    pub(super) own: Option<Own>,
}

impl<'a> Person<'a> {
    /// The person who uses `verb`; without a language, that of the home or of the locale is spoken.
    pub(super) fn new(
        home: &Home,
        verb: &str,
        asks: bool,
        language: Option<Words>,
        interrupted: &'static AtomicBool,
    ) -> Person<'a> {
        Person {
            words: language.unwrap_or_else(|| presumed(home)),
            asks,
            command: command(home, verb),
            keyboard: Keyboard::new(interrupted),
            interrupted,
            left: vec![],
            own: None,
        }
    }

    /// Says something.
    pub(super) fn say(&self, text: &str) {
        // A reader that went away is noticed at the next question.
        let mut output = std::io::stdout().lock();
        let _ = output.write_all(wrapped(text, columns()).as_bytes()).and_then(|()| output.flush());
    }

    /// Keeps in mind what the person has to do, for the end.
    pub(super) fn leave(&mut self, what: String) {
        self.left.push(what);
    }

    /// Reads one of the numbered answers; Enter takes the default.
    pub(super) fn choose(
        &mut self,
        question: &str,
        why: &str,
        options: &[String],
        default: usize,
    ) -> Result<usize, Stop> {
        self.say(&format!("\n{question}\n{why}"));
        for (number, option) in (1..).zip(options) {
            self.say(&format!("  {number}. {option}"));
        }
        let words = self.words;
        let count = options.len().to_string();
        loop {
            let typed = self.typed(&format!("1-{count} [{}]: ", default + 1))?;
            match typed.parse::<usize>() {
                _ if typed.is_empty() => return Ok(default),
                Ok(number) if (1..=options.len()).contains(&number) => return Ok(number - 1),
                _ => self.say(&words.fill("onboard-number", &[("count", &count)])),
            }
        }
    }

    /// Reads a yes or a no; Enter takes the default.
    pub(super) fn agrees(&mut self, question: &str, why: &str, default: bool) -> Result<bool, Stop> {
        self.say(&format!("\n{question}\n{why}"));
        let words = self.words;
        let hint = if default { words.say("onboard-yes-hint") } else { words.say("onboard-no-hint") };
        loop {
            let typed = self.typed(&format!("{hint}: "))?.to_lowercase();
            match typed.as_str() {
                "" => return Ok(default),
                "n" | "no" | "nein" => return Ok(false),
                yes if words.is_yes(yes) => return Ok(true),
                _ => self.say(words.say("onboard-yes-no")),
            }
        }
    }

    /// Reads a line until one passes; `read` says what is wrong with it.
    pub(super) fn line<T>(
        &mut self,
        prompt: &str,
        read: impl Fn(&str) -> Result<T, Again>,
    ) -> Result<T, Stop> {
        loop {
            match read(&self.typed(prompt)?) {
                Ok(value) => return Ok(value),
                Err(Again(why)) => self.say(&why),
            }
        }
    }

    fn typed(&mut self, prompt: &str) -> Result<String, Stop> {
        let mut output = std::io::stdout();
        let shown = output.write_all(prompt.as_bytes()).and_then(|()| output.flush());
        shown.map_err(|e| Stop::Failed(Error::step("standard output")(e)))?;
        let mut line = String::new();
        let read = self.keyboard.read_line(&mut line);
        if self.was_interrupted() || !matches!(read, Ok(1..)) {
            return Err(Stop::Left);
        }
        Ok(text::line(line.trim()))
    }

    /// The keys, for the review.
    pub(super) fn keyboard(&mut self) -> &mut dyn BufRead {
        &mut self.keyboard
    }

    /// The mark of Ctrl-C, for what takes its time.
    pub(super) fn interrupted(&self) -> &'a AtomicBool {
        self.interrupted
    }

    /// Whether the person pressed Ctrl-C.
    pub(super) fn was_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Ends the steps after Ctrl-C, at any point.
    pub(super) fn goes_on(&self) -> Result<(), Stop> {
        if self.was_interrupted() { Err(Stop::Left) } else { Ok(()) }
    }

    /// Why a step ended: a person who leaves at a hidden question is not a fault.
    pub(super) fn stop(&self, error: Error) -> Stop {
        if self.was_interrupted() || matches!(error, Error::NothingTyped) {
            Stop::Left
        } else {
            Stop::Failed(error)
        }
    }

    /// Says how to continue.
    pub(super) fn stopped(&self) {
        let words = self.words;
        self.say(&format!("\n{}", words.fill("onboard-stopped", &[("command", &self.command)])));
    }

    /// Says what works, or what is left to do; answers the exit code.
    pub(super) fn farewell(&self, tried: bool) -> u8 {
        let words = self.words;
        if self.left.is_empty() {
            let done = if tried { words.say("onboard-done") } else { words.say("onboard-done-part") };
            self.say(&format!("\n{done}"));
            return exit::DONE;
        }
        self.say(&format!("\n{}", words.say("onboard-left")));
        for left in &self.left {
            self.say(&format!("- {left}"));
        }
        exit::FAILED
    }
}

/// The language before it is asked for: that of the home, or else of the locale.
fn presumed(home: &Home) -> Words {
    if home.admin_config().exists() {
        return Words::of_home(home);
    }
    let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(set).unwrap_or_default();
    Words::of(locale.split(['_', '.', '@']).next().unwrap_or_default())
}

/// This verb for this home.
fn command(home: &Home, verb: &str) -> String {
    let cwd = std::env::current_dir().unwrap_or_default();
    if Home::choose(None, |name| std::env::var_os(name), &cwd).as_ref() == Some(home) {
        return format!("cl-admin {verb}");
    }
    let place = owners::quote::word(home.root()).unwrap_or_else(|| "\"$TAMECLAW_HOME\"".to_owned());
    format!("cl-admin --home {place} {verb}")
}

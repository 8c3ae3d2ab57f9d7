//! When the person wants to be heard: a key of the terminal begins a sentence and ends it, or a button is held.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bot_base::error::{Error, say};
use pin_protocol::{Ask, Edge};
use ports::pins::Wires;
use user_agent::start::pins::wires;

/// The terminal of the program.
const TERMINAL: &str = "/dev/tty";
/// How long one question to the pins waits for a change, in milliseconds.
const WAIT: u64 = 500;

/// The key or the button, and how often it changed: the person is heard while that is an odd number.
pub(super) struct Push {
    source: Option<Source>,
    changes: Arc<AtomicUsize>,
}

enum Source {
    Terminal(File),
    Pin(Pin),
}

/// A line of the pins.
struct Pin {
    wires: Wires,
    line: String,
}

impl Push {
    /// Opens the terminal, of which the key Enter alone counts.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn of_terminal() -> Result<Push, Error> {
        #[expect(clippy::disallowed_methods, reason = "the terminal of the person, before confinement")]
        let opened = File::open(Path::new(TERMINAL));
        let terminal = opened.map_err(|why| Error::Usage {
            what: format!("there is no terminal whose key could be pressed: {TERMINAL}: {why}"),
            hint: "start `cl-bot voice --push` at a terminal, or leave `--push` out".to_owned(),
        })?;
        Ok(Push { source: Some(Source::Terminal(terminal)), changes: Arc::default() })
    }

    /// Connects to the service of the pins, and reads the line once.
    ///
    /// # Errors
    /// Nobody is there, or the line cannot be read.
    pub(super) fn of_pin(path: &Path, line: &str) -> Result<Push, Error> {
        let usage = |why: String| Error::Usage {
            what: format!("`voice.push`, `{line}` at {}: {why}", path.display()),
            hint: "docs/guides/pins.md says how `cl-pins` is started and its lines are named".to_owned(),
        };
        let wires = wires(path).map_err(|why| usage(why.to_string()))?;
        let pin = Pin { wires, line: line.to_owned() };
        match pin.wires.ask(&Ask::Read(line.to_owned())) {
            Ok(_) => Ok(Push { source: Some(Source::Pin(pin)), changes: Arc::default() }),
            Err(why) => Err(usage(why.to_string())),
        }
    }

    /// Counts from now on, until the program or what is pressed ends.
    pub(super) fn begin(&mut self) {
        let Some(source) = self.source.take() else { return };
        let changes = Arc::clone(&self.changes);
        std::thread::spawn(move || match source {
            Source::Terminal(terminal) => {
                for _ in BufReader::new(terminal).lines().map_while(Result::ok) {
                    changes.fetch_add(1, Ordering::Relaxed);
                }
            }
            Source::Pin(pin) => pin.count(&changes),
        });
    }

    /// How often it changed.
    pub(super) fn changes(&self) -> usize {
        self.changes.load(Ordering::Relaxed)
    }
}

impl Pin {
    /// Counts each change; where the line can be read no more, the person is not heard.
    fn count(self, changes: &AtomicUsize) {
        let (mut is_held, mut new) = (false, true);
        loop {
            let wait = Ask::Wait { line: self.line.clone(), edge: Edge::Any, ms: WAIT, new };
            new = false;
            let level = self.wires.ask(&wait);
            let is_now = match &level {
                Ok(level) => level.unwrap_or(is_held),
                Err(_) => false,
            };
            if is_now != is_held {
                is_held = is_now;
                changes.fetch_add(1, Ordering::Relaxed);
            }
            if let Err(why) = level {
                say(&format!("voice: nothing is heard any more: the line `{}`: {why}", self.line));
                return;
            }
        }
    }
}

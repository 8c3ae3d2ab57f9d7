//! When the person wants to be heard: a key of the terminal begins a sentence and ends it.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bot_base::error::Error;

/// The terminal of the program.
const TERMINAL: &str = "/dev/tty";

/// The key, and how often it was pressed.
pub(super) struct Push {
    terminal: Option<File>,
    presses: Arc<AtomicUsize>,
}

impl Push {
    /// Opens the terminal, of which only the key Enter counts.
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
        Ok(Push { terminal: Some(terminal), presses: Arc::default() })
    }

    /// Counts from now on, until the program or the terminal ends.
    pub(super) fn begin(&mut self) {
        let Some(terminal) = self.terminal.take() else { return };
        let presses = Arc::clone(&self.presses);
        std::thread::spawn(move || {
            for _ in BufReader::new(terminal).lines().map_while(Result::ok) {
                presses.fetch_add(1, Ordering::Relaxed);
            }
        });
    }

    /// How often it was pressed; the person is heard while that is an odd number.
    pub(super) fn presses(&self) -> usize {
        self.presses.load(Ordering::Relaxed)
    }
}

//! What is shown on stderr while a model writes.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A line that counts seconds at a terminal, until the value is dropped; at a plain terminal (`TERM=dumb`) and elsewhere it is printed once.
pub(super) struct Waiting(Option<(Sender<()>, JoinHandle<()>)>);

impl Waiting {
    /// Begins to show the words.
    pub(super) fn begin(words: String) -> Waiting {
        let plain = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        if plain || !std::io::stderr().is_terminal() {
            eprintln!("{words}");
            return Waiting(None);
        }
        let (done, ended) = mpsc::channel();
        let count = move || {
            let start = Instant::now();
            loop {
                let shown = format!("{words}, {} s", start.elapsed().as_secs());
                show(&shown);
                if ended.recv_timeout(Duration::from_secs(1)) != Err(RecvTimeoutError::Timeout) {
                    show(&" ".repeat(shown.chars().count()));
                    return show("");
                }
            }
        };
        Waiting(std::thread::Builder::new().spawn(count).ok().map(|thread| (done, thread)))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.0.take() {
            drop(done);
            // It has drawn its last; a row may follow on the same line.
            let _ = thread.join();
        }
    }
}

/// Writes over the line. Without escapes: a terminal may know none.
fn show(words: &str) {
    let mut stderr = std::io::stderr().lock();
    // Where nobody reads it, nothing is lost.
    let _ = write!(stderr, "\r{words}").and_then(|()| stderr.flush());
}

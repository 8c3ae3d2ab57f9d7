//! What the serial console says: where each step begins and ends, and its words between.

use std::time::Duration;

/// How many lines of a step are kept, each once in a row; the last ones say what went wrong.
const KEPT_LINES: usize = 24;

/// The exit code by which a step says that it cannot be done here.
const SKIPPED: i32 = 77;

/// What became of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It did what it must; its last words.
    Passed(String),
    /// It did not; its last lines.
    Failed(Vec<String>),
    /// It could not be tried; why.
    Skipped(String),
}

/// One step's end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Its number in the order of the plan.
    pub(crate) step: usize,
    pub(crate) outcome: Outcome,
    pub(crate) took: Duration,
}

/// The console of one machine, read line by line.
#[derive(Debug, Default)]
pub(crate) struct Console {
    running: Option<(usize, Duration)>,
    words: Vec<String>,
    over: bool,
}

impl Console {
    /// Takes a line that came at this time after the start; answers the step that ended with it.
    pub(crate) fn line(&mut self, line: &str, at: Duration) -> Option<Ended> {
        let line = line.trim_end();
        let Some(mark) = line.strip_prefix("@machine ") else {
            self.keep(line);
            return None;
        };
        let mut parts = mark.split(' ');
        let kind = parts.next();
        let step = parts.next().and_then(|number| number.parse().ok());
        let code = parts.next().and_then(|code| code.parse().ok());
        match (kind, step, code) {
            (Some("begin"), Some(step), None) => {
                self.running = Some((step, at));
                self.words.clear();
            }
            (Some("end"), Some(step), Some(code)) => {
                let begun = self.running.take().filter(|(running, _)| *running == step)?.1;
                let words = std::mem::take(&mut self.words);
                return Some(Ended { step, outcome: outcome(code, words), took: at.saturating_sub(begun) });
            }
            (Some("over"), None, None) => self.over = true,
            _ => self.keep(line),
        }
        None
    }

    /// Whether the machine said that it has done every step.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// The last words of a machine that stopped before the end of its steps.
    pub(crate) fn last_words(self) -> Vec<String> {
        self.words
    }

    fn keep(&mut self, line: &str) {
        if self.words.last().is_some_and(|last| last == line) {
            return;
        }
        if self.words.len() == KEPT_LINES {
            self.words.remove(0);
        }
        self.words.push(line.to_owned());
    }
}

fn outcome(code: i32, words: Vec<String>) -> Outcome {
    let last = words.iter().rev().find(|line| !line.is_empty()).cloned().unwrap_or_default();
    match code {
        0 => Outcome::Passed(last),
        SKIPPED => Outcome::Skipped(last),
        // What `timeout` says of a step that it ended.
        124 | 137 => Outcome::Failed([words, vec!["it took too long and was ended".into()]].concat()),
        _ => Outcome::Failed([words, vec![format!("exit code {code}")]].concat()),
    }
}

#[cfg(test)]
mod tests;

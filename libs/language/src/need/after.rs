//! A talk about need: the line that speaks of it, and short ones that continue about it.

use super::{Need, need};

/// How many lines after a line of need may continue about it.
const LINES: usize = 6;

/// What begins a command, which is not a line of the talk.
const COMMAND: char = '/';

/// What the last line of need spoke of, and how many lines may still continue about it. It is kept in memory alone.
#[derive(Debug, Default)]
pub struct After(Option<(Need, usize)>);

/// What a line says of need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// It speaks of it.
    Now(Need),
    /// It continues about what a line before spoke of.
    More(Need),
}

impl After {
    /// Takes the next line that somebody typed; what it says of need.
    pub fn said(&mut self, line: &str) -> Option<Said> {
        if let Some(need) = need(line) {
            self.0 = Some((need, LINES));
            return Some(Said::Now(need));
        }
        if line.starts_with(COMMAND) {
            return None;
        }
        let (need, left) = self.0.take()?;
        self.0 = Some((need, left - 1)).filter(|(_, left)| *left > 0);
        need.goes_on(line).map(Said::More)
    }
}

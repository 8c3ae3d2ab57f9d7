//! What the conversation has cost so far, as its turns told it.

use std::time::Duration;

use language::fill;
use ports::tongue::Tongue;
use shared_types::message::Usage;

/// Turns, time and tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Used {
    turns: u64,
    time: Duration,
    input: u64,
    output: u64,
    /// Turns whose provider counts tokens.
    counted: u64,
}

impl Used {
    /// Adds an answered turn.
    pub(super) fn add(&mut self, usage: Option<Usage>, lasted: Duration) {
        self.turns += 1;
        self.time += lasted;
        if let Some(usage) = usage {
            self.counted += 1;
            self.input = self.input.saturating_add(usage.input);
            self.output = self.output.saturating_add(usage.output);
        }
    }

    /// One line, or nothing where nothing was used.
    pub(super) fn line(&self, tongue: Tongue) -> Option<String> {
        if self.turns == 0 {
            return None;
        }
        let turns = tongue.say(if self.turns == 1 { "turn" } else { "turns" });
        let mut line = format!("{} {turns}, {}", self.turns, spoken(self.time));
        if self.counted > 0 {
            let (input, output) = (self.input.to_string(), self.output.to_string());
            line.push_str(&fill(
                tongue.say(", {in} tokens in, {out} out"),
                &[("in", &input), ("out", &output)],
            ));
            let silent = self.turns - self.counted;
            if silent > 0 {
                line.push_str(&fill(
                    tongue.say(" ({silent} without a count)"),
                    &[("silent", &silent.to_string())],
                ));
            }
        }
        Some(line)
    }
}

/// A time as a person says it.
fn spoken(time: Duration) -> String {
    match time.as_secs() {
        0..10 => format!("{:.1} s", time.as_secs_f64()),
        seconds @ 10..120 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests;

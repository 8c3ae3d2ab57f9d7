//! Who switches which line, how often, and when each output is at its safe level.

use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pin_protocol::{Ask, Edge, Reply};

use crate::board::Open;
use crate::lines::{Direction, Line};

/// How often a wait looks whether its client is gone, or the lines are stopped.
const LOOK: Duration = Duration::from_millis(100);
/// The time in which changes are counted.
const SECOND: Duration = Duration::from_secs(1);

/// Why a line is not read or switched, and what to do.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("no line is called `{name}`; there are: {all}")]
    NoLine { name: String, all: String },
    #[error("`{0}` is an input: it can be read, and not switched")]
    Input(String),
    #[error("`{0}` is an output: nobody but clients of this service changes it, so nothing is waited for")]
    Output(String),
    #[error(
        "`{name}` is switched at most {most} times a second; wait a moment, or raise `most_changes` in the file of lines"
    )]
    TooOften { name: String, most: usize },
    #[error(
        "the emergency stop is set: every output is at its safe level; clear it first, as in `cl-bot estop --clear`"
    )]
    Stopped,
    #[error("the service ends: every output is at its safe level; start it again")]
    Ended,
    #[error("another client waits for `{0}`; one waits at a time")]
    Waits(String),
    #[error("the chip tells no changes of `{0}`; read it again and again instead")]
    NoChanges(String),
    #[error("`{name}`: {why}; look at the chip and its wires, then start the service again")]
    Chip { name: String, why: io::Error },
}

/// All lines, and who switches them.
pub struct Panel {
    pins: Vec<Pin>,
    state: Mutex<State>,
}

struct Pin {
    line: Line,
    open: Box<dyn Open>,
    /// Held by the client that waits.
    waits: Mutex<()>,
}

#[derive(Default)]
struct State {
    stopped: bool,
    ended: bool,
    /// One for each line.
    outputs: Vec<Output>,
}

#[derive(Default)]
struct Output {
    on: bool,
    /// The client that switched it last, and is still there.
    holder: Option<u64>,
    changes: VecDeque<Instant>,
}

impl Panel {
    /// The lines, each open; outputs are at their safe level.
    pub fn of(lines: Vec<(Line, Box<dyn Open>)>) -> Panel {
        let output = |(line, _): &(Line, Box<dyn Open>)| match line.direction {
            Direction::Out { safe, .. } => Output { on: safe, ..Output::default() },
            Direction::In { .. } => Output::default(),
        };
        let outputs = lines.iter().map(output).collect();
        let pins = lines.into_iter().map(|(line, open)| Pin { line, open, waits: Mutex::default() });
        Panel { pins: pins.collect(), state: Mutex::new(State { outputs, ..State::default() }) }
    }

    /// Answers a client; `is_gone` is asked while it waits.
    pub fn answer(&self, client: u64, ask: &Ask, is_gone: &dyn Fn() -> bool) -> Reply {
        let answer = match ask {
            Ask::List => {
                let is_output = |line: &Line| matches!(line.direction, Direction::Out { .. });
                let lines = self.pins.iter().map(|pin| (pin.line.name.clone(), is_output(&pin.line)));
                return Reply::Lines(lines.collect());
            }
            Ask::Read(name) => self.read(name).map(Some),
            Ask::Write(name, on) => self.write(client, name, *on).map(Some),
            Ask::Wait { line, edge, ms, new } => {
                self.wait(line, *edge, Duration::from_millis(*ms), *new, is_gone)
            }
        };
        answer.map_or_else(|why| Reply::Refused(why.to_string()), Reply::Level)
    }

    /// A client has left: what it switched goes to its safe level.
    pub fn leave(&self, client: u64) {
        let mut state = self.state();
        self.make_safe(&mut state, |output| output.holder == Some(client));
    }

    /// The emergency stop is set, or was cleared.
    pub fn stop(&self, is_set: bool) {
        let mut state = self.state();
        state.stopped = is_set;
        if is_set {
            self.make_safe(&mut state, |_| true);
        }
    }

    /// The service ends: every output goes to its safe level, and stays there.
    pub fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        self.make_safe(&mut state, |_| true);
    }

    fn make_safe(&self, state: &mut State, concerns: impl Fn(&Output) -> bool) {
        for (pin, output) in self.pins.iter().zip(&mut state.outputs) {
            let Direction::Out { safe, .. } = pin.line.direction else { continue };
            if concerns(output) {
                output.holder = None;
                match pin.open.switch(safe) {
                    Ok(()) => output.on = safe,
                    Err(why) => eprintln!("cl-pins: `{}` is not at its safe level: {why}", pin.line.name),
                }
            }
        }
    }

    /// The line of this name, or the only one with this number.
    fn find(&self, name: &str) -> Result<(usize, &Pin), Refusal> {
        let number: Option<u32> = name.strip_prefix("pin ").and_then(|number| number.parse().ok());
        let mut found = self.pins.iter().enumerate().filter(|(_, pin)| match number {
            Some(number) => pin.line.offset == number,
            None => pin.line.name == name,
        });
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one),
            _ => {
                let said = |pin: &Pin| format!("`{}` (pin {})", pin.line.name, pin.line.offset);
                let all: Vec<String> = self.pins.iter().map(said).collect();
                Err(Refusal::NoLine { name: name.to_owned(), all: all.join(", ") })
            }
        }
    }

    fn read(&self, name: &str) -> Result<bool, Refusal> {
        let (_, pin) = self.find(name)?;
        pin.open.level().map_err(|why| pin.failed(why))
    }

    fn write(&self, client: u64, name: &str, on: bool) -> Result<bool, Refusal> {
        let (at, pin) = self.find(name)?;
        let Direction::Out { safe, most_changes } = pin.line.direction else {
            return Err(Refusal::Input(pin.line.name.clone()));
        };
        let mut state = self.state();
        match (state.ended, state.stopped) {
            (true, _) => return Err(Refusal::Ended),
            (_, true) => return Err(Refusal::Stopped),
            _ => {}
        }
        let Some(output) = state.outputs.get_mut(at) else { return Err(Refusal::Ended) };
        if output.on != on {
            output.changes.retain(|change| change.elapsed() < SECOND);
            // The way to the safe level is always open.
            if on != safe && output.changes.len() >= most_changes {
                return Err(Refusal::TooOften { name: pin.line.name.clone(), most: most_changes });
            }
            output.changes.push_back(Instant::now());
        }
        output.holder = Some(client);
        pin.open.switch(on).map_err(|why| pin.failed(why))?;
        output.on = on;
        Ok(on)
    }

    fn wait(
        &self,
        name: &str,
        edge: Edge,
        at_most: Duration,
        new: bool,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<Option<bool>, Refusal> {
        let (_, pin) = self.find(name)?;
        if matches!(pin.line.direction, Direction::Out { .. }) {
            return Err(Refusal::Output(pin.line.name.clone()));
        }
        let Ok(_only) = pin.waits.try_lock() else { return Err(Refusal::Waits(pin.line.name.clone())) };
        let change = |at_most| pin.open.change(at_most).map_err(|why| pin.failed(why));
        let until = Instant::now() + at_most;
        // A line that never rests brings new changes faster than they are taken.
        while new && Instant::now() <= until && change(Duration::ZERO)?.is_some() {}
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match change(left.min(LOOK))? {
                Some(on) if edge.is_to(on) => return Ok(Some(on)),
                _ if left.is_zero() || is_gone() || self.state().ended => return Ok(None),
                _ => {}
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pin {
    fn failed(&self, why: io::Error) -> Refusal {
        let name = self.line.name.clone();
        match why.kind() {
            io::ErrorKind::Unsupported => Refusal::NoChanges(name),
            _ => Refusal::Chip { name, why },
        }
    }
}

#[cfg(test)]
mod tests;

//! What a person sees while a turn runs: the answer as it comes, a sign of life before it, and what is reported beside it.
//!
//! Everything that is written during a turn goes through here, so that the sign of life is always taken away first.

use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bot_base::output::Output;
use ports::tongue::Tongue;
use shared_types::text;

use super::markdown::Markdown;
use super::spinner;
use state::{Running, State};

pub(super) mod state;

/// How answers are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// To a pipe: the text itself, once it is whole.
    Pipe,
    /// To a terminal that wants no escapes: readable text, as it comes.
    Plain,
    /// To a terminal with colour, and with a sign of life.
    Fancy,
}

/// Where answers are shown.
#[derive(Clone)]
pub(super) struct Screen {
    shared: Arc<Shared>,
}

/// What the thread of the sign of life shares.
pub(super) struct Shared {
    pub(super) state: Mutex<State>,
    /// Rung when the turn is over.
    pub(super) over: Condvar,
}

/// A turn that runs; it is over when this is dropped.
pub(super) struct Turn<'a> {
    screen: &'a Screen,
    spinner: Option<JoinHandle<()>>,
}

/// A time in which somebody reads from the terminal.
pub(super) struct Pause<'a>(&'a Screen);

impl Default for Screen {
    fn default() -> Self {
        let screen = Screen::onto(Box::new(Output), Box::new(std::io::stderr()));
        screen.state().is_terminal = true;
        screen
    }
}

impl Screen {
    /// A screen of two streams: answers, and everything else.
    pub(super) fn onto(out: Box<dyn Write + Send>, aside: Box<dyn Write + Send>) -> Screen {
        let state = State { out, aside, turn: None, is_terminal: false };
        Screen { shared: Arc::new(Shared { state: Mutex::new(state), over: Condvar::new() }) }
    }

    /// A turn begins.
    pub(super) fn begin(&self, manner: Manner, tongue: Tongue) -> Turn<'_> {
        let mut state = self.state();
        let mut turn = Running::new(manner, tongue);
        turn.silent = state.silence(manner);
        state.turn = Some(turn);
        drop(state);
        let spinner = if manner == Manner::Pipe { None } else { spinner::start(&self.shared) };
        Turn { screen: self, spinner }
    }

    /// More of the answer came.
    pub(super) fn stream(&self, piece: &str) {
        let mut state = self.state();
        let Some(turn) = &mut state.turn else { return };
        turn.piece.push_str(piece);
        turn.whole.push_str(piece);
        if turn.manner != Manner::Pipe {
            let shown = turn.markdown.feed(piece);
            state.write(&shown);
        }
    }

    /// What was streamed so far is void.
    pub(super) fn again(&self) {
        let mut state = self.state();
        let Some(turn) = &mut state.turn else { return };
        let was_shown = turn.manner != Manner::Pipe && !turn.whole.trim().is_empty();
        state.break_line();
        if let Some(turn) = &mut state.turn {
            turn.piece.clear();
            turn.whole.clear();
            turn.markdown = Markdown::new(turn.manner == Manner::Fancy);
        }
        if was_shown {
            let tongue = state.turn.as_ref().map_or_else(Tongue::default, |turn| turn.tongue);
            state.tell(tongue.say("another model begins anew; what stands above does not count"));
        }
    }

    /// Something is done that takes its time.
    pub(super) fn doing(&self, what: &str) {
        let mut state = self.state();
        state.break_line();
        if let Some(turn) = &mut state.turn {
            turn.piece.clear();
            turn.markdown = Markdown::new(turn.manner == Manner::Fancy);
            turn.doing = text::cut(what, 200);
        }
    }

    /// Tells something beside the answer, once in a turn.
    pub(super) fn note(&self, note: &str) {
        let mut state = self.state();
        if let Some(turn) = &mut state.turn {
            if turn.notes.iter().any(|told| told == note) {
                return;
            }
            turn.notes.push(note.to_owned());
        }
        state.break_line();
        state.tell(&text::line(note));
    }

    /// Shows a text that is not a part of the answer.
    pub(super) fn say(&self, said: &str) {
        let mut state = self.state();
        state.break_line();
        state.write(said);
        state.write("\n");
    }

    /// Keeps the screen still while somebody reads from the terminal.
    pub(super) fn pause(&self) -> Pause<'_> {
        let mut state = self.state();
        state.break_line();
        if let Some(turn) = &mut state.turn {
            turn.paused = true;
            turn.silent = None;
        }
        Pause(self)
    }

    /// Shows the answer, or what of it was not streamed; one that differs from what was streamed is shown again.
    pub(super) fn answer(&self, reply: &str) {
        let mut state = self.state();
        let Some(turn) = &state.turn else { return };
        let (colour, tongue) = (turn.manner == Manner::Fancy, turn.tongue);
        if turn.manner == Manner::Pipe {
            state.write(reply);
            state.write("\n");
            return;
        }
        let same = |streamed: &str| streamed.trim() == reply.trim();
        let (streamed, right) = (!turn.whole.trim().is_empty(), same(&turn.piece) || same(&turn.whole));
        state.break_line();
        if streamed && right {
            return;
        }
        if streamed {
            state.tell(tongue.say("the answer that counts"));
        }
        state.write(&Markdown::whole(reply, colour));
        state.write("\n");
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    /// How long it has run.
    pub(super) fn lasted(&self) -> Duration {
        self.screen.state().turn.as_ref().map_or(Duration::ZERO, |turn| turn.began.elapsed())
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.screen.state();
        state.break_line();
        state.turn = None;
        drop(state);
        self.screen.shared.over.notify_all();
        if let Some(spinner) = self.spinner.take() {
            // A panic there has been reported already.
            let _ = spinner.join();
        }
    }
}

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        let Some(manner) = state.turn.as_ref().map(|turn| turn.manner) else { return };
        let silent = state.silence(manner);
        if let Some(turn) = &mut state.turn {
            turn.paused = false;
            turn.wrote = Some(Instant::now());
            turn.silent = silent;
        }
    }
}

#[cfg(test)]
pub(super) mod tests;

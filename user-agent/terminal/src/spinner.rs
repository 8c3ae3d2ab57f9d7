//! A sign of life while the model thinks: one line with the time, drawn four times a second on a terminal with escapes,
//! and a single sentence where there are none, so that nothing is read out over and over.

use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use ports::tongue::Tongue;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::screen::state::Running;
use super::screen::{Manner, Shared};

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(250);
/// An answer that comes sooner needs no sign.
const FIRST: Duration = Duration::from_millis(200);
/// How long a stream rests before there is a sign again.
const REST: Duration = Duration::from_secs(1);
/// When a terminal without escapes gets a sign.
const PATIENCE: Duration = Duration::from_secs(2);
/// From when on the way out is named.
const LONG: u64 = 3;
const WHEEL: [char; 4] = ['|', '/', '-', '\\'];

/// Watches a turn from a thread of its own until it is over; without a thread there is no sign.
pub(super) fn start(shared: &Arc<Shared>) -> Option<JoinHandle<()>> {
    let shared = shared.clone();
    std::thread::Builder::new()
        .name("spinner".into())
        .stack_size(128 * 1024)
        .spawn(move || {
            let mut state = shared.state.lock().unwrap_or_else(PoisonError::into_inner);
            for wheel in WHEEL.into_iter().cycle() {
                let tick = if state.turn.as_ref().is_some_and(|turn| turn.began.elapsed() < FIRST) {
                    FIRST
                } else {
                    TICK
                };
                state = shared.over.wait_timeout(state, tick).unwrap_or_else(PoisonError::into_inner).0;
                let Some(turn) = &state.turn else { return };
                match turn.manner {
                    Manner::Fancy if is_quiet(turn) => {
                        let seconds = turn.began.elapsed().as_secs();
                        let sign = sign(wheel, (&turn.doing, turn.tongue), seconds, columns());
                        state.draw(&sign);
                    }
                    Manner::Plain if turn.wrote.is_some() => return,
                    Manner::Plain if turn.began.elapsed() >= PATIENCE => {
                        let said = turn.tongue.say("thinking...");
                        return state.tell(said);
                    }
                    _ => {}
                }
            }
        })
        .ok()
}

fn is_quiet(turn: &Running) -> bool {
    !turn.paused && !turn.mid_line && turn.wrote.is_none_or(|at| at.elapsed() >= REST)
}

/// The line, narrow enough that it never wraps: a wrapped line could not be taken away again.
fn sign(wheel: char, (doing, tongue): (&str, Tongue), seconds: u64, columns: usize) -> String {
    let out = if seconds >= LONG { tongue.say("  (Ctrl-C cancels)") } else { "" };
    let time = format!(" {seconds} s{out}");
    let room = columns.saturating_sub(time.width() + 3);
    cut(&format!("{wheel} {}{time}", cut(doing, room)), columns.saturating_sub(1))
}

/// As much of a line as fits into a number of columns.
pub(super) fn cut(line: &str, columns: usize) -> String {
    if line.width() <= columns {
        return line.to_owned();
    }
    let mut left = columns.saturating_sub(3);
    let mut kept: String = line
        .chars()
        .take_while(|c| {
            let wide = c.width().unwrap_or(0);
            let fits = wide <= left;
            left = left.saturating_sub(wide);
            fits
        })
        .collect();
    kept.push_str(&"..."[..columns.min(3)]);
    kept
}

/// How wide the terminal is; 80 where it does not say.
pub(super) fn columns() -> usize {
    usize::from(confine::terminal::size(&std::io::stdout()).1)
}

#[cfg(test)]
mod tests;

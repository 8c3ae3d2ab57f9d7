//! The review on the whole screen.
//!
//! - [`app`]: the state, and what each key makes of it
//! - [`draw`]: the window as a whole; [`queue`], [`view`], [`form`] and [`reader`] draw their parts
//! - [`terminal`] and [`keys`]: the person's terminal, taken over and given back
//!
//! A decision goes through the same desk as that of the line mode; nothing here can say yes on its own.

pub mod app;
pub mod asks;
pub mod bar;
pub mod draw;
pub mod field;
pub mod form;
pub mod keys;
pub mod look;
pub mod queue;
pub mod reader;
pub mod terminal;
pub mod view;
pub mod watch;
pub mod work;
pub mod wrap;

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::error::Error;
use confine::stop;
use nix::sys::signal::{Signal, raise};
use review::ask::Source;

use self::app::{App, Effect};
use self::keys::{Heard, Keyboard};
use self::look::Look;
use self::terminal::{Screen, trouble};
use crate::desk::Desk;
use crate::editor;

/// How long what is drawn stays true: ages count on, and the journal may have grown.
const AGEING: Duration = Duration::from_secs(1);

/// Whether this program's terminal can show a whole screen; a pipe, a dumb terminal, an unknown one or one that is too small
/// cannot.
pub fn is_possible() -> bool {
    let term = std::env::var("TERM").unwrap_or_default();
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    // A size of nothing is one that the terminal does not know.
    let large = || match confine::terminal::size(&std::io::stdin()) {
        (0, _) | (_, 0) => true,
        (rows, columns) => columns >= draw::LEAST.0 && rows >= draw::LEAST.1,
    };
    terminal && !matches!(term.as_str(), "" | "dumb" | "unknown") && large()
}

/// Runs the console until the person leaves it, the terminal goes, or a signal asks for the end.
///
/// # Errors
/// A terminal or a journal that cannot be read; the terminal is itself again.
pub fn run(desk: Desk, passphrase: &Source) -> Result<(), Error> {
    let catch = |e| Error::step("catching signals")(e);
    // Ctrl-C is a key here; in an editor it is the editor's.
    let interrupted = stop::on_signals(&[Signal::SIGINT]).map_err(catch)?;
    let ending = stop::on_ending(&[Signal::SIGTERM, Signal::SIGHUP]).map_err(catch)?;
    interrupted.store(false, Ordering::Relaxed);
    let look = Look { words: desk.words(), ..Look::of_environment() };
    let mut app = App::new(desk, passphrase, look)?;
    let mut keyboard = Keyboard::open()?;
    let mut screen = Screen::enter()?;
    keyboard.drain();
    let ended = serve(&mut app, &mut screen, &mut keyboard, &[interrupted, ending]);
    drop(screen);
    app.leave();
    keyboard.drain();
    ended
}

fn serve(
    app: &mut App,
    screen: &mut Screen,
    keyboard: &mut Keyboard,
    stops: &[&AtomicBool],
) -> Result<(), Error> {
    let stdin = std::io::stdin();
    let mut drawn = None;
    while !stops.iter().any(|stop| stop.load(Ordering::Relaxed)) {
        // Nothing is drawn for nothing: a look at the size and the journal is all that an idle console does.
        let size = confine::terminal::size(&stdin);
        if app.is_moving() || drawn.is_none_or(|(at, of): (Instant, _)| of != size || at.elapsed() > AGEING) {
            base::failpoints::drawing();
            match screen.terminal.draw(|frame| app.draw(frame)) {
                Ok(_) => drawn = Some((Instant::now(), size)),
                // The window was closed; nobody is there to read it.
                Err(e) if terminal::is_gone(&e) => return Ok(()),
                Err(e) => return Err(trouble(e)),
            }
        }
        let Heard::Keys(keys) = keyboard.wait(app.patience()) else { return Ok(()) };
        if !keys.is_empty() {
            drawn = None;
        }
        for key in keys {
            match app.key(key) {
                Effect::Nothing => continue,
                Effect::Drain => keyboard.drain(),
                Effect::Repaint => screen.terminal.clear().map_err(trouble)?,
                Effect::Suspend => {
                    // The shell lets it continue; without a shell, nothing stops.
                    screen.lend(|| raise(Signal::SIGTSTP))?.map_err(|e| trouble(e.into()))?;
                    keyboard.drain();
                }
                Effect::Edit => {
                    let edited = match app.to_edit() {
                        Ok(source) => screen.lend(|| editor::edit(app.desk.home(), &source))?,
                        Err(error) => Err(error),
                    };
                    // Ctrl-C was for the editor.
                    stops.first().inspect(|interrupted| interrupted.store(false, Ordering::Relaxed));
                    app.edited(edited);
                    keyboard.drain();
                }
                Effect::Quit => return Ok(()),
            }
            // What came in the same moment was meant for what stood there before.
            break;
        }
        // After the keys: those that were typed while this program was held up still put off a question.
        if app.tick(Instant::now()) == Effect::Drain {
            keyboard.drain();
            drawn = None;
        }
    }
    Ok(())
}

//! The person's terminal: taken over as a whole, and given back however this ends.

use std::io::{Stdout, Write};
use std::sync::{Mutex, Once, PoisonError};
use std::thread::ThreadId;

use base::error::Error;
use base::raw::Raw;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

/// Puts back what a program that wrote here before may have left: an unfinished sequence, a character set, the insert and origin modes, reports of a mouse, changed colours. A chat could otherwise draw on the review by what it set.
const RESET: &[u8] =
    b"\x1b\\\x0f\x1b(B\x1b[!p\x1b[?1000;1002;1003;1005;1006;1015l\x1b[?5l\x1b[?69l\x1b[?2026l\x1b[?7h\
\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b[0m";
/// The alternate screen, without margins, empty, without a cursor. Margins are taken off only there: that moves the cursor,
/// and the screen of before is to have it where it was.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[r\x1b[2J\x1b[H\x1b[?25l";
/// The screen of before, with a cursor.
const LEAVE: &[u8] = b"\x1b[0m\x1b[?25h\x1b[?1049l";

/// Who draws, and the mode that the terminal had before.
static HELD: Mutex<Option<(ThreadId, Raw)>> = Mutex::new(None);

/// What is drawn to. A window that was closed takes everything and shows nothing: the keyboard says that it is gone, and the
/// drawing library would print a complaint where nobody reads, and fail at that.
#[derive(Debug)]
pub struct Out(Stdout);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes).or_else(|e| if is_gone(&e) { Ok(bytes.len()) } else { Err(e) })
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush().or_else(|e| if is_gone(&e) { Ok(()) } else { Err(e) })
    }
}

/// Whether an error says that the window was closed.
pub fn is_gone(error: &std::io::Error) -> bool {
    error.raw_os_error() == Some(nix::errno::Errno::EIO as i32)
}

/// The whole screen, for as long as this lives.
pub struct Screen {
    /// What is drawn on.
    pub terminal: Terminal<CrosstermBackend<Out>>,
}

impl Screen {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// Not a terminal, or one that cannot be written.
    pub fn enter() -> Result<Screen, Error> {
        restore_on_panic();
        take()?;
        match screen() {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// Gives the terminal back for as long as `other` runs, an editor say.
    ///
    /// # Errors
    /// A terminal that cannot be taken over again.
    pub fn lend<T>(&mut self, other: impl FnOnce() -> T) -> Result<T, Error> {
        give_back();
        let answer = other();
        take()?;
        self.terminal = screen()?;
        Ok(answer)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// A new drawing area; a line that does not know its size has 80 columns and 24 rows.
fn screen() -> Result<Terminal<CrosstermBackend<Out>>, Error> {
    let backend = CrosstermBackend::new(Out(std::io::stdout()));
    let known = ratatui::backend::Backend::size(&backend).is_ok_and(|size| size.width > 0 && size.height > 0);
    let viewport = if known { Viewport::Fullscreen } else { Viewport::Fixed(Rect::new(0, 0, 80, 24)) };
    Terminal::with_options(backend, TerminalOptions { viewport }).map_err(trouble)
}

fn take() -> Result<(), Error> {
    let raw = Raw::enter()?;
    *held() = Some((std::thread::current().id(), raw));
    let mut out = std::io::stdout();
    out.write_all(RESET).and_then(|()| out.write_all(ENTER)).and_then(|()| out.flush()).map_err(|e| {
        give_back();
        trouble(e)
    })
}

fn give_back() {
    if let Some((_, raw)) = held().take() {
        let mut out = std::io::stdout();
        // A terminal that is gone needs nothing back.
        let _ = out.write_all(LEAVE).and_then(|()| out.flush());
        drop(raw);
    }
}

/// A panic's words come after the terminal is itself again; those of another thread would only spoil what is drawn.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let drawing = held().as_ref().map(|(thread, _)| *thread);
            if drawing.is_some_and(|thread| thread != std::thread::current().id()) {
                return;
            }
            give_back();
            before(info);
        }));
    });
}

fn held() -> std::sync::MutexGuard<'static, Option<(ThreadId, Raw)>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An error of the terminal, in words.
pub fn trouble(error: std::io::Error) -> Error {
    Error::step("the terminal")(error)
}

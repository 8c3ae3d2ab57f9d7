//! What stands on the screen during a turn, and the only writes to it.

use std::io::Write;
use std::time::Instant;

use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};
use ports::tongue::Tongue;

use super::Manner;
use crate::markdown::Markdown;
use crate::wrap::{Wrap, columns_of, wrapped};

/// The two streams, and the turn that runs.
pub(crate) struct State {
    pub(super) out: Box<dyn Write + Send>,
    pub(super) aside: Box<dyn Write + Send>,
    pub(crate) turn: Option<Running>,
    /// Whether the two streams are this program's own.
    pub(super) is_terminal: bool,
}

/// A turn as its screen sees it.
pub(crate) struct Running {
    pub(crate) manner: Manner,
    /// In which language the steps are reported.
    pub(crate) tongue: Tongue,
    pub(crate) began: Instant,
    /// When something was written last.
    pub(crate) wrote: Option<Instant>,
    /// What is done right now, such as `thinking`.
    pub(crate) doing: String,
    /// The sign of life stands in the line of the cursor.
    pub(super) drawn: bool,
    /// Somebody reads from the terminal: nothing may be drawn.
    pub(crate) paused: bool,
    /// The cursor is behind some text.
    pub(crate) mid_line: bool,
    pub(super) markdown: Markdown,
    /// For the width that the terminal has when the turn begins.
    wrap: Wrap,
    /// What was streamed since the last tool call, and since the answer began.
    pub(super) piece: String,
    pub(super) whole: String,
    pub(super) notes: Vec<String>,
    /// While nobody reads from the terminal.
    pub(super) silent: Option<Silent>,
}

/// The terminal without echo: what is typed while an answer comes would stand in the middle of it, and the sign of life would
/// wipe it away. It is kept, and stands at the next prompt. The echo comes back when this is dropped.
pub(super) struct Silent(Termios);

impl Silent {
    fn begin() -> nix::Result<Silent> {
        let before = tcgetattr(std::io::stdin())?;
        let mut silent = before.clone();
        silent.local_flags &= !(LocalFlags::ECHO | LocalFlags::ECHONL);
        tcsetattr(std::io::stdin(), SetArg::TCSADRAIN, &silent)?;
        Ok(Silent(before))
    }
}

impl Drop for Silent {
    fn drop(&mut self) {
        // A terminal that is gone needs no mode.
        let _ = tcsetattr(std::io::stdin(), SetArg::TCSADRAIN, &self.0);
    }
}

impl Running {
    /// A turn that begins now.
    pub(super) fn new(manner: Manner, tongue: Tongue) -> Running {
        let columns = columns_of(&std::io::stdout());
        Running {
            manner,
            tongue,
            began: Instant::now(),
            wrote: None,
            doing: tongue.say("thinking").to_owned(),
            drawn: false,
            paused: false,
            mid_line: false,
            markdown: Markdown::new(manner == Manner::Fancy),
            wrap: Wrap::new(columns.filter(|_| manner != Manner::Pipe)),
            piece: String::new(),
            whole: String::new(),
            notes: Vec::new(),
            silent: None,
        }
    }
}

impl State {
    /// Takes the echo away where a sign of life is drawn; a terminal that cannot do it is used all the same.
    pub(super) fn silence(&self, manner: Manner) -> Option<Silent> {
        if self.is_terminal && manner == Manner::Fancy { Silent::begin().ok() } else { None }
    }

    /// Writes to the person; a reader that has gone away wants no more answers, and the end of the input comes soon.
    pub(super) fn write(&mut self, shown: &str) {
        let shown = match &mut self.turn {
            Some(turn) => turn.wrap.feed(shown),
            None => wrapped(shown, columns_of(&std::io::stdout())),
        };
        self.write_wrapped(&shown);
    }

    fn write_wrapped(&mut self, shown: &str) {
        if shown.is_empty() {
            return;
        }
        self.erase();
        let _ = self.out.write_all(shown.as_bytes());
        let _ = self.out.flush();
        if let Some(turn) = &mut self.turn {
            turn.mid_line = !shown.ends_with('\n');
            turn.wrote = Some(Instant::now());
        }
    }

    /// Says something beside the conversation.
    pub(crate) fn tell(&mut self, what: &str) {
        self.erase();
        let _ = writeln!(self.aside, "{}", wrapped(&format!("({what})"), columns_of(&std::io::stderr())));
    }

    /// Shows what of the answer was held back, and goes to the beginning of a line.
    pub(super) fn break_line(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        let held = turn.markdown.finish();
        self.write(&held);
        let held = self.turn.as_mut().map(|turn| turn.wrap.finish()).unwrap_or_default();
        self.write_wrapped(&held);
        if self.turn.as_ref().is_some_and(|turn| turn.mid_line) {
            self.write("\n");
        }
        self.erase();
    }

    /// Draws the sign of life, in place of the one before.
    pub(crate) fn draw(&mut self, sign: &str) {
        let _ = write!(self.out, "\r{sign}\u{1b}[K");
        let _ = self.out.flush();
        if let Some(turn) = &mut self.turn {
            turn.drawn = true;
        }
    }

    fn erase(&mut self) {
        if let Some(turn) = &mut self.turn
            && std::mem::take(&mut turn.drawn)
        {
            let _ = write!(self.out, "\r\u{1b}[K");
            let _ = self.out.flush();
        }
    }
}

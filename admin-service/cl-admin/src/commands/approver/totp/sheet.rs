//! The secret of one-time codes as a sheet: a QR code, and beside it the text that it stands for. It stands on the alternate
//! screen of a terminal, which keeps nothing for scrolling back to.

use std::io::{IsTerminal, Write};

use confine::terminal;
use console::screen::look::Look;
use nix::sys::signal::Signal;
use qrcodegen::{QrCode, QrCodeEcc};
use shared_types::secret::Secret;

/// The light border, in modules; a camera needs one.
const BORDER: i32 = 2;
/// The columns of the text beside the code: a secret in one line.
const TEXT: usize = 34;
/// Dark on light, regardless of the terminal's colours.
const COLOURS: (&str, &str) = ("\x1b[30;107m", "\x1b[0m");

/// A sheet on the screen; it is gone with the value.
pub struct Shown(());

impl Shown {
    /// Shows an address as a code with lines of text beside it, where the terminal has room and signs for that.
    pub fn begin(address: &Secret, lines: &[String]) -> Option<Shown> {
        let stdout = std::io::stdout();
        let look = Look::of_environment();
        if !stdout.is_terminal() || !console::screen::is_possible() || !look.colour || !look.drawing {
            return None;
        }
        let (rows, columns) = terminal::size(&stdout);
        let sheet = drawn(address.expose(), lines, usize::from(rows), usize::from(columns))?;
        // Ctrl-C must not leave the sheet on the screen.
        confine::stop::on_signals(&[Signal::SIGINT]).ok()?;
        let shown = Shown(());
        print(&format!("\x1b[?1049h\x1b[2J\x1b[H{sheet}"));
        Some(shown)
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        print("\x1b[2J\x1b[?1049l");
    }
}

fn print(text: &str) {
    let mut stdout = std::io::stdout();
    // A terminal that is gone shows nothing.
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

/// The sheet, if it leaves a row for the question; two modules of a column are one character.
fn drawn(address: &str, lines: &[String], rows: usize, columns: usize) -> Option<String> {
    let code = QrCode::encode_text(address, QrCodeEcc::Low).ok()?;
    let end = code.size() + BORDER;
    let width = usize::try_from(end + BORDER).ok()?;
    let text: Vec<String> = lines.iter().flat_map(|line| pieces(line)).collect();
    let height = width.div_ceil(2).max(text.len());
    if columns < width + 1 + TEXT || rows <= height {
        return None;
    }
    let mut sheet = String::new();
    let mut text = text.into_iter();
    for top in (-BORDER..end).step_by(2) {
        let row: String = (-BORDER..end)
            .map(|x| match (code.get_module(x, top), code.get_module(x, top + 1)) {
                (true, true) => '\u{2588}',
                (true, false) => '\u{2580}',
                (false, true) => '\u{2584}',
                (false, false) => ' ',
            })
            .collect();
        let beside = text.next().unwrap_or_default();
        sheet.push_str(&format!("{}{row}{} {beside}\r\n", COLOURS.0, COLOURS.1));
    }
    Some(sheet)
}

/// A line cut to the column of the text.
fn pieces(line: &str) -> Vec<String> {
    let characters: Vec<char> = line.chars().collect();
    if characters.is_empty() {
        return vec![String::new()];
    }
    characters.chunks(TEXT).map(|piece| piece.iter().collect()).collect()
}

#[cfg(test)]
mod tests;

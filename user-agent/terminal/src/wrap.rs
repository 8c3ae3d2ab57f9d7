//! Wraps what is shown at words, piece by piece: a word is held back until it is known where it ends. Wide characters count two
//! columns and may be separated anywhere. A word that is longer than a line is left to the terminal, which copies it whole.
//! What continues a list, a quote or a labelled line stands below its first word.

use std::io::IsTerminal;
use std::os::fd::AsRawFd;

use unicode_width::UnicodeWidthChar;

/// The lines of one terminal.
#[derive(Debug, Default)]
pub(super) struct Wrap {
    /// How wide the terminal is; nothing where lines stay as they are.
    columns: Option<usize>,
    /// The word that is not shown yet, its width, and whether its last character is a wide one.
    word: String,
    width: usize,
    is_wide: bool,
    /// The blanks before it.
    blanks: usize,
    /// Where the cursor is.
    column: usize,
    /// Where the line continues.
    indent: usize,
    /// Something other than the mark of a list stands in the line.
    begun: bool,
    /// Within a control sequence.
    escape: bool,
    /// Within a word that is longer than a line.
    overlong: bool,
    shown: String,
}

/// The width of the terminal behind a stream; nothing where there is none.
pub(super) fn columns_of(stream: &(impl IsTerminal + AsRawFd)) -> Option<usize> {
    stream.is_terminal().then(|| usize::from(confine::terminal::size(stream).1))
}

/// A whole text for a terminal of this width.
pub(super) fn wrapped(text: &str, columns: Option<usize>) -> String {
    let mut wrap = Wrap::new(columns);
    let shown = wrap.feed(text);
    shown + &wrap.finish()
}

impl Wrap {
    /// Begins at the beginning of a line.
    pub(super) fn new(columns: Option<usize>) -> Wrap {
        Wrap { columns, ..Wrap::default() }
    }

    /// Takes more of the text; hands out what can be shown now.
    pub(super) fn feed(&mut self, piece: &str) -> String {
        let Some(columns) = self.columns else { return piece.to_owned() };
        for c in piece.chars() {
            self.take(c, columns);
        }
        std::mem::take(&mut self.shown)
    }

    /// Hands out what is held back.
    pub(super) fn finish(&mut self) -> String {
        if let Some(columns) = self.columns {
            self.place(columns);
            self.end_blanks(columns);
        }
        std::mem::take(&mut self.shown)
    }

    fn take(&mut self, c: char, columns: usize) {
        match c {
            c if self.escape || c == ESCAPE => {
                self.escape = !c.is_ascii_alphabetic();
                self.word.push(c);
            }
            '\n' => {
                self.place(columns);
                self.end_blanks(columns);
                self.shown.push('\n');
                let shown = std::mem::take(&mut self.shown);
                *self = Wrap { shown, ..Wrap::new(self.columns) };
            }
            ' ' => {
                self.place(columns);
                self.overlong = false;
                self.blanks += 1;
            }
            c => {
                let width = c.width().unwrap_or(0);
                let is_apart = width > 0 && self.width > 0 && (width > 1 || self.is_wide);
                if self.overlong || is_apart {
                    self.place(columns);
                }
                self.word.push(c);
                self.width += width;
                if width > 0 {
                    self.is_wide = width > 1;
                }
                if !self.overlong && self.indent + self.width > limit(columns) {
                    self.place(columns);
                    self.overlong = true;
                }
            }
        }
    }

    /// Shows the word, on the next line if this one has no room for it.
    fn place(&mut self, columns: usize) {
        let fits = self.overlong || self.column + self.blanks + self.width <= limit(columns);
        if self.width == 0 {
            // Nothing, or control sequences alone.
            if !self.word.is_empty() && fits {
                self.end_blanks(columns);
            }
            self.shown.push_str(&std::mem::take(&mut self.word));
            return;
        }
        if fits || self.column <= self.indent {
            self.end_blanks(usize::MAX);
        } else {
            self.shown.push('\n');
            self.shown.extend(std::iter::repeat_n(' ', self.indent));
            (self.column, self.blanks) = (self.indent, 0);
        }
        let from = self.column;
        self.column += self.width;
        if self.column > columns {
            // The terminal has wrapped it.
            self.column = (self.column % columns).max(1);
        }
        if !self.begun {
            self.begun = !is_mark(&self.word);
            let indent = if self.begun { from } else { self.column + 1 };
            self.indent = if indent <= columns / 2 { indent } else { (columns / 2).min(2) };
        }
        self.shown.push_str(&std::mem::take(&mut self.word));
        self.width = 0;
    }

    /// Shows the blanks before a word or the line's end, where there is room.
    fn end_blanks(&mut self, columns: usize) {
        if self.column + self.blanks <= limit(columns) {
            self.shown.extend(std::iter::repeat_n(' ', self.blanks));
            self.column += self.blanks;
        }
        self.blanks = 0;
    }
}

/// The last column stays free: some terminals begin a new line as soon as it is written.
fn limit(columns: usize) -> usize {
    columns.saturating_sub(1).max(1)
}

/// Whether a line's first word is the mark of a list or a quote, or the name of the speaker.
fn is_mark(word: &str) -> bool {
    // A control sequence of this program is `ESC [ .. m`.
    let parts = word.split(ESCAPE).enumerate();
    let plain: String = parts
        .map(|(n, part)| if n == 0 { part } else { part.split_once('m').map_or("", |(_, rest)| rest) })
        .collect();
    let number = plain.strip_suffix(['.', ')']).unwrap_or_default();
    matches!(plain.as_str(), "-" | "*" | "+" | ">" | "|")
        || (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
        || (plain.starts_with('[') && plain.ends_with(']'))
}

const ESCAPE: char = '\u{1b}';

#[cfg(test)]
mod tests;

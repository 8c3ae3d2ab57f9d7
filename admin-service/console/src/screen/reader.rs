//! A page that is read: wrapped to the window, scrolled, with the place always said.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use review::pages::line::{Origin, Page, Tone};

use super::keys::Key;
use super::look::Look;
use super::wrap::{Pieces, Wrapped, pieces, wrap};
use review::highlight::Highlighter;

/// A page and how far it was read.
#[derive(Debug)]
pub struct Reader {
    page: Page,
    pieces: Vec<Pieces>,
    rows: Vec<Wrapped>,
    width: u16,
    height: u16,
    top: usize,
    read: usize,
}

impl Reader {
    /// A page from its start; a source gets its colours.
    pub fn new(page: Page, look: Look) -> Reader {
        let mut highlighter = Highlighter::default();
        let is_source = page.title == "source";
        let styled = page.lines.iter().map(|line| match line.spans.as_slice() {
            [number, code] if is_source && line.origin == Origin::Code => {
                let code = highlighter.line(&code.text).into_iter();
                let code = code.map(|(text, kind)| (text.to_owned(), look.code(kind)));
                std::iter::once((number.text.clone(), look.tone(number.tone))).chain(code).collect()
            }
            _ => pieces(line, look),
        });
        let pieces = styled.collect();
        Reader { page, pieces, rows: vec![], width: 0, height: 0, top: 0, read: 0 }
    }

    pub fn page(&self) -> &Page {
        &self.page
    }

    /// Whether it was ever on the screen.
    pub fn is_opened(&self) -> bool {
        self.read > 0
    }

    /// Whether its last line was on the screen.
    pub fn is_read(&self) -> bool {
        self.read >= self.page.lines.len()
    }

    /// Whether each line that is to be weighed was on the screen.
    pub fn warnings_are_read(&self) -> bool {
        let warns = |line: &review::pages::line::Line| {
            line.spans.iter().any(|span| matches!(span.tone, Tone::Caution | Tone::Bad))
        };
        self.page.lines.iter().rposition(warns).is_none_or(|last| last < self.read)
    }

    /// Draws what fits, and notes what was seen.
    pub fn draw(&mut self, area: Rect, buffer: &mut Buffer) {
        self.fit(area.width, area.height);
        let shown = self.rows.iter().skip(self.top).take(usize::from(area.height));
        for (y, wrapped) in (area.top()..).zip(shown) {
            buffer.set_line(area.left(), y, &wrapped.row, area.width);
            if wrapped.ends && wrapped.line == self.read {
                self.read += 1;
            }
        }
    }

    /// Wraps anew when the window has changed; the line on top stays on top.
    fn fit(&mut self, width: u16, height: u16) {
        if width != self.width {
            let line = self.rows.get(self.top).map_or(0, |row| row.line);
            let lines = self.page.lines.iter().zip(&self.pieces).enumerate();
            self.rows = lines.flat_map(|(i, (line, pieces))| wrap(line, pieces, i, width)).collect();
            self.top = self.rows.iter().position(|row| row.line == line).unwrap_or(0);
            self.width = width;
        }
        self.height = height;
        self.top = self.top.min(self.last_top());
    }

    fn last_top(&self) -> usize {
        self.rows.len().saturating_sub(usize::from(self.height))
    }

    /// Scrolls; whether the key was one for that.
    pub fn key(&mut self, key: Key) -> bool {
        // A row stays, so that the eye finds where it was.
        let page = usize::from(self.height).saturating_sub(1).max(1);
        let top = match key {
            Key::Up => self.top.saturating_sub(1),
            Key::Down => self.top + 1,
            Key::PageUp => self.top.saturating_sub(page),
            Key::PageDown | Key::Char(' ') => self.top + page,
            Key::Home => 0,
            Key::End => self.last_top(),
            _ => return false,
        };
        self.top = top.min(self.last_top());
        true
    }

    /// Where one is: `lines 1-18 of 240`.
    pub fn place(&self) -> String {
        let (all, height) = (self.rows.len(), usize::from(self.height));
        if all == 0 {
            return "empty".to_owned();
        }
        let end = (self.top + height).min(all);
        let more = if end < all { "; PgDn for more" } else { "; the end" };
        format!("lines {}-{end} of {all}{more}", self.top + 1)
    }

    /// Continues reading a page that was replaced by one with the same lines at its start.
    pub fn follow(&mut self, before: &Reader) {
        let same = self.page.lines.iter().zip(&before.page.lines).take_while(|(a, b)| a == b).count();
        self.read = before.read.min(same);
        self.top = before.top;
    }
}

#[cfg(test)]
mod tests;

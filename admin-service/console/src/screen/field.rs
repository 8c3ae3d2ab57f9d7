//! One line that a person fills in: shown, hidden, or one of several choices.

use ratatui::text::{Line as Row, Span as Piece};
use shared_types::secret::Secret;
use zeroize::Zeroizing;

use super::keys::Key;

/// The most characters of a field.
const MOST: usize = 4096;
/// The most rows that a field takes; of a longer one those around the cursor are shown, and that is said.
const ROWS: usize = 5;

/// What a field is.
#[derive(Debug)]
enum Kind {
    Text,
    Number,
    Hidden,
    /// The choices, each with what it suggests for the field below.
    Choice(Vec<(String, String)>),
}

pub struct Field {
    label: &'static str,
    kind: Kind,
    text: Zeroizing<String>,
    /// The cursor, as a count of characters before it.
    at: usize,
}

/// A field as it is drawn.
#[derive(Debug)]
pub struct Drawn {
    pub rows: Vec<Row<'static>>,
    /// Where its cursor is: column and row.
    pub cursor: (u16, u16),
}

impl Field {
    /// A field whose text is shown.
    pub fn shown(label: &'static str, text: &str) -> Field {
        let mut field = Field { label, kind: Kind::Text, text: Zeroizing::default(), at: 0 };
        field.set(text);
        field
    }

    /// A field for a number.
    pub fn number(label: &'static str, number: u16) -> Field {
        Field { kind: Kind::Number, ..Field::shown(label, &number.to_string()) }
    }

    /// A field whose text is not shown.
    pub fn hidden(label: &'static str) -> Field {
        // Room for all of it, so that no copy stays behind where it grew.
        let text = Zeroizing::new(String::with_capacity(MOST));
        Field { label, kind: Kind::Hidden, text, at: 0 }
    }

    /// A choice; each comes with a suggestion for the next field.
    pub fn choice(label: &'static str, choices: Vec<(String, String)>) -> Field {
        let first = choices.first().map(|(name, _)| name.clone()).unwrap_or_default();
        Field { label, kind: Kind::Choice(choices), text: Zeroizing::new(first), at: 0 }
    }

    pub fn label(&self) -> &'static str {
        self.label
    }

    /// What it holds.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it may not stay empty; a passphrase is judged by the key.
    pub fn is_needed(&self) -> bool {
        !matches!(self.kind, Kind::Hidden)
    }

    /// Hands the text out as a secret and keeps nothing of it.
    pub fn take(&mut self) -> Secret {
        self.at = 0;
        Secret::new(std::mem::take(&mut *self.text))
    }

    /// Puts another text in.
    pub fn set(&mut self, text: &str) {
        *self.text = text.to_owned();
        self.at = text.chars().count();
    }

    /// What a choice suggests, if anything.
    pub fn suggestion(&self, choice: usize) -> Option<String> {
        match &self.kind {
            Kind::Choice(choices) => choices.get(choice).map(|(_, suggestion)| suggestion.clone()),
            _ => None,
        }
        .filter(|suggestion| !suggestion.is_empty())
    }

    /// Whether a character is typed into it; where not, it is meant for the buttons.
    pub fn takes(&self, c: char) -> bool {
        match self.kind {
            Kind::Choice(_) => c == ' ',
            Kind::Number => c.is_ascii_digit(),
            Kind::Text | Kind::Hidden => true,
        }
    }

    /// Edits; answers which choice was made, where it is one.
    pub fn key(&mut self, key: Key) -> Option<usize> {
        if let Kind::Choice(choices) = &self.kind {
            let now = choices.iter().position(|(name, _)| *name == *self.text).unwrap_or(0);
            let next = match key {
                Key::Right | Key::Char(' ') => (now + 1) % choices.len(),
                Key::Left => (now + choices.len() - 1) % choices.len(),
                _ => return None,
            };
            *self.text = choices.get(next)?.0.clone();
            return Some(next);
        }
        let length = self.text.chars().count();
        match key {
            Key::Char(c) if length < MOST / c.len_utf8() => {
                let place = self.place(self.at);
                self.text.insert(place, c);
                self.at += 1;
            }
            Key::Backspace if self.at > 0 => {
                self.at -= 1;
                let place = self.place(self.at);
                self.text.remove(place);
            }
            Key::Delete if self.at < length => {
                let place = self.place(self.at);
                self.text.remove(place);
            }
            Key::Ctrl('u') => {
                self.text.clear();
                self.at = 0;
            }
            Key::Left => self.at = self.at.saturating_sub(1),
            Key::Right => self.at = (self.at + 1).min(length),
            Key::Home | Key::Ctrl('a') => self.at = 0,
            Key::End | Key::Ctrl('e') => self.at = length,
            _ => {}
        }
        None
    }

    fn place(&self, at: usize) -> usize {
        self.text.char_indices().nth(at).map_or(self.text.len(), |(i, _)| i)
    }

    /// The field over as many rows as it needs.
    pub fn rows(&self, width: u16) -> Drawn {
        let label = match &self.kind {
            Kind::Choice(choices) if choices.len() > 1 => format!("{} (Left, Right): ", self.label),
            _ => format!("{}: ", self.label),
        };
        let start = Piece::raw(label.as_str()).width();
        let width = usize::from(width).max(start + 8);
        let (mut rows, mut column) = (vec![label], start);
        let mut cursor = (column, 0);
        for (i, c) in self.text.chars().enumerate() {
            let c = if matches!(self.kind, Kind::Hidden) { '*' } else { c };
            let mut bytes = [0; 4];
            let columns = Piece::raw(&*c.encode_utf8(&mut bytes)).width();
            // One column stays free for the cursor.
            if column + columns >= width {
                rows.push(" ".repeat(start));
                column = start;
            }
            if i == self.at {
                cursor = (column, rows.len() - 1);
            }
            if let Some(row) = rows.last_mut() {
                row.push(c);
            }
            column += columns;
        }
        if self.at >= self.text.chars().count() {
            cursor = (column, rows.len() - 1);
        }
        let all = rows.len();
        let top = (cursor.1 + 1).saturating_sub(ROWS);
        let mut rows: Vec<Row<'static>> = rows.into_iter().skip(top).take(ROWS).map(Row::from).collect();
        if all > ROWS {
            rows.push(Row::from(format!("  (rows {}-{} of {all})", top + 1, (top + ROWS).min(all))));
        }
        let small = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        Drawn { rows, cursor: (small(cursor.0), small(cursor.1 - top)) }
    }
}

impl std::fmt::Debug for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Field").field("label", &self.label).field("kind", &self.kind).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;

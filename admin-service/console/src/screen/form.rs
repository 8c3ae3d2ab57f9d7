//! A question: what it is about, fields to fill, and two buttons of which the one that changes nothing comes first.

use std::time::{Duration, Instant};

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line as Row;
use review::pages::line::Page;
use review::words::Words;
use shared_types::secret::Secret;

use super::asks;
use super::bar;
use super::field::Field;
use super::keys::Key;
use super::look::Look;
use super::reader::Reader;
use review::decision::is_reason;

/// How long a yes takes no keys after it has appeared: what was typed before nobody meant for it.
pub const SETTLE: Duration = Duration::from_millis(500);

/// What a form is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A yes.
    Approve,
    /// A step on, where a gate holds a proposal.
    Gate,
    /// A no.
    Reject,
    Note,
    /// A call of a tool.
    Try,
}

impl Purpose {
    /// Whether it lets something happen that does not happen without it.
    fn is_yes(self) -> bool {
        matches!(self, Purpose::Approve | Purpose::Gate)
    }
}

/// A question on the screen.
#[derive(Debug)]
pub struct Form {
    pub purpose: Purpose,
    pub fields: Vec<Field>,
    reader: Reader,
    buttons: [&'static str; 2],
    focus: usize,
    /// Until when keys are dropped.
    quiet_until: Option<Instant>,
    words: Words,
}

/// What a key came to.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// The question still stands; in words, if there is something to say.
    Open(&'static str),
    /// Nothing is to happen.
    Cancelled,
    /// It is to happen.
    Given,
}

impl Form {
    /// A question about a page of facts.
    pub fn new(purpose: Purpose, about: Page, fields: Vec<Field>, look: Look) -> Form {
        let words = look.words;
        let buttons = match purpose {
            Purpose::Approve => [words.say("yes-back"), words.say("yes-approve")],
            Purpose::Gate => [words.say("yes-back"), words.say("yes-go-on")],
            Purpose::Reject => [words.say("back"), words.say("yes-reject")],
            Purpose::Note => [words.say("back"), words.say("keep-note")],
            Purpose::Try => [words.say("back"), words.say("call-it")],
        };
        let quiet_until = purpose.is_yes().then(|| Instant::now() + SETTLE);
        Form { purpose, fields, reader: Reader::new(about, look), buttons, focus: 0, quiet_until, words }
    }

    /// Until when keys are dropped; nothing once they count.
    pub fn quiet_until(&self) -> Option<Instant> {
        self.quiet_until
    }

    /// Ends the quiet time when it is over; whether it was.
    pub fn settle(&mut self, now: Instant) -> bool {
        let over = self.quiet_until.is_some_and(|end| now >= end);
        if over {
            self.quiet_until = None;
        }
        over
    }

    /// What a field holds.
    pub fn text(&self, label: &str) -> &str {
        self.fields.iter().find(|f| f.label() == label).map_or("", Field::text)
    }

    /// Takes the secret that was typed, if there is such a field.
    pub fn take_secret(&mut self, label: &str) -> Option<Secret> {
        self.fields.iter_mut().find(|f| f.label() == label).map(Field::take)
    }

    /// Does what a key says.
    pub fn key(&mut self, key: Key, now: Instant) -> Answer {
        if self.quiet_until.is_some() {
            // A person who keeps typing has not read the question.
            if self.fields.is_empty() {
                self.quiet_until = Some(now + SETTLE);
            }
            return Answer::Open("that key came before the question could be read; it was dropped");
        }
        let buttons = self.fields.len();
        match key {
            Key::Esc => return Answer::Cancelled,
            Key::Tab => self.focus = (self.focus + 1) % (buttons + 2),
            Key::BackTab => self.focus = (self.focus + buttons + 1) % (buttons + 2),
            Key::Up | Key::Down | Key::PageUp | Key::PageDown => {
                self.reader.key(key);
            }
            Key::Char(c) if self.fields.get(self.focus).is_some_and(|field| !field.takes(c)) => {
                return match c {
                    'n' | 'N' => Answer::Cancelled,
                    c if self.says_yes(c) => self.give(),
                    _ => Answer::Open(self.words.say("no-letters")),
                };
            }
            key if self.focus < buttons => return self.key_in_field(key),
            Key::Left | Key::Right => self.focus = buttons + usize::from(self.focus == buttons),
            Key::Char(c) if self.says_yes(c) => return self.give(),
            Key::Char('n' | 'N') => return Answer::Cancelled,
            Key::Enter if self.focus == buttons => return Answer::Cancelled,
            Key::Enter => return self.give(),
            _ => {}
        }
        Answer::Open("")
    }

    fn says_yes(&self, c: char) -> bool {
        self.words.is_yes(c.encode_utf8(&mut [0; 4]))
    }

    fn key_in_field(&mut self, key: Key) -> Answer {
        let last = self.focus + 1 == self.fields.len();
        if key == Key::Enter {
            // The return key alone never gives a yes.
            if last && !self.purpose.is_yes() {
                return self.give();
            }
            self.focus += 1;
        } else if let Some(field) = self.fields.get_mut(self.focus) {
            let changed = field.key(key);
            if let Some(choice) = changed {
                let text = self.fields[self.focus].suggestion(choice);
                if let (Some(text), Some(next)) = (text, self.fields.get_mut(self.focus + 1)) {
                    next.set(&text);
                }
            }
        }
        Answer::Open("")
    }

    fn give(&mut self) -> Answer {
        if self.purpose.is_yes() && !self.reader.is_read() {
            return Answer::Open("first scroll to the end of what you approve (PgDn)");
        }
        if let Some(empty) = self.fields.iter().position(|f| f.is_needed() && f.text().trim().is_empty()) {
            self.focus = empty;
            return Answer::Open(match self.purpose {
                Purpose::Reject => self.words.say("reason-missing"),
                Purpose::Note => "an empty note says nothing; nothing was changed",
                _ => "this must be filled in first; nothing was changed",
            });
        }
        if self.purpose == Purpose::Reject && !is_reason(self.text(asks::REASON)) {
            return Answer::Open(self.words.say("reason-missing"));
        }
        Answer::Given
    }

    /// Draws the question.
    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let focus = self.focus.checked_sub(self.fields.len());
        let buttons = bar::buttons(&self.buttons, focus, area.width, look);
        let fields: Vec<_> = self.fields.iter().map(|f| f.rows(area.width)).collect();
        let height = fields.iter().map(|f| f.rows.len()).sum::<usize>();
        let [head, body, place, entry, foot] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Min(2),
            Constraint::Length(1),
            Constraint::Length(u16::try_from(height).unwrap_or(u16::MAX)),
            Constraint::Length(u16::try_from(buttons.len()).unwrap_or(1)),
        ])
        .areas(area);
        let heading =
            Row::styled(self.reader.page().heading.as_ref(), look.tone(review::pages::line::Tone::Strong));
        bar::draw(&[heading], head, frame.buffer_mut());
        self.reader.draw(body, frame.buffer_mut());
        bar::draw(&[Row::from(self.reader.place()).right_aligned()], place, frame.buffer_mut());
        let mut y = entry.top();
        for (i, field) in fields.iter().enumerate() {
            let lines = u16::try_from(field.rows.len()).unwrap_or(0).min(entry.bottom().saturating_sub(y));
            bar::draw(&field.rows, Rect { y, height: lines, ..entry }, frame.buffer_mut());
            if i == self.focus && self.quiet_until.is_none() {
                let (column, row) = field.cursor;
                frame.set_cursor_position((entry.left() + column, y + row.min(lines.saturating_sub(1))));
            }
            y += lines;
        }
        bar::draw(&buttons, foot, frame.buffer_mut());
    }
}

#[cfg(test)]
mod tests;

//! The queue: what waits for a person on top, what is not ready yet below, and what would bring something here.

use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use review::age::age;
use review::pages::line::{Line, Origin, Span, Tone};
use shared_types::id::ProposalId;
use shared_types::status::{Status, Wait};

use super::keys::Key;
use super::look::Look;
use super::wrap::{Wrapped, pieces, wrap};
use review::pages::summary::verdict;
use review::queue::Item;
use review::words::Words;

/// The proposals that are not settled, one of them chosen.
#[derive(Debug, Default)]
pub struct Queue {
    items: Vec<Item>,
    chosen: usize,
    top: usize,
    height: usize,
}

impl Queue {
    /// Takes the items as they are now; the choice stays with its proposal.
    pub fn update(&mut self, items: Vec<Item>) {
        let before = self.chosen().map(|item| item.id.clone());
        self.items = items;
        let same = before.and_then(|id| self.items.iter().position(|item| item.id == id));
        self.chosen = same.unwrap_or(self.chosen).min(self.items.len().saturating_sub(1));
    }

    pub fn chosen(&self) -> Option<&Item> {
        self.items.get(self.chosen)
    }

    /// How many wait for a person.
    pub fn waiting(&self) -> usize {
        self.items.iter().filter(|item| item.waits_for == Some(Wait::Person)).count()
    }

    /// Where a proposal stands among those that wait for a person, from one.
    pub fn place(&self, id: &ProposalId) -> Option<usize> {
        let mut waiting = self.items.iter().filter(|item| item.waits_for == Some(Wait::Person));
        waiting.position(|item| item.id == *id).map(|at| at + 1)
    }

    /// Chooses the neighbour of a proposal, or of the place where it stood; `None` at the end.
    pub fn step(&mut self, id: &ProposalId, forward: bool) -> Option<&Item> {
        let here = self.items.iter().position(|item| item.id == *id);
        let next = match here {
            Some(at) if forward => at + 1,
            Some(at) => at.checked_sub(1)?,
            None => self.chosen,
        };
        self.chosen = if next < self.items.len() { next } else { return None };
        self.chosen()
    }

    /// Moves the choice.
    pub fn key(&mut self, key: Key) {
        let last = self.items.len().saturating_sub(1);
        let page = self.height.max(1);
        self.chosen = match key {
            Key::Up => self.chosen.saturating_sub(1),
            Key::Down => self.chosen + 1,
            Key::PageUp => self.chosen.saturating_sub(page),
            Key::PageDown => self.chosen + page,
            Key::Home => 0,
            Key::End => last,
            _ => self.chosen,
        }
        .min(last);
    }

    /// Draws the queue.
    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look, now: Timestamp, served: bool) {
        self.height = usize::from(area.height);
        if self.items.is_empty() {
            let rows = empty(look.words, served).into_iter().enumerate();
            let rows = rows.flat_map(|(i, line)| wrap(&line, &pieces(&line, look), i, area.width));
            draw(rows, frame, area);
            return;
        }
        // Two columns at the left are the mark's.
        let within = Rect { x: area.x + 2, width: area.width.saturating_sub(2), ..area };
        let wanted = |item: &Item| wanted(item, look.words).text.chars().count();
        let column = self.items.iter().map(wanted).max().unwrap_or(0);
        let mut rows = vec![];
        for (i, item) in self.items.iter().enumerate() {
            for line in rows_of(item, now, look.words, column) {
                rows.extend(wrap(&line, &pieces(&line, look), i, within.width));
            }
        }
        let of_chosen = |row: &Wrapped| row.line == self.chosen;
        let first = rows.iter().position(of_chosen).unwrap_or(0);
        let last = rows.iter().rposition(of_chosen).unwrap_or(0);
        self.top = self.top.min(first).max((last + 1).saturating_sub(self.height));
        let shown = rows.into_iter().skip(self.top).take(self.height).collect::<Vec<_>>();
        for (y, row) in (area.top()..).zip(&shown) {
            if of_chosen(row) {
                frame.buffer_mut().set_string(area.left(), y, ">", look.tone(Tone::Strong));
                frame.buffer_mut().set_style(Rect { y, height: 1, ..area }, look.bar());
            }
        }
        draw(shown.into_iter(), frame, within);
    }

    /// Where one is: `2 of 5`.
    pub fn words(&self, words: Words) -> String {
        let (at, all, waiting) = (self.chosen + 1, self.items.len(), self.waiting());
        let [at, all, waiting] = [at, all, waiting].map(|n| n.to_string());
        match self.items.is_empty() {
            true => words.say("queue-empty").to_owned(),
            false => words.fill("queue-place", &[("at", &at), ("all", &all), ("waiting", &waiting)]),
        }
    }
}

fn draw(rows: impl Iterator<Item = Wrapped>, frame: &mut Frame<'_>, area: Rect) {
    for (y, wrapped) in (area.top()..area.bottom()).zip(rows) {
        frame.buffer_mut().set_line(area.left(), y, &wrapped.row, area.width);
    }
}

/// The width of the column of names.
const NAME: usize = 20;

/// What is wanted of the person, or what the proposal waits for.
fn wanted(item: &Item, words: Words) -> Span {
    let (tone, text) = match (item.waits_for, item.recommendation) {
        (Some(Wait::Person), Some(recommendation)) if item.status == Status::HumanReview => {
            (recommendation.into(), words.say(verdict(recommendation)).to_owned())
        }
        (Some(Wait::Person), _) => {
            (Tone::Caution, words.fill("at-gate", &[("status", item.status.as_str())]))
        }
        (Some(wait), _) => (Tone::Quiet, words.fill("waits-for", &[("wait", wait.as_str())])),
        (None, _) => (Tone::Quiet, item.status.to_string()),
    };
    Span { text, tone }
}

/// One proposal as a line of columns, the second of the given width; a name that is wider than its column has a line of its own
/// above them.
fn rows_of(item: &Item, now: Timestamp, words: Words, column: usize) -> Vec<Line> {
    let mut spans = vec![];
    let name_tone = if item.waits_for == Some(Wait::Person) { Tone::Strong } else { Tone::Quiet };
    let is_long = item.name.chars().count() > NAME;
    let mut add = |tone, text: String| spans.push(Span { text, tone });
    add(name_tone, format!("{:NAME$} ", if is_long { "" } else { item.name.as_str() }));
    let Span { text, tone } = wanted(item, words);
    add(tone, format!("{text:column$} "));
    add(Tone::Quiet, format!("{:11}", words.fill("ago", &[("age", &age(&item.since, now))])));
    if item.recurrence > 0 {
        let count = (item.recurrence + 1).to_string();
        add(Tone::Plain, format!("{} ", words.fill("asked-times", &[("count", &count)])));
    }
    add(Tone::Quiet, words.fill("for", &[("profile", &item.profile)]));
    let columns = Line { spans, origin: Origin::Facts };
    match is_long {
        true => vec![Line::new(Origin::Facts, name_tone, &item.name), columns],
        false => vec![columns],
    }
}

/// What stands here when nothing does.
fn empty(words: Words, served: bool) -> Vec<Line> {
    let mut lines = vec![
        (Tone::Strong, words.say("empty-title")),
        (Tone::Plain, ""),
        (Tone::Plain, words.say("empty-why")),
        (Tone::Plain, ""),
        (Tone::Quiet, words.say("empty-try")),
    ];
    if !served {
        lines.push((Tone::Caution, words.say("empty-unserved")));
    }
    lines.into_iter().map(|(tone, text)| Line::new(Origin::Facts, tone, text)).collect()
}

#[cfg(test)]
mod tests;

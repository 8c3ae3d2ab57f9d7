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
use review::queue::Item;

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

    /// The chosen one.
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
            let rows = empty(served).into_iter().enumerate();
            let rows = rows.flat_map(|(i, line)| wrap(&line, &pieces(&line, look), i, area.width));
            draw(rows, frame, area);
            return;
        }
        // Two columns at the left are the mark's.
        let within = Rect { x: area.x + 2, width: area.width.saturating_sub(2), ..area };
        let mut rows = vec![];
        for (i, item) in self.items.iter().enumerate() {
            for line in rows_of(item, now) {
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
    pub fn words(&self) -> String {
        match self.items.len() {
            0 => "nothing is here".to_owned(),
            all => format!("{} of {all}; {} wait for you", self.chosen + 1, self.waiting()),
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

/// One proposal as a line of columns; a name that is wider than its column has a line of its own above them.
fn rows_of(item: &Item, now: Timestamp) -> Vec<Line> {
    let mut spans = vec![];
    let ready = item.waits_for == Some(Wait::Person);
    let name_tone = if ready { Tone::Strong } else { Tone::Quiet };
    let is_long = item.name.chars().count() > NAME;
    let mut add = |tone, text: String| spans.push(Span { text, tone });
    add(name_tone, format!("{:NAME$} ", if is_long { "" } else { item.name.as_str() }));
    match (ready, item.recommendation) {
        (true, Some(recommendation)) if item.status == Status::HumanReview => {
            add(recommendation.into(), format!("{:18} ", recommendation.as_str()));
        }
        (true, _) => add(Tone::Caution, format!("{:18} ", format!("at {}", item.status))),
        (false, _) => {
            let waits =
                item.waits_for.map_or(item.status.to_string(), |w| format!("waits for {}", w.as_str()));
            add(Tone::Quiet, format!("{waits:18} "));
        }
    }
    add(Tone::Quiet, format!("{:11}", format!("{} ago", age(&item.since, now))));
    if item.recurrence > 0 {
        add(Tone::Plain, format!("asked {} times ", item.recurrence + 1));
    }
    add(Tone::Quiet, format!("for {}", item.profile));
    let columns = Line { spans, origin: Origin::Facts };
    match is_long {
        true => vec![Line::new(Origin::Facts, name_tone, &item.name), columns],
        false => vec![columns],
    }
}

/// What stands here when nothing does.
fn empty(served: bool) -> Vec<Line> {
    let mut words = vec![
        (Tone::Strong, "Nothing waits for you."),
        (Tone::Plain, ""),
        (
            Tone::Plain,
            "When the assistant lacks an ability, it writes down what it wants and why. That is built, \
            tried and analysed, and then it stands here.",
        ),
        (Tone::Plain, ""),
        (Tone::Quiet, "To see that happen, say in the chat: learn to roll dice"),
    ];
    if !served {
        words.push((
            Tone::Caution,
            "No service runs, so nothing is built now: start one with `cl-admin run`.",
        ));
    }
    words.into_iter().map(|(tone, text)| Line::new(Origin::Facts, tone, text)).collect()
}

#[cfg(test)]
mod tests;

//! One package on the screen: its pages, and the buttons below them.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line as Row;
use review::pages::line::Tone;
use shared_types::status::{Status, Wait};

use super::bar;
use super::keys::Key;
use super::look::Look;
use super::reader::Reader;
use crate::yes;
use review::queue::Package;
use review::words::{Words, label};

/// What a button or its letter does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Says no.
    Reject,
    /// Says yes.
    Approve,
    /// Shows the source.
    View,
    /// Changes the source.
    Edit,
    /// Calls a tool.
    Try,
    /// Leaves a note.
    Note,
    /// Continues with the next package.
    Skip,
    /// Leaves.
    Quit,
}

/// The buttons in their order; the one that decides nothing first, so that it has the focus.
const DEEDS: [(Deed, char, &str); 8] = [
    (Deed::View, 'v', label("view-button")),
    (Deed::Approve, 'a', label("approve-button")),
    (Deed::Reject, 'r', label("reject-button")),
    (Deed::Edit, 'e', label("edit-button")),
    (Deed::Try, 't', label("try-button")),
    (Deed::Note, 'n', label("note-button")),
    (Deed::Skip, 's', label("skip-button")),
    (Deed::Quit, 'q', label("quit-button")),
];

/// A package that is looked at.
#[derive(Debug)]
pub struct View {
    package: Package,
    readers: Vec<Reader>,
    open: usize,
    focus: usize,
    words: Words,
}

/// Whether a package is still what it was.
#[derive(Debug, PartialEq, Eq)]
pub enum Changed {
    /// It is what it was.
    No,
    /// Something stands on it that was not there, a note say; the digests are the same.
    More,
    /// Another package has taken its place.
    Replaced,
}

impl View {
    /// A package from its first page.
    pub fn new(package: Package, look: Look) -> View {
        let readers = package.pages.iter().map(|page| Reader::new(page.clone(), look)).collect();
        View { package, readers, open: 0, focus: 0, words: look.words }
    }

    pub fn package(&self) -> &Package {
        &self.package
    }

    /// Whether it stands at a gate other than the review, and waits there for a person.
    pub fn is_at_gate(&self) -> bool {
        let item = &self.package.item;
        item.waits_for == Some(Wait::Person) && item.status != Status::HumanReview
    }

    /// Takes the package as it is now.
    pub fn update(&mut self, package: Package, look: Look) -> Changed {
        let stands = |p: &Package| (p.seen.clone(), p.asked.clone(), p.item.status, p.item.waits_for);
        if stands(&package) != stands(&self.package) {
            *self = View::new(package, look);
            return Changed::Replaced;
        }
        if package.pages == self.package.pages {
            self.package = package;
            return Changed::No;
        }
        let title = self.readers.get(self.open).map(|reader| reader.page().title.clone());
        let mut now = View::new(package, look);
        for reader in &mut now.readers {
            if let Some(before) = self.readers.iter().find(|r| r.page().title == reader.page().title) {
                reader.follow(before);
            }
        }
        now.open = now.readers.iter().position(|r| Some(&r.page().title) == title.as_ref()).unwrap_or(0);
        now.focus = self.focus;
        *self = now;
        Changed::More
    }

    /// What was not looked at, in words for the person who is about to say yes.
    pub fn unread(&self) -> Vec<String> {
        let (words, mut unread) = (self.words, vec![]);
        for reader in &self.readers {
            let title = &reader.page().title;
            if reader.is_opened() && !reader.warnings_are_read() {
                unread.push(words.fill("not-scrolled", &[("page", title)]));
            } else if !reader.is_opened() {
                unread.push(yes::not_opened(words, title));
            }
        }
        unread
    }

    /// Does what a key says to the pages and the focus; answers with a deed that the key asks for.
    pub fn key(&mut self, key: Key) -> Option<Deed> {
        let pages = self.readers.len().max(1);
        match key {
            Key::Tab => self.open = (self.open + 1) % pages,
            Key::BackTab => self.open = (self.open + pages - 1) % pages,
            Key::Right => self.focus = (self.focus + 1) % DEEDS.len(),
            Key::Left => self.focus = (self.focus + DEEDS.len() - 1) % DEEDS.len(),
            Key::Enter => return DEEDS.get(self.focus).map(|(deed, ..)| *deed),
            Key::Char(c @ '1'..='9') => {
                let page = usize::from(c as u8 - b'1');
                if page < pages {
                    self.open = page;
                }
            }
            Key::Char(c) if c != ' ' => {
                let c = c.to_ascii_lowercase();
                return DEEDS.iter().find(|(_, letter, _)| *letter == c).map(|(deed, ..)| *deed);
            }
            key => {
                if let Some(reader) = self.readers.get_mut(self.open) {
                    reader.key(key);
                }
            }
        }
        None
    }

    /// Opens the page of that name; whether there is one.
    pub fn open(&mut self, title: &str) -> bool {
        let page = self.readers.iter().position(|reader| reader.page().title == title);
        self.open = page.unwrap_or(self.open);
        page.is_some()
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: Look) {
        let titles: Vec<&str> = self.readers.iter().map(|reader| reader.page().title.as_ref()).collect();
        let tabs = bar::tabs(&titles, self.open, area.width, look);
        let words = look.words;
        let mut labels = DEEDS.map(|(_, _, name)| words.say(name));
        if self.is_at_gate() {
            labels[1] = words.say("approve-step-button");
        }
        let buttons = bar::buttons(&labels, Some(self.focus), area.width, look);
        let height = |rows: usize| Constraint::Length(u16::try_from(rows).unwrap_or(1));
        let [top, head, body, place, foot] = Layout::vertical([
            height(tabs.len()),
            Constraint::Length(1),
            Constraint::Min(3),
            Constraint::Length(1),
            height(buttons.len()),
        ])
        .areas(area);
        bar::draw(&tabs, top, frame.buffer_mut());
        if let Some(reader) = self.readers.get_mut(self.open) {
            let heading = Row::styled(reader.page().heading.as_ref(), look.tone(Tone::Strong));
            bar::draw(&[heading], head, frame.buffer_mut());
            reader.draw(body, frame.buffer_mut());
            let mut at = format!(" {}", reader.place());
            if !reader.warnings_are_read() {
                at.push_str(&format!("; {} ", words.say("findings-below")));
            }
            let rest = usize::from(area.width).saturating_sub(at.chars().count());
            let line = format!("{}{at}", look.rule(u16::try_from(rest).unwrap_or(0)));
            bar::draw(&[Row::styled(line, look.tone(Tone::Quiet))], place, frame.buffer_mut());
        }
        bar::draw(&buttons, foot, frame.buffer_mut());
    }
}

#[cfg(test)]
mod tests;

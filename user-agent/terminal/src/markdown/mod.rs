//! Markdown to a terminal, piece by piece: a line is shown as soon as its kind is known, and only what could still become
//! an emphasis, a code span or a link is held back until that is certain.
//!
//! - [`block`]: what kind of line begins
//! - [`inline`]: what stands within a line
//!
//! Tables, raw HTML and indented code are left as the text that they are. With colour off, headings, quotes, lists, code
//! and fences keep their marks, and emphasis loses them. Lines are wrapped elsewhere. No character that could
//! steer a terminal gets through, regardless of what the text holds.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Effects, Style};
use shared_types::text::is_unsafe;

use block::{Begun, Fence};

mod block;
mod inline;

/// Turns pieces of one text into pieces of what is shown; any split of the text shows the same.
#[derive(Debug)]
pub(super) struct Markdown {
    colour: bool,
    /// What came and is not shown yet.
    held: String,
    /// How much of it was looked through in vain for the end of what begins it.
    settled: usize,
    line: Line,
    /// The character of the text before `held`, for rules about what an emphasis may touch.
    before: Option<char>,
    fence: Option<Fence>,
    /// The line is quoted: a fence in it would never be closed.
    quoted: bool,
    /// The style in which the terminal writes now; none at the end of a line.
    open: Style,
    shown: String,
}

/// Where in a line the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// At its beginning: its kind is not known.
    Beginning,
    /// Within words that have this style where nothing else is said.
    Words(Style),
    /// Within something that is shown as it is.
    Verbatim(Style),
}

impl Markdown {
    /// A text begins.
    pub(super) fn new(colour: bool) -> Markdown {
        Markdown {
            colour,
            held: String::new(),
            settled: 0,
            line: Line::Beginning,
            before: None,
            fence: None,
            quoted: false,
            open: Style::new(),
            shown: String::new(),
        }
    }

    /// Takes more of the text; hands out what can be shown now.
    pub(super) fn feed(&mut self, piece: &str) -> String {
        // One character after the other: what is decided never depends on how the text came.
        for c in piece.chars() {
            self.take(c);
        }
        std::mem::take(&mut self.shown)
    }

    /// The text is over, or interrupted by another line; hands out what was held back.
    pub(super) fn finish(&mut self) -> String {
        self.end_line();
        std::mem::take(&mut self.shown)
    }

    /// A text that is there as a whole.
    pub(super) fn whole(text: &str, colour: bool) -> String {
        let mut markdown = Markdown::new(colour);
        let mut shown = markdown.feed(text);
        shown.push_str(&markdown.finish());
        shown
    }

    fn take(&mut self, c: char) {
        if c == '\n' {
            self.end_line();
            self.shown.push('\n');
            return;
        }
        // A carriage return would draw over what is shown, and belongs to the line's end anyway.
        if c == '\r' {
            return;
        }
        match self.line {
            Line::Verbatim(style) => self.show(c.encode_utf8(&mut [0; 4]), style),
            Line::Words(style) if self.held.is_empty() && !inline::is_mark(c) => {
                self.show(c.encode_utf8(&mut [0; 4]), style);
                self.before = Some(c);
            }
            Line::Words(style) => {
                let last = self.held.chars().next_back();
                self.held.push(c);
                // Other characters decide nothing, and what is held is not looked through for each of them.
                if inline::decides(c)
                    || last.is_none_or(inline::decides)
                    || self.held.len() > inline::MAX_HELD
                {
                    self.words(style, false);
                }
            }
            Line::Beginning => {
                self.held.push(c);
                self.begin(false);
            }
        }
    }

    fn end_line(&mut self) {
        if self.line == Line::Beginning && !self.held.is_empty() {
            self.begin(true);
        }
        if let Line::Words(style) = self.line {
            self.words(style, true);
        }
        debug_assert!(self.held.is_empty(), "a finished line holds nothing back");
        self.switch(Style::new());
        self.line = Line::Beginning;
        self.before = None;
        self.quoted = false;
    }

    /// Looks whether the kind of the line is known.
    fn begin(&mut self, ended: bool) {
        let begun = match self.fence {
            Some(fence) => block::within(&self.held, fence, ended),
            None => block::begin(&self.held, ended),
        };
        let Some(begun) = begun else { return };
        let held = std::mem::take(&mut self.held);
        match begun {
            Begun::Table => self.verbatim(&held, Style::new()),
            Begun::Code => self.verbatim(&held, CODE),
            Begun::Rule => self.verbatim(if self.colour { RULE } else { &held }, FAINT),
            Begun::Opens(fence) => {
                self.fence = (!self.quoted).then_some(fence);
                self.verbatim(&held, FAINT);
            }
            Begun::Closes => {
                self.fence = None;
                self.verbatim(&held, FAINT);
            }
            // What is quoted or listed begins anew: it may be a list, a heading or code itself.
            Begun::Quote(mark) | Begun::Item(mark) => {
                self.quoted |= matches!(begun, Begun::Quote(_));
                self.show(&held[..mark], MARK);
                self.held = held[mark..].to_owned();
                if !self.held.is_empty() {
                    self.begin(ended);
                }
            }
            Begun::Heading(mark) => {
                if !self.colour {
                    self.show(&held[..mark], Style::new());
                }
                self.line = Line::Words(HEADING);
                self.held = held[mark..].to_owned();
                self.words(HEADING, ended);
            }
            Begun::Words => {
                self.line = Line::Words(Style::new());
                self.held = held;
                self.words(Style::new(), ended);
            }
        }
    }

    fn verbatim(&mut self, text: &str, style: Style) {
        self.line = Line::Verbatim(style);
        self.show(text, style);
    }

    /// Shows as much of the held words as is certain.
    fn words(&mut self, style: Style, ended: bool) {
        let held = std::mem::take(&mut self.held);
        let mut spans = Vec::new();
        let scan = inline::Scan::new(ended, self.colour, self.settled);
        let (taken, before) = scan.run(&held, self.before, style, &mut spans);
        for (text, style) in spans {
            self.show(&text, style);
        }
        self.before = before;
        self.held = held[taken..].to_owned();
        self.settled = if taken == 0 { inline::settled(&self.held) } else { 0 };
    }

    fn show(&mut self, text: &str, style: Style) {
        if text.is_empty() {
            return;
        }
        self.switch(style);
        for c in text.chars() {
            match c {
                '\t' => self.shown.push_str("    "),
                c if is_unsafe(c) => self.shown.extend(c.escape_unicode()),
                c => self.shown.push(c),
            }
        }
    }

    /// Lets the terminal write in another style from here on.
    fn switch(&mut self, style: Style) {
        if !self.colour || style == self.open {
            return;
        }
        // Writing to a string cannot fail.
        let _ = write!(self.shown, "{open:#}{style}", open = self.open);
        self.open = style;
    }
}

/// What a rule is shown as.
const RULE: &str = "------------------------";

const HEADING: Style = Style::new().bold();
const CODE: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Cyan)));
const MARK: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));
const FAINT: Style = Style::new().effects(Effects::DIMMED);

#[cfg(test)]
mod tests;

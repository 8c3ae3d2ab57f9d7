//! Pages of lines, each with its origin.

use std::borrow::Cow;

use ledger::Recommendation;
use serde::{Deserialize, Serialize};
use shared_types::text::{block, line};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Where a line comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// Established by this program.
    Facts,
    /// Written by the assistant, a person, or a model; not checked.
    Words,
    /// The canonical source, or a difference of two of them.
    Code,
}

/// How a piece of a line is to look; colour never says what words do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    /// As is.
    Plain,
    /// What the eye should find first.
    Strong,
    /// A label, a number.
    Quiet,
    /// As expected.
    Good,
    /// To be weighed.
    Caution,
    /// What speaks against it.
    Bad,
}

impl From<Recommendation> for Tone {
    fn from(recommendation: Recommendation) -> Tone {
        match recommendation {
            Recommendation::Approve => Tone::Good,
            Recommendation::ApproveWithNote => Tone::Caution,
            Recommendation::Reject => Tone::Bad,
        }
    }
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The text, safe to show.
    pub text: String,
    /// How it is to look.
    pub tone: Tone,
}

/// One line; a renderer may wrap it, and cuts nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Its pieces.
    pub spans: Vec<Span>,
    /// Where it comes from.
    pub origin: Origin,
}

/// One page of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// Its name, one word or two.
    pub title: Cow<'static, str>,
    /// What stands above its lines, where that needs saying.
    pub heading: Cow<'static, str>,
    pub lines: Vec<Line>,
}

impl Line {
    /// A line of one piece; unsafe characters become visible.
    pub fn new(origin: Origin, tone: Tone, text: &str) -> Line {
        Line { spans: vec![Span { text: line(text), tone }], origin }
    }

    /// The text alone.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

impl Page {
    /// An empty page.
    pub fn new(title: &'static str, heading: &'static str) -> Page {
        Page { title: title.into(), heading: heading.into(), lines: vec![] }
    }

    /// Adds a labelled value; its further lines stand below its first.
    pub fn add(&mut self, origin: Origin, tone: Tone, label: &str, value: &str) {
        let shown = block(value);
        let mut parts = shown.lines();
        let first = parts.next().unwrap_or_default();
        for (label, part) in std::iter::once((label, first)).chain(parts.map(|p| ("", p))) {
            let label = Span { text: format!("{label:11} "), tone: Tone::Quiet };
            let value = Span { text: part.to_owned(), tone };
            self.lines.push(Line { spans: vec![label, value], origin });
        }
    }

    /// The page as plain text: lines that others wrote are marked with a bar. For a terminal of the given number of
    /// columns lines are wrapped, below what follows their label; elsewhere they stay whole.
    pub fn text(&self, columns: Option<usize>) -> String {
        let mut out = String::new();
        wrap(&mut out, "", 0, &self.heading, columns);
        for line in &self.lines {
            let mark = if line.origin == Origin::Words { "  | " } else { "  " };
            let label = match line.spans.as_slice() {
                [label, _, ..] if label.tone == Tone::Quiet => label.text.width(),
                _ => 0,
            };
            wrap(&mut out, mark, label, &line.text(), columns);
        }
        out
    }
}

/// Lines without marks or labels, wrapped as those of a page.
pub fn wrapped(text: &str, columns: Option<usize>) -> String {
    let mut out = String::new();
    text.lines().for_each(|line| wrap(&mut out, "", 4, line, columns));
    out
}

/// Adds a line in pieces that fit, at words where there are any; what continues it has its mark again and stands further in.
fn wrap(out: &mut String, mark: &str, indent: usize, text: &str, columns: Option<usize>) {
    let room = columns.map_or(usize::MAX, |columns| columns.saturating_sub(mark.width()).max(8));
    let indent = if indent * 2 <= room { indent } else { 0 };
    let (mut rest, mut before) = (text.trim_end(), 0);
    loop {
        let taken = fitting(rest, room - before);
        let (now, later) = rest.split_at(taken);
        out.push_str(format!("{mark}{}{now}", " ".repeat(before)).trim_end());
        out.push('\n');
        rest = later;
        before = indent;
        if rest.is_empty() {
            return;
        }
    }
}

/// How many bytes of a text fit, with whole words if they are not too long.
fn fitting(text: &str, room: usize) -> usize {
    let (mut width, mut blank) = (0, None);
    for (at, c) in text.char_indices() {
        width += c.width().unwrap_or(0);
        if width > room && at > 0 {
            return blank.filter(|blank| blank * 2 > at).unwrap_or(at);
        }
        if c == ' ' {
            blank = Some(at + 1);
        }
    }
    text.len()
}

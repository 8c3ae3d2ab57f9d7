//! A package as pages of lines: what the full screen, the line mode and `show` all render.
//!
//! Every text on a page is safe to show. Each line says where it comes from: established by this program, or written by
//! somebody else; whoever renders it keeps the two apart.

mod difference;
mod gate;
mod notes;
mod transcript;

use shared_types::text::{block, line};

use super::package::{read_report, source};
use super::report::Report;
use crate::error::Error;
use crate::home::Home;
use crate::journal::ticket::Ticket;

mod facts;

/// Where a line comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Established by this program.
    Facts,
    /// Written by the assistant, a person, or a model; not checked.
    Words,
    /// The canonical source, or a difference of two of them.
    Code,
}

/// How a piece of a line is to look; colour never says what words do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The text, safe to show.
    pub text: String,
    /// How it is to look.
    pub tone: Tone,
}

/// One line; a renderer may wrap it, and cuts nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its pieces.
    pub spans: Vec<Span>,
    /// Where it comes from.
    pub origin: Origin,
}

/// One page of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its name, one word or two.
    pub title: &'static str,
    /// What stands above its lines, where that needs saying.
    pub heading: &'static str,
    /// Its lines.
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
        Page { title, heading, lines: vec![] }
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

    /// The page as plain text: lines that others wrote are marked with a bar.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n", self.heading);
        for line in &self.lines {
            let mark = if line.origin == Origin::Words { "  | " } else { "  " };
            out.push_str(format!("{mark}{}", line.text()).trim_end());
            out.push('\n');
        }
        out
    }
}

/// The pages of a package, however far it came: the facts that decide first.
///
/// # Errors
/// Files of the package that should be there and are not.
pub fn pages(home: &Home, ticket: &Ticket) -> Result<Vec<Page>, Error> {
    let report = ticket.review().map(|_| read_report(home, ticket.id())).transpose()?;
    let mut pages: Vec<Page> = gate::page(ticket).into_iter().collect();
    if let Some(report) = &report {
        pages.extend([facts::summary(report), facts::trials(report), facts::facts(report)]);
    }
    pages.push(words(ticket, report.as_ref()));
    if let Some(report) = &report {
        let source = source(home, ticket.id())?;
        pages.push(difference::page(home, report, &source));
        let mut page = Page::new("source", "SOURCE (canonical print; what is compiled)");
        for (i, text) in source.lines().enumerate() {
            let number = Span { text: format!("{:4}  ", i + 1), tone: Tone::Quiet };
            let spans = vec![number, Span { text: text.to_owned(), tone: Tone::Plain }];
            page.lines.push(Line { spans, origin: Origin::Code });
        }
        pages.push(page);
    }
    pages.extend(transcript::page(home, ticket));
    pages.push(history(ticket));
    pages.extend(notes::page(ticket));
    Ok(pages)
}

fn words(ticket: &Ticket, report: Option<&Report>) -> Page {
    let proposal = ticket.proposal();
    let mut page = Page::new("words", "WORDS (written by the assistant and the person; not checked)");
    let mut add = |label: &str, text: &str| page.add(Origin::Words, Tone::Plain, label, text);
    add("description", &proposal.description);
    add("asked with", &proposal.user_context);
    add("because", &proposal.rationale);
    match report {
        // What the module says of itself is what the assistant will read and route by.
        Some(report) => {
            for tool in &report.described.tools {
                let phrases: Vec<String> =
                    tool.phrases.iter().map(|(language, p)| format!("{language}: {p}")).collect();
                add("tool", &format!("{}: {}\n{}", tool.name, tool.description, phrases.join("; ")));
            }
        }
        None => {
            for tool in &proposal.tools {
                add("tool", &format!("{}: {}", tool.name, tool.description));
            }
        }
    }
    page
}

fn history(ticket: &Ticket) -> Page {
    let mut page = Page::new("history", "HISTORY");
    for step in ticket.history() {
        let head = format!("{}  {:14}  {}", step.timestamp, step.status.as_str(), step.actor);
        page.lines.push(Line::new(Origin::Facts, Tone::Plain, &head));
        for reason in block(step.reason.as_deref().unwrap_or_default()).lines() {
            page.lines.push(Line::new(Origin::Words, Tone::Plain, &format!("    {reason}")));
        }
    }
    page
}

fn list<T: std::fmt::Display>(items: &[T]) -> String {
    if items.is_empty() {
        return "nothing".to_owned();
    }
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;

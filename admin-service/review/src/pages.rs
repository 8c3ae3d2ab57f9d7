//! A package as pages of lines: what the full screen, the line mode and `show` all render.
//!
//! Every text on a page is safe to show. Each line says where it comes from: established by this program, or written by
//! somebody else; the renderer keeps the two apart.

mod difference;
mod facts;
mod gate;
pub mod line;
mod notes;
pub mod summary;
mod transcript;

use base::error::Error;
use base::home::Home;
use ledger::Ledger;
use ledger::ticket::Ticket;
use shared_types::text::block;

use super::package::{self, read_report};
use super::report::Report;
use super::words::Words;
use line::{Line, Origin, Page, Span, Tone};

/// The pages of a package, however far it came: the facts that decide first.
///
/// # Errors
/// Files of the package that should be there and are not.
pub fn pages(home: &Home, ledger: &Ledger, ticket: &Ticket) -> Result<Vec<Page>, Error> {
    let report = ticket.review().map(|_| read_report(home, ticket.id())).transpose()?;
    let words = Words::of_home(home);
    let mut pages: Vec<Page> = gate::page(words, ticket).into_iter().collect();
    let source = ticket.review().map(|_| package::source(home, ticket.id())).transpose()?;
    let reviewed = report.as_ref().zip(source.as_deref());
    if let Some((report, source)) = reviewed {
        pages.extend([
            summary::page(words, home, ledger, ticket, report, source),
            facts::trials(words, report),
            facts::facts(words, report),
        ]);
    }
    pages.push(words_of(words, ticket, report.as_ref()));
    if let Some((report, source)) = reviewed {
        pages.push(difference::page(words, home, report, source));
        let mut page = Page::new("source", words.say("source-page"));
        for (i, text) in source.lines().enumerate() {
            let number = Span { text: format!("{:4}  ", i + 1), tone: Tone::Quiet };
            let spans = vec![number, Span { text: text.to_owned(), tone: Tone::Plain }];
            page.lines.push(Line { spans, origin: Origin::Code });
        }
        pages.push(page);
    }
    pages.extend(transcript::page(words, home, ticket));
    pages.push(history(words, ticket));
    pages.extend(notes::page(words, ticket));
    Ok(pages)
}

fn words_of(words: Words, ticket: &Ticket, report: Option<&Report>) -> Page {
    let proposal = ticket.proposal();
    let mut page = Page::new("words", words.say("words-page"));
    let mut add = |label: &str, text: &str| page.add(Origin::Words, Tone::Plain, label, text);
    add(words.say("description"), &proposal.description);
    add(words.say("asked-with"), &proposal.user_context);
    add(words.say("because"), &proposal.rationale);
    match report {
        // What the module says of itself is what the assistant will read and route by.
        Some(report) => {
            for tool in &report.described.tools {
                let phrases: Vec<String> =
                    tool.phrases.iter().map(|(language, p)| format!("{language}: {p}")).collect();
                add(
                    words.say("tool"),
                    &format!("{}: {}\n{}", tool.name, tool.description, phrases.join("; ")),
                );
            }
        }
        None => {
            for tool in &proposal.tools {
                add(words.say("tool"), &format!("{}: {}", tool.name, tool.description));
            }
        }
    }
    page
}

fn history(words: Words, ticket: &Ticket) -> Page {
    let mut page = Page::new("history", words.say("history-page"));
    for step in ticket.history() {
        let head = format!("{}  {:14}  {}", step.timestamp, step.status.as_str(), step.actor);
        page.lines.push(Line::new(Origin::Facts, Tone::Plain, &head));
        for reason in block(step.reason.as_deref().unwrap_or_default()).lines() {
            page.lines.push(Line::new(Origin::Words, Tone::Plain, &format!("    {reason}")));
        }
    }
    page
}

#[cfg(test)]
mod tests;

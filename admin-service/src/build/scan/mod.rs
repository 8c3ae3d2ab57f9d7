//! Reads model-written Rust source by an allow-list and prints it canonically.
//!
//! What is not on a list is refused: items, expressions, types, paths, macros, attributes. The bytes
//! are judged first (`lex`, `depth`), because nesting kills the parser; then the tree (`judge`); then the
//! print (`print`), which must pass the same judgement. Only the print is shown, kept and compiled.

mod attributes;
mod definitions;
mod depth;
mod judge;
mod lex;
mod macros;
mod paths;
mod print;
mod rules;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use proc_macro2::{Span, TokenStream};
use serde::{Deserialize, Serialize};

use rules::Ban;
pub use rules::{Rule, rules};

/// More than anyone reads; a source with more faults is broken as a whole.
const MOST_VIOLATIONS: usize = 100;
const LONGEST_EXCERPT: usize = 120;
/// The caps of [`lex`] are measured on 8 MiB; the rest is room for other compilers' frames.
const STACK: usize = 64 << 20;

/// One breach of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// The rule's identifier.
    pub rule: Cow<'static, str>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The source line, with characters that a terminal would obey or hide written out.
    pub excerpt: String,
    /// Why it matters.
    pub why: Cow<'static, str>,
    /// What to do instead.
    pub next: Cow<'static, str>,
}

impl Violation {
    /// What is told of a source on which the scan's own process ended, with the reason.
    pub fn of_a_crash(reason: &str) -> Violation {
        let detail = format!("The scan of this source ended early ({reason}), so nothing vouches for it.");
        Breach { detail: Some(visible(&detail)), ..Breach::new(Ban::Scanner, 1, 1) }.explain("")
    }
}

/// A source that passed, in its canonical print.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scanned {
    /// The print: no comments, no docs, no tests, one layout.
    pub source: String,
    /// How many lines the print has.
    pub lines: usize,
}

/// Judges the source of a skill, its entry point included.
pub fn scan(source: &str) -> Result<Scanned, Vec<Violation>> {
    with_room(source, true)
}

/// Judges a source by the rules alone; it need not be a skill.
pub fn rules_only(source: &str) -> Result<Scanned, Vec<Violation>> {
    with_room(source, false)
}

/// Runs the scan on a thread with a large stack; where no thread can start, the caps alone must hold.
fn with_room(source: &str, entry: bool) -> Result<Scanned, Vec<Violation>> {
    thread::scope(|scope| {
        match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || guarded(source, entry)) {
            Ok(running) => running.join().unwrap_or_else(|_| Err(vec![failed(source)])),
            Err(_) => guarded(source, entry),
        }
    })
}

/// Turns a panic of the parser or the printer into a violation.
fn guarded(source: &str, entry: bool) -> Result<Scanned, Vec<Violation>> {
    catch_unwind(AssertUnwindSafe(|| examine(source, entry))).unwrap_or_else(|_| Err(vec![failed(source)]))
}

fn failed(source: &str) -> Violation {
    Breach::new(Ban::Scanner, 1, 1).explain(source)
}

fn examine(source: &str, entry: bool) -> Result<Scanned, Vec<Violation>> {
    let source = source.replace("\r\n", "\n");
    let explain = |breaches: Vec<Breach>| explain(&source, breaches);

    lex::check(&source).map_err(explain)?;
    let tokens: TokenStream = source
        .parse()
        .map_err(|error: proc_macro2::LexError| explain(vec![unparsed(&error, error.span())]))?;
    let file = syn::parse2(tokens.clone()).map_err(|error| explain(vec![unparsed(&error, error.span())]))?;
    judge::check(&tokens, &file, entry).map_err(explain)?;

    let source = print::canonical(tokens, entry).map_err(explain)?;
    let lines = source.lines().count();
    Ok(Scanned { source, lines })
}

fn unparsed(error: &dyn std::fmt::Display, span: Span) -> Breach {
    let mut message: String = visible(&error.to_string()).chars().take(200).collect();
    message.insert_str(0, "This does not parse as Rust: ");
    Breach { detail: Some(message), ..Breach::at(Ban::Parse, span) }
}

/// A broken rule and where; the text around it is added last.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Breach {
    line: usize,
    column: usize,
    ban: Ban,
    detail: Option<String>,
}

impl Breach {
    fn new(ban: Ban, line: usize, column: usize) -> Breach {
        Breach { line, column, ban, detail: None }
    }

    fn at(ban: Ban, span: Span) -> Breach {
        let start = span.start();
        Breach::new(ban, start.line.max(1), start.column + 1)
    }

    fn explain(self, source: &str) -> Violation {
        let rule = self.ban.rule();
        Violation {
            rule: rule.id.into(),
            line: self.line,
            column: self.column,
            excerpt: excerpt(source.split('\n').nth(self.line - 1).unwrap_or(""), self.column),
            why: self.detail.map_or(rule.why.into(), Cow::Owned),
            next: rule.next.into(),
        }
    }
}

fn explain(source: &str, breaches: Vec<Breach>) -> Vec<Violation> {
    let ordered: BTreeSet<Breach> = breaches.into_iter().collect();
    ordered.into_iter().take(MOST_VIOLATIONS).map(|breach| breach.explain(source)).collect()
}

/// The line, cut to a window around the column.
fn excerpt(line: &str, column: usize) -> String {
    let before = column.saturating_sub(1).saturating_sub(LONGEST_EXCERPT / 2);
    let start = if line.chars().count() <= LONGEST_EXCERPT { 0 } else { before };
    let window: String = line.chars().skip(start).take(LONGEST_EXCERPT).collect();
    visible(window.trim()).chars().take(LONGEST_EXCERPT).collect()
}

/// Writes out what a terminal or page would obey or hide.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => shown.push(' '),
            c if c.is_control() || lex::is_hidden(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

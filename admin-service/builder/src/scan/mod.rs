//! Reads model-written Rust source by an allow-list and prints it canonically.
//!
//! What is not on a list is refused: items, expressions, types, paths, macros, attributes. The lists of names and the rules
//! are in `builder/data` (`tables`). The bytes are judged first (`lex`, `depth`), because nesting kills the parser; then the
//! tree (`judge`); then the print (`print`), which must pass the same judgement. Only the print is shown, kept and compiled.

mod attributes;
mod brackets;
mod breach;
mod definitions;
mod depth;
mod judge;
mod lex;
mod macros;
mod paths;
mod print;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use proc_macro2::{Span, TokenStream};
use serde::{Deserialize, Serialize};

use breach::{Breach, visible};
use tables::Ban;

pub use breach::Violation;
pub use tables::{Rule, rules};

/// More than anyone reads; a source with more faults is broken as a whole.
const MOST_VIOLATIONS: usize = 100;
/// The caps of [`lex`] are measured on 8 MiB; the rest is room for other compilers' frames.
const STACK: usize = 64 << 20;

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

/// Judges a source; a panic of the parser or the printer is a violation.
fn with_room(source: &str, entry: bool) -> Result<Scanned, Vec<Violation>> {
    with_stack(|| examine(source, entry)).unwrap_or_else(|| Err(vec![failed(source)]))
}

/// Runs this on a thread with a large stack; where no thread can start, the caps of [`lex`] alone must hold. A panic is nothing.
pub(crate) fn with_stack<T: Send>(work: impl Fn() -> T + Send + Sync) -> Option<T> {
    let guarded = || catch_unwind(AssertUnwindSafe(&work)).ok();
    thread::scope(|scope| match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, guarded) {
        Ok(running) => running.join().ok().flatten(),
        Err(_) => guarded(),
    })
}

/// Reads a source whose bytes pass; what it says is not judged. Nests at most as deep as a skill may.
pub(crate) fn parse(source: &str) -> Result<syn::File, Vec<Violation>> {
    let source = source.replace("\r\n", "\n");
    tree(&source).map(|(_, file)| file).map_err(|breaches| explain(&source, breaches))
}

fn tree(source: &str) -> Result<(TokenStream, syn::File), Vec<Breach>> {
    lex::check(source)?;
    let tokens: TokenStream =
        source.parse().map_err(|error: proc_macro2::LexError| vec![unparsed(&error, error.span())])?;
    let file = syn::parse2(tokens.clone()).map_err(|error| vec![unparsed(&error, error.span())])?;
    Ok((tokens, file))
}

fn failed(source: &str) -> Violation {
    Breach::new(Ban::Scanner, 1, 1).explain(source)
}

fn examine(source: &str, entry: bool) -> Result<Scanned, Vec<Violation>> {
    let source = source.replace("\r\n", "\n");
    let explain = |breaches: Vec<Breach>| explain(&source, breaches);

    let (tokens, file) = tree(&source).map_err(explain)?;
    judge::check(&tokens, &file, entry).map_err(explain)?;

    let source = print::canonical(tokens, entry).map_err(explain)?;
    let lines = source.lines().count();
    Ok(Scanned { source, lines })
}

fn unparsed(error: &dyn std::fmt::Display, span: Span) -> Breach {
    let mut message: String = visible(&error.to_string()).chars().take(200).collect();
    message.insert_str(0, "This does not parse as Rust: ");
    Breach { detail: Some(message), ..Breach::at(Ban::ParseError, span) }
}

fn explain(source: &str, breaches: Vec<Breach>) -> Vec<Violation> {
    let ordered: BTreeSet<Breach> = breaches.into_iter().collect();
    let told = |breach: Breach| match breach.ban {
        Ban::ParseError | Ban::Unreadable => unreadable(breach, source),
        _ => breach.explain(source),
    };
    ordered.into_iter().take(MOST_VIOLATIONS).map(told).collect()
}

/// What does not parse, with the line before and the bracket that is odd: often an error is reported a line too late.
fn unreadable(breach: Breach, source: &str) -> Violation {
    let before =
        source.lines().take(breach.line.saturating_sub(1)).filter(|line| !line.trim().is_empty()).last();
    let mut violation = breach.explain(source);
    let why = violation.why.to_mut();
    if let Some(line) = before {
        why.push_str(&format!(" The line before it: `{}`.", breach::excerpt(line, 1)));
    }
    if let Some(odd) = brackets::odd(source) {
        why.push_str(&format!(" {odd}"));
    }
    violation
}

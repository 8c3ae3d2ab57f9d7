//! A shell line, parsed to argument vectors and judged; no shell ever sees it.
//!
//! - [`line`](mod@line): what a line stands for, and its canonical spelling
//! - [`fault`]: why a line was not taken
//! - `lex`, `parse`: text to a [`Line`]; text that two shells could read differently is refused
//! - `judge`: a [`Line`] to a [`Judgement`]; `program`: one argument vector to a `finding`. `destroy` knows what is never
//!   done, `wrappers` and `scan` see through programs that start others, `interpreters`, `flags`, `find`, `git` and `sed` know
//!   what makes a harmless program do something else
//! - `tables`: the programs and options that they know, from the files in `libs/policy/data`
//! - `suspect`: the look at a line that does not parse; it can only block
//!
//! What is judged is what runs: a caller starts the argument vectors of the [`Line`] and nothing else.

pub mod fault;
pub mod line;

mod destroy;
mod find;
mod finding;
mod flags;
mod git;
mod interpreters;
mod judge;
mod lex;
mod names;
mod parse;
mod program;
mod rules;
mod scan;
mod sed;
mod suspect;
mod tables;
mod wrappers;

pub use destroy::FORBIDDEN;
pub use fault::ParseFault;
pub use judge::{Judgement, Part, judge, judge_text};
pub use line::{Command, Join, Line, MAX_BYTES, MAX_COMMANDS, MAX_WORDS, Pipeline, Redirect, RedirectKind};
pub use parse::parse;
pub use rules::Rules;

#[cfg(test)]
mod tests;

//! Why a compilation ended without a module, in words that help to write another source.

use std::time::Duration;

use base::config::Limits;
use nix::libc;

use super::{CompileFault, said};
use crate::workers::ChildFault;

/// Says whose doing the end of a compiler was.
pub(super) fn fault(fault: ChildFault, source: &str, limits: &Limits) -> CompileFault {
    match fault {
        ChildFault::Failed { code, words } => {
            let (words, fixes) = said::read(&words, source);
            CompileFault::Source { words: failed(code, &words, limits), fixes }
        }
        ChildFault::Killed(signal) => of_the_source(killed(signal, limits)),
        ChildFault::NoJail(_) => CompileFault::NoJail(fault.to_string()),
        ChildFault::TimedOut(_) => CompileFault::Waits(format!("the compiler: {fault}")),
        ChildFault::Start(_) | ChildFault::Cancelled => CompileFault::Waits(fault.to_string()),
    }
}

/// An error in the source that no suggestion repairs.
pub(super) fn of_the_source(words: String) -> CompileFault {
    CompileFault::Source { words, fixes: vec![] }
}

/// A compiler that gave up on its own, which need not be a message about the source.
fn failed(code: i32, words: &str, limits: &Limits) -> String {
    let says = |text: &str| words.contains(text);
    if says("memory allocation of") || says("out of memory") || says("LLVM ERROR") {
        return memory(limits);
    }
    if code == PANICKED || says("internal compiler error") {
        let first: String = words
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or("it says nothing")
            .chars()
            .take(200)
            .collect();
        return format!("the compiler itself failed on this source ({first}); write it in a simpler way");
    }
    if words.trim().is_empty() {
        return format!("the compiler failed without a word (exit {code})");
    }
    readable(words)
}

/// Messages without lines as long as a huge type's name, and no more of them than anyone reads.
fn readable(words: &str) -> String {
    let mut lines: Vec<String> = words
        .lines()
        .take(MOST_LINES)
        .map(|line| match line.char_indices().nth(LONGEST_LINE) {
            Some((end, _)) => format!("{} ... ({} characters)", &line[..end], line.chars().count()),
            None => line.to_owned(),
        })
        .collect();
    let more = words.lines().count().saturating_sub(MOST_LINES);
    if more > 0 {
        lines.push(format!("... and {more} more lines"));
    }
    lines.join("\n").trim_end().to_owned()
}

const MOST_LINES: usize = 80;
const LONGEST_LINE: usize = 300;

/// A compiler that the system ended.
fn killed(signal: i32, limits: &Limits) -> String {
    match signal {
        libc::SIGABRT => memory(limits),
        libc::SIGSEGV | libc::SIGBUS => {
            format!("the compiler ran out of its stack: code, types or constants nest too deep; {GROWS}")
        }
        libc::SIGXFSZ => format!("the compiler wrote a larger file than it may; {GROWS}"),
        libc::SIGKILL | libc::SIGXCPU => format!(
            "the compiler used up its {} of processor time or this machine's memory; {GROWS}",
            seconds(limits.compile)
        ),
        other => format!("the compiler was ended by the system (signal {other}); {GROWS}"),
    }
}

fn memory(limits: &Limits) -> String {
    format!("the compiler ran out of its {} MB of memory; {GROWS}", limits.compile_memory >> 20)
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs())
}

/// Exit code of a Rust program that panicked.
const PANICKED: i32 = 101;
const GROWS: &str = "look for a constant that computes long, a type or an array that is huge, or generics that call \
    themselves with ever larger types";

#[cfg(test)]
mod tests;

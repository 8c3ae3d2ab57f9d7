//! The compiler's messages as an implementer can use them: the first error first, each with the line that it is about.

use std::fmt::Write as _;

#[cfg(test)]
mod tests;

/// The compiler is asked for one line a message, and later errors often only follow from the first.
const MOST_ERRORS: usize = 8;
/// The longest message and the longest excerpt, in characters.
const LONGEST: usize = 400;
const LONGEST_EXCERPT: usize = 160;

/// Turns what the compiler said about a printed source into messages; never empty.
pub fn of_compiler(words: &str, source: &str) -> Vec<String> {
    let lines: Vec<&str> = source.lines().collect();
    let mut messages: Vec<String> = Vec::new();
    let mut more = 0;
    for said in words.lines() {
        let Some((place, rest)) = placed(said) else { continue };
        let is_error = rest.starts_with("error");
        if is_error && messages.len() == MOST_ERRORS {
            more += 1;
            continue;
        }
        let about = format!("line {}, column {}: {}", place.line, place.column, cut(rest, LONGEST));
        let excerpt = lines.get(place.line.saturating_sub(1)).map_or("", |line| line.trim());
        match (is_error, messages.last_mut()) {
            (true, _) => messages.push(format!("compile: {about}\n    {}", cut(excerpt, LONGEST_EXCERPT))),
            // A note belongs to the error before it. Writing to a String cannot fail.
            (false, Some(error)) if more == 0 => _ = write!(error, "\n    {about}"),
            (false, _) => {}
        }
    }
    if messages.is_empty() {
        // Nothing of the usual form: out of time or memory, or a fault of the linker.
        return vec![format!("compile: {}", cut(words.trim(), 4 * LONGEST))];
    }
    if more > 0 {
        messages.push(format!("compile: and {more} more errors, which may follow from these"));
    }
    messages
}

struct Place {
    line: usize,
    column: usize,
}

/// `skill.rs:12:5: error[E0425]: cannot find ...` as its place and the rest.
fn placed(said: &str) -> Option<(Place, &str)> {
    let (_, rest) = said.split_once("skill.rs:")?;
    let (line, rest) = rest.split_once(':')?;
    let (column, rest) = rest.split_once(':')?;
    Some((Place { line: line.parse().ok()?, column: column.parse().ok()? }, rest.trim_start()))
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{} ...", &text[..at]),
        None => text.to_owned(),
    }
}

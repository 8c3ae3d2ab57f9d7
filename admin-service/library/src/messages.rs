//! The compiler's messages as an implementer can use them: the first error first, each with the line that it is about.

#[cfg(test)]
mod tests;

/// Later errors often only follow from the first.
const MOST_ERRORS: usize = 8;
/// The longest message and the longest excerpt, in characters.
const LONGEST: usize = 400;
const LONGEST_EXCERPT: usize = 160;
/// The most notes and pieces of advice that go along with one error.
const MOST_NOTES: usize = 3;

/// Turns what the compiler said about a printed source into messages; never empty.
pub fn of_compiler(words: &str, source: &str) -> Vec<String> {
    let lines: Vec<&str> = source.lines().collect();
    let mut messages: Vec<String> = Vec::new();
    let mut more = 0;
    for said in errors(words) {
        // What has no place only sums up the others.
        let Some((line, column)) = said.lines().find_map(place) else { continue };
        if messages.len() == MOST_ERRORS {
            more += 1;
            continue;
        }
        let head = cut(said.lines().next().unwrap_or_default(), LONGEST);
        let excerpt = lines.get(line.saturating_sub(1)).map_or("", |line| line.trim());
        let mut message =
            format!("compile: line {line}, column {column}: {head}\n    {}", cut(excerpt, LONGEST_EXCERPT));
        for note in said.lines().filter_map(note).take(MOST_NOTES) {
            message.push_str("\n    ");
            message.push_str(&cut(note, LONGEST));
        }
        messages.push(message);
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

/// The errors, each from its own line to the next one's.
fn errors(words: &str) -> Vec<String> {
    let mut errors: Vec<String> = Vec::new();
    let mut within = false;
    for line in words.lines() {
        if line.starts_with("error") {
            errors.push(String::new());
            within = true;
        } else if line.starts_with("warning") {
            within = false;
        }
        if let Some(error) = errors.last_mut().filter(|_| within) {
            error.push_str(line);
            error.push('\n');
        }
    }
    errors
}

/// `  --> skill.rs:12:5` as line and column.
fn place(said: &str) -> Option<(usize, usize)> {
    let (line, column) = said.trim_start().strip_prefix("--> skill.rs:")?.split_once(':')?;
    Some((line.parse().ok()?, column.trim_end().parse().ok()?))
}

/// `   = note: ...` or `help: ...`, without what the compiler draws beside it.
fn note(said: &str) -> Option<&str> {
    let said = said.trim_start().trim_start_matches("= ");
    (said.starts_with("note: ") || said.starts_with("help: ")).then_some(said)
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{} ...", &text[..at]),
        None => text.to_owned(),
    }
}

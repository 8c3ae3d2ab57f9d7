//! Names the bracket that has no partner; nothing is judged by it.

/// The first bracket that closes nothing or the wrong one, else the last that is not closed. Strings and comments are passed over.
pub(super) fn odd(source: &str) -> Option<String> {
    let mut open: Vec<(char, usize)> = vec![];
    let mut line = 1;
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' => string(rest),
            '\'' => character(rest),
            _ => c.len_utf8(),
        };
        match c {
            '(' | '[' | '{' => open.push((c, line)),
            ')' | ']' | '}' => match open.pop() {
                Some((partner, _)) if closes(partner, c) => {}
                Some((partner, begun)) => {
                    return Some(format!(
                        "The `{c}` on line {line} does not close the `{partner}` of line {begun}."
                    ));
                }
                None => return Some(format!("The `{c}` on line {line} is one too many.")),
            },
            _ => {}
        }
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    open.last().map(|(c, begun)| format!("The `{c}` of line {begun} is not closed."))
}

fn closes(open: char, close: char) -> bool {
    matches!((open, close), ('(', ')') | ('[', ']') | ('{', '}'))
}

/// The length of a string at the start, its quotes included; one without an end goes to the end.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character at the start; of a lifetime, its mark alone.
fn character(text: &str) -> usize {
    let mut inside = text.chars().skip(1);
    match (inside.next(), inside.next()) {
        (Some('\\'), Some(_)) => text.get(3..).and_then(|rest| rest.find('\'')).map_or(1, |end| end + 4),
        (Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 1,
    }
}

//! What a compiler says as JSON: the words for people, and the suggestions that may be followed without asking anybody.

use serde::Deserialize;

use base::package;

/// A change of a source that the compiler suggested, or that follows from its message alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix(Vec<Edit>);

/// Bytes of the source that are replaced.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

#[derive(Deserialize)]
struct Diagnostic {
    message: String,
    code: Option<Code>,
    level: String,
    spans: Vec<Span>,
    children: Vec<Diagnostic>,
    rendered: Option<String>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
    suggested_replacement: Option<String>,
    suggestion_applicability: Option<String>,
}

/// Suggestions that a compiler as old as 1.63 calls uncertain, and that only say a type once more.
const CERTAIN: [&str; 5] = [
    "try using a conversion method",
    "consider using a floating-point literal",
    "use a float literal",
    "you must specify a concrete type",
    "you can convert",
];

/// Splits what a compiler said: its words, and for each error a suggestion if there is one.
pub(super) fn read(said: &str, source: &str) -> (String, Vec<Fix>) {
    let (mut words, mut fixes) = (String::new(), vec![]);
    for line in said.lines() {
        let parsed = line.starts_with('{').then(|| serde_json::from_str::<Diagnostic>(line).ok()).flatten();
        let Some(diagnostic) = parsed else {
            words.push_str(line);
            words.push('\n');
            continue;
        };
        words.push_str(diagnostic.rendered.as_deref().unwrap_or(&diagnostic.message));
        if diagnostic.level == "error" {
            fixes.extend(fix(&diagnostic, source));
        }
    }
    (words, fixes)
}

/// Follows these suggestions; none where nothing changes. Of two that overlap the first counts.
pub fn mend(source: &str, fixes: &[Fix]) -> Option<String> {
    let mut taken: Vec<&Edit> = vec![];
    for Fix(edits) in fixes {
        let free = |edit: &Edit| {
            taken.iter().all(|other| {
                edit.end <= other.start && *edit != **other
                    || edit.start >= other.end && edit.start != other.start
            })
        };
        if edits.iter().all(free) {
            taken.extend(edits);
        }
    }
    taken.sort();
    let mut mended = source.to_owned();
    for edit in taken.into_iter().rev() {
        mended.get(edit.start..edit.end)?;
        mended.replace_range(edit.start..edit.end, &edit.text);
    }
    (mended != source).then_some(mended)
}

fn fix(error: &Diagnostic, source: &str) -> Option<Fix> {
    error.children.iter().find_map(suggested).or_else(|| ours(error, source))
}

/// The suggestion of a note, if it is certain, and about the skill's file alone.
fn suggested(note: &Diagnostic) -> Option<Fix> {
    let is_known = CERTAIN.iter().any(|known| note.message.starts_with(known));
    let mut edits: Vec<Edit> = vec![];
    for span in &note.spans {
        let text = span.suggested_replacement.as_ref()?;
        let is_certain = match span.suggestion_applicability.as_deref() {
            Some("MachineApplicable") => true,
            Some("MaybeIncorrect") => is_known,
            _ => false,
        };
        if !is_certain || span.file_name != package::SOURCE {
            return None;
        }
        // What the compiler calls a float without more words is `f64`, as everywhere in a skill.
        let text = if is_known { text.replace("_f32", "_f64") } else { text.clone() };
        edits.push(Edit { start: span.byte_start, end: span.byte_end, text });
    }
    // Several suggestions for one place are alternatives.
    let mut places: Vec<(usize, usize)> = edits.iter().map(|edit| (edit.start, edit.end)).collect();
    places.sort_unstable();
    places.dedup();
    (!edits.is_empty() && places.len() == edits.len()).then_some(Fix(edits))
}

/// What follows from a message for which the compiler, or an old one, has no suggestion.
fn ours(error: &Diagnostic, source: &str) -> Option<Fix> {
    let code = error.code.as_ref().map_or("", |code| code.code.as_str());
    let place = error.spans.iter().find(|span| span.is_primary && span.file_name == package::SOURCE)?;
    let (start, end) = (place.byte_start, place.byte_end);
    let insert = |at: usize, text: &str| Some(Fix(vec![Edit { start: at, end: at, text: text.to_owned() }]));
    let message = error.message.as_str();
    if code != "E0277" {
        return None;
    }
    if message.starts_with("`?` couldn't convert the error to `String`")
        && source.get(start..end) == Some("?")
    {
        // `parse` does not say its error before it knows what it reads.
        let words = error.rendered.as_deref().unwrap_or_default();
        let of =
            ["ParseIntError", "ParseFloatError"].into_iter().find(|e| words.contains(&format!("From<{e}>")));
        let of = of.map_or(String::new(), |e| format!(": std::num::{e}"));
        return insert(start, &format!(".map_err(|e{of}| e.to_string())"));
    }
    if message.contains("cannot be indexed by `i") || message.contains("cannot be indexed by `u") {
        let (start, end) = index_within(source.get(start..end)?, start, end);
        let index = source.get(start..end).filter(|index| !index.contains(".."))?;
        return Some(Fix(vec![Edit { start, end, text: format!("({index}) as usize") }]));
    }
    if message.starts_with("cannot ") && message.contains("`{integer}`") && message.contains("`f64`") {
        return insert(integer_beside(source, start, end)?, ".0");
    }
    None
}

/// The place of the index of `v[index]`; an old compiler names all of it, a newer one the index alone.
fn index_within(indexed: &str, start: usize, end: usize) -> (usize, usize) {
    let mut depth = 0_usize;
    for (at, c) in indexed.char_indices().rev().filter(|_| indexed.ends_with(']')) {
        match c {
            ']' => depth += 1,
            '[' if depth == 1 => return (start + at + 1, end - 1),
            '[' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (start, end)
}

/// The end of the whole number beside an operator.
fn integer_beside(source: &str, start: usize, end: usize) -> Option<usize> {
    let is_digit = |c: char| c.is_ascii_digit() || c == '_';
    let before = source.get(..start)?.trim_end();
    let number = &before[before.trim_end_matches(is_digit).len()..];
    let word = before[..before.len() - number.len()].ends_with(|c: char| c.is_alphanumeric() || c == '.');
    if !number.is_empty() && !word {
        return Some(before.len());
    }
    let after = source.get(end..)?;
    let blank = after.len() - after.trim_start().len();
    let rest = &after[blank..];
    let length = rest.find(|c| !is_digit(c)).unwrap_or(rest.len());
    let goes_on = rest[length..].starts_with(|c: char| c.is_alphanumeric() || c == '.');
    (length > 0 && !goes_on).then_some(end + blank + length)
}

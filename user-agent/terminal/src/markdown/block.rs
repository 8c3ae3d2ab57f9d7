//! What kind of line begins, from as few of its characters as tell it.

/// The kind of a line; a number is the length of its mark in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begun {
    /// Plain words.
    Words,
    /// A row of a table.
    Table,
    /// `## ` and what surrounds it.
    Heading(usize),
    /// `> `; what follows begins anew.
    Quote(usize),
    /// `- ` or `1. ` with what stands before it.
    Item(usize),
    /// `---`: the whole line.
    Rule,
    /// The line that opens a block of code.
    Opens(Fence),
    /// The line that closes it.
    Closes,
    /// A line of code.
    Code,
}

/// What a block of code is fenced with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fence {
    mark: char,
    length: usize,
}

/// The longest line that may open a block of code, in bytes; a longer one is words.
const MAX_FENCE: usize = 120;
/// The most digits of a numbered item.
const MAX_DIGITS: usize = 9;

/// The kind of a line that begins with `held`, or `None` while more must be seen.
pub(super) fn begin(held: &str, ended: bool) -> Option<Begun> {
    let rest = held.trim_start_matches([' ', '\t']);
    let indent = held.len() - rest.len();
    let Some(first) = rest.chars().next() else {
        // Only blanks so far, which a terminal need not wait for forever.
        return (ended || indent > MAX_FENCE).then_some(Begun::Words);
    };
    match first {
        '|' => Some(Begun::Table),
        '>' => mark_with_blank(rest, 1, ended).map(|length| Begun::Quote(indent + length)),
        '#' => heading(rest, ended).map(|found| found.map_or(Begun::Words, |n| Begun::Heading(indent + n))),
        '`' | '~' => opening(rest, first, ended),
        '-' | '*' | '+' | '_' => item_or_rule(rest, first, ended).map(|begun| match begun {
            Begun::Item(length) => Begun::Item(indent + length),
            other => other,
        }),
        c if c.is_ascii_digit() => {
            numbered(rest, ended).map(|found| found.map_or(Begun::Words, |n| Begun::Item(indent + n)))
        }
        _ => Some(Begun::Words),
    }
}

/// The kind of a line within a block of code.
pub(super) fn within(held: &str, fence: Fence, ended: bool) -> Option<Begun> {
    let rest = held.trim_start_matches(' ');
    let marks = rest.chars().take_while(|c| *c == fence.mark).count();
    let after = &rest[marks * fence.mark.len_utf8()..];
    if held.len() > MAX_FENCE || !after.trim_end_matches([' ', '\t']).is_empty() {
        return Some(Begun::Code);
    }
    // So far it could close the block.
    ended.then_some(if marks >= fence.length { Begun::Closes } else { Begun::Code })
}

/// The length of a mark with the one blank after it, if there is one.
fn mark_with_blank(rest: &str, mark: usize, ended: bool) -> Option<usize> {
    match rest[mark..].chars().next() {
        Some(' ') => Some(mark + 1),
        Some(_) => Some(mark),
        None => ended.then_some(mark),
    }
}

fn heading(rest: &str, ended: bool) -> Option<Option<usize>> {
    let marks = rest.bytes().take_while(|b| *b == b'#').count();
    if marks > 6 {
        return Some(None);
    }
    match rest[marks..].chars().next() {
        Some(' ') => Some(Some(marks + 1)),
        Some(_) => Some(None),
        None => ended.then_some(None),
    }
}

fn opening(rest: &str, mark: char, ended: bool) -> Option<Begun> {
    let length = rest.chars().take_while(|c| *c == mark).count();
    let info = &rest[length..];
    // Backticks on both sides are a code span.
    if (length < 3 && !info.is_empty()) || info.contains('`') || rest.len() > MAX_FENCE {
        return Some(Begun::Words);
    }
    ended.then_some(if length < 3 { Begun::Words } else { Begun::Opens(Fence { mark, length }) })
}

fn item_or_rule(rest: &str, mark: char, ended: bool) -> Option<Begun> {
    let marks = rest.chars().take_while(|c| *c == mark).count();
    let after = &rest[marks..];
    match (marks, mark) {
        (1, '-' | '*' | '+') => match after.chars().next() {
            Some(' ') => Some(Begun::Item(2)),
            Some(_) => Some(Begun::Words),
            None => ended.then_some(Begun::Words),
        },
        (_, '+') => Some(Begun::Words),
        _ if rest.len() > MAX_FENCE || !after.trim_end_matches(' ').is_empty() => Some(Begun::Words),
        _ => ended.then_some(if marks >= 3 { Begun::Rule } else { Begun::Words }),
    }
}

fn numbered(rest: &str, ended: bool) -> Option<Option<usize>> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits > MAX_DIGITS {
        return Some(None);
    }
    let mut after = rest[digits..].chars();
    match (after.next(), after.next()) {
        (Some('.' | ')'), Some(' ')) => Some(Some(digits + 2)),
        (None, _) | (Some('.' | ')'), None) => ended.then_some(None),
        _ => Some(None),
    }
}

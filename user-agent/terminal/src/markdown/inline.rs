//! What stands within a line: emphasis, code, links.

use anstyle::{Effects, Style};

use super::{CODE, FAINT};

/// How much is held back for an emphasis, a code span or a link that has begun, in bytes; when it is longer, all that was
/// held is plain text.
pub(super) const MAX_HELD: usize = 400;
/// The most backticks that begin a code span.
const MAX_TICKS: usize = 8;
/// How deep emphases may be nested.
const MAX_DEPTH: u8 = 3;

/// Whether something but plain text may begin with a character.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '\\' | '`' | '*' | '_' | '[' | '!')
}

/// Whether it, or the character after it, can tell what something held back is.
pub(super) fn decides(c: char) -> bool {
    is_mark(c) || matches!(c, ']' | '(' | ')')
}

/// How much of a text that waits for the end of a construct need not be looked through again: all but the marks at its
/// end, which the next character decides.
pub(super) fn settled(held: &str) -> usize {
    held.trim_end_matches(['*', '_', '`']).len()
}

/// A look at the words of a line.
#[derive(Clone, Copy)]
pub(super) struct Scan {
    /// The line is over: everything is decided.
    ended: bool,
    colour: bool,
    settled: usize,
    depth: u8,
}

/// What came of looking at a mark.
enum Looked {
    /// It cannot be said yet.
    Wait,
    /// The mark is text; this number of bytes of it.
    Text(usize),
    /// A construct of this number of bytes.
    Found(usize, Vec<(String, Style)>),
}

impl Scan {
    /// A look at words of which this number of bytes was [`settled`] before.
    pub(super) fn new(ended: bool, colour: bool, settled: usize) -> Scan {
        Scan { ended, colour, settled, depth: 0 }
    }

    /// Splits words into styled spans as far as is certain; answers how many bytes that are, all of them when the line is
    /// over, and what stands before the next.
    pub(super) fn run(
        self,
        text: &str,
        before: Option<char>,
        style: Style,
        into: &mut Vec<(String, Style)>,
    ) -> (usize, Option<char>) {
        let (mut at, mut before, mut plain) = (0, before, String::new());
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            let from = if at == 0 { self.settled } else { 0 };
            let looked = match c {
                '\\' => self.escape(rest, style),
                // The rest of a run that is too long to mean anything.
                '`' | '*' | '_' if before == Some(c) => Looked::Text(1),
                '`' => self.code(rest, from),
                '*' | '_' => self.emphasis(rest, c, before, style, from),
                '[' => self.link(rest, 0, style),
                '!' if rest.len() == 1 => self.unless_ended(1),
                '!' if rest[1..].starts_with('[') => self.link(rest, 1, style),
                c => Looked::Text(c.len_utf8()),
            };
            match looked {
                Looked::Wait => break,
                Looked::Text(length) => {
                    plain.push_str(&rest[..length]);
                    before = rest[..length].chars().next_back();
                    at += length;
                }
                Looked::Found(length, found) => {
                    if !plain.is_empty() {
                        into.push((std::mem::take(&mut plain), style));
                    }
                    into.extend(found);
                    // A mark that was escaped is not a part of one that follows.
                    before = if c == '\\' { Some(c) } else { rest[..length].chars().next_back() };
                    at += length;
                }
            }
        }
        if !plain.is_empty() {
            into.push((plain, style));
        }
        (at, before)
    }

    /// Text where the line has ended or too much is held already; else more must be seen.
    fn unless_ended(self, length: usize) -> Looked {
        if self.ended { Looked::Text(length) } else { Looked::Wait }
    }

    fn unless_long(self, rest: &str, length: usize) -> Looked {
        match !self.ended && rest.len() > MAX_HELD {
            true => Looked::Text(rest.len()),
            false => self.unless_ended(length),
        }
    }

    fn escape(self, rest: &str, style: Style) -> Looked {
        match rest[1..].chars().next() {
            None => self.unless_ended(1),
            Some(c) if c.is_ascii_punctuation() => Looked::Found(2, vec![(c.to_string(), style)]),
            Some(_) => Looked::Text(1),
        }
    }

    fn code(self, rest: &str, from: usize) -> Looked {
        let marks = run_of(rest, b'`');
        if marks > MAX_TICKS {
            return Looked::Text(marks);
        }
        if marks == rest.len() {
            return self.unless_long(rest, marks);
        }
        let Some((inner, length)) = self.closing_code(rest, marks, from) else {
            return self.unless_long(rest, marks);
        };
        let shown = if self.colour { inner.to_owned() } else { rest[..length].to_owned() };
        Looked::Found(length, vec![(shown, CODE)])
    }

    /// The inside of a code span and its whole length.
    fn closing_code(self, rest: &str, marks: usize, from: usize) -> Option<(&str, usize)> {
        let mut at = marks.max(from);
        while let Some(next) = rest[at..].find('`') {
            let here = at + next;
            let run = run_of(&rest[here..], b'`');
            if run == marks && (self.ended || here + run < rest.len()) {
                let inner = &rest[marks..here];
                let trimmed = inner.strip_prefix(' ').and_then(|i| i.strip_suffix(' '));
                return Some((trimmed.filter(|t| t.contains('`')).unwrap_or(inner), here + run));
            }
            at = here + run;
        }
        None
    }

    fn emphasis(self, rest: &str, mark: char, before: Option<char>, style: Style, from: usize) -> Looked {
        let marks = run_of(rest, mark as u8);
        if marks > 3 {
            return Looked::Text(marks);
        }
        let Some(next) = rest[marks..].chars().next() else { return self.unless_long(rest, marks) };
        let within_word = before.is_some_and(char::is_alphanumeric) && (mark == '_' || marks == 1);
        if next.is_whitespace() || within_word || self.depth == MAX_DEPTH {
            return Looked::Text(marks);
        }
        let Some(inner) = self.closing_emphasis(rest, marks, mark, from) else {
            return self.unless_long(rest, marks);
        };
        let effects = match marks {
            1 => Effects::ITALIC,
            2 => Effects::BOLD,
            _ => Effects::BOLD.insert(Effects::ITALIC),
        };
        let style = style.effects(style.get_effects().insert(effects));
        let mut found = Vec::new();
        let deeper = Scan { ended: true, settled: 0, depth: self.depth + 1, ..self };
        deeper.run(inner, None, style, &mut found);
        Looked::Found(inner.len() + 2 * marks, found)
    }

    /// What stands between an opening mark and its closing one.
    fn closing_emphasis(self, rest: &str, marks: usize, mark: char, from: usize) -> Option<&str> {
        let mut at = marks.max(from);
        while let Some(next) = rest[at..].find(mark) {
            let here = at + next;
            let run = run_of(&rest[here..], mark as u8);
            let after = rest[here + run..].chars().next();
            if after.is_none() && !self.ended {
                return None;
            }
            let touches = rest[..here].chars().next_back().is_some_and(|c| !c.is_whitespace() && c != '\\');
            let ends_word = mark == '*' && marks > 1 || !after.is_some_and(char::is_alphanumeric);
            if run == marks && touches && ends_word && here > marks {
                return Some(&rest[marks..here]);
            }
            at = here + run;
        }
        None
    }

    /// `[words](address)`, with `lead` bytes before the bracket: the words, and the address beside them, because the
    /// person must judge where a link leads.
    fn link(self, rest: &str, lead: usize, style: Style) -> Looked {
        let open = lead + 1;
        let Some(close) = rest[open..].find(']').map(|n| open + n) else {
            return self.unless_long(rest, open);
        };
        match rest[close + 1..].chars().next() {
            None => return self.unless_long(rest, open),
            Some('(') => {}
            Some(_) => return Looked::Text(open),
        }
        let Some(end) = closing_round(&rest[close + 2..]).map(|n| close + 2 + n) else {
            return self.unless_long(rest, open);
        };
        let (words, address) = (&rest[open..close], rest[close + 2..end].trim());
        if words.is_empty() || address.is_empty() {
            return Looked::Text(open);
        }
        let mut found = Vec::new();
        let underlined = style.effects(style.get_effects().insert(Effects::UNDERLINE));
        let deeper = Scan { ended: true, settled: 0, depth: self.depth + 1, ..self };
        deeper.run_words(words, underlined, &mut found);
        if words != address {
            found.push((format!(" ({address})"), FAINT));
        }
        Looked::Found(end + 1, found)
    }

    /// The words of a link: no link within a link.
    fn run_words(self, words: &str, style: Style, into: &mut Vec<(String, Style)>) {
        if words.contains(['[', '!']) {
            into.push((words.to_owned(), style));
        } else {
            self.run(words, None, style, into);
        }
    }
}

/// How often a byte is repeated at the beginning.
fn run_of(text: &str, mark: u8) -> usize {
    text.bytes().take_while(|b| *b == mark).count()
}

/// Where the round bracket closes that was opened right before; brackets within an address come in pairs.
fn closing_round(text: &str) -> Option<usize> {
    let mut open = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return Some(at),
            ')' => open -= 1,
            _ => {}
        }
    }
    None
}

//! Several lines that are one input: a line that ends in `\` continues in the next, and lines between two of `"""`
//! belong together.

use super::input::MAX_LINE;

/// The line that opens and closes a block.
const BLOCK: &str = "\"\"\"";

/// Puts lines together, where they come one by one: from a pipe, or a terminal without a line editor.
#[derive(Debug, Default)]
pub(super) struct Folding {
    lines: Vec<String>,
    size: usize,
    in_block: bool,
}

impl Folding {
    /// Takes a line; hands out the input once it is complete.
    pub(super) fn take(&mut self, line: String) -> Option<String> {
        let is_mark = line.trim() == BLOCK;
        if is_mark && (self.in_block || self.lines.is_empty()) {
            self.in_block = !self.in_block;
            return if self.in_block { None } else { Some(self.whole()) };
        }
        if self.in_block {
            self.keep(line);
            return None;
        }
        match goes_on(&line) {
            true => {
                self.keep(line[..line.len() - 1].to_owned());
                None
            }
            false => {
                self.keep(line);
                Some(self.whole())
            }
        }
    }

    /// Whether more belongs to what came.
    pub(super) fn is_open(&self) -> bool {
        self.in_block || !self.lines.is_empty()
    }

    /// What came so far, where nothing more will come.
    pub(super) fn rest(&mut self) -> Option<String> {
        self.is_open().then(|| self.whole())
    }

    /// What is far too long is refused as a whole, so its end need not be kept.
    fn keep(&mut self, line: String) {
        if self.size <= MAX_LINE {
            self.size += line.len() + 1;
            self.lines.push(line);
        }
    }

    fn whole(&mut self) -> String {
        let whole = std::mem::take(self);
        whole.lines.join("\n")
    }
}

/// Whether a text in a line editor wants another line.
pub(super) fn wants_more(text: &str) -> bool {
    if is_block(text) { !is_closed(text) } else { goes_on(text) }
}

/// The input that was meant by a text of a line editor; `typed` are the texts at which a line was continued by hand, so
/// that a backslash in a pasted text stays.
pub(super) fn unfold(text: &str, typed: &[String]) -> String {
    if is_block(text) && is_closed(text) {
        let lines: Vec<&str> = text.lines().collect();
        return lines[1..lines.len() - 1].join("\n");
    }
    let mut text = text.to_owned();
    let mut places: Vec<usize> = typed
        .iter()
        .filter(|t| text.starts_with(*t) && text[t.len()..].starts_with('\n'))
        .map(String::len)
        .collect();
    places.sort_unstable();
    places.dedup();
    for place in places.into_iter().rev() {
        text.remove(place - 1);
    }
    text
}

fn is_block(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.trim() == BLOCK)
}

fn is_closed(text: &str) -> bool {
    text.lines().skip(1).last().is_some_and(|line| line.trim() == BLOCK)
}

/// An even number of backslashes at the end is text.
fn goes_on(line: &str) -> bool {
    line.bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests;

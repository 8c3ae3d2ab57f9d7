//! Rust source in kinds of pieces, for colours; it decides nothing.

/// What a piece of source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Anything else.
    Plain,
    /// A word of the language.
    Keyword,
    /// A string or a character.
    Text,
    Number,
    /// A name that begins like a type's.
    Type,
    Comment,
}

/// What the lines before left open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Open {
    #[default]
    Nothing,
    /// A string.
    Quote,
    /// A raw string with that many hashes.
    Raw(usize),
    /// A comment, that deep.
    Comment(usize),
}

/// Tells the pieces of a source line by line.
#[derive(Debug, Default)]
pub struct Highlighter {
    open: Open,
}

impl Highlighter {
    /// The pieces of the next line; joined they are the line.
    pub fn line<'a>(&mut self, line: &'a str) -> Vec<(&'a str, Kind)> {
        let mut pieces: Vec<(&str, Kind)> = vec![];
        let mut at = 0;
        while at < line.len() {
            let (length, kind) = self.piece(&line[at..]);
            let end = at + length.max(1).min(line.len() - at);
            let end = (end..=line.len()).find(|i| line.is_char_boundary(*i)).unwrap_or(line.len());
            pieces.push((&line[at..end], kind));
            at = end;
        }
        pieces
    }

    /// How long the piece at the start of the rest of a line is, and what it is.
    fn piece(&mut self, rest: &str) -> (usize, Kind) {
        match self.open {
            Open::Nothing => {}
            Open::Quote => return (self.quoted(rest, 0), Kind::Text),
            Open::Raw(hashes) => return (self.raw(rest, 0, hashes), Kind::Text),
            Open::Comment(_) => return (self.comment(rest, 0), Kind::Comment),
        }
        let first = rest.chars().next().unwrap_or(' ');
        if rest.starts_with("//") {
            return (rest.len(), Kind::Comment);
        }
        if rest.starts_with("/*") {
            return (self.comment(rest, 0), Kind::Comment);
        }
        if let Some((start, hashes)) = raw_start(rest) {
            return (self.raw(rest, start, hashes), Kind::Text);
        }
        let quote = if first == 'b' || first == 'c' { 1 } else { 0 };
        if rest[quote..].starts_with('"') {
            return (self.quoted(rest, quote + 1), Kind::Text);
        }
        if let Some(length) = character(rest) {
            return (length, Kind::Text);
        }
        if first.is_ascii_digit() {
            let within = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
            let length = rest.find(|c: char| !within(c)).unwrap_or(rest.len());
            // A range is two numbers.
            return (rest[..length].find("..").unwrap_or(length), Kind::Number);
        }
        if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            return (length, word(&rest[..length]));
        }
        (first.len_utf8(), Kind::Plain)
    }

    /// From inside a string to its end, or to the line's.
    fn quoted(&mut self, rest: &str, start: usize) -> usize {
        let bytes = rest.as_bytes();
        let mut at = start;
        while at < bytes.len() {
            match bytes[at] {
                b'\\' => at += 2,
                b'"' => {
                    self.open = Open::Nothing;
                    return at + 1;
                }
                _ => at += 1,
            }
        }
        self.open = Open::Quote;
        rest.len()
    }

    fn raw(&mut self, rest: &str, start: usize, hashes: usize) -> usize {
        let end = format!("\"{}", "#".repeat(hashes));
        match rest[start..].find(&end) {
            Some(at) => {
                self.open = Open::Nothing;
                start + at + end.len()
            }
            None => {
                self.open = Open::Raw(hashes);
                rest.len()
            }
        }
    }

    /// Comments nest.
    fn comment(&mut self, rest: &str, start: usize) -> usize {
        let mut depth = if let Open::Comment(depth) = self.open { depth } else { 0 };
        let bytes = rest.as_bytes();
        let mut at = start;
        while at < bytes.len() {
            if bytes[at..].starts_with(b"/*") {
                (depth, at) = (depth + 1, at + 2);
            } else if bytes[at..].starts_with(b"*/") {
                (depth, at) = (depth.saturating_sub(1), at + 2);
                if depth == 0 {
                    self.open = Open::Nothing;
                    return at;
                }
            } else {
                at += 1;
            }
        }
        self.open = Open::Comment(depth);
        rest.len()
    }
}

/// Where the text of a raw string begins, and its hashes.
fn raw_start(rest: &str) -> Option<(usize, usize)> {
    let prefix = ["br", "cr", "r"].into_iter().find(|prefix| rest.starts_with(prefix))?;
    let after = &rest[prefix.len()..];
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some((prefix.len() + hashes + 1, hashes))
}

/// The length of a character in quotes; a lifetime is not one.
fn character(rest: &str) -> Option<usize> {
    let start = if rest.starts_with("b'") { 1 } else { 0 };
    let inner = rest[start..].strip_prefix('\'')?;
    let length = if inner.starts_with('\\') {
        let skipped = inner.chars().take(2).map(char::len_utf8).sum::<usize>();
        skipped + inner[skipped..].find('\'')?
    } else {
        let first = inner.chars().next()?.len_utf8();
        inner[first..].starts_with('\'').then_some(first)?
    };
    Some(start + 1 + length + 1)
}

fn word(word: &str) -> Kind {
    if KEYWORDS.contains(&word) {
        Kind::Keyword
    } else if word.starts_with(char::is_uppercase) {
        Kind::Type
    } else {
        Kind::Plain
    }
}

const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "self", "Self", "static", "struct", "super", "trait", "true", "type", "union", "unsafe", "use", "where",
    "while",
];

#[cfg(test)]
mod tests;

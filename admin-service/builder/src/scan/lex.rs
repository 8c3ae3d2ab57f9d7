//! Judges the bytes before any parser sees them: size, characters, token lengths and, in
//! [`depth`](super::depth), how deep a tree they can stand for.

use super::breach::{Breach, is_hidden};
use super::depth::Depth;
use super::tables::Ban;

const LARGEST: usize = 64 << 10;
const MOST_TOKENS: usize = 20_000;
const LONGEST_NAME: usize = 100;
const LONGEST_NUMBER: usize = 140;
const LONGEST_STRING: usize = 16 << 10;

pub(super) fn check(source: &str) -> Result<(), Vec<Breach>> {
    if source.len() > LARGEST {
        return Err(vec![Breach::new(Ban::TooLarge, 1, 1)]);
    }
    let hidden = hidden_characters(source);
    if !hidden.is_empty() {
        return Err(hidden);
    }
    let mut breaches = Vec::new();
    if let Err(fatal) = walk(source, &mut breaches) {
        breaches.push(fatal);
    }
    if breaches.is_empty() { Ok(()) } else { Err(breaches) }
}

fn hidden_characters(source: &str) -> Vec<Breach> {
    let mut breaches = Vec::new();
    let (mut line, mut column, mut previous) = (1, 1, ' ');
    for c in source.chars() {
        let emoji_style = c == '\u{fe0f}' && has_emoji_style(previous);
        if !matches!(c, '\n' | '\t') && (c.is_control() || is_hidden(c)) && !emoji_style {
            breaches.push(Breach::new(Ban::HiddenCharacter, line, column));
        }
        column += 1;
        if c == '\n' {
            (line, column) = (line + 1, 1);
        }
        previous = c;
    }
    breaches
}

/// Symbols that a variation selector turns into their coloured form, as in a weather icon.
fn has_emoji_style(c: char) -> bool {
    matches!(c, '\u{203c}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

/// One token, as far as the caps care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Name(&'a str),
    Lifetime,
    Literal,
    Punct(u8),
    Open(u8),
    Close(u8),
}

impl Token<'_> {
    /// Whether an operator after this token is a binary one.
    pub(super) fn ends_operand(self) -> bool {
        match self {
            Token::Name(name) => !matches!(
                name,
                "as" | "box"
                    | "break"
                    | "else"
                    | "if"
                    | "in"
                    | "let"
                    | "match"
                    | "move"
                    | "mut"
                    | "ref"
                    | "return"
                    | "static"
                    | "while"
                    | "const"
                    | "async"
                    | "yield"
                    | "dyn"
                    | "impl"
                    | "for"
                    | "where"
            ),
            Token::Literal | Token::Close(_) => true,
            Token::Lifetime | Token::Open(_) => false,
            Token::Punct(c) => c == b'?',
        }
    }

    /// Whether this token, after a closing brace, starts something new rather than continuing.
    pub(super) fn starts_anew(self) -> bool {
        match self {
            Token::Name(name) => !matches!(name, "else" | "as" | "in"),
            Token::Lifetime | Token::Literal | Token::Close(_) => true,
            Token::Punct(c) => c == b'#',
            Token::Open(_) => false,
        }
    }
}

fn walk(source: &str, breaches: &mut Vec<Breach>) -> Result<(), Breach> {
    let mut cursor = Cursor { text: source, bytes: source.as_bytes(), at: 0, line: 1, line_start: 0 };
    let mut depth = Depth::new();
    let mut tokens = 0;
    loop {
        cursor.skip_blank()?;
        let mark = cursor.mark();
        let Some(token) = cursor.token()? else { break };
        tokens += 1;
        if tokens > MOST_TOKENS {
            return Err(cursor.breach(Ban::TooLarge, mark));
        }
        let length = cursor.at - mark.at;
        let too_long = match token {
            Token::Name(_) | Token::Lifetime => length > LONGEST_NAME,
            Token::Literal if source.as_bytes()[mark.at].is_ascii_digit() => length > LONGEST_NUMBER,
            Token::Literal => length > LONGEST_STRING,
            _ => false,
        };
        if too_long {
            breaches.push(cursor.breach(Ban::TooLongToken, mark));
        }
        if matches!(token, Token::Name(name) if !name.is_ascii()) {
            breaches.push(cursor.breach(Ban::AsciiNames, mark));
        }
        let joint = cursor.bytes.get(cursor.at).copied();
        depth.token(token, mark.at, joint).map_err(|ban| cursor.breach(ban, mark))?;
    }
    if !depth.is_closed() {
        return Err(cursor.breach(Ban::Unreadable, cursor.mark()));
    }
    Ok(())
}

/// A place in the text; its column is counted only when somebody asks.
#[derive(Clone, Copy)]
struct Mark {
    at: usize,
    line: usize,
    line_start: usize,
}

struct Cursor<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: usize,
    line_start: usize,
}

impl<'a> Cursor<'a> {
    fn mark(&self) -> Mark {
        Mark { at: self.at, line: self.line, line_start: self.line_start }
    }

    fn breach(&self, ban: Ban, mark: Mark) -> Breach {
        Breach::new(ban, mark.line, self.text[mark.line_start..mark.at].chars().count() + 1)
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Steps over one byte, counting lines; only used where the byte may be a line's end.
    fn step(&mut self) {
        if self.peek(0) == b'\n' {
            self.line += 1;
            self.line_start = self.at + 1;
        }
        self.at += 1;
    }

    fn skip_blank(&mut self) -> Result<(), Breach> {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b' ' | b'\t' | b'\n', _) => self.step(),
                (b'/', b'/') => {
                    while self.at < self.bytes.len() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                (b'/', b'*') => self.skip_block_comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn skip_block_comment(&mut self) -> Result<(), Breach> {
        let start = self.mark();
        let mut open = 0;
        loop {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'*') => (open, self.at) = (open + 1, self.at + 2),
                (b'*', b'/') => (open, self.at) = (open - 1, self.at + 2),
                _ if self.at >= self.bytes.len() => return Err(self.breach(Ban::Unreadable, start)),
                _ => self.step(),
            }
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<Option<Token<'a>>, Breach> {
        let Some(&first) = self.bytes.get(self.at) else { return Ok(None) };
        let token = match first {
            b'"' => self.string(1)?,
            b'b' | b'c' if self.peek(1) == b'"' => self.string(2)?,
            b'b' if self.peek(1) == b'\'' => self.character(2)?,
            b'r' if self.raw_string_at(1) => self.raw_string(1)?,
            b'b' | b'c' if self.peek(1) == b'r' && self.raw_string_at(2) => self.raw_string(2)?,
            b'\'' => self.quote()?,
            b'0'..=b'9' => self.number(),
            b'(' | b'[' | b'{' => self.punct(Token::Open(first)),
            b')' | b']' | b'}' => self.punct(Token::Close(first)),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => self.name(),
            _ => self.punct(Token::Punct(first)),
        };
        Ok(Some(token))
    }

    fn punct(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    fn name(&mut self) -> Token<'a> {
        let start = self.at;
        if self.bytes[self.at..].starts_with(b"r#") {
            self.at += 2;
        }
        while matches!(self.peek(0), b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 0x80..) {
            self.at += 1;
        }
        Token::Name(&self.text[start..self.at])
    }

    fn number(&mut self) -> Token<'a> {
        let hex = self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'X');
        loop {
            match self.peek(0) {
                b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                    let exponent = !hex && matches!(self.peek(0), b'e' | b'E');
                    self.at += 1;
                    if exponent && matches!(self.peek(0), b'+' | b'-') && self.peek(1).is_ascii_digit() {
                        self.at += 1;
                    }
                }
                b'.' if self.peek(1).is_ascii_digit() => self.at += 1,
                _ => return Token::Literal,
            }
        }
    }

    fn string(&mut self, prefix: usize) -> Result<Token<'a>, Breach> {
        let start = self.mark();
        self.at += prefix;
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'"' => return Ok(self.punct(Token::Literal)),
                b'\\' => {
                    self.at += 1;
                    self.step();
                }
                _ => self.step(),
            }
        }
        Err(self.breach(Ban::Unreadable, start))
    }

    fn raw_string_at(&self, ahead: usize) -> bool {
        let hashes = self.bytes[self.at + ahead..].iter().take_while(|&&byte| byte == b'#').count();
        self.peek(ahead + hashes) == b'"'
    }

    fn raw_string(&mut self, prefix: usize) -> Result<Token<'a>, Breach> {
        let start = self.mark();
        self.at += prefix;
        let hashes = self.bytes[self.at..].iter().take_while(|&&byte| byte == b'#').count();
        self.at += hashes + 1;
        while self.at < self.bytes.len() {
            let closes = self.peek(0) == b'"'
                && self.bytes[self.at + 1..].iter().take(hashes).filter(|&&byte| byte == b'#').count()
                    == hashes;
            if closes {
                self.at += 1 + hashes;
                return Ok(Token::Literal);
            }
            self.step();
        }
        Err(self.breach(Ban::Unreadable, start))
    }

    /// A character literal or a lifetime.
    fn quote(&mut self) -> Result<Token<'a>, Breach> {
        let mut following = self.text[self.at + 1..].chars();
        let (first, second) = (following.next(), following.next());
        match (first, second) {
            (Some('\\'), _) => self.character(1),
            (Some(c), Some('\'')) if c != '\'' && c != '\n' => {
                self.at += 2 + c.len_utf8();
                Ok(Token::Literal)
            }
            (Some('_' | 'a'..='z' | 'A'..='Z' | '\u{80}'..), _) => {
                self.at += 1;
                match self.name() {
                    Token::Name(name) if !name.is_ascii() => Ok(Token::Name(name)),
                    _ => Ok(Token::Lifetime),
                }
            }
            _ => Err(self.breach(Ban::Unreadable, self.mark())),
        }
    }

    /// A character or byte literal of which `prefix` bytes come first.
    fn character(&mut self, prefix: usize) -> Result<Token<'a>, Breach> {
        let start = self.mark();
        self.at += prefix;
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            match self.peek(0) {
                b'\'' => return Ok(self.punct(Token::Literal)),
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        Err(self.breach(Ban::Unreadable, start))
    }
}

//! Text to words and signs. What has a meaning to a shell and none here is refused, never passed on.

use shared_types::text::is_unsafe;

use super::fault::ParseFault;
use super::line::{MAX_BYTES, RedirectKind};

mod redirect;
mod word;

use word::Draft;

/// A word, without its quotes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// Whether it is a pattern.
    pub(super) glob: bool,
    /// Whether it holds a `{` or `}` outside quotes.
    pub(super) brace: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    Pipe,
    Then,
    And,
    Or,
    /// A redirect whose file is the next word.
    Redirect(u8, RedirectKind),
    ErrToOut,
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    tokens: Vec<(usize, Token)>,
    draft: Option<Draft>,
}

const QUOTE_IT: &str = "put it into single quotes if it is meant as text";

/// The tokens of a line, each with the number of its first character, counted from 1.
pub(super) fn tokens(line: &str) -> Result<Vec<(usize, Token)>, ParseFault> {
    if line.len() > MAX_BYTES {
        return Err(ParseFault::new(1, format!("it has more than {MAX_BYTES} bytes"), "write a shorter one"));
    }
    let chars: Vec<char> = line.chars().collect();
    if let Some(at) = chars.iter().position(|c| is_unsafe(*c) && *c != '\t') {
        let what = format!("`{}` is a control or an invisible character", chars[at].escape_unicode());
        return Err(ParseFault::new(at + 1, what, "write one line of visible characters"));
    }
    let mut lexer = Lexer { chars, at: 0, tokens: Vec::new(), draft: None };
    while let Some(c) = lexer.peek(0) {
        lexer.step(c)?;
    }
    lexer.end_word()?;
    Ok(lexer.tokens)
}

impl Lexer {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn fault(&self, what: impl Into<String>, next: impl Into<String>) -> ParseFault {
        ParseFault::new(self.at + 1, what, next)
    }

    fn draft(&mut self) -> &mut Draft {
        let at = self.at + 1;
        self.draft.get_or_insert_with(|| Draft { at, ..Draft::default() })
    }

    /// Takes a character as text.
    fn text(&mut self, c: char) {
        self.draft().word.text.push(c);
        self.at += 1;
    }

    fn step(&mut self, c: char) -> Result<(), ParseFault> {
        match c {
            ' ' | '\t' => {
                self.end_word()?;
                self.at += 1;
            }
            '#' if self.draft.is_none() => self.at = self.chars.len(),
            '\'' => self.single()?,
            '"' => self.double()?,
            '\\' => self.escaped()?,
            '|' | '&' | ';' => self.joint(c)?,
            '<' | '>' => self.redirect(c)?,
            '*' | '?' => {
                self.draft().word.glob = true;
                self.text(c);
            }
            '[' => self.bracket()?,
            '{' | '}' => {
                self.draft().word.brace = true;
                self.text(c);
            }
            ']' => {
                self.draft().closes = true;
                self.text(c);
            }
            '$' | '`' | '(' | ')' => return Err(self.special(c)),
            '~' if self.begins_a_path() => {
                return Err(self.fault("`~` stands for a home folder", "write the path out"));
            }
            '!' if !matches!(self.peek(1), None | Some(' ' | '\t' | '=')) => {
                return Err(self.fault("`!` can call up the history", QUOTE_IT));
            }
            c if c.is_whitespace() => {
                return Err(self.fault("a blank that is neither space nor tab", "use a space, or quotes"));
            }
            c => self.text(c),
        }
        Ok(())
    }

    /// Whether a `~` here would be read as a home folder by some shell.
    fn begins_a_path(&self) -> bool {
        self.draft.as_ref().is_none_or(|draft| draft.word.text.is_empty())
            || matches!(self.at.checked_sub(1).map(|at| self.chars[at]), Some('=' | ':'))
    }

    fn special(&self, c: char) -> ParseFault {
        let what = match (c, self.peek(1)) {
            ('$', Some('(')) => "`$(` would run another command",
            ('$', _) => "`$` stands for a variable",
            ('`', _) => "a backtick would run another command",
            _ => "brackets begin or end a subshell or a function",
        };
        let next = match c {
            '$' => "write the value itself, or put it into single quotes if it is meant as text",
            _ => "write each command of its own, or put it into single quotes if it is meant as text",
        };
        self.fault(what, next)
    }

    fn single(&mut self) -> Result<(), ParseFault> {
        self.draft().quoted = true;
        let opened = self.fault("this single quote is never closed", "close it");
        self.at += 1;
        loop {
            match self.peek(0) {
                None => return Err(opened),
                Some('\'') => break,
                Some(c) => self.quoted_text(c),
            }
        }
        self.at += 1;
        Ok(())
    }

    fn double(&mut self) -> Result<(), ParseFault> {
        self.draft().quoted = true;
        let opened = self.fault("this double quote is never closed", "close it");
        self.at += 1;
        loop {
            match (self.peek(0), self.peek(1)) {
                (None, _) => return Err(opened),
                (Some('"'), _) => break,
                (Some('\\'), Some(c @ ('$' | '`' | '"' | '\\'))) => {
                    self.at += 1;
                    self.quoted_text(c);
                }
                (Some(c @ ('$' | '`')), _) => return Err(self.special(c)),
                (Some(c), _) => self.quoted_text(c),
            }
        }
        self.at += 1;
        Ok(())
    }

    fn escaped(&mut self) -> Result<(), ParseFault> {
        let Some(c) = self.peek(1) else {
            return Err(self.fault("a backslash with nothing after it", QUOTE_IT));
        };
        self.draft().quoted = true;
        self.at += 1;
        self.quoted_text(c);
        Ok(())
    }

    fn quoted_text(&mut self, c: char) {
        if matches!(c, '*' | '?' | '[' | ']' | '\\') {
            self.draft().quoted_sign = true;
        }
        self.text(c);
    }

    fn joint(&mut self, c: char) -> Result<(), ParseFault> {
        self.end_word()?;
        let token = match (c, self.peek(1)) {
            ('|', Some('|')) => Token::Or,
            ('&', Some('&')) => Token::And,
            ('|', Some('&')) => return Err(self.fault("`|&` is not known", "write `2>&1 |`")),
            ('|', _) => Token::Pipe,
            ('&', _) => {
                let next = "leave it out: a command ends before the answer comes; `;` runs the next after it";
                return Err(self.fault("`&` would leave a command running", next));
            }
            (_, Some(';' | '&')) => {
                return Err(self.fault("`;;` stands nowhere but in a script", "write one `;`"));
            }
            _ => Token::Then,
        };
        let length = if matches!(token, Token::Or | Token::And) { 2 } else { 1 };
        self.tokens.push((self.at + 1, token));
        self.at += length;
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), ParseFault> {
        let Some(draft) = self.draft.take() else { return Ok(()) };
        let token = Token::Word(draft.word()?);
        self.tokens.push((draft.at, token));
        Ok(())
    }
}

//! Text to words and signs. What has a meaning to a shell and none here is refused, never passed on.

use shared_types::text::is_unsafe;

use super::fault::ParseFault;
use super::line::{MAX_BYTES, RedirectKind};

/// A word, without its quotes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// Whether it is a pattern.
    pub(super) glob: bool,
    /// Whether it holds a `{` or `}` outside quotes.
    pub(super) brace: bool,
}

/// One token.
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

/// A word while it is read.
#[derive(Default)]
struct Draft {
    word: Word,
    /// Where it began.
    at: usize,
    quoted: bool,
    bracket: bool,
    /// A `]` outside quotes and brackets.
    closes: bool,
    /// A sign of patterns inside quotes.
    quoted_sign: bool,
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

    /// `[` of its own is the program, or closes nothing; otherwise a set such as `[a-z]` or `[!a]`.
    fn bracket(&mut self) -> Result<(), ParseFault> {
        let alone = self.draft.is_none() && matches!(self.peek(1), None | Some(' ' | '\t'));
        if alone {
            self.text('[');
            return Ok(());
        }
        let negated = usize::from(self.peek(1) == Some('!'));
        let set = self.chars[self.at + 1 + negated..].iter();
        let length =
            set.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ',')).count();
        let end = 1 + negated + length;
        if length == 0 || self.peek(end) != Some(']') {
            let next =
                "write a set such as [a-z] or [!0-9], or put it into single quotes if it is meant as text";
            return Err(self.fault("`[` begins no set of characters", next));
        }
        let draft = self.draft();
        (draft.word.glob, draft.bracket) = (true, true);
        for _ in 0..=end {
            let c = self.chars[self.at];
            self.text(c);
        }
        Ok(())
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

    fn redirect(&mut self, c: char) -> Result<(), ParseFault> {
        let at = self.at + 1;
        let fd = self.descriptor()?;
        let (kind, usual) = match c {
            '<' => (RedirectKind::In, 0),
            _ => (RedirectKind::Out, 1),
        };
        let fits = matches!((c, fd), (_, None) | ('<', Some(0)) | ('>', Some(1 | 2)));
        if !fits {
            return Err(self.fault(
                "a descriptor that is not redirected here",
                "use `<`, `>`, `>>`, `2>`, `2>>` or `2>&1`",
            ));
        }
        let token = match (c, self.peek(1), self.peek(2)) {
            ('<', Some('<'), _) => {
                return Err(
                    self.fault("`<<` begins a text in the line", "hand the text over as standard input")
                );
            }
            (_, Some('('), _) => {
                return Err(
                    self.fault("`<(` and `>(` would run another command", "write each command of its own")
                );
            }
            ('>', Some('&'), Some('1')) if fd == Some(2) && self.ends_at(3) => {
                self.at += 3;
                Token::ErrToOut
            }
            (_, Some('&' | '|'), _) | ('<', Some('>'), _) => {
                return Err(
                    self.fault("this redirect is not known", "use `<`, `>`, `>>`, `2>`, `2>>` or `2>&1`")
                );
            }
            ('>', Some('>'), _) => {
                self.at += 2;
                Token::Redirect(fd.unwrap_or(usual), RedirectKind::Append)
            }
            _ => {
                self.at += 1;
                Token::Redirect(fd.unwrap_or(usual), kind)
            }
        };
        self.tokens.push((at, token));
        Ok(())
    }

    /// The descriptor right before a redirect's sign; any other word ends there.
    fn descriptor(&mut self) -> Result<Option<u8>, ParseFault> {
        let digits = |draft: &Draft| {
            let text = &draft.word.text;
            !draft.quoted && !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
        };
        if !self.draft.as_ref().is_some_and(digits) {
            self.end_word()?;
            return Ok(None);
        }
        let text = self.draft.take().map(|draft| draft.word.text).unwrap_or_default();
        // One that is no single digit is refused by the caller, as any other number.
        Ok(Some(if text.len() == 1 { text.parse().unwrap_or(u8::MAX) } else { u8::MAX }))
    }

    /// Whether a word ends `ahead` characters from here.
    fn ends_at(&self, ahead: usize) -> bool {
        self.peek(ahead).is_none_or(|c| matches!(c, ' ' | '\t' | '|' | '&' | ';' | '<' | '>'))
    }

    fn end_word(&mut self) -> Result<(), ParseFault> {
        let Some(draft) = self.draft.take() else { return Ok(()) };
        if draft.word.glob {
            let mixed = draft.quoted_sign || draft.closes || (draft.bracket && draft.quoted);
            if mixed {
                let next = "quote the whole word, or leave the quotes away";
                return Err(ParseFault::new(draft.at, "a pattern whose signs are partly quoted", next));
            }
            if draft.word.text.contains("**") {
                return Err(ParseFault::new(
                    draft.at,
                    "`**` means different things to different shells",
                    "write `*`",
                ));
            }
        }
        self.tokens.push((draft.at, Token::Word(draft.word)));
        Ok(())
    }
}

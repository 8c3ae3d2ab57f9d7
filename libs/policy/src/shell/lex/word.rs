//! A word while it is read, and what makes it a pattern.

use super::{Lexer, Word};
use crate::shell::fault::ParseFault;

/// A word while it is read.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) word: Word,
    /// Where it began.
    pub(super) at: usize,
    pub(super) quoted: bool,
    pub(super) bracket: bool,
    /// A `]` outside quotes and brackets.
    pub(super) closes: bool,
    /// A sign of patterns inside quotes.
    pub(super) quoted_sign: bool,
}

impl Draft {
    /// The word, if it is text alone, or a pattern that means the same to every shell.
    pub(super) fn word(&self) -> Result<Word, ParseFault> {
        let fault = |what, next| Err(ParseFault::new(self.at, what, next));
        let text = &self.word.text;
        if !self.word.glob {
            return Ok(self.word.clone());
        }
        if self.quoted_sign || self.closes || (self.bracket && self.quoted) {
            return fault(
                "a pattern whose signs are partly quoted",
                "quote the whole word, or leave the quotes away",
            );
        }
        if text.contains("**") {
            return fault("`**` means different things to different shells", "write `*`");
        }
        // `.*` is the folder above, too, to some shells.
        let climbs = |name: &str| name.starts_with('.') && name[1..].starts_with(['.', '*', '?', '[']);
        if text.split('/').any(climbs) {
            return fault(
                "a pattern that `..` could match",
                "name hidden files by their first letter, as in .a*",
            );
        }
        Ok(self.word.clone())
    }
}

impl Lexer {
    /// `[` of its own is the program, or closes nothing; otherwise a set such as `[a-z]` or `[!a]`.
    pub(super) fn bracket(&mut self) -> Result<(), ParseFault> {
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
}

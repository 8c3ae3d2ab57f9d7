//! The signs by which a command reads and writes files.

use super::{Draft, Lexer, Token};
use crate::shell::fault::ParseFault;
use crate::shell::line::RedirectKind;

impl Lexer {
    /// Takes a redirect's sign, with the descriptor before it.
    pub(super) fn redirect(&mut self, c: char) -> Result<(), ParseFault> {
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
        // One that is not a single digit is refused by the caller, as any other number.
        Ok(Some(if text.len() == 1 { text.parse().unwrap_or(u8::MAX) } else { u8::MAX }))
    }

    /// Whether a word ends `ahead` characters from here; a digit right before `<` or `>` would be a descriptor.
    fn ends_at(&self, ahead: usize) -> bool {
        self.peek(ahead).is_none_or(|c| matches!(c, ' ' | '\t' | '|' | '&' | ';'))
    }
}

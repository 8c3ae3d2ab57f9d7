//! Words and signs to a line.

use shared_types::text::cut;

use super::fault::ParseFault;
use super::lex::{Token, Word, tokens};
use super::line::{Command, Join, Line, MAX_COMMANDS, MAX_WORDS, Pipeline, Redirect, RedirectKind};

/// Words that a shell keeps for itself where a command begins.
const RESERVED: &[&str] = &[
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
    "select", "then", "until", "while", "{", "}",
];

/// Commands that are a shell's own and no programs. Those that are both (`echo`, `test` ...) run as programs.
const OWN: &[&str] = &[
    ".",
    ":",
    "alias",
    "bg",
    "bind",
    "break",
    "builtin",
    "caller",
    "cd",
    "chdir",
    "command",
    "compgen",
    "complete",
    "compopt",
    "continue",
    "declare",
    "dirs",
    "disown",
    "enable",
    "eval",
    "exec",
    "exit",
    "export",
    "fc",
    "fg",
    "getopts",
    "hash",
    "help",
    "history",
    "jobs",
    "let",
    "local",
    "logout",
    "mapfile",
    "popd",
    "pushd",
    "read",
    "readarray",
    "readonly",
    "return",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "times",
    "trap",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "wait",
];

/// Parses a line.
///
/// # Errors
/// What has a meaning to a shell beyond words, quotes, patterns, pipes, `;`, `&&`, `||` and plain redirects, or is too
/// long: with its place and what to write instead.
pub fn parse(line: &str) -> Result<Line, ParseFault> {
    let tokens = tokens(line)?;
    let words = tokens.iter().filter(|(_, token)| matches!(token, Token::Word(_))).count();
    if words > MAX_WORDS {
        return Err(ParseFault::new(1, format!("it has more than {MAX_WORDS} words"), "write a shorter one"));
    }
    let mut parser = Parser { tokens: tokens.into_iter().peekable(), end: line.chars().count() + 1 };
    let parsed = parser.line()?;
    if parsed.commands().count() > MAX_COMMANDS {
        let what = format!("it has more than {MAX_COMMANDS} commands");
        return Err(ParseFault::new(1, what, "write a shorter one"));
    }
    Ok(parsed)
}

struct Parser {
    tokens: std::iter::Peekable<std::vec::IntoIter<(usize, Token)>>,
    /// The place after the last character.
    end: usize,
}

impl Parser {
    fn line(&mut self) -> Result<Line, ParseFault> {
        let mut line = Line::default();
        let mut joined = Join::First;
        loop {
            line.pipelines.push(Pipeline { joined, commands: self.pipeline()? });
            joined = match self.tokens.next() {
                None => return Ok(line),
                Some((_, Token::And)) => Join::And,
                Some((_, Token::Or)) => Join::Or,
                // The only other sign at which a pipeline ends.
                Some(_) if self.tokens.peek().is_none() => return Ok(line),
                Some(_) => Join::Then,
            };
        }
    }

    fn pipeline(&mut self) -> Result<Vec<Command>, ParseFault> {
        let mut commands = vec![self.command()?];
        while self.tokens.next_if(|(_, token)| *token == Token::Pipe).is_some() {
            commands.push(self.command()?);
        }
        Ok(commands)
    }

    fn command(&mut self) -> Result<Command, ParseFault> {
        let at = self.tokens.peek().map_or(self.end, |(at, _)| *at);
        let mut command = Command { argv: Vec::new(), globs: Vec::new(), redirects: Vec::new() };
        while let Some((at, token)) = self
            .tokens
            .next_if(|(_, token)| matches!(token, Token::Word(_) | Token::Redirect(..) | Token::ErrToOut))
        {
            match token {
                Token::Word(word) => {
                    if command.argv.is_empty() {
                        check_program(at, &word)?;
                    }
                    command.argv.push(word.text);
                    command.globs.push(word.glob);
                }
                Token::Redirect(fd, kind) => command.redirects.push(self.redirect(at, fd, kind)?),
                _ => command.redirects.push(Redirect {
                    fd: 2,
                    kind: RedirectKind::ErrToOut,
                    path: String::new(),
                }),
            }
        }
        match command.argv.is_empty() {
            true => Err(ParseFault::new(at, "a command is missing here", "name the program to run")),
            false => Ok(command),
        }
    }

    fn redirect(&mut self, at: usize, fd: u8, kind: RedirectKind) -> Result<Redirect, ParseFault> {
        match self.tokens.next_if(|(_, token)| matches!(token, Token::Word(_))) {
            Some((_, Token::Word(word))) if !word.glob && !word.text.is_empty() => {
                Ok(Redirect { fd, kind, path: word.text })
            }
            _ => Err(ParseFault::new(at, "a redirect to no file, or to a pattern", "name one file after it")),
        }
    }
}

/// Whether a word can be a program's name and nothing else.
fn check_program(at: usize, word: &Word) -> Result<(), ParseFault> {
    let text = word.text.as_str();
    let fault = |what: String, next: &str| Err(ParseFault::new(at, what, next));
    if text.is_empty() {
        return fault("an empty name of a program".to_owned(), "name the program to run");
    }
    if RESERVED.contains(&text) {
        let next = "write the commands one by one; `;`, `&&`, `||` and `|` join them";
        return fault(format!("`{text}` is a word of the shell's language"), next);
    }
    if OWN.contains(&text) {
        let next = "name files by their paths, and each program of its own";
        return fault(format!("`{text}` is a command of the shell itself, and no shell runs"), next);
    }
    if text.contains('=') {
        return fault(
            format!("`{}` sets a variable", cut(text, 60)),
            "leave it out; the environment is fixed",
        );
    }
    if word.glob || word.brace {
        return fault(
            "a pattern or a group where a program is named".to_owned(),
            "write the program's name out",
        );
    }
    Ok(())
}

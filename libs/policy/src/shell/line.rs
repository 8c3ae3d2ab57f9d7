//! What a line stands for: argument vectors, how they are joined, and where their data goes.

use std::fmt;

/// The longest line, in bytes.
pub const MAX_BYTES: usize = shared_types::action::MAX_LINE;
/// The most commands of one line.
pub const MAX_COMMANDS: usize = 32;
/// The most words of one line, targets of redirects included.
pub const MAX_WORDS: usize = 256;

/// A line as it was parsed: what would run, in order. Only what is in here is ever started.
///
/// Its `Display` is a line that parses to the same again, and that reads the same to every shell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// Its pipelines, at least one.
    pub pipelines: Vec<Pipeline>,
}

/// Commands that run beside each other, each one's output the next one's input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// When it runs.
    pub joined: Join,
    /// Its commands, at least one.
    pub commands: Vec<Command>,
}

/// When a pipeline runs. What was left out by `&&` or `||` keeps the exit code of what ran last, as in a shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Join {
    First,
    /// After the one before (`;`).
    Then,
    /// After a success before it (`&&`).
    And,
    /// After a failure before it (`||`).
    Or,
}

/// One program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The program and its arguments, without quotes; never empty, and the program is never a pattern.
    pub argv: Vec<String>,
    /// Which of them are patterns (`*`, `?`, `[a-z]`) for [`Command::expanded`]; as long as `argv`.
    pub globs: Vec<bool>,
    /// Its redirects, from left to right.
    pub redirects: Vec<Redirect>,
}

/// Where one descriptor of a command leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The descriptor: 0, 1 or 2.
    pub fd: u8,
    /// What is done with it.
    pub kind: RedirectKind,
    /// The file; empty for [`RedirectKind::ErrToOut`] alone.
    pub path: String,
}

/// What a redirect does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RedirectKind {
    /// Reads a file (`<`).
    In,
    /// Writes a file anew (`>`).
    Out,
    /// Writes at a file's end (`>>`).
    Append,
    /// Standard error goes where standard output goes now (`2>&1`).
    ErrToOut,
}

impl Line {
    /// Its commands, in the order of the line.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.pipelines.iter().flat_map(|pipeline| &pipeline.commands)
    }
}

impl Command {
    /// The argument vector with its patterns expanded: `find` answers the names that one pattern matches, in the order in
    /// which they are to stand. A pattern that matches nothing stays as it is, as in a shell. A name that begins with
    /// `-` gets `./` before it, so that no file can pass for an option.
    pub fn expanded(&self, mut find: impl FnMut(&str) -> Vec<String>) -> Vec<String> {
        let mut argv = Vec::with_capacity(self.argv.len());
        for (word, is_glob) in self.argv.iter().zip(&self.globs) {
            let names = if *is_glob { find(word) } else { Vec::new() };
            if names.is_empty() {
                argv.push(word.clone());
            }
            argv.extend(names.into_iter().map(|n| if n.starts_with('-') { format!("./{n}") } else { n }));
        }
        argv
    }
}

/// One word, quoted so that every shell reads it as it is.
pub fn quoted(word: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_./:@%+,-=".contains(&b);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A pattern, with the parts that are not a pattern quoted. One with brackets holds nothing that needs quotes.
fn quoted_glob(word: &str) -> String {
    if word.contains('[') {
        return word.to_owned();
    }
    let mut shown = String::new();
    let mut rest = word;
    while let Some(at) = rest.find(['*', '?']) {
        if at > 0 {
            shown.push_str(&quoted(&rest[..at]));
        }
        shown.push_str(&rest[at..=at]);
        rest = &rest[at + 1..];
    }
    if !rest.is_empty() {
        shown.push_str(&quoted(rest));
    }
    shown
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for pipeline in &self.pipelines {
            f.write_str(match pipeline.joined {
                Join::First => "",
                Join::Then => "; ",
                Join::And => " && ",
                Join::Or => " || ",
            })?;
            for (at, command) in pipeline.commands.iter().enumerate() {
                write!(f, "{}{command}", if at == 0 { "" } else { " | " })?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (word, is_glob)) in self.argv.iter().zip(&self.globs).enumerate() {
            let shown = if *is_glob { quoted_glob(word) } else { quoted(word) };
            write!(f, "{}{shown}", if at == 0 { "" } else { " " })?;
        }
        self.redirects.iter().try_for_each(|redirect| write!(f, " {redirect}"))
    }
}

impl fmt::Display for Redirect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.kind {
            RedirectKind::In => "<",
            RedirectKind::Out => ">",
            RedirectKind::Append => ">>",
            RedirectKind::ErrToOut => return f.write_str("2>&1"),
        };
        let usual = u8::from(self.kind != RedirectKind::In);
        match self.fd == usual {
            true => write!(f, "{sign} {}", quoted(&self.path)),
            false => write!(f, "{}{sign} {}", self.fd, quoted(&self.path)),
        }
    }
}

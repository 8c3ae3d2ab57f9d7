//! A line as a person types it, parsed to argument vectors and judged; nothing is run here.

use shared_types::grants::CommandPattern;
use shared_types::risk::Risk;

/// Always forbidden, beside what is configured.
pub const FORBIDDEN: [&str; 5] = ["rm", "shutdown", "reboot", "mkfs", "dd"];

/// What would run, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The pipelines.
    pub pipelines: Vec<Pipeline>,
}

/// Commands joined by pipes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pipeline {
    /// How it follows the one before.
    pub joined: Join,
    /// Its commands.
    pub commands: Vec<Command>,
}

/// How a pipeline follows the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// It is the first.
    First,
    /// Whatever came of that.
    Then,
    /// If that did well.
    And,
    /// If that failed.
    Or,
}

/// One program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The words.
    pub argv: Vec<String>,
    /// Which of them are patterns of file names.
    pub globs: Vec<bool>,
    /// Where its streams lead.
    pub redirects: Vec<Redirect>,
}

/// A stream that leads elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The stream.
    pub fd: u8,
    /// How.
    pub kind: RedirectKind,
    /// The file.
    pub path: String,
}

/// How a stream is led elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectKind {
    /// Read from a file.
    In,
    /// Written to a file.
    Out,
    /// Added to a file.
    Append,
    /// Standard error goes where standard output goes.
    ErrToOut,
}

/// Why a line is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at byte {position}: {what}; {next}")]
pub struct ParseFault {
    /// Where.
    pub position: usize,
    /// What.
    pub what: String,
    /// The lawful next step.
    pub next: &'static str,
}

/// What is allowed and forbidden.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// The first words of commands.
    pub allowed: &'a [CommandPattern],
    /// Programs.
    pub forbidden: &'a [String],
}

/// The judgement; the worst part decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The worst of the parts.
    pub risk: Risk,
    /// Each command.
    pub parts: Vec<Part>,
}

/// The judgement of one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its words.
    pub argv: Vec<String>,
    /// What it could do.
    pub risk: Risk,
    /// The rule.
    pub rule: &'static str,
    /// Why.
    pub why: String,
}

/// Parses a line.
///
/// # Errors
/// What cannot be run without a shell.
pub fn parse(line: &str) -> Result<Line, ParseFault> {
    let fault = |position, what: &str| ParseFault {
        position,
        what: what.to_owned(),
        next: "write plain programs, arguments, pipes and redirections",
    };
    let mut pipelines = vec![];
    let (mut joined, mut commands) = (Join::First, vec![]);
    let mut now = Command { argv: vec![], globs: vec![], redirects: vec![] };
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            ' ' | '\t' => {}
            '|' | ';' | '&' => {
                let twice = chars.next_if(|(_, next)| *next == c).is_some();
                if now.argv.is_empty() || (c == '&' && !twice) || (c == ';' && twice) {
                    return Err(fault(at, "no command stands there"));
                }
                commands.push(now);
                now = Command { argv: vec![], globs: vec![], redirects: vec![] };
                if c != '|' || twice {
                    pipelines.push(Pipeline { joined, commands: std::mem::take(&mut commands) });
                    joined = match c {
                        ';' => Join::Then,
                        '&' => Join::And,
                        _ => Join::Or,
                    };
                }
            }
            '<' | '>' => {
                let kind = match c {
                    '<' => RedirectKind::In,
                    _ if chars.next_if(|(_, next)| *next == '>').is_some() => RedirectKind::Append,
                    _ => RedirectKind::Out,
                };
                if chars.next_if(|(_, next)| *next == '&').is_some() {
                    let one = chars.next_if(|(_, next)| *next == '1').is_some();
                    if now.argv.pop().as_deref() != Some("2") || !one {
                        return Err(fault(at, "only 2>&1"));
                    }
                    now.globs.pop();
                    now.redirects.push(Redirect { fd: 2, kind: RedirectKind::ErrToOut, path: String::new() });
                    continue;
                }
                let mut fd = u8::from(kind != RedirectKind::In);
                if line[..at].ends_with(" 2") {
                    now.argv.pop();
                    now.globs.pop();
                    fd = 2;
                }
                let mut path = String::new();
                while chars.next_if(|(_, next)| *next == ' ').is_some() {}
                while let Some((_, next)) = chars.next_if(|(_, next)| !" |;&<>".contains(*next)) {
                    path.push(next);
                }
                now.redirects.push(Redirect { fd, kind, path });
            }
            '$' | '`' | '(' | ')' | '{' | '~' | '\\' => return Err(fault(at, "that needs a shell")),
            _ => {
                let (mut word, mut glob, mut next) = (String::new(), false, Some(c));
                while let Some(c) = next {
                    if c == '\'' || c == '"' {
                        for (_, inner) in chars.by_ref().take_while(|(_, inner)| *inner != c) {
                            word.push(inner);
                        }
                    } else {
                        glob |= "*?[".contains(c);
                        word.push(c);
                    }
                    next = chars.next_if(|(_, c)| !" |;&<>$`()".contains(*c)).map(|(_, c)| c);
                }
                now.argv.push(word);
                now.globs.push(glob);
            }
        }
    }
    if now.argv.is_empty() {
        return Err(fault(line.len(), "no command stands there"));
    }
    commands.push(now);
    pipelines.push(Pipeline { joined, commands });
    Ok(Line { pipelines })
}

/// Judges a line.
pub fn judge(line: &Line, rules: &Rules<'_>) -> Judgement {
    let part = |command: &Command| {
        let name = command.argv.first().map(|word| word.rsplit('/').next().unwrap_or(word)).unwrap_or_default();
        let (risk, rule) = if FORBIDDEN.contains(&name) || rules.forbidden.iter().any(|f| f == name) {
            (Risk::Blocked, "forbidden-command")
        } else if rules.allowed.iter().any(|pattern| pattern.matches(&command.argv)) {
            (Risk::Medium, "allowed-command")
        } else {
            (Risk::High, "unlisted-command")
        };
        Part { argv: command.argv.clone(), risk, rule, why: format!("`{name}`") }
    };
    let parts: Vec<Part> = line.pipelines.iter().flat_map(|p| &p.commands).map(part).collect();
    let risk = parts.iter().map(|p| p.risk).max().unwrap_or(Risk::High);
    Judgement { risk, parts }
}

//! A parsed line to its risk.

use std::cell::Cell;

use shared_types::risk::Risk;
use shared_types::text::cut;

use super::destroy;
use super::finding::Finding;
use super::interpreters::runs_its_input;
use super::line::{Line, Redirect, RedirectKind};
use super::names::downloads;
use super::parse::parse;
use super::program::look;
use super::rules::Rules;
use super::suspect::suspect;

/// How risky a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Judgement {
    /// The worst of its parts.
    pub risk: Risk,
    /// One for each command, in the order of the line.
    pub parts: Vec<Part>,
}

/// How risky one command is, with all that it would start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its argument vector, as it was written.
    pub argv: Vec<String>,
    pub risk: Risk,
    /// The rule, by its name in the documentation.
    pub rule: &'static str,
    /// Why, in words that are safe to show, with a lawful next step where it is refused.
    pub why: String,
}

/// Judges a parsed line. Nothing is low: a command is medium at least.
pub fn judge(line: &Line, rules: &Rules<'_>) -> Judgement {
    judge_at(line, &Scope { rules, depth: 0, texts: &Cell::new(0) })
}

/// Parses and judges in one step. A line that does not parse is high at least: it never runs, and what the look at its
/// words finds can only make it blocked.
pub fn judge_text(line: &str, rules: &Rules<'_>) -> (Option<Line>, Judgement) {
    match parse(line) {
        Ok(parsed) => {
            let judgement = judge(&parsed, rules);
            (Some(parsed), judgement)
        }
        Err(fault) => {
            let high = Finding::high("unparsed", fault.to_string());
            let Finding { risk, rule, why } = high.or_worse_if(suspect(line, rules.forbidden));
            (None, Judgement { risk, parts: vec![Part { argv: Vec::new(), risk, rule, why }] })
        }
    }
}

/// Under which rules something is judged, and how deep in texts of other commands it stands.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) rules: &'a Rules<'a>,
    pub(super) depth: usize,
    /// How many texts were looked at so far.
    pub(super) texts: &'a Cell<usize>,
}

pub(super) fn judge_at(line: &Line, scope: &Scope<'_>) -> Judgement {
    let mut parts = Vec::new();
    for pipeline in &line.pipelines {
        let mut downloaded: Option<String> = None;
        for (at, command) in pipeline.commands.iter().enumerate() {
            let sight = look(&command.argv, &command.globs, scope);
            let mut found = sight.found;
            for redirect in &command.redirects {
                found = found.or_worse(redirected(redirect));
            }
            let fed = at > 0 || command.redirects.iter().any(|r| r.kind == RedirectKind::In);
            if let Some(runner) = sight.programs.iter().find(|program| fed && runs_its_input(program)) {
                found = found.or_worse(match &downloaded {
                    Some(source) => Finding::piped(source, runner),
                    None => Finding::high(
                        "interpreter",
                        format!(
                            "`{}` would run what it reads; write those commands themselves",
                            cut(runner, 40)
                        ),
                    ),
                });
            }
            downloaded = downloaded.or_else(|| sight.programs.iter().find(|p| downloads(p)).cloned());
            parts.push(Part {
                argv: command.argv.clone(),
                risk: found.risk,
                rule: found.rule,
                why: found.why,
            });
        }
    }
    let risk = parts.iter().map(|part| part.risk).max().unwrap_or(Risk::High);
    Judgement { risk, parts }
}

/// What one redirect does.
fn redirected(redirect: &Redirect) -> Finding {
    let path = redirect.path.as_str();
    let shown = cut(path, 60);
    let writes = matches!(redirect.kind, RedirectKind::Out | RedirectKind::Append);
    if redirect.kind == RedirectKind::ErrToOut || matches!(path, "/dev/null" | "/dev/stdout" | "/dev/stderr")
    {
        return Finding::medium("nothing but the command's own output");
    }
    if writes && destroy::is_a_device(path) {
        return Finding::blocked(
            "destructive",
            format!("it would write into the device or kernel file `{shown}`"),
        );
    }
    let hidden = writes && destroy::leaves_or_hides(path);
    if hidden || path.starts_with('/') || path.split('/').any(|part| part == "..") {
        let why = format!(
            "`{shown}` lies outside the command's own folder, or is hidden there; name a file without `/` at its \
             beginning, `..` and hidden names"
        );
        return Finding::high("redirect", why);
    }
    Finding::medium("a file of the command's own folder")
}

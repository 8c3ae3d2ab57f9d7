//! What a package changes beside the version that is installed: rights and tools first, then the source.

use std::collections::BTreeSet;
use std::time::Duration;

use shared_types::text::{block, line};
use similar::{ChangeTag, TextDiff, TextDiffConfig};

use super::pages::line::{Line, Origin, Span, Tone};
use super::report::Report;
use super::words::Words;

/// Unchanged lines that are shown around each change.
const CONTEXT: usize = 3;
/// The longest search for a small difference; after it a larger one is shown, which is true as well.
const LONGEST: Duration = Duration::from_millis(500);

/// The difference of two sources, as lines that begin with `+`, `-` or a space; nothing where they are alike.
pub fn sources(old: &str, new: &str) -> Vec<Line> {
    // A line's end at the end of a text does not count as a difference.
    let whole = |text: &str| format!("{}\n", block(text));
    let (old, new) = (whole(old), whole(new));
    let mut how = TextDiffConfig::default();
    how.timeout(LONGEST);
    let diff: TextDiff<'_, '_, str> = how.diff_lines(old.as_str(), new.as_str());
    let mut lines = vec![];
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        lines.push(code(Tone::Quiet, &hunk.header().to_string()));
        for change in hunk.iter_changes() {
            let (mark, tone) = match change.tag() {
                ChangeTag::Insert => ('+', Tone::Good),
                ChangeTag::Delete => ('-', Tone::Bad),
                ChangeTag::Equal => (' ', Tone::Plain),
            };
            lines.push(code(tone, &format!("{mark} {}", change.value().trim_end_matches('\n'))));
        }
    }
    lines
}

/// What else changes: rights, hosts, tools and what the assistant will read of them. Each is named, with `+` or `-`.
pub fn reports(words: Words, old: &Report, new: &Report) -> Vec<Line> {
    let mut lines = vec![];
    let mut add = |origin, label: &str, before: BTreeSet<String>, after: BTreeSet<String>| {
        let gone = before.difference(&after).map(|text| (Tone::Good, '-', text));
        let come = after.difference(&before).map(|text| (Tone::Caution, '+', text));
        for (tone, mark, text) in gone.chain(come) {
            // A right that is new weighs more than one that goes.
            let tone = if origin == Origin::Words { Tone::Plain } else { tone };
            for (n, part) in block(text).lines().enumerate() {
                let (label, mark) = if n == 0 { (label, mark) } else { ("", ' ') };
                let label = Span { text: format!("{label:11} "), tone: Tone::Quiet };
                let value = Span { text: format!("{mark} {}", line(part)), tone };
                lines.push(Line { spans: vec![label, value], origin });
            }
        }
    };
    let texts = |items: &mut dyn Iterator<Item = String>| items.collect::<BTreeSet<String>>();
    let tokens = |r: &Report| texts(&mut r.derived.iter().map(|t| t.to_string()));
    add(Origin::Facts, words.say("granted-now"), tokens(old), tokens(new));
    let hosts = |r: &Report| texts(&mut r.network.iter().map(ToString::to_string));
    add(Origin::Facts, words.say("hosts"), hosts(old), hosts(new));
    let secrets = |r: &Report| texts(&mut r.secrets.iter().map(ToString::to_string));
    add(Origin::Facts, words.say("secrets"), secrets(old), secrets(new));
    let reach = |r: &Report| {
        let scope = |scope| match scope == Default::default() {
            true => words.say("reach-own"),
            false => words.say("reach-profile"),
        };
        let memory = words.fill("reach-memory", &[("scope", scope(r.memory_scope))]);
        texts(&mut [memory, words.fill("reach-files", &[("scope", scope(r.file_scope))])].into_iter())
    };
    add(Origin::Facts, words.say("reach"), reach(old), reach(new));
    let events = |r: &Report| {
        let (sends, receives) = (words.say("sends"), words.say("receives"));
        let sent = r.emits_events.iter().map(|e| format!("{sends} {e}"));
        texts(&mut sent.chain(r.handles_events.iter().map(|e| format!("{receives} {e}"))))
    };
    add(Origin::Facts, words.say("events"), events(old), events(new));
    let tools = |r: &Report| {
        let parameters = |t: &shared_types::described::DescribedTool| {
            t.parameters.properties().map(|(name, _)| name.to_owned()).collect::<Vec<_>>().join(", ")
        };
        texts(&mut r.described.tools.iter().map(|t| format!("{}({})", t.name, parameters(t))))
    };
    add(Origin::Facts, words.say("tools"), tools(old), tools(new));
    let descriptions =
        |r: &Report| texts(&mut r.described.tools.iter().map(|t| format!("{}: {}", t.name, t.description)));
    add(Origin::Words, words.say("described"), descriptions(old), descriptions(new));
    let phrases = |r: &Report| {
        let of = |t: &shared_types::described::DescribedTool| {
            let name = t.name.clone();
            t.phrases.iter().map(move |(language, p)| format!("{name}, {language}: {p}")).collect::<Vec<_>>()
        };
        texts(&mut r.described.tools.iter().flat_map(of))
    };
    add(Origin::Words, words.say("phrases"), phrases(old), phrases(new));
    lines
}

fn code(tone: Tone, text: &str) -> Line {
    Line { spans: vec![Span { text: line(text), tone }], origin: Origin::Code }
}

#[cfg(test)]
mod tests;

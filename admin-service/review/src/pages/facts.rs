//! The pages that this program vouches for: the trial, the facts.

use builder::workers::TrialRun;
use guest::Need;
use shared_types::capability::Token;
use shared_types::text::{block, line};

use super::line::{Line, Origin, Page, Tone};
use crate::report::Report;
use crate::sentence::{Powers, sentence};
use crate::words::{Words, label};

/// Every call that was tried, with what it cost and whom it would have reached.
pub(super) fn trials(words: Words, report: &Report) -> Page {
    let mut page = Page::new("trial", words.say("trial-page"));
    if report.trials.is_empty() {
        page.add(Origin::Facts, Tone::Caution, "", words.say("nothing-tried"));
        return page;
    }
    for trial in report.trials.iter().filter(|t| !t.is_edge()) {
        one(&mut page, words, trial, if trial.passed { label("passed") } else { label("failed") });
    }
    let edges: Vec<&TrialRun> = report.trials.iter().filter(|t| t.is_edge()).collect();
    if !edges.is_empty() {
        page.lines.push(Line::new(Origin::Facts, Tone::Plain, ""));
        page.lines.push(Line::new(Origin::Facts, Tone::Plain, words.say("edges-head")));
    }
    for trial in edges {
        one(&mut page, words, trial, if trial.passed { label("answers") } else { label("breaks") });
    }
    page.lines.push(Line::new(Origin::Facts, Tone::Plain, ""));
    page.lines.push(Line::new(Origin::Facts, Tone::Quiet, words.say("trial-note")));
    page
}

fn one(page: &mut Page, words: Words, trial: &TrialRun, mark: &'static str) {
    let tone = if trial.passed { Tone::Good } else { Tone::Bad };
    let args = shared_types::text::cut(&trial.args.to_string(), 200);
    if !trial.sentence.is_empty() {
        page.add(Origin::Words, Tone::Plain, words.say("said"), &trial.sentence);
    }
    if trial.held_back {
        page.add(Origin::Facts, Tone::Strong, words.say("held-back"), words.say("held-back-example"));
    }
    page.add(
        Origin::Facts,
        tone,
        words.say(mark),
        &format!("{} {args} -> {}", trial.tool, line(&trial.answer)),
    );
    if !trial.passed && trial.is_example() {
        page.add(
            Origin::Facts,
            Tone::Bad,
            "",
            &words.fill("should-give", &[("expected", &line(&trial.expect))]),
        );
    }
    let called = |name: &str, n: &str| words.fill("called", &[("name", name), ("count", n)]);
    let calls: Vec<String> =
        trial.host_calls.iter().map(|(name, n)| called(&name.to_string(), &n.to_string())).collect();
    let calls = if calls.is_empty() { words.say("no-host-calls").to_owned() } else { calls.join(", ") };
    let (fuel, ms) = (trial.fuel.to_string(), trial.ms.to_string());
    let memory = trial.memory.div_ceil(1024).to_string();
    let facts = [("calls", calls.as_str()), ("fuel", &fuel), ("ms", &ms), ("memory", &memory)];
    page.add(Origin::Facts, Tone::Quiet, "", &words.fill("cost", &facts));
    for did in &trial.did {
        page.add(Origin::Facts, Tone::Strong, "", &block(did));
    }
}

/// What was derived: tokens side by side, the module's bounds, the digests.
pub(super) fn facts(words: Words, report: &Report) -> Page {
    let mut page = Page::new("facts", words.say("facts-page"));
    let in_short = sentence(words, &Powers::from(report));
    page.add(Origin::Facts, Tone::Plain, words.say("in-short"), &in_short);
    tokens(&mut page, words, report);
    let mut add = |label: &str, value: &str| page.add(Origin::Facts, Tone::Plain, label, value);
    let number = |n: u64| n.to_string();
    let (attempt, lines) = (number(report.attempt.into()), report.lines.to_string());
    let written = [("author", report.author.as_str()), ("attempt", &attempt), ("lines", &lines)];
    add(words.say("written-by"), &words.fill("written", &written));
    let module = &report.module;
    let bytes = module.size.to_string();
    add(words.say("module"), &words.fill("module-is", &[("bytes", &bytes), ("compiler", &report.compiler)]));
    let kib = |pages: u32| number(u64::from(pages) * 64);
    let most = match module.memory_max_pages {
        None => words.say("no-bound").to_owned(),
        Some(pages) => words.fill("at-most", &[("memory", &kib(pages))]),
    };
    let (least, tables) = (kib(module.memory_min_pages), module.tables.to_string());
    let bounds = [("memory", least.as_str()), ("most", &most), ("tables", &tables)];
    add(words.say("bounds"), &words.fill("bounds-are", &bounds));
    add(words.say("exports"), &module.exports.join(" "));
    if !module.custom_sections.is_empty() {
        let names = module.custom_sections.join(" ");
        add(words.say("sections"), &words.fill("sections-are", &[("names", &names)]));
    }
    add(words.say("source"), report.source_sha256.as_str());
    add(words.say("digest"), report.module_sha256.as_str());
    let numbers = [report.version.into(), report.base_version.into(), report.manifest_serial].map(number);
    let [version, base, serial] = numbers.each_ref().map(String::as_str);
    let version = [("version", version), ("base", base), ("serial", serial)];
    add(words.say("version"), &words.fill("version-is", &version));
    page
}

/// Each token that was derived or asked for: granted or not, by which imports, asked for or not.
fn tokens(page: &mut Page, words: Words, report: &Report) {
    let imports = |wanted: Need| -> String {
        let named = report.module.imports.iter().filter(|f| f.token() == wanted).map(|f| f.name());
        named.collect::<Vec<_>>().join(" ")
    };
    let free = imports(Need::Nothing);
    let free = if free.is_empty() { words.say("nothing") } else { &free };
    page.add(
        Origin::Facts,
        Tone::Plain,
        words.say("imports"),
        &words.fill("open-to-all", &[("names", free)]),
    );
    for token in Token::ALL {
        let (derived, declared) = (report.derived.contains(token), report.declared.contains(token));
        let names = imports(Need::Token(token));
        let names = [("names", names.as_str())];
        let (tone, said) = match (derived, declared) {
            (false, false) => continue,
            (true, true) => (Tone::Strong, words.fill("token-granted", &names)),
            (true, false) => (Tone::Bad, words.fill("token-unasked", &names)),
            (false, true) => (Tone::Caution, words.say("token-unused").to_owned()),
        };
        page.add(Origin::Facts, tone, words.say("token"), &format!("{:13}  {said}", token.as_str()));
    }
    if report.derived.is_empty() && report.declared.is_empty() {
        page.add(Origin::Facts, Tone::Good, words.say("tokens"), words.say("tokens-none"));
    }
    if report.module.emits {
        page.add(Origin::Facts, Tone::Strong, words.say("events"), words.say("may-dispatch"));
    }
}

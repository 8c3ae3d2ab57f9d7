//! The pages that this program vouches for: the trial, the facts.

use builder::children::TrialRun;
use guest::Need;
use shared_types::capability::Token;
use shared_types::text::{block, line};

use super::line::{Line, Origin, Page, Tone};
use crate::report::Report;

/// Every call that was tried, with what it cost and whom it would have reached.
pub(super) fn trials(report: &Report) -> Page {
    let mut page = Page::new("trial", "TRIAL (run by this program beside a host that only records)");
    if report.trials.is_empty() {
        page.add(Origin::Facts, Tone::Caution, "", "nothing was tried");
        return page;
    }
    for trial in report.trials.iter().filter(|t| !t.is_edge()) {
        one(&mut page, trial, if trial.passed { "ok" } else { "FAIL" });
    }
    let edges: Vec<&TrialRun> = report.trials.iter().filter(|t| t.is_edge()).collect();
    if !edges.is_empty() {
        page.lines.push(Line::new(Origin::Facts, Tone::Plain, ""));
        let head = "Edge cases, made from the parameters; any answer is right, as long as there is one.";
        page.lines.push(Line::new(Origin::Facts, Tone::Plain, head));
    }
    for trial in edges {
        one(&mut page, trial, if trial.passed { "answers" } else { "BREAKS" });
    }
    page.lines.push(Line::new(Origin::Facts, Tone::Plain, ""));
    let note = "A skill can tell that it is tried. What it can reach at all stands under GRANTED, not here.";
    page.lines.push(Line::new(Origin::Facts, Tone::Quiet, note));
    page
}

fn one(page: &mut Page, trial: &TrialRun, mark: &str) {
    let tone = if trial.passed { Tone::Good } else { Tone::Bad };
    let args = shared_types::text::cut(&trial.args.to_string(), 200);
    if !trial.sentence.is_empty() {
        page.add(Origin::Words, Tone::Plain, "said", &trial.sentence);
    }
    if trial.held_back {
        page.add(
            Origin::Facts,
            Tone::Strong,
            "held back",
            "an example that the writer of the source was not shown",
        );
    }
    page.add(Origin::Facts, tone, mark, &format!("{} {args} -> {}", trial.tool, line(&trial.answer)));
    if !trial.passed && trial.is_example() {
        page.add(Origin::Facts, Tone::Bad, "", &format!("should give: {}", line(&trial.expect)));
    }
    let calls: Vec<String> = trial.host_calls.iter().map(|(name, n)| format!("{name} {n} times")).collect();
    let calls = if calls.is_empty() { "nothing of the host".to_owned() } else { calls.join(", ") };
    let cost = format!(
        "used {calls}; {} fuel, {} ms, {} KiB of memory",
        trial.fuel,
        trial.ms,
        trial.memory.div_ceil(1024)
    );
    page.add(Origin::Facts, Tone::Quiet, "", &cost);
    for did in &trial.did {
        page.add(Origin::Facts, Tone::Strong, "", &block(did));
    }
}

/// What was derived: tokens side by side, the module's bounds, the digests.
pub(super) fn facts(report: &Report) -> Page {
    let mut page = Page::new("facts", "FACTS (derived by this program)");
    page.add(Origin::Facts, Tone::Plain, "in short", &report.sentence);
    tokens(&mut page, report);
    let mut add = |label: &str, value: &str| page.add(Origin::Facts, Tone::Plain, label, value);
    add("written by", &format!("{}, attempt {}; {} lines", report.author, report.attempt, report.lines));
    let module = &report.module;
    add("module", &format!("{} bytes by {}", module.size, report.compiler));
    let most = module
        .memory_max_pages
        .map_or("no bound of its own".to_owned(), |p| format!("at most {} KiB", u64::from(p) * 64));
    let memory = u64::from(module.memory_min_pages) * 64;
    add("bounds", &format!("memory {memory} KiB at the start, {most}; {} table(s)", module.tables));
    add("exports", &module.exports.join(" "));
    if !module.custom_sections.is_empty() {
        add("sections", &format!("{} (they never run)", module.custom_sections.join(" ")));
    }
    add("source", report.source_sha256.as_str());
    add("digest", report.module_sha256.as_str());
    let version = format!(
        "{} (replaces {}), analysed against manifest {}",
        report.version, report.base_version, report.manifest_serial
    );
    add("version", &version);
    page
}

/// Each token that was derived or asked for: granted or not, by which imports, asked for or not.
fn tokens(page: &mut Page, report: &Report) {
    let imports = |wanted: Need| -> String {
        let named = report.module.imports.iter().filter(|f| f.token() == wanted).map(|f| f.name());
        named.collect::<Vec<_>>().join(" ")
    };
    let free = imports(Need::Nothing);
    let free = if free.is_empty() { "nothing".to_owned() } else { free };
    page.add(Origin::Facts, Tone::Plain, "imports", &format!("{free} (open to every skill)"));
    for token in Token::ALL {
        let (derived, declared) = (report.derived.contains(token), report.declared.contains(token));
        let (tone, words) = match (derived, declared) {
            (false, false) => continue,
            (true, true) => {
                (Tone::Strong, format!("granted: it imports {}; asked for", imports(Need::Token(token))))
            }
            (true, false) => {
                (Tone::Bad, format!("it imports {}; NOT asked for", imports(Need::Token(token))))
            }
            (false, true) => (Tone::Caution, "not granted: asked for, but it imports nothing of it".into()),
        };
        page.add(Origin::Facts, tone, "token", &format!("{:13}  {words}", token.as_str()));
    }
    if report.derived.is_empty() && report.declared.is_empty() {
        page.add(Origin::Facts, Tone::Good, "tokens", "none: derived none, asked for none");
    }
    if report.module.emits {
        page.add(Origin::Facts, Tone::Strong, "events", "it imports dispatch, so it can send events");
    }
}

pub(super) fn list<T: std::fmt::Display>(items: &[T]) -> String {
    if items.is_empty() {
        return "nothing".to_owned();
    }
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

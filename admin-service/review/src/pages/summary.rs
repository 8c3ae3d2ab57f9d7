//! The first page: what it does and what to say to it, what came of trying that, what it may do, and for whom it is.

use base::home::Home;
use base::profiles;
use builder::children::TrialRun;
use jiff::Timestamp;
use ledger::Book;
use ledger::ticket::Ticket;
use shared_types::recipients::Recipients;
use shared_types::text::{cut, line};

use super::facts::list;
use super::line::{Origin, Page, Tone};
use crate::age::age;
use crate::decision;
use crate::report::Report;

/// The most sentences of the author that are shown.
const MOST_SENTENCES: usize = 3;

pub(super) fn page(home: &Home, book: &Book, ticket: &Ticket, report: &Report) -> Page {
    let mut page = Page::new("summary", "SUMMARY (made by this program from the compiled module)");
    page.add(Origin::Words, Tone::Plain, "its author", &what_and_how(report));
    for trial in report.ordinary().into_iter().chain(report.trials.iter().filter(|t| t.held_back)) {
        tried(&mut page, trial);
    }
    rights(&mut page, report);
    let mut add = |tone, label: &str, value: &str| page.add(Origin::Facts, tone, label, value);
    let needs = &ticket.proposal().dependencies;
    match needs.is_empty() {
        true => add(Tone::Plain, "needs", "no other skill"),
        false => add(Tone::Strong, "needs", &format!("the skills {}", list(needs))),
    }
    let (tone, whom) = goes_to(home, &decision::recipients(book, ticket));
    add(tone, "goes to", &whom);
    if report.base_version > 0 {
        add(Tone::Strong, "replaces", &format!("version {}, which stays until a yes", report.base_version));
    }
    let refusals = book.refused_before(ticket);
    if let Some(last) = refusals.last() {
        let ago = age(&last.timestamp, Timestamp::now());
        let often = if refusals.len() > 1 { format!(" ({} times)", refusals.len()) } else { String::new() };
        let why = cut(&line(last.reason.as_deref().unwrap_or("no reason")), 200);
        add(Tone::Caution, "refused", &format!("before: {ago} ago by {}, `{why}`{often}", last.actor));
    }
    add(Tone::Good, "scan", &format!("clean: none of its {} lines breaks a rule", report.lines));
    if report.findings.is_empty() {
        add(Tone::Good, "findings", "none");
    }
    for finding in &report.findings {
        let tone = if finding.violation { Tone::Bad } else { Tone::Caution };
        add(tone, "finding", &format!("[{}] {}", finding.rule, finding.text));
    }
    let of = |wanted: fn(&TrialRun) -> bool| {
        let all = report.trials.iter().filter(|t| wanted(t));
        let passed = all.clone().filter(|t| t.passed).count();
        (passed, all.count())
    };
    let (passed, all) = of(TrialRun::is_example);
    let tone = if passed == all { Tone::Good } else { Tone::Caution };
    add(tone, "trials", &format!("{passed} of {all} as expected"));
    let (passed, all) = of(TrialRun::is_edge);
    if all > 0 {
        let tone = if passed == all { Tone::Good } else { Tone::Caution };
        add(tone, "edge cases", &format!("{passed} of {all} answered"));
    }
    add(Tone::Strong, "RECOMMEND", report.recommendation.as_str());
    page
}

/// What the author says that it does, and a sentence to say for each tool; where there is none, a pattern.
fn what_and_how(report: &Report) -> String {
    let say = |t: &shared_types::described::DescribedTool| {
        t.examples.first().or_else(|| t.phrases.first().map(|(_, pattern)| pattern)).cloned()
    };
    let sentences: Vec<String> = report.described.tools.iter().filter_map(say).take(MOST_SENTENCES).collect();
    // One tool says more of itself than the skill as a whole.
    let what = match report.described.tools.as_slice() {
        [only] => &only.description,
        _ => &report.described.description,
    };
    let what = what.trim().trim_end_matches('.');
    match sentences.is_empty() {
        true => what.to_owned(),
        false => format!("{what}. Say: {}", sentences.join("; ")),
    }
}

/// One call, with its answer.
fn tried(page: &mut Page, trial: &TrialRun) {
    let asked = match trial.sentence.as_str() {
        "" => format!("{} {}", trial.tool, cut(&trial.args.to_string(), 200)),
        sentence => line(sentence),
    };
    let label = if trial.held_back { "held back" } else { "tried" };
    let tone = if trial.passed { Tone::Good } else { Tone::Bad };
    let wrong = match trial.is_example() && !trial.passed {
        true => format!(" (WRONG: should give {})", line(&trial.expect)),
        false => String::new(),
    };
    page.add(Origin::Facts, tone, label, &format!("{asked} -> {}{wrong}", cut(&line(&trial.answer), 300)));
}

/// What it may do; one line where that is nothing.
fn rights(page: &mut Page, report: &Report) {
    let mut add = |tone, label: &str, value: &str| page.add(Origin::Facts, tone, label, value);
    let none =
        report.derived.is_empty() && report.emits_events.is_empty() && report.handles_events.is_empty();
    if none {
        add(Tone::Good, "GRANTED", "none: it can only work out an answer from what it is given");
    } else {
        add(Tone::Strong, "in short", &report.sentence);
        add(Tone::Strong, "GRANTED", &report.derived.to_string());
    }
    if report.declared != report.derived {
        add(Tone::Caution, "asked for", &report.declared.to_string());
    }
    if !report.network.is_empty() {
        add(Tone::Strong, "hosts", &list(&report.network));
    }
    if !report.secrets.is_empty() {
        add(Tone::Strong, "secrets", &list(&report.secrets));
    }
    if !report.emits_events.is_empty() || !report.handles_events.is_empty() {
        let events =
            format!("sends {}; receives {}", list(&report.emits_events), list(&report.handles_events));
        add(Tone::Strong, "events", &events);
    }
}

/// Whose chat may use it once it is installed, and which minors are among them.
fn goes_to(home: &Home, recipients: &Recipients) -> (Tone, String) {
    let whom = match recipients.is_everyone() {
        true => "every profile".to_owned(),
        false => recipients.to_string(),
    };
    let Ok(listed) = profiles::list(home) else { return (Tone::Caution, whom) };
    let minor = |listed: &profiles::Listed| match &listed.settings {
        Ok(settings) if settings.audience.is_minor() && recipients.include(&listed.id, settings.audience) => {
            Some(format!("the {}'s ({})", settings.audience, listed.id))
        }
        _ => None,
    };
    let minors: Vec<String> = listed.iter().filter_map(minor).collect();
    match minors.is_empty() {
        true => (Tone::Plain, whom),
        false => (Tone::Strong, format!("{whom}, {} too", minors.join(" and "))),
    }
}

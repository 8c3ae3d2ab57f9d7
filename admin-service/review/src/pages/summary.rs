//! The first page: what it does and what to say to it, what came of trying that, what it may do, and for whom it is.

use base::home::Home;
use base::profiles;
use builder::workers::{TrialKind, TrialRun};
use jiff::Timestamp;
use ledger::ticket::Ticket;
use ledger::{Ledger, Recommendation};
use shared_types::recipients::Recipients;
use shared_types::text::{cut, line};

use super::line::{Line, Origin, Page, Tone};
use crate::age::age;
use crate::decision;
use crate::report::Report;
use crate::sentence::{Powers, sentence};
use crate::words::{Words, label};

/// The screen for which page 1 is measured: what 80 columns and 24 rows leave for a page and its heading.
const COLUMNS: usize = 80;
const ROWS: usize = 18;
/// The most sentences of the author that are shown.
const MOST_SENTENCES: usize = 3;

pub(super) fn page(
    words: Words,
    home: &Home,
    ledger: &Ledger,
    ticket: &Ticket,
    report: &Report,
    source: &str,
) -> Page {
    let mut page = Page::new("summary", words.say("summary"));
    page.add(Origin::Words, Tone::Plain, words.say("author"), &what_and_how(report, words));
    let (shown, ordinary) = (report.all_shown(), report.ordinary());
    // What nobody named beforehand: the one example that was held back, or else a value of this program's own.
    let unseen =
        |t: &&TrialRun| t.held_back || (t.kind == TrialKind::Ordinary && shown.contains(&t.tool.as_str()));
    let unseen = report.trials.iter().filter(unseen).filter(|t| Some(*t) != ordinary);
    for trial in ordinary.into_iter().chain(unseen) {
        tried(&mut page, trial, words);
    }
    if !shown.is_empty() {
        let which = words.fill("held-back-none", &[("tools", &list(&shown, words))]);
        page.add(Origin::Facts, Tone::Plain, words.say("held-back"), &which);
    }
    rights(&mut page, report, words);
    let mut add = |tone, label: &str, value: &str| page.add(Origin::Facts, tone, label, value);
    let needs = &ticket.proposal().dependencies;
    match needs.is_empty() {
        true => add(Tone::Plain, words.say("needs"), words.say("needs-none")),
        false => add(
            Tone::Strong,
            words.say("needs"),
            &words.fill("needs-skills", &[("skills", &list(needs, words))]),
        ),
    }
    let (tone, whom) = goes_to(home, &decision::recipients(ledger, ticket), words);
    add(tone, words.say("goes-to"), &whom);
    if report.base_version > 0 {
        let version = report.base_version.to_string();
        add(Tone::Strong, words.say("replaces"), &words.fill("replaces-version", &[("version", &version)]));
    }
    let refusals = ledger.refused_before(ticket);
    if let Some(last) = refusals.last() {
        let ago = age(&last.timestamp, Timestamp::now());
        let why =
            last.reason.as_deref().map_or(words.say("no-reason").to_owned(), |why| cut(&line(why), 200));
        let count = refusals.len().to_string();
        let facts = [("ago", ago.as_str()), ("who", &last.actor), ("why", &why), ("count", &count)];
        let before = match refusals.len() {
            1 => words.fill("refused-before", &facts),
            _ => words.fill("refused-often", &facts),
        };
        add(Tone::Caution, words.say("refused"), &before);
    }
    let lines = report.lines.to_string();
    add(Tone::Good, words.say("scan"), &words.fill("scan-clean", &[("lines", &lines)]));
    if report.findings.is_empty() {
        add(Tone::Good, words.say("findings"), words.say("none"));
    }
    for finding in &report.findings {
        let tone = if finding.violation { Tone::Bad } else { Tone::Caution };
        add(tone, words.say("finding"), &format!("[{}] {}", finding.rule, finding.text));
    }
    let of = |wanted: fn(&TrialRun) -> bool| {
        let all = report.trials.iter().filter(|t| wanted(t));
        let (passed, all) = (all.clone().filter(|t| t.passed).count(), all.count());
        let tone = if passed == all { Tone::Good } else { Tone::Caution };
        (tone, passed.to_string(), all.to_string())
    };
    let (tone, passed, all) = of(TrialRun::is_example);
    add(tone, words.say("trials"), &words.fill("trials-passed", &[("passed", &passed), ("all", &all)]));
    let (tone, passed, all) = of(TrialRun::is_edge);
    if all != "0" {
        add(tone, words.say("edges"), &words.fill("edges-answered", &[("passed", &passed), ("all", &all)]));
    }
    add(Tone::Strong, words.say("recommend"), words.say(verdict(report.recommendation)));
    first_lines(&mut page, source, words);
    page
}

/// Adds as much of the source as fits below the facts on a small screen; it is its author's, as what it says of itself is.
fn first_lines(page: &mut Page, source: &str, words: Words) {
    let lines = source.lines().count().to_string();
    let head = words.fill("source-begins", &[("lines", &lines)]);
    let facts = page.clone();
    page.add(Origin::Facts, Tone::Quiet, words.say("source"), &head);
    let mut fits = None;
    for line in source.lines() {
        page.lines.push(Line::new(Origin::Words, Tone::Plain, line));
        if page.text(Some(COLUMNS)).lines().count() > ROWS {
            break;
        }
        fits = Some(page.lines.len());
    }
    match fits {
        Some(fits) => page.lines.truncate(fits),
        None => *page = facts,
    }
}

/// What the author says that it does, and a sentence to say for each tool; if it is missing, a pattern.
fn what_and_how(report: &Report, words: Words) -> String {
    let say = |t: &shared_types::described::DescribedTool| {
        let own = t.examples.iter().find(|text| language::detect(text).code() == words.code());
        own.or(t.examples.first()).or_else(|| t.phrases.first().map(|(_, pattern)| pattern)).cloned()
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
        false => words.fill("say", &[("what", what), ("sentences", &sentences.join("; "))]),
    }
}

/// One call, with its answer.
fn tried(page: &mut Page, trial: &TrialRun, words: Words) {
    let asked = match trial.sentence.as_str() {
        "" => format!("{} {}", trial.tool, cut(&trial.args.to_string(), 200)),
        sentence => line(sentence),
    };
    let label = if trial.held_back { words.say("held-back") } else { words.say("tried") };
    let tone = if trial.passed { Tone::Good } else { Tone::Bad };
    let mut call = format!("{asked} -> {}", cut(&line(&trial.answer), 300));
    if trial.is_example() && !trial.passed {
        call = words.fill("wrong", &[("call", &call), ("expected", &line(&trial.expect))]);
    }
    page.add(Origin::Facts, tone, label, &call);
}

/// What it may do; one line where that is nothing.
fn rights(page: &mut Page, report: &Report, words: Words) {
    let mut add = |tone, label: &str, value: &str| page.add(Origin::Facts, tone, label, value);
    let none =
        report.derived.is_empty() && report.emits_events.is_empty() && report.handles_events.is_empty();
    if none {
        add(Tone::Good, words.say("granted"), words.say("granted-none"));
    } else {
        add(Tone::Strong, words.say("in-short"), &sentence(words, &Powers::from(report)));
        add(Tone::Strong, words.say("granted"), &report.derived.to_string());
    }
    if report.declared != report.derived {
        add(Tone::Caution, words.say("asked-for"), &report.declared.to_string());
    }
    if !report.network.is_empty() {
        add(Tone::Strong, words.say("hosts"), &list(&report.network, words));
    }
    let unreadable: Vec<_> = report.network.iter().filter(|host| !host.is_readable()).collect();
    if !unreadable.is_empty() {
        add(Tone::Caution, "", &words.fill("hosts-unreadable", &[("hosts", &list(&unreadable, words))]));
    }
    if !report.secrets.is_empty() {
        add(Tone::Strong, words.say("secrets"), &list(&report.secrets, words));
    }
    if !report.emits_events.is_empty() || !report.handles_events.is_empty() {
        let (sends, receives) = (list(&report.emits_events, words), list(&report.handles_events, words));
        let events = words.fill("events-are", &[("sends", &sends), ("receives", &receives)]);
        add(Tone::Strong, words.say("events"), &events);
    }
}

/// The name of the words for a recommendation.
pub fn verdict(recommendation: Recommendation) -> &'static str {
    match recommendation {
        Recommendation::Approve => label("approve"),
        Recommendation::ApproveWithNote => label("approve-with-note"),
        Recommendation::Reject => label("reject"),
    }
}

/// Who is meant by a choice of recipients.
pub fn whom(words: Words, recipients: &Recipients) -> String {
    match recipients.is_everyone() {
        true => words.say("everyone").to_owned(),
        false => recipients.to_string(),
    }
}

/// Whose chat may use it once it is installed, and which minors are among them.
fn goes_to(home: &Home, recipients: &Recipients, words: Words) -> (Tone, String) {
    let whom = whom(words, recipients);
    let Ok(listed) = profiles::list(home) else { return (Tone::Caution, whom) };
    let minor = |listed: &profiles::Listed| match &listed.settings {
        Ok(settings) if settings.audience.is_minor() && recipients.include(&listed.id, settings.audience) => {
            let facts = [("audience", settings.audience.as_str()), ("profile", listed.id.as_str())];
            Some(words.fill("minor", &facts))
        }
        _ => None,
    };
    let minors: Vec<String> = listed.iter().filter_map(minor).collect();
    match minors.is_empty() {
        true => (Tone::Plain, whom),
        false => {
            let minors = minors.join(&format!(" {} ", words.say("and")));
            (Tone::Strong, words.fill("minors-too", &[("whom", &whom), ("minors", &minors)]))
        }
    }
}

fn list<T: std::fmt::Display>(items: &[T], words: Words) -> String {
    match items {
        [] => words.say("nothing").to_owned(),
        items => items.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    }
}

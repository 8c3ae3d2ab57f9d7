//! What a yes comes to, repeated before it counts: the second question of the screen and of the lines.

use review::pages::line::{Origin, Page, Tone};
use review::pages::summary::{verdict, whom};
use review::queue::Package;
use review::report::Report;
use review::sentence::{Powers, sentence};
use review::words::Words;
use shared_types::recipients::Recipients;

/// Shall this become a skill? Repeats all that is granted, to whom unless that is asked beside it, and what was not looked at.
pub fn skill(words: Words, report: &Report, recipients: Option<&Recipients>, unread: &[String]) -> Page {
    let mut page = Page::new("approve", words.say("yes-skill"));
    let mut add = |tone, label: &str, value: &str| page.add(Origin::Facts, tone, label, value);
    let (version, base) = (report.version.to_string(), report.base_version.to_string());
    let facts = [("name", report.name.as_str()), ("version", &version), ("base", &base)];
    let which = match report.base_version {
        0 => words.fill("version-new", &facts),
        _ => words.fill("version-replaces", &facts),
    };
    add(Tone::Strong, words.say("skill"), &which);
    add(Tone::Plain, words.say("profile"), report.profile_id.as_str());
    if let Some(recipients) = recipients {
        add(Tone::Strong, words.say("goes-to"), &whom(words, recipients));
    }
    add(Tone::Strong, words.say("in-short"), &sentence(words, &Powers::from(report)));
    let or_none = |all: &[String]| match all {
        [] => words.say("none").to_owned(),
        all => all.join(" "),
    };
    let tokens: Vec<String> = report.derived.iter().map(|token| token.to_string()).collect();
    add(Tone::Strong, words.say("granted"), &or_none(&tokens));
    let hosts: Vec<String> = report.network.iter().map(ToString::to_string).collect();
    add(Tone::Strong, words.say("hosts"), &or_none(&hosts));
    for secret in &report.secrets {
        add(Tone::Strong, words.say("secret"), &secret.to_string());
    }
    for event in &report.emits_events {
        add(Tone::Strong, words.say("sends"), &event.to_string());
    }
    for event in &report.handles_events {
        add(Tone::Strong, words.say("receives"), &event.to_string());
    }
    for finding in &report.findings {
        add(Tone::Caution, words.say("finding"), &format!("[{}] {}", finding.rule, finding.text));
    }
    add(report.recommendation.into(), words.say("recommend"), words.say(verdict(report.recommendation)));
    add_unread(&mut page, words, unread);
    page
}

/// Shall this action be done? Repeats what it is, how it was judged, and what was not looked at.
pub fn action(words: Words, package: &Package, unread: &[String]) -> Page {
    let mut page = Page::new("approve", words.say("yes-action"));
    page.add(
        Origin::Facts,
        Tone::Strong,
        words.say("action"),
        &format!("{} {}", package.item.name, package.item.id),
    );
    let shown = package.pages.iter().filter(|page| matches!(page.title.as_ref(), "action" | "judgement"));
    page.lines.extend(shown.flat_map(|shown| shown.lines.clone()));
    add_unread(&mut page, words, unread);
    page
}

/// Shall a proposal that a gate holds continue by one step?
pub fn gate(words: Words, package: &Package, unread: &[String]) -> Page {
    let item = &package.item;
    let mut page = Page::new("gate", words.say("yes-gate"));
    page.add(Origin::Facts, Tone::Strong, words.say("proposal"), &item.name);
    page.add(Origin::Facts, Tone::Plain, words.say("profile"), &item.profile);
    page.add(Origin::Facts, Tone::Strong, words.say("stands-at"), item.status.as_str());
    let held = package.pages.iter().find(|page| page.title == "gate");
    page.lines.extend(held.into_iter().flat_map(|held| held.lines.clone()));
    add_unread(&mut page, words, unread);
    page
}

/// What a person has not looked at, in words.
pub fn not_opened(words: Words, title: &str) -> String {
    words.fill("not-opened", &[("page", title)])
}

fn add_unread(page: &mut Page, words: Words, unread: &[String]) {
    for unread in unread {
        page.add(Origin::Facts, Tone::Caution, words.say("note-that"), unread);
    }
}

//! What a yes comes to, repeated before it counts: the second question of the screen and of the lines.

use review::pages::line::{Origin, Page, Tone};
use review::queue::Package;
use review::report::Report;
use shared_types::id::HostName;
use shared_types::recipients::Recipients;

/// Shall this become a skill? Repeats all that is granted, to whom unless that is asked beside it, and what was not looked at.
pub fn skill(report: &Report, recipients: Option<&Recipients>, unread: &[String]) -> Page {
    let mut page = Page::new("approve", "APPROVE? This is what a yes installs:");
    let mut add = |tone, label: &str, value: &str| page.add(Origin::Facts, tone, label, value);
    let replaced = match report.base_version {
        0 => "new".to_owned(),
        base => format!("in place of version {base}"),
    };
    add(Tone::Strong, "skill", &format!("{}, version {} ({replaced})", report.name, report.version));
    add(Tone::Plain, "profile", report.profile_id.as_str());
    if let Some(recipients) = recipients {
        add(Tone::Strong, "goes to", &recipients.to_string());
    }
    add(Tone::Strong, "in short", &report.sentence);
    add(Tone::Strong, "GRANTED", &report.derived.to_string());
    let hosts: Vec<&str> = report.network.iter().map(HostName::as_str).collect();
    add(Tone::Strong, "hosts", if hosts.is_empty() { "none".to_owned() } else { hosts.join(" ") }.as_str());
    for secret in &report.secrets {
        add(Tone::Strong, "secret", &secret.to_string());
    }
    for event in &report.emits_events {
        add(Tone::Strong, "sends", &event.to_string());
    }
    for event in &report.handles_events {
        add(Tone::Strong, "receives", &event.to_string());
    }
    for finding in &report.findings {
        add(Tone::Caution, "finding", &format!("[{}] {}", finding.rule, finding.text));
    }
    add(report.recommendation.into(), "RECOMMEND", report.recommendation.as_str());
    add_unread(&mut page, unread);
    page
}

/// Shall this action be done? Repeats what it is, how it was judged, and what was not looked at.
pub fn action(package: &Package, unread: &[String]) -> Page {
    let mut page = Page::new("approve", "APPROVE? This is what a yes lets happen:");
    page.add(Origin::Facts, Tone::Strong, "action", &format!("{} {}", package.item.name, package.item.id));
    let shown = package.pages.iter().filter(|page| matches!(page.title, "action" | "judgement"));
    page.lines.extend(shown.flat_map(|shown| shown.lines.clone()));
    add_unread(&mut page, unread);
    page
}

/// Shall a proposal that a gate holds go on by one step?
pub fn gate(package: &Package, unread: &[String]) -> Page {
    let item = &package.item;
    let mut page = Page::new("gate", "LET IT GO ON? By one step; this installs nothing.");
    page.add(Origin::Facts, Tone::Strong, "proposal", &item.name);
    page.add(Origin::Facts, Tone::Plain, "profile", &item.profile);
    page.add(Origin::Facts, Tone::Strong, "stands at", item.status.as_str());
    let held = package.pages.iter().find(|page| page.title == "gate");
    page.lines.extend(held.into_iter().flat_map(|held| held.lines.clone()));
    add_unread(&mut page, unread);
    page
}

/// What a person has not looked at, in words.
pub fn not_opened(title: &str) -> String {
    format!("you have not opened the page `{title}`")
}

fn add_unread(page: &mut Page, unread: &[String]) {
    for unread in unread {
        page.add(Origin::Facts, Tone::Caution, "note that", unread);
    }
}

//! What a next version would change beside the one that is installed.

use compose::rules::Finding;
use ledger::{Ledger, past};
use review::report::Report;
use shared_types::id::EventType;
use shared_types::manifest::Learned;

/// The rule for a version that is the same skill again; it stops the package.
pub const CHANGES_NOTHING: &str = "changes-nothing";

/// Findings of a package beside the version that it would replace, and beside those who depend on it.
pub fn findings(ledger: &Ledger, report: &Report) -> Vec<Finding> {
    let mut found = missing(ledger, report);
    found.extend(built_differently(ledger, report));
    let Some(old) = ledger.active().get(&report.name) else { return found };
    let finding = |rule: &str, text: String| Finding { rule: rule.to_owned(), text, violation: false };
    if same(old, report) {
        let text =
            format!("version {} of `{}`, which is installed, is this same skill", old.version, old.name);
        return vec![Finding { rule: CHANGES_NOTHING.into(), text, violation: true }];
    }
    let more = report.derived.without(&old.capabilities);
    if !more.is_empty() {
        found.push(finding("upgrade-grants-more", format!("version {} has not: {more}", old.version)));
    }
    let hosts: Vec<&str> =
        report.network.iter().filter(|h| !old.network.contains(h)).map(|h| h.as_str()).collect();
    if !hosts.is_empty() {
        let text = format!("version {} does not reach {}", old.version, hosts.join(" "));
        found.push(finding("upgrade-grants-more", text));
    }
    let kept = |name: &str| report.described.tools.iter().any(|t| t.name.as_str() == name);
    let gone: Vec<&str> =
        old.described.tools.iter().map(|t| t.name.as_str()).filter(|name| !kept(name)).collect();
    if !gone.is_empty() {
        let text = format!("tools of version {} that are gone: {}", old.version, gone.join(" "));
        found.push(finding("upgrade-drops-tool", text));
    }
    for (event, user) in dropped_events(ledger, old, report) {
        let text = format!("`{event}` is gone, which `{user}` counts on");
        found.push(finding("upgrade-drops-event", text));
    }
    let users = past::dependants(ledger, &report.name);
    if !users.is_empty() {
        let names: Vec<&str> = users.iter().map(|n| n.as_str()).collect();
        found.push(finding("upgrade-of-dependency", format!("{} depend on it", names.join(" "))));
    }
    found
}

/// Whether nothing that a person decides on would differ.
fn same(old: &Learned, report: &Report) -> bool {
    old.module_sha256 == report.module_sha256
        && old.capabilities == report.derived
        && old.network == report.network
        && old.secrets == report.secrets
        && old.memory_scope == report.memory_scope
        && old.file_scope == report.file_scope
        && old.emits_events == report.emits_events
        && old.handles_events == report.handles_events
}

/// Skills that it depends on and that are gone since it was taken in.
fn missing(ledger: &Ledger, report: &Report) -> Vec<Finding> {
    let Some(ticket) = ledger.ticket(&report.proposal_id) else { return vec![] };
    let there = |name: &shared_types::id::SkillName| {
        ledger.active().contains_key(name) || ledger.builtin().iter().any(|b| b.name == *name)
    };
    let finding = |name: &shared_types::id::SkillName| Finding {
        rule: "missing-dependency".into(),
        text: format!("it depends on `{name}`, which is not installed"),
        violation: false,
    };
    ticket.proposal().dependencies.iter().filter(|name| !there(name)).map(finding).collect()
}

/// A source that came with the digest of a module, and another module was built from it here.
fn built_differently(ledger: &Ledger, report: &Report) -> Option<Finding> {
    let given = ledger.ticket(&report.proposal_id)?.taken().given.as_ref()?;
    let said = given.module_sha256.as_ref()?;
    // After an edit it is another source.
    let same_source = report.attempt == 1;
    (same_source && *said != report.module_sha256).then(|| Finding {
        rule: "built-differently".into(),
        text: format!(
            "it came with the module digest {said}; what was built here has {}: by another compiler, or it is not that skill",
            report.module_sha256
        ),
        violation: false,
    })
}

/// Events of the old version that other active skills send to it or receive from it, and that the new one lacks.
fn dropped_events<'a>(ledger: &'a Ledger, old: &'a Learned, report: &Report) -> Vec<(&'a EventType, String)> {
    let mut found = vec![];
    for other in ledger.active().values().filter(|l| l.name != old.name) {
        let emitted = old.emits_events.iter().filter(|e| !report.emits_events.contains(e));
        let heard = emitted.filter(|e| other.handles_events.contains(e));
        let handled = old.handles_events.iter().filter(|e| !report.handles_events.contains(e));
        let sent = handled.filter(|e| other.emits_events.contains(e));
        found.extend(heard.chain(sent).map(|e| (e, other.name.to_string())));
    }
    found
}

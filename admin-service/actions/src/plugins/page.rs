//! What a person reads before a plugin is installed; each line is safe to show, and nothing is cut without saying so.

use compose::rules::Finding;
use ledger::facts::{Facts, Kind, Way};
use shared_types::id::Digest;
use shared_types::recipients::Recipients;
use shared_types::text::{cut, line};

use super::credential;
use super::prepare::{Prepared, quoted};
use super::tree::{Found, Tree};

/// The most files that are named.
const MOST_FILES: usize = 100;

/// The page, a line each.
pub fn page(
    prepared: &Prepared,
    recipients: &Recipients,
    digest: &Digest,
    findings: &[Finding],
) -> Vec<String> {
    let facts = &prepared.facts;
    let mut lines = vec![
        format!("Plugin {} version {} ({})", facts.name, line(&facts.version), facts.kind.as_str()),
        String::new(),
        "What runs".to_owned(),
    ];
    lines.extend(runs(facts).into_iter().map(|l| format!("  {l}")));
    lines.extend(prepared.files.iter().flat_map(files));
    lines.extend(pins(facts));
    lines.extend([String::new(), "What it can reach".to_owned()]);
    lines.extend(reaches(facts).into_iter().map(|l| format!("  {l}")));
    lines.push(format!("  capabilities: {}", facts.tokens()));
    lines.extend([String::new(), "Whose chat gets it".to_owned(), format!("  {recipients}")]);
    lines.extend([String::new(), "Beside the other skills and plugins".to_owned()]);
    if findings.is_empty() {
        lines.push("  no rule has anything against it".to_owned());
    }
    for finding in findings {
        let kind = if finding.violation { "violation" } else { "finding" };
        lines.push(format!("  {kind} [{}] {}", finding.rule, line(&finding.text)));
    }
    lines.extend([
        String::new(),
        "Text that the assistant will read and obey; its maker wrote it, so read it as an order".to_owned(),
        format!("  | {}", line(&prepared.description)),
    ]);
    for tool in &prepared.tools {
        lines.push(String::new());
        lines.push(format!("  tool {}.{}   risk {}", facts.name, tool.name, tool.risk));
        if let Some(way) = facts.calls.get(&tool.name) {
            let renamed = matches!(way, Way::Named(name) if name == tool.name.as_str());
            if !renamed {
                lines.push(format!("    called as {}", super::prepare::spelled(way)));
            }
        }
        lines.push(format!("    | {}", line(&tool.description)));
        let parameters = serde_json::to_string(&tool.parameters).unwrap_or_default();
        lines.push(format!("    | parameters {}", line(&parameters)));
        lines.extend(
            tool.phrases.iter().map(|(code, said)| format!("    | a line ({code}) calls it: {}", line(said))),
        );
        lines.extend(prepared.notes.get(&tool.name).into_iter().flatten().map(|note| format!("    {note}")));
    }
    if !prepared.left_out.is_empty() {
        lines.extend([String::new(), "Left out".to_owned()]);
        for (name, why) in &prepared.left_out {
            lines.push(format!("  {}: {}", cut(name, 80), line(&why.to_string())));
        }
    }
    lines.extend([String::new(), format!("Digest of all of this: {digest}")]);
    lines
}

/// What is started, or asked.
pub fn runs(facts: &Facts) -> Vec<String> {
    match facts.kind {
        Kind::McpHttp => {
            vec![format!("nothing here; calls go to {}", line(facts.url.as_deref().unwrap_or_default()))]
        }
        Kind::McpStdio => vec![
            quoted(&facts.argv),
            "{tree} stands for its own files; it is kept for a minute after a call".into(),
        ],
        Kind::Exec => {
            let mut lines: Vec<String> = facts.calls.values().map(super::prepare::spelled).collect();
            lines.dedup();
            lines.push("{tree} stands for its own files; it is started anew for each call".into());
            lines
        }
    }
}

/// Its own files, those nearest to the top first: at most this many, and how many more there are.
fn files(tree: &Tree) -> Vec<String> {
    let mut lines = vec![format!(
        "  its own files: {}, {} bytes in all, kept as they are now",
        tree.files.len(),
        tree.bytes
    )];
    let mut files: Vec<&Found> = tree.files.iter().collect();
    files.sort_by_key(|file| (file.path.matches('/').count(), &file.path));
    for file in files.iter().take(MOST_FILES) {
        let program = if file.runs { ", a program" } else { "" };
        let sha256 = &file.sha256.as_str()[..16];
        lines.push(format!("    {}  {} bytes{program}  sha256 {sha256}", line(&file.path), file.bytes));
    }
    if let Some(more @ 1..) = files.len().checked_sub(MOST_FILES) {
        lines.push(format!("    and {more} more: look at the folder itself before you agree"));
    }
    lines
}

fn pins(facts: &Facts) -> Vec<String> {
    let mut lines = vec![];
    if !facts.pinned.is_empty() {
        lines.push(
            "  of this machine, pinned as they are now (an update of the system asks for a new yes):"
                .to_owned(),
        );
    }
    for pinned in &facts.pinned {
        let path = line(&pinned.path.display().to_string());
        lines.push(format!("    {path}  sha256 {}", &pinned.sha256.as_str()[..16]));
    }
    lines
}

/// The hosts that a program may reach, and what that means.
fn network(facts: &Facts) -> Vec<String> {
    if facts.network.is_empty() {
        return vec!["network: no".into()];
    }
    let mut lines = vec![
        "NETWORK: what the assistant sends to its tools can go to these hosts, and each call asks a person; by name, TCP alone:".into(),
    ];
    lines.extend(facts.network.iter().map(|host| format!("  {host}")));
    if !facts.read.is_empty() {
        lines.push("NETWORK: what it reads of this machine, as named above, can go there as well".into());
    }
    lines
}

/// The headers that a server gets, and what that means.
fn credentials(facts: &Facts) -> Vec<String> {
    let header = |(name, value): (&String, &String)| {
        format!("each request carries the header {}: {}", line(name), line(value))
    };
    let mut lines: Vec<String> = facts.headers.iter().map(header).collect();
    for name in credential::secrets(facts) {
        lines.push(format!(
            "CREDENTIAL: the server gets the value of the secret {name}, and can do with it all that it is good for"
        ));
    }
    lines
}

/// What it can reach, a line each.
pub fn reaches(facts: &Facts) -> Vec<String> {
    if facts.kind == Kind::McpHttp {
        let mut lines = vec![
            "no file of this machine".into(),
            "network: that one address, without redirects; what the assistant sends there, its owner has"
                .into(),
        ];
        lines.extend(credentials(facts));
        return lines;
    }
    let mut lines = vec![
        "files: its own, the system's programs and libraries, and an empty folder of its own that it may write".into(),
        match facts.workspace {
            true => "files: the workspace of the profile that calls it, to read".into(),
            false => "workspace: no".into(),
        },
    ];
    for path in &facts.read {
        lines.push(format!(
            "files: {} and what it holds, to read (not pinned)",
            line(&path.display().to_string())
        ));
    }
    lines.extend(network(facts));
    lines.push(format!("memory: {} MiB of address space", facts.memory_mb));
    for (name, value) in &facts.env {
        lines.push(format!("environment: {name}={}", quoted(std::slice::from_ref(value))));
    }
    lines
}

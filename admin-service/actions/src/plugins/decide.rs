//! A person's yes and no to a plugin, carried out where the journal is written; what a crash cuts off is done again.

use ledger::statements::StatementError;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use base::config::Config;
use base::error::Error;
use base::failpoints::{Point, at};
use base::folders::{PRIVATE, make_folder};
use base::home::Home;
use base::keys::Signer;
use compose::graph::Graph;
use compose::offers;
use compose::rules::{Finding, Rules};
use ledger::facts::{Facts, Installed};
use ledger::statements::Signed;
use ledger::statements::removal::PluginRemoval;
use ledger::{Ledger, PluginRecord, Store, manifest, reserve};
use shared_types::decision::Verdict;
use shared_types::id::{ApproverId, Digest, SkillName};
use shared_types::plugin::{Plugin, PluginDecision, PluginTool};
use shared_types::recipients::Recipients;

use super::prepare::{Prepared, STAGED};
use super::servers::Servers;
use super::{jail, removal, tree};
use base::log::Event;

/// Why a plugin is not installed.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("[{rule}] {text}")]
    Violation { rule: String, text: String },
    #[error("{} holds other files than were decided on", .0.display())]
    OtherFiles(PathBuf),
    #[error("the copy of the plugin's files is not named")]
    Unnamed,
}

/// SHA-256 of all that a person approves: what runs, what is offered of it, and to whom it goes.
pub fn digest(prepared: &Prepared, recipients: &Recipients) -> Digest {
    let offered = shared_types::plugin::offered(&prepared.description, &prepared.tools);
    Digest::of(format!("{} {offered} {recipients}", prepared.facts.digest()).as_bytes())
}

/// Signs a plugin as it was prepared, for these profiles.
///
/// # Errors
/// A key that cannot sign.
pub fn sign(
    prepared: &Prepared,
    recipients: &Recipients,
    approver: &ApproverId,
    signer: &Signer,
) -> Result<Plugin, Error> {
    let facts = &prepared.facts;
    let decision = PluginDecision {
        verdict: Verdict::Approve,
        plugin: facts.name.clone(),
        version: facts.version.clone(),
        capabilities: facts.tokens(),
        offered_sha256: shared_types::plugin::offered(&prepared.description, &prepared.tools),
        facts_sha256: facts.digest(),
        recipients: recipients.clone(),
        approver: approver.clone(),
        decided_at: base::clock::now(),
    };
    let signed = Signed::by(&decision, |text| signer.sign(text))?;
    Ok(Plugin {
        name: facts.name.clone(),
        version: facts.version.clone(),
        description: prepared.description.clone(),
        capabilities: decision.capabilities,
        tools: prepared.tools.clone(),
        facts_sha256: decision.facts_sha256,
        recipients: decision.recipients,
        decision: signed,
    })
}

/// What the rules say about a plugin beside all that is installed.
///
/// # Errors
/// Rules or a configuration that cannot be read.
fn findings(
    home: &Home,
    ledger: &Ledger,
    facts: &Facts,
    tools: &[PluginTool],
) -> Result<Vec<Finding>, Error> {
    let (rules, config) = (Rules::read(home)?, Config::read(home)?);
    let (graph, name) = (Graph::of(ledger.nodes().chain([facts.node()])), facts.name.as_str());
    let mut findings = rules.judge(&graph, name, &config.allowed_pairs);
    findings.extend(offers::findings(name, tools, ledger.offers()));
    Ok(findings)
}

/// Refuses what no yes can bring in: a name that is taken, a violation, a rule that asks for two persons.
///
/// # Errors
/// The first of them.
pub fn check_installable(
    home: &Home,
    ledger: &Ledger,
    facts: &Facts,
    tools: &[PluginTool],
) -> Result<Vec<Finding>, Error> {
    let name = &facts.name;
    if ledger.builtin().iter().any(|b| b.name == *name) || ledger.active().contains_key(name) {
        return Err(StatementError::NameTaken(name.clone()).into());
    }
    if ledger.people().approvers()?.signers_for(&facts.tokens()) > 1 {
        return Err(StatementError::TwoPersons(facts.tokens()).into());
    }
    let findings = findings(home, ledger, facts, tools)?;
    if let Some(violation) = findings.iter().find(|f| f.violation) {
        return Err(Error::refused(Fault::Violation {
            rule: violation.rule.clone(),
            text: violation.text.clone(),
        }));
    }
    Ok(findings)
}

/// Installs a plugin by a person's signed yes: its files are placed, the yes is recorded, the manifest published.
///
/// # Errors
/// A yes that does not hold or was used before, files that are not those decided on, or a failing disk; nothing is
/// installed then, or what was recorded is ended at the next start.
pub fn install(
    store: &Store,
    servers: &Servers,
    plugin: Plugin,
    facts: Facts,
    staged: Option<&str>,
    code: Option<&str>,
) -> Result<String, Error> {
    let home = &store.home;
    let mut ledger = store.ledger();
    at(Point::PluginBefore);
    let decision = plugin.verify(&ledger.people().approvers()?).map_err(Error::refused)?;
    let same = facts.digest() == plugin.facts_sha256
        && facts.name == plugin.name
        && facts.version == plugin.version
        && facts.tokens() == plugin.capabilities
        && plugin.tools.len() == facts.calls.len()
        && plugin.tools.iter().all(|tool| facts.calls.contains_key(&tool.name));
    if !same {
        return Err(StatementError::PluginDiffers.into());
    }
    if ledger.used_plugin_yes(&plugin.decision.text) {
        return Err(StatementError::UsedBefore.into());
    }
    check_installable(home, &ledger, &facts, &plugin.tools)?;
    place(home, &facts, staged)?;
    at(Point::PluginPlaced);
    reserve::spend(home, || codes::spend(home, &mut ledger, &decision.approver, code))?;
    let (name, version) = (plugin.name.clone(), plugin.version.clone());
    let record = PluginRecord::Installed { plugin: Box::new(plugin), facts: Box::new(facts) };
    reserve::spend(home, || ledger.append(record.clone()))?;
    at(Point::PluginRecorded);
    reserve::spend(home, || manifest::publish(home, &ledger))?;
    at(Point::PluginPublished);
    sweep(home, &ledger);
    drop(ledger);
    servers.end(&name, None);
    store.tell(
        &Event::PluginInstalled { plugin: &name },
        &format!("the plugin {name} version {version} is installed"),
    );
    Ok(format!(
        "{name} version {} is installed; a running chat takes it up at its next empty prompt",
        shared_types::text::line(&version)
    ))
}

/// Puts the files where they stay. Files that exist there already must be the same; others are refused.
fn place(home: &Home, facts: &Facts, staged: Option<&str>) -> Result<(), Error> {
    let Some(approved) = &facts.tree_sha256 else { return Ok(()) };
    let place = super::place(home, &facts.name, approved);
    if !place.exists() {
        let source = staged_folder(home, staged)?;
        if tree::digest(&source)?.digest != *approved {
            return Err(StatementError::PluginFilesChanged.into());
        }
        let parent = super::folder(home).join(facts.name.as_str());
        make_folder(&parent, PRIVATE)?;
        fs::rename(&source, &place).map_err(Error::io(&place))?;
        durable::sync_folder(&parent).map_err(Error::io(&parent))?;
    }
    if tree::digest(&place)?.digest != *approved {
        return Err(Error::integrity(Fault::OtherFiles(place)));
    }
    Ok(())
}

/// The folder of a copy, by its name alone: no path reaches elsewhere.
fn staged_folder(home: &Home, staged: Option<&str>) -> Result<PathBuf, Error> {
    match staged {
        Some(name) if name.starts_with(STAGED) && !name.contains('/') => Ok(super::folder(home).join(name)),
        _ => Err(Error::refused(Fault::Unnamed)),
    }
}

/// Removes a plugin by a person's signed word.
///
/// # Errors
/// A word that does not hold, or a failing disk; what was recorded is ended at the next start.
pub fn remove(
    store: &Store,
    servers: &Servers,
    signed: &Signed<PluginRemoval>,
    code: Option<&str>,
) -> Result<String, Error> {
    let home = &store.home;
    let mut ledger = store.ledger();
    let removal = removal::check(&ledger, signed)?;
    reserve::spend(home, || codes::spend(home, &mut ledger, &removal.approver, code))?;
    let name = removal.plugin.clone();
    let record = PluginRecord::Removed {
        name: name.clone(),
        by: removal.approver,
        reason: removal.reason,
        removal: signed.clone(),
    };
    reserve::spend(home, || ledger.append(record.clone()))?;
    at(Point::PluginGone);
    reserve::spend(home, || manifest::publish(home, &ledger))?;
    at(Point::PluginUnpublished);
    sweep(home, &ledger);
    drop(ledger);
    servers.end(&name, None);
    store.tell(&Event::PluginRemoved { plugin: &name }, &format!("the plugin {name} is removed"));
    Ok(format!("{name} is removed; a running chat drops it at its next empty prompt"))
}

/// Ends what a crash cut off: files that belong to no installed plugin go; only the journal's holder may call it.
pub fn sweep(home: &Home, ledger: &Ledger) {
    let kept: BTreeSet<PathBuf> = ledger.plugins().values().filter_map(|p| kept_place(home, p)).collect();
    let folders = fs::read_dir(super::folder(home)).into_iter().flatten().filter_map(Result::ok);
    // A copy that somebody is being asked about stays.
    for entry in folders.filter(|entry| !entry.file_name().to_string_lossy().starts_with(STAGED)) {
        let named = entry.file_name().to_str().and_then(|name| name.parse::<SkillName>().ok());
        let inner = fs::read_dir(entry.path()).into_iter().flatten().filter_map(Result::ok);
        for version in inner.filter(|version| !kept.contains(&version.path())) {
            let _ = fs::remove_dir_all(version.path());
        }
        if named.is_none_or(|name| !ledger.plugins().contains_key(&name)) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// As [`sweep`], with everything else that a killed process leaves behind.
pub fn sweep_all(home: &Home, ledger: &Ledger) {
    jail::sweep(home);
    jail::remove_old(&super::folder(home), STAGED);
    sweep(home, ledger);
}

fn kept_place(home: &Home, installed: &Installed) -> Option<PathBuf> {
    installed.facts.tree_sha256.as_ref().map(|tree| super::place(home, &installed.plugin.name, tree))
}

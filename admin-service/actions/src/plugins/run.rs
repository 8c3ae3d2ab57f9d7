//! One call of a plugin's tool: checked against what was approved, made in the jail, its answer bounded.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use base::error::Error;
use base::home::Home;
use base::scratch;
use base::stop::may_start;
use confine::{ExitKind, Outcome};
use ledger::Ledger;
use ledger::facts::{Facts, Installed, Way};
use serde::Deserialize;
use serde_json::{Value, json};
use shared_types::action::{ActionResult, MAX_OUTPUT};
use shared_types::id::{HostName, ProfileId, SkillName, ToolName};
use shared_types::plugin::PluginError;
use shared_types::provenance::Provenance;
use shared_types::schema::Parameters;
use shared_types::verdict::Weight;

use super::arguments::{self, Unfit};
use super::jail::{Jail, WorkFolder};
use super::mcp::Fault;
use super::mcp::frames::Answer;
use super::network::Reach;
use super::pin::CheckError;
use super::removal::NotInstalled;
use super::servers::Servers;

/// Why a call is not made.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("the plugin `{plugin}` offers no tool `{tool}`")]
    NotOffered { plugin: SkillName, tool: ToolName },
    #[error("the plugin `{plugin}` has no tool `{tool}`")]
    NoTool { plugin: SkillName, tool: ToolName },
    #[error("the plugin `{plugin}`: {why}; `cl-admin plugin install` asks for a new yes")]
    Decision { plugin: SkillName, why: PluginError },
    #[error(
        "the plugin `{0}`: what runs is not what was decided; `cl-admin plugin install` asks for a new yes"
    )]
    OtherFacts(SkillName),
    #[error("{what}; nothing of the plugin `{plugin}` runs: install it again, which asks for a new yes")]
    Changed { plugin: SkillName, what: Change },
    #[error(
        "the tools of `{0}` changed since they were approved: install it again, which asks for a new yes"
    )]
    OtherTools(SkillName),
    #[error("the plugin `{plugin}` was not started: {why}")]
    NotStarted { plugin: SkillName, why: String },
}

/// What changed in an installed plugin since it was approved.
#[derive(Debug, thiserror::Error)]
enum Change {
    #[error("{} is not the place that was approved", .0.display())]
    Place(PathBuf),
    #[error(transparent)]
    Pinned(CheckError),
    #[error(transparent)]
    Unread(Error),
    #[error("the files in {} changed since the plugin was approved", .0.display())]
    Files(PathBuf),
    #[error("{} would run now, and was not approved", .0.display())]
    Interpreter(PathBuf),
}

/// One call that is wanted.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    /// The profile that wants it.
    pub profile: &'a ProfileId,
    pub plugin: &'a SkillName,
    pub tool: &'a ToolName,
    /// The arguments.
    pub args: &'a Value,
    /// How long it may take.
    pub timeout: Duration,
}

/// Finds the plugin as it is approved now, checks the arguments against its tool's parameters as they are shown, and weighs
/// the call. Whether it runs is decided by the caller with [`shared_types::verdict::decide`].
///
/// # Errors
/// A plugin that is not installed or that no present approver decided, an unknown tool, or arguments that do not fit.
pub fn weigh(ledger: &Ledger, call: &Call<'_>) -> Result<(Installed, Weight), Error> {
    let Some(installed) = ledger.plugins().get(call.plugin) else {
        return Err(Error::refused(NotInstalled(call.plugin.clone())));
    };
    approved(ledger, installed)?;
    let plugin = &installed.plugin;
    let Some(tool) = plugin.tools.iter().find(|tool| tool.name == *call.tool) else {
        return Err(Error::refused(Refusal::NotOffered {
            plugin: plugin.name.clone(),
            tool: call.tool.clone(),
        }));
    };
    // A child validates them against a server's own schema: see `arguments`.
    let own = match installed.facts.schemas.contains_key(&tool.name) {
        true => tool.parameters.clone(),
        false => Parameters::try_from(tool.parameters.as_json().clone()).map_err(Error::refused)?,
    };
    own.check(call.args).map_err(|faults| {
        let why = Unfit::Faults(faults.iter().map(ToString::to_string).collect());
        Error::refused(arguments::Fault { plugin: plugin.name.clone(), tool: tool.name.clone(), why })
    })?;
    let facts = &installed.facts;
    let hosts: Vec<&str> = facts.network.iter().map(HostName::as_str).collect();
    let carries_to = match hosts.as_slice() {
        [] => facts.is_online().then(|| format!("the plugin `{}`", plugin.name)),
        hosts => Some(format!("{} by the plugin `{}`", hosts.join(", "), plugin.name)),
    };
    let brings = if installed.facts.workspace { Provenance::BOTH } else { Provenance::OUTSIDE };
    let weight = Weight {
        risk: tool.risk,
        reason: format!("the plugin `{}` runs its tool `{}`", plugin.name, tool.name),
        carries_to,
        brings,
        replaces: false,
    };
    Ok((installed.clone(), weight))
}

/// Checks that a present approver decided exactly what is installed.
///
/// # Errors
/// A decision that does not hold, or facts that are not those decided on.
pub fn approved(ledger: &Ledger, installed: &Installed) -> Result<(), Error> {
    let name = &installed.plugin.name;
    let verified = installed.plugin.verify(&ledger.people().approvers()?);
    verified.map_err(|why| Error::integrity(Refusal::Decision { plugin: name.clone(), why }))?;
    let same = installed.facts.digest() == installed.plugin.facts_sha256;
    same.then_some(()).ok_or_else(|| Error::integrity(Refusal::OtherFacts(name.clone())))
}

/// Checks that the files of a plugin, and the programs that it runs, are those that were approved.
///
/// # Errors
/// What changed, with the next step.
pub fn stands(home: &Home, facts: &Facts) -> Result<(), Error> {
    let again = |what| Error::integrity(Refusal::Changed { plugin: facts.name.clone(), what });
    for path in &facts.read {
        // A link that came in between could lead anywhere, into the home too.
        let same = super::prepare::readable(home, path).is_ok_and(|real| real == *path);
        if !same {
            return Err(again(Change::Place(path.clone())));
        }
    }
    for pinned in &facts.pinned {
        super::pin::check(pinned).map_err(|why| again(Change::Pinned(why)))?;
    }
    let place = facts.tree_sha256.as_ref().map(|tree| super::place(home, &facts.name, tree));
    let (Some(approved), Some(place)) = (&facts.tree_sha256, place) else { return Ok(()) };
    let unread = |why| again(Change::Unread(why));
    let found = super::tree::digest(&place).map_err(unread)?;
    if found.digest != *approved {
        return Err(again(Change::Files(place)));
    }
    // What a script's first line finds may be another program than the one that was pinned.
    for program in programs(facts) {
        let Some(inner) = program.strip_prefix("{tree}/") else { continue };
        for interpreter in super::pin::interpreters(&place.join(inner)).map_err(unread)? {
            if !facts.pinned.iter().any(|pinned| pinned.path == interpreter) {
                return Err(again(Change::Interpreter(interpreter)));
            }
        }
    }
    Ok(())
}

/// The programs that a plugin starts.
fn programs(facts: &Facts) -> impl Iterator<Item = &String> {
    let each = facts.calls.values().filter_map(|way| match way {
        Way::Argv(argv) => argv.first(),
        Way::Named(_) => None,
    });
    facts.argv.first().into_iter().chain(each)
}

/// Makes a call that was weighed and allowed.
///
/// # Errors
/// What keeps it from running: a change since the approval, no jail, a failing disk. What the plugin itself answers, or
/// how it ends, is the result.
pub fn call(
    home: &Home,
    servers: &Servers,
    installed: &Installed,
    call: &Call<'_>,
    cancel: &AtomicBool,
) -> Result<ActionResult, Error> {
    let begun = Instant::now();
    may_start(home, Some(call.profile))?;
    stands(home, &installed.facts)?;
    let Some(way) = installed.facts.calls.get(call.tool) else {
        return Err(Error::refused(Refusal::NoTool { plugin: call.plugin.clone(), tool: call.tool.clone() }));
    };
    let args = arguments::fitting(&installed.facts, call.tool, call.args, cancel)?;
    let call = &Call { args: &args, ..call.clone() };
    let mut result = match way {
        Way::Argv(argv) => exec(home, &installed.facts, argv, call, cancel)?,
        Way::Named(name) => {
            let (answer, network) = servers.call(home, installed, call, name, cancel);
            ActionResult { network, ..told(&installed.facts, call, answer)? }
        }
    };
    result.ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(result)
}

/// What a server answered, as a result.
fn told(facts: &Facts, call: &Call<'_>, answer: Result<Answer, Fault>) -> Result<ActionResult, Error> {
    let ended = |why: String| Ok(ActionResult { ended: Some(why), ..ActionResult::default() });
    match answer {
        Ok(Answer { text, cut, failed }) => {
            let answered = answered(&text, failed);
            Ok(ActionResult { cut: cut || answered.cut, ..answered })
        }
        Err(Fault::Error { code, message }) => Ok(answered(&format!("error {code}: {message}"), true)),
        Err(Fault::Changed) => Err(Error::integrity(Refusal::OtherTools(facts.name.clone()))),
        Err(Fault::NotStarted(why)) => Err(not_started(facts, &why)),
        Err(Fault::Late) => ended(format!("it took longer than {} s and was ended", call.timeout.as_secs())),
        Err(Fault::Cancelled) => ended("it was cancelled".into()),
        Err(
            fault @ (Fault::Ended(_)
            | Fault::Overfull(_)
            | Fault::Protocol(_)
            | Fault::Unread(_)
            | Fault::Unreachable(_)),
        ) => ended(fault.to_string()),
    }
}

/// A text as standard output or, if it tells of a failure, as standard error.
fn answered(text: &str, failed: bool) -> ActionResult {
    let (text, cut) = bounded(text);
    match failed {
        false => ActionResult { exit: Some(0), stdout: text, cut, ..ActionResult::default() },
        true => ActionResult { exit: Some(1), stderr: text, cut, ..ActionResult::default() },
    }
}

/// As much of a text as is kept.
fn bounded(text: &str) -> (String, bool) {
    if text.len() <= MAX_OUTPUT {
        return (text.to_owned(), false);
    }
    (text[..text.floor_char_boundary(MAX_OUTPUT)].to_owned(), true)
}

/// What a program of a plugin answers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
enum Said {
    Ok(String),
    Error(String),
}

/// Starts a program for one call.
fn exec(
    home: &Home,
    facts: &Facts,
    argv: &[String],
    call: &Call<'_>,
    cancel: &AtomicBool,
) -> Result<ActionResult, Error> {
    let tree = facts.tree_sha256.as_ref().map(|tree| super::place(home, &facts.name, tree));
    let workspace = home.workspace(call.profile).unguarded_path();
    let work = WorkFolder::make(home)?;
    let cpu = call.timeout.as_secs().max(1);
    let jail = Jail::of(home, facts, tree.as_deref(), Some(&workspace), &work, argv, cpu)?;
    let asked = json!({"tool": call.tool, "args": call.args}).to_string();
    let reach = Reach::start(home, facts)?;
    let child = jail.child(&work, reach.as_ref())?.stdin(asked).wall(call.timeout).max_output(MOST_SAID);
    reach.iter().for_each(Reach::open);
    let (outcome, over) = scratch::within(work.path(), scratch::OF_ONE, cancel, |cancel| child.run(cancel));
    let network = reach.as_ref().map(Reach::close).unwrap_or_default();
    let outcome = outcome.map_err(Error::step("the plugin cannot be started"))?;
    let result = ended_with(facts, call, cancel, &outcome, over)?;
    Ok(ActionResult { network, ..result })
}

/// How a program for one call ended.
fn ended_with(
    facts: &Facts,
    call: &Call<'_>,
    cancel: &AtomicBool,
    outcome: &Outcome,
    over: Option<scratch::Over>,
) -> Result<ActionResult, Error> {
    let stderr = String::from_utf8_lossy(&outcome.stderr).into_owned();
    let (stderr, cut) = bounded(&stderr);
    let ended = |why: String| ActionResult {
        ended: Some(why),
        stderr: stderr.clone(),
        cut,
        ..ActionResult::default()
    };
    if cancel.load(std::sync::atomic::Ordering::Relaxed) {
        return Ok(ended("it was cancelled".into()));
    }
    if let Some(over) = over {
        return Ok(ended(format!("stopped: {over}")));
    }
    if let Some(why) = &outcome.not_started {
        return Err(not_started(facts, why));
    }
    match outcome.status {
        ExitKind::Code(0) => match serde_json::from_slice::<Said>(&outcome.stdout) {
            Ok(Said::Ok(text)) => Ok(ActionResult { stderr, ..answered(&text, false) }),
            Ok(Said::Error(text)) => Ok(answered(&text, true)),
            Err(_) if outcome.cut => Ok(ended(format!("its answer is longer than {MOST_SAID} bytes"))),
            Err(_) => Ok(ended(r#"its answer is neither {"ok": "..."} nor {"error": "..."}"#.into())),
        },
        ExitKind::Code(code) => Ok(ActionResult { exit: Some(code), stderr, cut, ..ActionResult::default() }),
        ExitKind::Signal(signal) => Ok(ended(format!("signal {signal} ended it"))),
        ExitKind::TimedOut => {
            Ok(ended(format!("it took longer than {} s and was ended", call.timeout.as_secs())))
        }
    }
}

/// Nothing of the plugin ran: only its jail can say so.
fn not_started(facts: &Facts, why: &str) -> Error {
    Error::failed(Refusal::NotStarted { plugin: facts.name.clone(), why: shared_types::text::cut(why, 500) })
}

/// The longest answer that is read, in bytes; JSON is longer than the text in it.
const MOST_SAID: usize = 256 * 1024;

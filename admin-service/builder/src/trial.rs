//! Tries a module's tools with a host that records everything and reaches nothing.
//!
//! A module can tell that it is tried, and behave; what it can reach at all stands on its imports, not on a trial.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use guest::tools::tool_message;
use guest::{Described, Grants, Host, HostError, HostFn, Limits, Module, ToolOutcome, Value};
use models::{Phrase, ToolSpec};
use shared_types::described::DescribedTool;
use shared_types::text::{cut, is_unsafe};

use super::edges;
use crate::workers::{Trial, TrialKind, TrialRun};

/// The time that a trial sees, so that two trials of one module are alike: 2026-01-15, noon, UTC.
pub const TRIAL_TIME_MS: i64 = 1_768_478_400_000;
/// The most edge cases of one module.
const MOST_EDGES: usize = 40;
/// The most time for all edge cases together.
const EDGE_TIME: Duration = Duration::from_secs(8);
/// The most sentences that are said.
const MOST_SAID: usize = 8;
/// A tool that broke so often is not tried further: what there is to know is known.
const ENOUGH_BROKEN: usize = 3;
/// The most things that are recorded of one call, and the length of each.
const MOST_RECORDS: usize = 12;
const LONGEST_RECORD: usize = 200;

/// A host that stands in for the world during a trial.
#[derive(Debug, Default)]
pub struct Recorder {
    calls: BTreeMap<&'static str, u32>,
    did: Vec<String>,
    memory: BTreeMap<String, String>,
    files: BTreeMap<String, String>,
    random: u64,
}

/// Runs the trial calls, in order, on one remembered world; a budget that is spent fails the rest.
pub fn run(
    module: &dyn Module,
    grants: &Grants,
    limits: &Limits,
    trials: &[Trial],
    described: &Described,
    host: &mut Recorder,
    budget: Duration,
) -> Vec<TrialRun> {
    let end = Instant::now() + budget;
    let offered = |tool: &str| described.tools.iter().any(|t| t.name.as_str() == tool);
    let mut runs = Vec::new();
    for trial in trials {
        let mut run = TrialRun::of(trial, TrialKind::Example);
        if !offered(&trial.tool) {
            run.answer = "the module does not offer this tool".into();
        } else if Instant::now() >= end {
            run.answer = "not tried: the time for trials is spent".into();
        } else {
            call(module, grants, limits, host, &mut run);
        }
        runs.push(run);
    }
    runs
}

/// Says one sentence for each tool, of those that the skill says it answers, in a world of their own: an ordinary call, with
/// values that the person reads too.
pub fn run_said(
    module: &dyn Module,
    grants: &Grants,
    limits: &Limits,
    described: &Described,
    budget: Duration,
) -> Vec<TrialRun> {
    let end = Instant::now() + budget;
    let tools: Vec<ToolSpec> = described.tools.iter().map(spec).collect();
    let sentences = described.tools.iter().filter_map(|tool| Some((tool, tool.examples.first()?)));
    let mut host = Recorder::default();
    let mut runs = vec![];
    for (tool, sentence) in sentences.take(MOST_SAID) {
        if Instant::now() >= end {
            break;
        }
        let call_of = models::phrases::route(sentence, &tools, None).into_iter().next();
        let (name, args) = match &call_of {
            Some(candidate) => (candidate.tool.clone(), candidate.arguments.clone()),
            None => (tool.name.to_string(), serde_json::json!({})),
        };
        let mut run = TrialRun::of(&Trial { tool: name, args, expect: String::new() }, TrialKind::Said);
        run.sentence.clone_from(sentence);
        match call_of {
            Some(_) => call(module, grants, limits, &mut host, &mut run),
            None => run.answer = "the skill's own phrases do not lead from this sentence to a tool".into(),
        }
        runs.push(run);
    }
    runs
}

fn spec(tool: &DescribedTool) -> ToolSpec {
    let phrase = |(language, pattern): &(String, String)| Phrase {
        language: language.clone(),
        pattern: pattern.clone(),
    };
    ToolSpec {
        name: tool.name.to_string(),
        description: String::new(),
        parameters: tool.parameters.as_json().clone(),
        phrases: tool.phrases.iter().map(phrase).collect(),
        examples: vec![],
        only_answers: false,
    }
}

/// Runs edge cases of every tool in a world of their own; of what is not tried for lack of time nothing is said.
pub fn run_edges(
    module: &dyn Module,
    grants: &Grants,
    limits: &Limits,
    trials: &[Trial],
    described: &Described,
    budget: Duration,
) -> Vec<TrialRun> {
    let end = Instant::now() + budget.min(EDGE_TIME);
    let mut host = Recorder::default();
    let mut runs: Vec<TrialRun> = Vec::new();
    for tool in &described.tools {
        let plain = trials.iter().find(|t| t.tool == tool.name.as_str()).map(|t| &t.args);
        let mut broken = 0;
        let own = edges::ordinary_call(tool).filter(|own| Some(own) != plain);
        let own = own.map(|args| (TrialKind::Ordinary, args));
        let edges = edges::cases(tool, plain).into_iter().map(|args| (TrialKind::Edge, args));
        for (kind, args) in own.into_iter().chain(edges) {
            if runs.len() >= MOST_EDGES || Instant::now() >= end || broken >= ENOUGH_BROKEN {
                break;
            }
            let trial = Trial { tool: tool.name.to_string(), args, expect: String::new() };
            let mut run = TrialRun::of(&trial, kind);
            call(module, grants, limits, &mut host, &mut run);
            broken += usize::from(!run.passed);
            run.args = shortened(run.args);
            runs.push(run);
        }
    }
    runs
}

/// One call; any answer to an edge case is right.
fn call(module: &dyn Module, grants: &Grants, limits: &Limits, host: &mut Recorder, run: &mut TrialRun) {
    host.calls.clear();
    host.did.clear();
    let begun = Instant::now();
    let message = tool_message(&run.tool, &run.args, "");
    let edge = run.is_edge();
    let (answer, passed) = match module.call(grants, host, &message, limits, &AtomicBool::new(false)) {
        Ok(reply) => {
            (run.fuel, run.memory) = (reply.usage.fuel, reply.usage.memory_peak_bytes);
            match ToolOutcome::read(&reply.value) {
                Ok(ToolOutcome::Ok(text)) => {
                    let passed = edge || text.contains(&run.expect);
                    run.steers = steers(&text, &run.args);
                    (text, passed)
                }
                Ok(ToolOutcome::Failed(why)) => {
                    run.steers = steers(&why, &run.args);
                    (format!("failed: {why}"), edge)
                }
                Ok(ToolOutcome::NotMine) => ("refused: not for this tool".into(), edge),
                Err(e) => (format!("stopped: {e}"), false),
            }
        }
        Err(e) => (format!("stopped: {e}"), false),
    };
    (run.answer, run.passed) = (cut(&answer, 1_000), passed);
    run.ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    run.host_calls = host.calls.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
    run.did = std::mem::take(&mut host.did);
}

/// Arguments as they are kept: a long text is cut, and says so.
fn shortened(mut args: serde_json::Value) -> serde_json::Value {
    for value in args.as_object_mut().into_iter().flat_map(|map| map.values_mut()) {
        if let Some(text) = value.as_str().filter(|text| text.chars().count() > LONGEST_RECORD) {
            *value = cut(text, LONGEST_RECORD).into();
        } else if value.as_array().is_some_and(|list| list.len() > LONGEST_RECORD) {
            let count = value.as_array().map_or(0, Vec::len);
            *value = format!("(a list of {count})").into();
        }
    }
    args
}

/// What an answer holds that could steer a terminal or a page, and that the arguments did not bring.
fn steers(answer: &str, args: &serde_json::Value) -> Option<String> {
    let given =
        args.as_object().map(|map| map.values().map(words_of).collect::<String>()).unwrap_or_default();
    let unsafe_char =
        answer.chars().find(|c| is_unsafe(*c) && !matches!(c, '\n' | '\t') && !given.contains(*c));
    if let Some(c) = unsafe_char {
        return Some(format!("the character U+{:04X}", u32::from(c)));
    }
    let lower = answer.to_lowercase();
    let marks = ["<script", "<img", "<iframe", "<a ", "javascript:", "]("];
    marks.iter().find(|m| lower.contains(*m) && !given.contains(*m)).map(|m| format!("the markup `{m}`"))
}

fn words_of(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl Recorder {
    fn note(&mut self, text: &str) {
        if self.did.len() < MOST_RECORDS {
            self.did.push(cut(text, LONGEST_RECORD));
        }
    }

    /// Writes down what a call was about, where that says something about whom it reaches.
    fn record(&mut self, function: HostFn, request: &Value) {
        let text = |key: &str| match request.get(key) {
            Some(Value::Text(text)) => text.as_str(),
            _ => "",
        };
        match function {
            HostFn::HttpGet => self.note(&format!("fetched {}", text("url"))),
            HostFn::HttpPost => self.note(&format!("sent to {}: {}", text("url"), text("body"))),
            HostFn::Dispatch => {
                let payload = request.get("payload").map_or(serde_json::Value::Null, guest::json::to_json);
                self.note(&format!("sent the event {}: {payload}", text("type")));
            }
            HostFn::Say => self.note(&format!("showed: {}", text("text"))),
            HostFn::AudioSay => self.note(&format!("spoke: {}", text("text"))),
            HostFn::AudioListen => self.note("listened"),
            HostFn::GpioRead => self.note(&format!("read the pin {}", text("line"))),
            HostFn::GpioWrite => {
                let on = request.get("on").and_then(Value::as_flag).unwrap_or_default();
                self.note(&format!("switched the pin {} {}", text("line"), if on { "on" } else { "off" }));
            }
            HostFn::GpioWait => self.note(&format!("waited for the pin {}", text("line"))),
            HostFn::Ask => self.note(&format!("asked: {}", text("question"))),
            HostFn::LlmChat => self.note(&format!("asked the model: {}", text("prompt"))),
            HostFn::MemoryStore => self.note(&format!("noted under {}", text("key"))),
            HostFn::FileWrite => self.note(&format!("wrote {}", text("path"))),
            HostFn::Log
            | HostFn::Now
            | HostFn::Random
            | HostFn::MemoryQuery
            | HostFn::FileList
            | HostFn::FileRead => {}
        }
    }
}

/// What a trial has not got.
#[derive(Debug, thiserror::Error)]
enum Lacking {
    #[error("no one is here to answer")]
    Person,
    #[error("no such file")]
    File,
}

impl Host for Recorder {
    fn call(&mut self, function: HostFn, request: Value, _deadline: Instant) -> Result<Value, HostError> {
        *self.calls.entry(function.name()).or_default() += 1;
        self.record(function, &request);
        let text = |key: &str| match request.get(key) {
            Some(Value::Text(text)) => text.clone(),
            _ => String::new(),
        };
        match function {
            // Nobody is heard in a trial.
            HostFn::Log | HostFn::Say | HostFn::AudioSay | HostFn::AudioListen | HostFn::Dispatch => {
                Ok(Value::Null)
            }
            // Nothing is wired in a trial: each line is off and stays so.
            HostFn::GpioRead => Ok(false.into()),
            HostFn::GpioWrite | HostFn::GpioWait => Ok(Value::Null),
            HostFn::Now => Ok(Value::Map(vec![
                ("unix_ms".into(), Value::Int(TRIAL_TIME_MS)),
                ("utc_offset_s".into(), Value::Int(0)),
            ])),
            HostFn::Random => {
                // A fixed walk through the 64-bit numbers (Knuth's MMIX constants).
                self.random = self
                    .random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                Ok(Value::Map(vec![("u64".into(), Value::Int(self.random as i64))]))
            }
            HostFn::Ask => Err(Lacking::Person.into()),
            HostFn::MemoryQuery => {
                let prefix = text("key");
                let found = self.memory.iter().filter(|(k, _)| k.starts_with(&prefix));
                let record = |(k, v): (&String, &String)| {
                    Value::Map(vec![
                        ("key".into(), Value::Text(k.clone())),
                        ("text".into(), Value::Text(v.clone())),
                    ])
                };
                Ok(Value::List(found.map(record).collect()))
            }
            HostFn::MemoryStore => {
                match request.get("text") {
                    Some(Value::Text(value)) => self.memory.insert(text("key"), value.clone()),
                    _ => self.memory.remove(&text("key")),
                };
                Ok(Value::Null)
            }
            HostFn::LlmChat => Ok(Value::Text("(here a model's text would stand)".into())),
            HostFn::FileList => Ok(Value::List(self.files.keys().cloned().map(Value::Text).collect())),
            HostFn::FileRead => {
                self.files.get(&text("path")).cloned().map(Value::Text).ok_or_else(|| Lacking::File.into())
            }
            HostFn::FileWrite => {
                self.files.insert(text("path"), text("text"));
                Ok(Value::Null)
            }
            HostFn::HttpGet | HostFn::HttpPost => Ok(Value::Map(vec![
                ("status".into(), Value::Int(200)),
                ("body".into(), Value::Text("(here a server's answer would stand)".into())),
            ])),
        }
    }
}

#[cfg(test)]
mod tests;

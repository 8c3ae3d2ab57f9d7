//! Tries a module's tools with a host that records everything and reaches nothing.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use guest::tools::tool_message;
use guest::{Described, Grants, Host, HostFn, Limits, Module, ToolOutcome, Value};

use crate::children::TrialRun;
use crate::implementer::Trial;

/// The time that a trial sees, so that two trials of one module are alike: 2026-01-15, noon, UTC.
pub const TRIAL_TIME_MS: i64 = 1_768_478_400_000;

/// A host that stands in for the world during a trial.
#[derive(Debug, Default)]
pub struct Recorder {
    calls: BTreeMap<&'static str, u32>,
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
    let cancel = AtomicBool::new(false);
    let mut runs = Vec::new();
    for trial in trials {
        let mut run = TrialRun {
            tool: trial.tool.clone(),
            args: trial.args.clone(),
            expect: trial.expect.clone(),
            answer: String::new(),
            passed: false,
            host_calls: vec![],
            fuel: 0,
            memory: 0,
        };
        host.calls.clear();
        if !described.tools.iter().any(|t| t.name.as_str() == trial.tool) {
            run.answer = "the module offers no such tool".into();
        } else if Instant::now() >= end {
            run.answer = "not tried: the time for trials is spent".into();
        } else {
            let message = tool_message(&trial.tool, &trial.args, "");
            match module.call(grants, host, &message, limits, &cancel) {
                Ok(reply) => {
                    (run.fuel, run.memory) = (reply.usage.fuel, reply.usage.memory_peak_bytes);
                    (run.answer, run.passed) = match ToolOutcome::read(&reply.value) {
                        Ok(ToolOutcome::Ok(text)) => {
                            let passed = text.contains(&trial.expect);
                            (text, passed)
                        }
                        Ok(ToolOutcome::Failed(why)) => (format!("failed: {why}"), false),
                        Ok(ToolOutcome::NotMine) => ("refused: not for this tool".into(), false),
                        Err(e) => (format!("stopped: {e}"), false),
                    };
                }
                Err(e) => run.answer = format!("stopped: {e}"),
            }
        }
        run.answer = shared_types::text::cut(&run.answer, 1_000);
        run.host_calls = host.calls.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
        runs.push(run);
    }
    runs
}

impl Host for Recorder {
    fn call(&mut self, function: HostFn, request: Value, _deadline: Instant) -> Result<Value, String> {
        *self.calls.entry(function.name()).or_default() += 1;
        let text = |key: &str| match request.get(key) {
            Some(Value::Text(text)) => text.clone(),
            _ => String::new(),
        };
        match function {
            HostFn::Log | HostFn::Say | HostFn::Dispatch => Ok(Value::Null),
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
            HostFn::Ask => Err("no one is here to answer".into()),
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
            HostFn::FileRead => self
                .files
                .get(&text("path"))
                .cloned()
                .map(Value::Text)
                .ok_or_else(|| "no such file".to_owned()),
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

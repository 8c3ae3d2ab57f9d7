//! What goes to a child, and what comes back.

use std::path::PathBuf;

use guest::{Described, Facts};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared_types::capability::TokenSet;

/// How a compiler is jailed and called.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CompileJail {
    /// Folders that it may read and execute from: the toolchain.
    pub execute: Vec<PathBuf>,
    /// Folders that it may read.
    pub read: Vec<PathBuf>,
    /// The one folder that it may write.
    pub write: PathBuf,
    /// Address space, in bytes.
    pub memory: u64,
    /// CPU time, in seconds.
    pub cpu_seconds: u64,
    /// The user that it becomes, if the service is root's and one could be had.
    #[serde(default)]
    pub user: Option<u32>,
    /// The compiler.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
}

/// One call to try, and a text that its answer must contain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    pub tool: String,
    /// Its arguments.
    pub args: Value,
    /// What the answer must contain; the empty text is in every answer.
    pub expect: String,
}

/// What the inspection of a module is asked.
#[derive(Debug, Serialize, Deserialize)]
pub struct TrialInput {
    /// The tokens that the proposal declares; only these are linked.
    pub declared: TokenSet,
    /// Whether events may be sent.
    pub emits: bool,
    /// The calls to try.
    pub trials: Vec<Trial>,
    /// The most time for all of them, in seconds.
    pub seconds: u64,
    /// Whether edge cases are made and tried besides.
    #[serde(default)]
    pub edges: bool,
}

/// Why a module is not inspected; the child answers with its words.
#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    /// What is asked does not stand before the module.
    #[error("the input has no first line")]
    NoFirstLine,
    /// What is asked cannot be read.
    #[error(transparent)]
    Input(#[from] serde_json::Error),
    /// The module does not load.
    #[error(transparent)]
    Load(#[from] guest::LoadError),
    /// Its description is refused.
    #[error("describe: {0}")]
    Describe(#[from] guest::DescribeError),
}

/// Why a module was not inspected, in the words of the child.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(transparent)]
#[error("{0}")]
pub struct NotInspected(pub String);

/// What an inspection found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Inspection {
    /// What the module is, from its bytes.
    pub facts: Facts,
    /// What the module says that it offers; nothing when it imports more than was declared, for then nothing runs.
    pub described: Option<Described>,
    /// What the trial calls did.
    pub runs: Vec<TrialRun>,
}

/// Why a call was tried.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TrialKind {
    /// Somebody named it, with what the answer must contain.
    #[default]
    Example,
    /// It was made from the parameters; any answer is right, as long as there is one.
    Edge,
    /// It was made from the parameters alone, with values that nobody would wonder at; any answer is right.
    Ordinary,
    /// A sentence that the skill says it answers, led to a tool by the skill's own phrases as the chat does it.
    Said,
}

/// One trial call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialRun {
    /// Why it was tried.
    #[serde(default)]
    pub kind: TrialKind,
    /// Whether the writer of the source was not shown it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held_back: bool,
    /// The sentence, of one that was said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sentence: String,
    pub tool: String,
    /// The arguments.
    pub args: Value,
    /// What the answer had to contain.
    pub expect: String,
    /// The answer, or what went wrong.
    pub answer: String,
    /// Whether it is as expected.
    pub passed: bool,
    /// The host functions that it called, with how often.
    pub host_calls: Vec<(String, u32)>,
    /// Fuel spent.
    pub fuel: u64,
    /// Peak of its memory, in bytes.
    pub memory: usize,
    /// Time from the call to the answer, in milliseconds.
    #[serde(default)]
    pub ms: u64,
    /// Whom it would have reached: addresses, events, what it would have shown; cut, the first dozen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub did: Vec<String>,
    /// What of its answer could steer a terminal or a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steers: Option<String>,
}

impl TrialRun {
    /// A call that is still to be tried.
    pub fn of(trial: &Trial, kind: TrialKind) -> TrialRun {
        TrialRun {
            kind,
            held_back: false,
            sentence: String::new(),
            tool: trial.tool.clone(),
            args: trial.args.clone(),
            expect: trial.expect.clone(),
            answer: String::new(),
            passed: false,
            host_calls: vec![],
            fuel: 0,
            memory: 0,
            ms: 0,
            did: vec![],
            steers: None,
        }
    }

    /// Whether it was an example of somebody's.
    pub fn is_example(&self) -> bool {
        self.kind == TrialKind::Example
    }

    /// Whether it was made from the parameters.
    pub fn is_edge(&self) -> bool {
        matches!(self.kind, TrialKind::Edge | TrialKind::Ordinary)
    }
}

/// What a child of this machine gets, found out by being one.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Walls {
    /// Why no child can run; `None` if one can.
    pub lacks: Option<String>,
    /// Whether it sees only what its rules name, in a root of its own.
    pub view: bool,
    /// Why it does not.
    pub refused: Option<String>,
    /// Whether it can neither signal nor change a process outside, even one of its own user.
    pub signals: bool,
    /// Everything that holds, in one line.
    pub held: String,
}

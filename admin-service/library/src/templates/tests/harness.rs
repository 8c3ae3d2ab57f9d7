//! Compiles generated sources with the real compiler and talks to them as the companion does.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use builder::compile::{FLAGS, SKILL_FLAGS};
use builder::scan;
use builder::toolchain::Toolchain;
use guest::{Described, Engine, Grants, Host, HostError, HostFn, Limits, Module, ToolOutcome, Wasmi};
use models::{Phrase, ToolSpec, phrases};
use serde_json::Value as Json;
use shared_types::id::Digest;
use shared_types::proposal::Proposal;
use skill_sdk::Value;

use crate::Written;

const WRAPPER: &str = "#[forbid(unsafe_code)]\nmod skill;\nskill_sdk::export!(skill::Skill);\n";

/// A compiler and the SDK's library, made once for all tests.
struct Workshop {
    toolchain: Toolchain,
    folder: tempfile::TempDir,
}

fn workshop() -> &'static Workshop {
    static WORKSHOP: OnceLock<Workshop> = OnceLock::new();
    WORKSHOP.get_or_init(|| {
        // The oldest compiler that skills are for, where it is installed.
        let toolchain = Toolchain::find("/usr/bin/rustc").or_else(|_| Toolchain::find("auto")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skill-sdk/src/lib.rs");
        let workshop = Workshop { toolchain, folder };
        workshop.rustc(&sdk, "skill_sdk", "rlib", &workshop.sdk()).unwrap();
        workshop
    })
}

impl Workshop {
    fn sdk(&self) -> PathBuf {
        self.folder.path().join("libskill_sdk.rlib")
    }

    fn rustc(&self, source: &Path, name: &str, kind: &str, out: &Path) -> Result<(), String> {
        let mut command = Command::new(&self.toolchain.rustc);
        command.args(FLAGS).args(["--cap-lints", "warn"]);
        if kind == "cdylib" {
            command.args(SKILL_FLAGS).arg("--extern").arg(format!("skill_sdk={}", self.sdk().display()));
        } else {
            command.args(["--crate-type", kind, "--crate-name", name]);
        }
        if let Some(linker) = &self.toolchain.linker {
            command.args(["-C", &format!("linker={linker}")]);
        }
        let done = command.arg(source).arg("-o").arg(out).output().unwrap();
        let words = String::from_utf8_lossy(&done.stderr).into_owned();
        // A template has no dead code and no needless `mut`: what is shown to a person is all used.
        if done.status.success() && (name == "skill_sdk" || words.is_empty()) { Ok(()) } else { Err(words) }
    }

    /// Compiles a source, once for each compiler, kit and source: modules are kept in `target/skills/`.
    fn module(&self, source: &str) -> Result<Vec<u8>, String> {
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/skills");
        let means = format!("{:?} {FLAGS:?} {SKILL_FLAGS:?} {WRAPPER}", self.toolchain);
        let parts = [means.as_bytes(), &fs::read(self.sdk()).unwrap(), source.as_bytes()];
        let digests: Vec<String> = parts.iter().map(|part| Digest::of(part).to_string()).collect();
        let path = kept.join(format!("template-{}", Digest::of(digests.concat().as_bytes())));
        if let Ok(module) = fs::read(&path) {
            return Ok(module);
        }
        let module = self.module_now(source)?;
        fs::create_dir_all(&kept).unwrap();
        let file = tempfile::NamedTempFile::new_in(&kept).unwrap();
        fs::write(file.path(), &module).unwrap();
        file.persist(path).unwrap();
        Ok(module)
    }

    fn module_now(&self, source: &str) -> Result<Vec<u8>, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let folder = self.folder.path().join(NEXT.fetch_add(1, Ordering::Relaxed).to_string());
        fs::create_dir(&folder).unwrap();
        let wrapper = folder.join("lib.rs");
        fs::write(folder.join("skill.rs"), source).unwrap();
        fs::write(&wrapper, WRAPPER).unwrap();
        let out = folder.join("skill.wasm");
        self.rustc(&wrapper, "skill", "cdylib", &out)?;
        Ok(fs::read(out).unwrap())
    }
}

/// A compiled skill in a world that answers its host calls.
pub(super) struct Built {
    module: Box<dyn Module>,
    pub(super) described: Described,
    grants: Grants,
    pub(super) world: World,
    pub(super) source: String,
    pub(super) size: usize,
    pub(super) compile_time: Duration,
}

/// What the person and the machine answer.
pub(super) struct World {
    pub(super) memory: BTreeMap<String, String>,
    pub(super) replies: VecDeque<String>,
    /// What somebody says, one after the other.
    pub(super) utterances: VecDeque<String>,
    /// What was said aloud.
    pub(super) spoken: Vec<String>,
    /// What was done with lines of a chip.
    pub(super) wires: Vec<String>,
    pub(super) asked: Vec<String>,
    pub(super) unix_ms: i64,
    /// The files of the skill's folder.
    pub(super) files: BTreeMap<String, String>,
    /// What servers answer, by address.
    pub(super) pages: BTreeMap<String, (i64, String)>,
    random: u64,
}

/// What became of a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    Answer(String),
    Failed(String),
    /// No pattern matches, or every tool says that it is not meant.
    Nobody,
}

/// The fuel is what a skill has everywhere; how long it may take is left to the machine, which may be busy.
fn limits() -> Limits {
    Limits { wall: Duration::from_secs(600), ..Limits::default() }
}

/// Scans, compiles and describes a source with exactly the proposal's grants.
pub(super) fn build(proposal: &Proposal, written: &Written) -> Built {
    let scanned = scan::scan(&written.source).unwrap_or_else(|v| panic!("{}: {v:#?}", written.author));
    let start = Instant::now();
    let bytes = workshop().module(&scanned.source).unwrap_or_else(|w| panic!("{}: {w}", written.author));
    let compile_time = start.elapsed();
    let module = Wasmi::new().load(&bytes).unwrap();
    let grants = Grants { tokens: proposal.capabilities.clone(), emits: false };
    let beyond = module.facts().derived.without(&proposal.capabilities);
    assert!(beyond.is_empty(), "{} imports more than asked: {beyond:?}", written.author);
    let described = guest::describe(module.as_ref(), &grants, &limits(), &AtomicBool::new(false))
        .unwrap_or_else(|e| panic!("{}: {e}", written.author));
    for phrase in described.tools.iter().flat_map(|tool| &tool.phrases) {
        language::Pattern::parse(&phrase.1)
            .unwrap_or_else(|e| panic!("{}: {}: {e}", written.author, phrase.1));
    }
    Built {
        module,
        described,
        grants,
        world: World::new(),
        source: scanned.source,
        size: bytes.len(),
        compile_time,
    }
}

impl Built {
    pub(super) fn call(&mut self, tool: &str, args: &Json, line: &str) -> ToolOutcome {
        let (limits, cancel) = (limits(), AtomicBool::new(false));
        guest::call_tool(
            self.module.as_ref(),
            &self.grants,
            &mut self.world,
            tool,
            args,
            line,
            &limits,
            &cancel,
        )
        .unwrap()
    }

    fn specs(&self, prefix: &str) -> Vec<ToolSpec> {
        let spec = |tool: &guest::DescribedTool| ToolSpec {
            examples: vec![],
            only_answers: false,
            name: format!("{prefix}.{}", tool.name),
            description: tool.description.clone(),
            parameters: tool.parameters.as_json().clone(),
            phrases: tool
                .phrases
                .iter()
                .map(|(language, pattern)| Phrase { language: language.clone(), pattern: pattern.clone() })
                .collect(),
        };
        self.described.tools.iter().map(spec).collect()
    }

    /// Says a line to this skill alone.
    pub(super) fn say(&mut self, line: &str) -> Said {
        say(std::slice::from_mut(self), line).1
    }
}

/// The tool to which a line leads first.
pub(super) fn leads_to(skill: &Built, line: &str) -> Option<String> {
    let found = phrases::route(line, &skill.specs("s"), Some(language::detect(line))).into_iter().next()?;
    found.tool.strip_prefix("s.").map(str::to_owned)
}

/// Says a line to several skills; which one answered, what, and how many tools were asked.
pub(super) fn say(skills: &mut [Built], line: &str) -> (usize, Said, usize) {
    let specs: Vec<ToolSpec> =
        skills.iter().enumerate().flat_map(|(at, s)| s.specs(&format!("s{at}"))).collect();
    let candidates = phrases::route(line, &specs, Some(language::detect(line)));
    for (tried, candidate) in candidates.iter().enumerate() {
        let (skill, tool) = candidate.tool.split_once('.').unwrap();
        let at: usize = skill[1..].parse().unwrap();
        match skills[at].call(tool, &candidate.arguments, line) {
            ToolOutcome::Ok(text) => return (at, Said::Answer(text), tried + 1),
            ToolOutcome::Failed(why) => return (at, Said::Failed(why), tried + 1),
            ToolOutcome::NotMine => {}
        }
    }
    (usize::MAX, Said::Nobody, candidates.len())
}

impl World {
    fn new() -> World {
        World {
            memory: BTreeMap::new(),
            replies: VecDeque::new(),
            utterances: VecDeque::new(),
            spoken: Vec::new(),
            wires: Vec::new(),
            asked: Vec::new(),
            // 2026-02-07, half past eleven in the evening in universal time: the 8th where the clock is an hour ahead.
            unix_ms: 1_770_507_000_000,
            files: BTreeMap::new(),
            pages: BTreeMap::new(),
            random: 7,
        }
    }
}

impl Host for World {
    fn call(&mut self, function: HostFn, request: Value, _deadline: Instant) -> Result<Value, HostError> {
        let text = |key: &str| request.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
        match function {
            HostFn::Now => Ok(Value::map([("unix_ms", self.unix_ms.into()), ("utc_offset_s", 3_600.into())])),
            HostFn::Random => {
                self.random = self
                    .random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                Ok(Value::map([("u64", ((self.random ^ (self.random >> 29)) as i64).into())]))
            }
            HostFn::Ask => {
                self.asked.push(text("question"));
                self.replies.pop_front().map(Value::from).ok_or_else(|| "nobody is here".into())
            }
            HostFn::MemoryQuery => {
                let found = self.memory.iter().filter(|(key, _)| key.starts_with(&text("key")));
                Ok(Value::list(found.map(|(key, value)| {
                    Value::map([("key", key.as_str().into()), ("text", value.as_str().into())])
                })))
            }
            HostFn::MemoryStore => {
                match request.get("text").and_then(Value::as_text) {
                    Some(value) => self.memory.insert(text("key"), value.to_owned()),
                    None => self.memory.remove(&text("key")),
                };
                Ok(Value::Null)
            }
            HostFn::FileList => Ok(Value::list(self.files.keys().map(String::as_str))),
            HostFn::FileRead => {
                let file = self.files.get(&text("path"));
                file.map(|text| text.as_str().into()).ok_or_else(|| "the file does not exist".into())
            }
            HostFn::AudioSay => {
                self.spoken.push(text("text"));
                Ok(Value::Null)
            }
            HostFn::AudioListen => Ok(self.utterances.pop_front().map_or(Value::Null, Value::from)),
            HostFn::GpioRead => {
                self.wires.push(format!("read {}", text("line")));
                Ok(false.into())
            }
            HostFn::GpioWrite => {
                let on = request.get("on").and_then(Value::as_flag).unwrap_or_default();
                self.wires.push(format!("{} {}", text("line"), if on { "on" } else { "off" }));
                Ok(Value::Null)
            }
            HostFn::GpioWait => {
                self.wires.push(format!("wait {}", text("line")));
                Ok(Value::Null)
            }
            HostFn::HttpGet => match self.pages.get(&text("url")) {
                Some((status, body)) => {
                    Ok(Value::map([("status", (*status).into()), ("body", body.as_str().into())]))
                }
                None => Err("no server answers".into()),
            },
            other => Err(format!("{other} is not for templates").into()),
        }
    }
}

//! What the tests share: skills compiled by the real compiler, modules encoded by hand, a host that records.
#![expect(dead_code, reason = "each test file uses its part")]

pub mod encode;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use guest::{Engine as _, Host, HostError, HostFn, Module, Value, Wasmi};

/// An example of the SDK as a module; nothing, said aloud, if no compiler for WebAssembly is there.
pub fn example(name: &str) -> Option<Box<dyn Module>> {
    let workshop = workshop()?;
    static COMPILED: Mutex<BTreeMap<String, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let mut compiled = COMPILED.lock().unwrap();
    let bytes = compiled.entry(name.to_owned()).or_insert_with(|| workshop.compile(name));
    Some(Wasmi::new().load(bytes).unwrap())
}

/// A compiler with an SDK, in a folder that lasts as long as the tests.
pub struct Workshop {
    folder: tempfile::TempDir,
    rustc: PathBuf,
    linker: &'static str,
}

/// The workshop of this process, set up once.
pub fn workshop() -> Option<&'static Workshop> {
    static WORKSHOP: OnceLock<Option<Workshop>> = OnceLock::new();
    WORKSHOP.get_or_init(Workshop::open).as_ref()
}

impl Workshop {
    fn open() -> Option<Workshop> {
        let Some((rustc, linker)) = compiler() else {
            eprintln!("SKIPPED: no compiler for wasm32-unknown-unknown is installed");
            return None;
        };
        let workshop = Workshop { folder: tempfile::tempdir().unwrap(), rustc, linker };
        let sdk = repository().join("skill-sdk/src/lib.rs");
        workshop.run(&[
            "--crate-type=rlib",
            "--crate-name=skill_sdk",
            "-Ccodegen-units=1",
            "-Cembed-bitcode=no",
            "-o",
            "libskill_sdk.rlib",
            sdk.to_str().unwrap(),
        ]);
        Some(workshop)
    }

    /// Compiles an example of the SDK inside a wrapper as the admin service writes it.
    pub fn compile(&self, example: &str) -> Vec<u8> {
        let name = example.replace('/', "_");
        let source = repository().join("skill-sdk/examples").join(format!("{example}.rs"));
        let wrapper = format!(
            "#[forbid(unsafe_code)]\n#[path = {source:?}]\nmod skill;\nskill_sdk::export!(skill::Skill);\n"
        );
        let wrapper_file = format!("{name}.rs");
        std::fs::write(self.folder.path().join(&wrapper_file), wrapper).unwrap();
        // Several tests may want the same module at once.
        let module = format!("{name}-{:?}.wasm", std::thread::current().id());
        self.run(&[
            "--crate-type=cdylib",
            "--crate-name=skill",
            "-Clto=off",
            "-Ccodegen-units=1",
            &format!("-Clinker={}", self.linker),
            "-Clink-arg=-zstack-size=131072",
            "-Clink-arg=--strip-all",
            "--extern=skill_sdk=libskill_sdk.rlib",
            &wrapper_file,
            "-o",
            &module,
        ]);
        std::fs::read(self.folder.path().join(module)).unwrap()
    }

    fn run(&self, arguments: &[&str]) {
        let output = Command::new(&self.rustc)
            .args(["--edition=2021", "--target=wasm32-unknown-unknown", "-Copt-level=s", "-Cpanic=abort"])
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "warnings: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The first compiler that has the target: the toolchain's own with its linker, else Debian's with LLVM's.
fn compiler() -> Option<(PathBuf, &'static str)> {
    let candidates = [(PathBuf::from("rustc"), "rust-lld"), (PathBuf::from("/usr/bin/rustc"), "wasm-ld")];
    candidates.into_iter().find(|(rustc, _)| {
        let Ok(output) = Command::new(rustc).args(["--print", "sysroot"]).output() else { return false };
        let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Path::new(&sysroot).join("lib/rustlib/wasm32-unknown-unknown/lib").is_dir()
    })
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A host that keeps records in memory, counts random numbers up, and remembers what it was asked.
#[derive(Debug, Default)]
pub struct Recorder {
    /// Every call with its request.
    pub asked: Vec<(HostFn, Value)>,
    /// The records of `memory_store`.
    pub records: BTreeMap<String, String>,
    /// What every other function answers.
    pub answer: Option<Value>,
    /// The last random number.
    pub random: u64,
}

impl Host for Recorder {
    fn call(&mut self, function: HostFn, request: Value, deadline: Instant) -> Result<Value, HostError> {
        assert!(deadline > Instant::now());
        self.asked.push((function, request.clone()));
        let text = |key| request.get(key).and_then(Value::as_text).map(ToOwned::to_owned);
        match function {
            HostFn::Log => Ok(Value::Null),
            HostFn::Random => {
                self.random += 1;
                Ok(Value::map([("u64", Value::Int(self.random as i64))]))
            }
            HostFn::Now => Ok(Value::map([
                ("unix_ms", Value::Int(1_893_456_000_000)),
                ("utc_offset_s", Value::Int(3600)),
            ])),
            HostFn::MemoryStore => {
                let key = text("key").ok_or("no key")?;
                match text("text") {
                    Some(text) => self.records.insert(key, text),
                    None => self.records.remove(&key),
                };
                Ok(Value::Null)
            }
            HostFn::MemoryQuery => {
                let prefix = text("key").ok_or("no key")?;
                let matching = self.records.iter().filter(|(key, _)| key.starts_with(&prefix));
                Ok(Value::list(matching.map(|(key, text)| {
                    Value::map([("key", key.as_str().into()), ("text", text.as_str().into())])
                })))
            }
            _ => self.answer.clone().ok_or_else(|| format!("`{function}` fails today").into()),
        }
    }
}

//! Compiles a canonical source in a jail: plain `rustc`, our wrapper, the SDK as a ready library.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use shared_types::home::Home;
use shared_types::id::Digest;

use super::toolchain::{TARGET, Toolchain};
use crate::children::{self, ChildFault, CompileJail};
use crate::config::{Config, Limits};
use crate::error::Error;
use crate::failpoints::{Point, at};
use crate::install::{PRIVATE, make_folder};

/// The SDK's sources, carried in this program so that no checkout is needed.
const SDK: [(&str, &str); 10] = [
    ("lib.rs", include_str!("../../../skill-sdk/src/lib.rs")),
    ("abi.rs", include_str!("../../../skill-sdk/src/abi.rs")),
    ("call.rs", include_str!("../../../skill-sdk/src/call.rs")),
    ("codec.rs", include_str!("../../../skill-sdk/src/codec.rs")),
    ("date.rs", include_str!("../../../skill-sdk/src/date.rs")),
    ("describe.rs", include_str!("../../../skill-sdk/src/describe.rs")),
    ("entry.rs", include_str!("../../../skill-sdk/src/entry.rs")),
    ("imports.rs", include_str!("../../../skill-sdk/src/imports.rs")),
    ("json.rs", include_str!("../../../skill-sdk/src/json.rs")),
    ("value.rs", include_str!("../../../skill-sdk/src/value.rs")),
];

/// The crate around a skill: the exports are ours, and the skill's own file can hold no unsafe code.
const WRAPPER: &str = "#[forbid(unsafe_code)]\nmod skill;\nskill_sdk::export!(skill::Skill);\n";

/// Flags of both compilations; reported with the module, since the digest depends on them.
///
/// No link-time optimisation: it takes ten times as long and saves a quarter of the size.
pub const FLAGS: [&str; 8] =
    ["--edition", "2021", "--target", TARGET, "-C", "opt-level=s", "-C", "panic=abort"];

/// Flags of the library alone.
const SDK_FLAGS: [&str; 8] =
    ["--crate-type", "rlib", "--crate-name", "skill_sdk", "-C", "codegen-units=1", "-C", "embed-bitcode=no"];

/// Flags of the skill alone: a stack of 128 KiB, and no names or other custom sections.
pub(crate) const SKILL_FLAGS: [&str; 10] = [
    "--crate-type",
    "cdylib",
    "--crate-name",
    "skill",
    "-C",
    "lto=off",
    "-C",
    "link-arg=-zstack-size=131072",
    "-C",
    "link-arg=--strip-all",
];

/// A compiled module.
#[derive(Debug)]
pub struct Compiled {
    /// Its bytes.
    pub module: Vec<u8>,
    /// By which compiler, with which flags.
    pub by: String,
}

/// Why there is no module.
#[derive(Debug)]
pub enum CompileFault {
    /// The source does not compile; the compiler's messages.
    Source(String),
    /// The proposal waits: no compiler, no jail.
    Waits(String),
    /// The service's own trouble.
    Own(Error),
}

/// Compiles a source in the jail; the same source gives the same bytes.
///
/// # Errors
/// See [`CompileFault`].
pub fn compile(
    home: &Home,
    toolchain: &Toolchain,
    source: &str,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<Compiled, CompileFault> {
    let sdk = sdk(home, toolchain, limits, cancel)?;
    let work = WorkFolder::make(home).map_err(CompileFault::Own)?;
    work.write("lib.rs", WRAPPER)?;
    work.write("skill.rs", source)?;
    at(Point::ReviewWorkFolder);
    let mut args: Vec<String> = FLAGS.iter().chain(&SKILL_FLAGS).map(|f| (*f).to_owned()).collect();
    args.extend(["lib.rs", "-o", "skill.wasm"].map(str::to_owned));
    args.extend(["--cap-lints", "allow", "--error-format", "short", "--color", "never"].map(str::to_owned));
    args.push("--extern".into());
    args.push(format!("skill_sdk={}", sdk.join("libskill_sdk.rlib").display()));
    // Folders must not reach the module: the same source gives the same digest anywhere.
    args.push(format!("--remap-path-prefix={}=/skill", work.path.display()));
    args.push(format!("--remap-path-prefix={}=/sdk", sdk.display()));
    if let Some(linker) = &toolchain.linker {
        args.extend(["-C".into(), format!("linker={linker}")]);
    }
    run(toolchain, args, &work.path, vec![sdk], limits, cancel)?;
    let path = work.path.join("skill.wasm");
    let module = fs::read(&path).map_err(|e| CompileFault::Own(Error::io(&path)(e)))?;
    Ok(Compiled {
        module,
        by: format!("{} {}", toolchain.version, [&FLAGS[..], &SKILL_FLAGS[..]].concat().join(" ")),
    })
}

/// Makes the SDK's library ahead of the first proposal; that it cannot be made is told when one comes.
pub fn prepare(home: &Home, config: &Config, cancel: &AtomicBool) {
    if let Ok(toolchain) = Toolchain::find(&config.compiler) {
        let _ = sdk(home, &toolchain, &config.limits, cancel);
    }
}

/// The SDK's library for this compiler, made once.
fn sdk(
    home: &Home,
    toolchain: &Toolchain,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<PathBuf, CompileFault> {
    let folder = home.build().join("sdk").join(&sdk_digest(toolchain).as_str()[..16]);
    if folder.join("libskill_sdk.rlib").exists() {
        return Ok(folder);
    }
    let work = WorkFolder::make(home).map_err(CompileFault::Own)?;
    for (name, text) in SDK {
        work.write(name, text)?;
    }
    let mut args: Vec<String> = FLAGS.iter().chain(&SDK_FLAGS).map(|f| (*f).to_owned()).collect();
    args.extend(["lib.rs", "-o", "libskill_sdk.rlib"].map(str::to_owned));
    args.extend(["--cap-lints", "allow", "--color", "never"].map(str::to_owned));
    args.push(format!("--remap-path-prefix={}=/sdk", work.path.display()));
    run(toolchain, args, &work.path, vec![], limits, cancel).map_err(|fault| match fault {
        CompileFault::Source(words) => {
            CompileFault::Waits(format!("{} cannot build the SDK: {words}", toolchain.version))
        }
        other => other,
    })?;
    let bytes = fs::read(work.path.join("libskill_sdk.rlib"))
        .map_err(|e| CompileFault::Own(Error::io(&work.path)(e)))?;
    make_folder(&folder, PRIVATE).map_err(CompileFault::Own)?;
    let path = folder.join("libskill_sdk.rlib");
    durable::replace(&path, &bytes, 0o600).map_err(|e| CompileFault::Own(Error::io(&path)(e)))?;
    Ok(folder)
}

/// What the SDK's library depends on.
pub fn sdk_digest(toolchain: &Toolchain) -> Digest {
    let mut all = toolchain.fingerprint().to_string();
    for (name, text) in SDK {
        all.push_str(name);
        all.push_str(text);
    }
    all.push_str(&[&FLAGS[..], &SDK_FLAGS[..]].concat().join(" "));
    Digest::of(all.as_bytes())
}

fn run(
    toolchain: &Toolchain,
    args: Vec<String>,
    work: &Path,
    read: Vec<PathBuf>,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<(), CompileFault> {
    let jail = CompileJail {
        execute: toolchain.folders.clone(),
        read,
        write: work.to_owned(),
        memory: limits.compile_memory,
        cpu_seconds: limits.compile.as_secs(),
        program: toolchain.rustc.clone(),
        args,
    };
    match children::compile(&jail, work, limits.compile, cancel) {
        Ok(_) => Ok(()),
        // A compiler on a full disk fails in many ways, none of which is the source's doing.
        Err(_) if lacks_room(work) => {
            let source = std::io::Error::from(std::io::ErrorKind::StorageFull);
            Err(CompileFault::Own(Error::Io { path: work.to_owned(), source }))
        }
        Err(ChildFault::Failed { words, .. }) => Err(CompileFault::Source(words)),
        Err(ChildFault::TimedOut(most)) => {
            Err(CompileFault::Source(format!("the compiler needed more than {} s", most.as_secs())))
        }
        Err(ChildFault::Killed(signal)) => {
            Err(CompileFault::Source(format!("the compiler ran out of its memory or time (signal {signal})")))
        }
        Err(fault @ (ChildFault::NoJail(_) | ChildFault::Start(_) | ChildFault::Cancelled)) => {
            Err(CompileFault::Waits(fault.to_string()))
        }
    }
}

/// Less than this, in bytes, is too little for the compiler's own files.
const LEAST_ROOM: u64 = 8 << 20;

fn lacks_room(work: &Path) -> bool {
    nix::sys::statvfs::statvfs(work)
        .is_ok_and(|disk| disk.blocks_available().saturating_mul(disk.fragment_size()) < LEAST_ROOM)
}

/// A folder for one compilation; gone when it is dropped.
struct WorkFolder {
    path: PathBuf,
}

impl WorkFolder {
    fn make(home: &Home) -> Result<WorkFolder, Error> {
        let parent = home.build().join("work");
        make_folder(&parent, PRIVATE)?;
        let path = parent.join(shared_types::id::ProposalId::generate().as_str());
        make_folder(&path, PRIVATE)?;
        Ok(WorkFolder { path })
    }

    fn write(&self, name: &str, text: &str) -> Result<(), CompileFault> {
        let path = self.path.join(name);
        fs::write(&path, text).map_err(|e| CompileFault::Own(Error::io(&path)(e)))
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // What stays behind is swept at the next start.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes what killed compilations left behind; only the service's holder may call it.
pub fn sweep(home: &Home) {
    let _ = fs::remove_dir_all(home.build().join("work"));
}

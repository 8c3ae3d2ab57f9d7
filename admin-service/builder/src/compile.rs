//! Compiles a canonical source in a jail: plain `rustc`, our wrapper, the SDK as a ready library.
//!
//! Where the service is root's, the compiler runs as a user of its own ([`user`]); its folder is [`work`]'s business, and
//! what is said when it ends badly that of `words`.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use base::config::{Config, Limits};
use base::error::Error;
use base::failpoints::{Point, at};
use base::folders::{PRIVATE, make_folder};
use base::home::Home;
use base::package;
use shared_types::id::Digest;

use super::toolchain::{TARGET, Toolchain};
use crate::workers::{self, ChildFault, CompileJail};

mod said;
pub mod user;
mod words;
mod work;

pub use said::{Fix, mend};
use work::WorkFolder;
pub use work::sweep;

/// The SDK's sources, carried in this program so that no checkout is needed.
const SDK: [(&str, &str); 17] = [
    ("lib.rs", include_str!("../../../skill-sdk/src/lib.rs")),
    ("abi.rs", include_str!("../../../skill-sdk/src/abi.rs")),
    ("base64.rs", include_str!("../../../skill-sdk/src/base64.rs")),
    ("call.rs", include_str!("../../../skill-sdk/src/call.rs")),
    ("codec.rs", include_str!("../../../skill-sdk/src/codec.rs")),
    ("date.rs", include_str!("../../../skill-sdk/src/date.rs")),
    ("describe.rs", include_str!("../../../skill-sdk/src/describe.rs")),
    ("entry.rs", include_str!("../../../skill-sdk/src/entry.rs")),
    ("float.rs", include_str!("../../../skill-sdk/src/float.rs")),
    ("heap.rs", include_str!("../../../skill-sdk/src/heap.rs")),
    ("hex.rs", include_str!("../../../skill-sdk/src/hex.rs")),
    ("imports.rs", include_str!("../../../skill-sdk/src/imports.rs")),
    ("json.rs", include_str!("../../../skill-sdk/src/json.rs")),
    ("number.rs", include_str!("../../../skill-sdk/src/number.rs")),
    ("text.rs", include_str!("../../../skill-sdk/src/text.rs")),
    ("unread.rs", include_str!("../../../skill-sdk/src/unread.rs")),
    ("value.rs", include_str!("../../../skill-sdk/src/value.rs")),
];

/// The crate around a skill: the exports are ours, and the skill's own file can hold no unsafe code.
///
/// The lints are forced here, where the skill's file cannot reach; `--cap-lints` would silence them, so it is not given.
const WRAPPER: &str = "#[forbid(unsafe_code)]\n#[deny(unconditional_recursion)]\nmod skill;\nskill_sdk::export!(skill::Skill);\n";

/// Flags of both compilations; reported with the module, since the digest depends on them.
///
/// No link-time optimisation: it takes ten times as long and saves a quarter of the size.
pub const FLAGS: [&str; 8] =
    ["--edition", "2021", "--target", TARGET, "-C", "opt-level=s", "-C", "panic=abort"];

/// Flags of the library alone.
const SDK_FLAGS: [&str; 8] =
    ["--crate-type", "rlib", "--crate-name", "skill_sdk", "-C", "codegen-units=1", "-C", "embed-bitcode=no"];

/// Flags of the skill alone: a stack of 128 KiB, and no names or other custom sections. In one unit nothing is made twice.
pub const SKILL_FLAGS: [&str; 12] = [
    "--crate-type",
    "cdylib",
    "--crate-name",
    "skill",
    "-C",
    "lto=off",
    "-C",
    "codegen-units=1",
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
    /// The source does not compile.
    Source {
        /// The compiler's messages.
        words: String,
        /// What [`mend`] may change without asking anybody.
        fixes: Vec<Fix>,
    },
    /// The compiler cannot be confined here, so it was not started.
    NoJail(String),
    /// The proposal waits: the compiler could not be started, or cannot make the SDK.
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
    let work = WorkFolder::make(home, toolchain).map_err(CompileFault::Own)?;
    work.write("lib.rs", WRAPPER.as_bytes())?;
    work.write(package::SOURCE, source.as_bytes())?;
    work.write(SDK_FILE, &sdk)?;
    at(Point::ReviewWorkFolder);
    run(toolchain, skill_args(toolchain, &work.path), &work, limits, cancel)
        .map_err(|ended| ended.told(source, limits))?;
    let module = work.read(package::MODULE, LARGEST_MODULE)?;
    // The digest is taken of what runs: notes of the compiler go before anybody looks at the bytes.
    let module = workers::strip(&module, cancel).map_err(|fault| match fault.blames_input() {
        true => words::of_the_source(format!("the module cannot be read: {fault}")),
        false => words::fault(fault, source, limits),
    })?;
    Ok(Compiled {
        module,
        by: format!("{} {}", toolchain.version, [&FLAGS[..], &SKILL_FLAGS[..]].concat().join(" ")),
    })
}

/// The compiler's arguments for a skill in this folder.
fn skill_args(toolchain: &Toolchain, work: &Path) -> Vec<String> {
    let mut args: Vec<String> = FLAGS.iter().chain(&SKILL_FLAGS).map(|f| (*f).to_owned()).collect();
    args.extend(["lib.rs", "-o", package::MODULE].map(str::to_owned));
    // What only warns is nobody's business; what is wrong by default stays an error. As JSON the messages come with suggestions.
    args.extend(["-A", "warnings", "--error-format", "json"].map(str::to_owned));
    args.extend(["--extern".to_owned(), format!("skill_sdk={SDK_FILE}")]);
    // Folders must not reach the module: the same source gives the same digest anywhere.
    args.push(format!("--remap-path-prefix={}=/skill", work.display()));
    if let Some(linker) = &toolchain.linker {
        args.extend(["-C".into(), format!("linker={linker}")]);
    }
    args
}

/// Makes the SDK's library ahead of the first proposal; if it cannot be made, that is reported when a proposal comes.
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
) -> Result<Vec<u8>, CompileFault> {
    let path = sdk_path(home, toolchain);
    if let Ok(bytes) = std::fs::read(&path) {
        return Ok(bytes);
    }
    let work = WorkFolder::make(home, toolchain).map_err(CompileFault::Own)?;
    for (name, text) in SDK {
        work.write(name, text.as_bytes())?;
    }
    // Our own source needs no short limit, regardless of the limit for skills; on a small machine it takes a while.
    let patient = Limits { compile: limits.compile.max(SDK_TIME), ..limits.clone() };
    run(toolchain, sdk_args(&work.path), &work, &patient, cancel).map_err(|ended| match ended {
        // No wish is to blame for it, so no advice on how to write another one.
        Ended::Compiler(fault) if fault.blames_input() => {
            CompileFault::Waits(format!("{} cannot build the SDK: {fault}", toolchain.version))
        }
        other => other.told("", limits),
    })?;
    let bytes = work.read(SDK_FILE, LARGEST_SDK)?;
    keep_sdk(&path, &bytes).map_err(CompileFault::Own)?;
    Ok(bytes)
}

/// Where the SDK's library for this compiler is kept.
fn sdk_path(home: &Home, toolchain: &Toolchain) -> PathBuf {
    home.build().join("sdk").join(&sdk_digest(toolchain).as_str()[..16]).join(SDK_FILE)
}

fn keep_sdk(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if let Some(folder) = path.parent() {
        make_folder(folder, PRIVATE)?;
    }
    durable::replace(path, bytes, 0o600).map_err(Error::io(path))
}

/// Gives a home the SDK's library that another home of the same service has; on a small machine that saves a minute.
///
/// # Errors
/// A library that cannot be written; without a library nothing is done.
pub fn share_sdk(from: &Home, to: &Home, toolchain: &Toolchain) -> Result<(), Error> {
    match std::fs::read(sdk_path(from, toolchain)) {
        Ok(bytes) => keep_sdk(&sdk_path(to, toolchain), &bytes),
        Err(_) => Ok(()),
    }
}

/// The compiler's arguments for the SDK in this folder.
fn sdk_args(work: &Path) -> Vec<String> {
    let mut args: Vec<String> = FLAGS.iter().chain(&SDK_FLAGS).map(|f| (*f).to_owned()).collect();
    args.extend(["lib.rs", "-o", SDK_FILE].map(str::to_owned));
    args.extend(["--cap-lints", "allow", "--color", "never"].map(str::to_owned));
    args.push(format!("--remap-path-prefix={}=/sdk", work.display()));
    args
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
    work: &WorkFolder,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<(), Ended> {
    let jail = CompileJail {
        execute: toolchain.folders.clone(),
        read: vec![],
        write: work.path.clone(),
        memory: limits.compile_memory,
        cpu_seconds: limits.compile.as_secs(),
        user: work.user,
        program: toolchain.rustc.clone(),
        args,
    };
    match workers::compile(&jail, &work.path, cancel) {
        Ok(_) => Ok(()),
        // A compiler on a full disk fails in many ways, none of which is the source's doing.
        Err(_) if lacks_room(&work.path) => {
            let source = std::io::Error::from(std::io::ErrorKind::StorageFull);
            Err(Ended::Disk(Error::Io { path: work.path.clone(), source }))
        }
        Err(fault) => Err(Ended::Compiler(fault)),
    }
}

/// How a compiler ended that made nothing.
enum Ended {
    /// On its own, or by its limits.
    Compiler(ChildFault),
    /// For want of room on the disk.
    Disk(Error),
}

impl Ended {
    /// What that means for the source that it was given.
    fn told(self, source: &str, limits: &Limits) -> CompileFault {
        match self {
            Ended::Compiler(fault) => words::fault(fault, source, limits),
            Ended::Disk(error) => CompileFault::Own(error),
        }
    }
}

/// The name of the SDK's library, in its own folder and in a compilation's.
const SDK_FILE: &str = "libskill_sdk.rlib";
/// The largest file, in bytes, that is taken from a compiler as a module; what runs may be 2 MiB.
const LARGEST_MODULE: u64 = 12 << 20;
/// The least time that the SDK's library is given, once for each compiler.
const SDK_TIME: Duration = Duration::from_secs(120);
/// The largest file, in bytes, that is taken from a compiler as the SDK's library.
const LARGEST_SDK: u64 = 64 << 20;

/// Less than this, in bytes, is too little for the compiler's own files.
const LEAST_ROOM: u64 = 8 << 20;

fn lacks_room(work: &Path) -> bool {
    nix::sys::statvfs::statvfs(work)
        .is_ok_and(|disk| disk.blocks_available().saturating_mul(disk.fragment_size()) < LEAST_ROOM)
}

#[cfg(test)]
mod tests;

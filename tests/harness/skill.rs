//! Hand-written skills, compiled as a person would compile them: without any of the programs under test.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use shared_types::id::Digest;

use crate::world::{World, workspace};

const TARGET: &str = "wasm32-unknown-unknown";
const WRAPPER: &str = "mod skill;\nskill_sdk::export!(skill::Skill);\n";
const FLAGS: [&str; 8] = [
    "--edition=2021",
    "--target",
    TARGET,
    "-Copt-level=s",
    "-Cpanic=abort",
    "-Cstrip=symbols",
    "--cap-lints",
    "allow",
];

/// A compiler for skills.
#[derive(Debug, Clone)]
pub struct Compiler {
    /// The program.
    pub rustc: PathBuf,
    linker: Option<PathBuf>,
    /// Which one it is.
    version: String,
    /// Whether it is the distribution's, which is found without a home folder.
    pub of_the_distribution: bool,
}

/// The compiler for skills that this machine has, if any.
pub fn compiler() -> Option<&'static Compiler> {
    static FOUND: OnceLock<Option<Compiler>> = OnceLock::new();
    FOUND.get_or_init(find).as_ref()
}

/// Whether skills cannot be compiled here; says so visibly.
pub fn compiler_is_missing() -> bool {
    if compiler().is_none() {
        crate::skip("no compiler for wasm32-unknown-unknown is installed (`cargo xtask wasm` installs one)");
    }
    compiler().is_none()
}

/// Compiles a skill's source to a module, once for each compiler, kit and source: modules are kept in `target/skills/`.
#[track_caller]
pub fn compile(source: &str) -> Vec<u8> {
    let compiler = compiler().expect("the caller has asked whether there is a compiler");
    let parts = [compiler.version.as_bytes(), sdk(compiler), WRAPPER.as_bytes(), source.as_bytes()];
    let digests: Vec<String> = parts.iter().map(|part| Digest::of(part).to_string()).collect();
    let kept = workspace().join("target/skills");
    let path = kept.join(Digest::of(digests.concat().as_bytes()).to_string());
    if let Ok(module) = fs::read(&path) {
        return module;
    }
    let module = compile_now(compiler, source);
    // Where nothing can be kept, it is compiled each time.
    let _ = fs::create_dir_all(&kept).and_then(|()| durable::replace(&path, &module, 0o644));
    module
}

/// Lays the library that `cl-admin` compiles skills against into a new home, as an earlier compilation would have left it: making
/// it takes most of the time of a first skill.
#[track_caller]
pub fn lay_kit(world: &World) {
    static KEPT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let Some(kept) = KEPT.get_or_init(|| compiler().map(kit)) else { return };
    copy(kept, &world.home().build().join("sdk"));
}

/// The same for any folder of a home's builds.
#[track_caller]
pub(crate) fn lay_kit_in(build: &Path) {
    if let Some(compiler) = compiler() {
        copy(&kit(compiler), &build.join("sdk"));
    }
}

/// That library in its folder, kept in `target/skills/`: made in a home of its own, once for each compiler and each state of the
/// sources.
#[track_caller]
fn kit(compiler: &Compiler) -> PathBuf {
    let sources = fs::read_dir(workspace().join("skill-sdk/src")).expect("the kit has sources");
    let mut sources: Vec<PathBuf> = sources.map(|entry| entry.expect("an entry").path()).collect();
    sources.push(workspace().join("admin-service/builder/src/compile.rs"));
    sources.retain(|path| path.is_file());
    sources.sort();
    let digest = |path: &PathBuf| Digest::of(&fs::read(path).expect("a source can be read")).to_string();
    let parts: Vec<String> =
        [compiler.version.clone()].into_iter().chain(sources.iter().map(digest)).collect();
    let kept = workspace().join("target/skills");
    let place = kept.join(format!("kit-{}", Digest::of(parts.concat().as_bytes())));
    if !place.is_dir() {
        let world = World::without_kit();
        world.ask("learn to roll dice");
        world.admin(&["run", "--once"]).done();
        fs::create_dir_all(&kept).expect("a folder can be made");
        let fresh = tempfile::tempdir_in(&kept).expect("a temporary folder");
        copy(&world.home().build().join("sdk"), &fresh.path().join("sdk"));
        // Another test process may have put it there meanwhile.
        let _ = fs::rename(fresh.path().join("sdk"), &place);
    }
    place
}

/// Copies a folder of folders that hold files, for nobody else.
fn copy(from: &Path, to: &Path) {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    for inner in entries(from) {
        let folder = to.join(inner.file_name());
        DirBuilder::new().recursive(true).mode(0o700).create(&folder).expect("a folder can be made");
        for file in entries(&inner.path()) {
            fs::copy(file.path(), folder.join(file.file_name())).expect("a file can be copied");
        }
    }
}

#[track_caller]
fn compile_now(compiler: &Compiler, source: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("libskill_sdk.rlib"), sdk(compiler)).expect("a file can be written");
    fs::write(folder.path().join("lib.rs"), WRAPPER).expect("a file can be written");
    fs::write(folder.path().join("skill.rs"), source).expect("a file can be written");
    let mut rustc = Command::new(&compiler.rustc);
    rustc.args([
        "--crate-type=cdylib",
        "--crate-name=skill",
        "lib.rs",
        "--extern=skill_sdk=libskill_sdk.rlib",
    ]);
    if let Some(linker) = &compiler.linker {
        rustc.arg(format!("-Clinker={}", linker.display()));
    }
    run(rustc.args(["-o", "skill.wasm"]), folder.path());
    fs::read(folder.path().join("skill.wasm")).expect("the compiler wrote a module")
}

/// The kit as a library; made once in every test process.
fn sdk(compiler: &Compiler) -> &'static [u8] {
    static LIBRARY: OnceLock<Vec<u8>> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut rustc = Command::new(&compiler.rustc);
        rustc
            .args(["--crate-type=rlib", "--crate-name=skill_sdk"])
            .arg(workspace().join("skill-sdk/src/lib.rs"));
        run(rustc.args(["-o", "libskill_sdk.rlib"]), folder.path());
        fs::read(folder.path().join("libskill_sdk.rlib")).expect("the compiler wrote a library")
    })
}

#[track_caller]
fn run(rustc: &mut Command, folder: &Path) {
    let output = rustc.args(FLAGS).current_dir(folder).output().expect("the compiler runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn find() -> Option<Compiler> {
    let has_target = |sysroot: &Path| sysroot.join("lib/rustlib").join(TARGET).join("lib").is_dir();
    let linker = PathBuf::from("/usr/bin/wasm-ld");
    let system = PathBuf::from("/usr/bin/rustc");
    if has_target(Path::new("/usr")) && system.is_file() && linker.is_file() {
        let version = version(&system, Some(&linker))?;
        return Some(Compiler { rustc: system, linker: Some(linker), version, of_the_distribution: true });
    }
    let asked = Command::new("rustc").args(["--print", "sysroot"]).current_dir(workspace()).output().ok()?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&asked.stdout).trim());
    let rustc = sysroot.join("bin/rustc");
    let version = version(&rustc, None)?;
    has_target(&sysroot).then_some(Compiler { rustc, linker: None, version, of_the_distribution: false })
}

/// What a module depends on besides its source.
fn version(rustc: &Path, linker: Option<&Path>) -> Option<String> {
    let says = |program: &Path, option| Some(Command::new(program).arg(option).output().ok()?.stdout);
    let linker = linker.map_or(Some(vec![]), |linker| says(linker, "--version"))?;
    let text = [says(rustc, "-vV")?, linker].concat();
    Some(format!("{} {FLAGS:?}", String::from_utf8_lossy(&text)))
}

/// A skill in the file that `cl-admin skill import` takes; `spec` is what stands under `proposal` besides id and name.
pub fn exported(name: &str, spec: &str, source: &str) -> String {
    let spec = format!(
        "proposal:\n  id: {}\n  kind: skill\n  name: {name}\n  description: made by a test\n  profile_id: default\n{spec}",
        shared_types::id::ProposalId::generate()
    );
    let digest = |text: &str| Digest::of(text.as_bytes());
    serde_json::json!({
        "format": "tameclaw-skill-1", "name": name, "version": 1, "spec_sha256": digest(&spec),
        "source_sha256": digest(source), "module_sha256": digest("another machine's"), "report_sha256": digest("report"),
        "approved_by": "somebody", "approved_at": "2026-02-07T14:30:00Z", "spec": spec, "source": source,
    })
    .to_string()
}

//! What a generated source can do to the compiler: nothing that outlives its limits, and nothing to the module's digest.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use tameclaw_tests::run::{Background, run};
use tameclaw_tests::world::{PATIENCE, Program, World, workspace};
use tameclaw_tests::{eventually, landlock, skip};

/// A skill that answers `expression`, with `items` beside it.
fn skill(items: &str, expression: &str) -> String {
    format!(
        "use skill_sdk::prelude::*;\n\npub struct Skill;\n\nimpl skill_sdk::Skill for Skill {{\n    \
         fn describe(&self) -> Description {{\n        Description::new(\"x\")\n    }}\n    \
         fn call_tool(&mut self, _: &Call) -> Answer {{\n        Ok(format!(\"{{:?}}\", {expression}))\n    }}\n}}\n{items}\n"
    )
}

/// A type that doubles with every call of a function that calls itself: more than any compiler can name.
const GROWING: &str =
    "fn g<T: Clone>(t: T, n: u32) -> u32 { if n == 0 { 0 } else { g((t.clone(), t), n - 1) } }";

/// Gives a compilation in this home five seconds.
fn hurried() -> World {
    let world = World::new();
    let path = world.home().admin_config();
    let shipped = fs::read_to_string(&path).unwrap_or_default();
    let text = if shipped.contains("compile_seconds: 60") {
        shipped.replace("compile_seconds: 60", "compile_seconds: 5")
    } else {
        format!("{shipped}\nlimits: {{compile_seconds: 5}}\n")
    };
    fs::write(&path, text).expect("the configuration can be written");
    world
}

/// Each bomb for the compiler ends as a refusal that says why in words, within the limits, and the next source is judged.
#[test]
fn a_bomb_for_the_compiler_is_refused_with_its_reason() {
    let world = hurried();
    let folder = world.outside().join("bombs");
    fs::create_dir(&folder).expect("a folder can be made");
    let bombs = [
        ("a-growing-type", GROWING, "g(1u8, 200)", "5 s"),
        (
            "a-long-constant",
            "const fn f() -> u64 { let mut i = 0u64; while i < 100_000_000_000 { i += 1; } i } const N: u64 = f();",
            "N",
            "",
        ),
        ("a-huge-array", "static A: [u8; 3_000_000_000] = [1; 3_000_000_000];", "A[5]", "too big"),
        ("a-large-array", "static A: [u8; 1_500_000_000] = [1; 1_500_000_000];", "A[5]", ""),
        (
            "an-endless-trait",
            "trait T {} struct W<X>(X); impl<X> T for X where W<X>: T {} fn need<X: T>() {}",
            "need::<u8>()",
            "overflow",
        ),
        ("an-endless-function", "fn f(n: u8) -> u8 { f(n) }", "f(1)", "recurs"),
    ];
    for (name, items, expression, _) in bombs {
        fs::write(folder.join(format!("{name}.rs")), skill(items, expression))
            .expect("a file can be written");
    }
    fs::write(folder.join("z-harmless.rs"), skill("", "1 + 1")).expect("a file can be written");

    let started = Instant::now();
    let ran = world.admin(&["scan", "--json", &folder.display().to_string()]).exited(3);
    assert!(started.elapsed() < Duration::from_secs(150), "{:?}", started.elapsed());
    let rows = ran.json_rows();
    assert_eq!(rows.len(), bombs.len() + 1, "{}", ran.report());
    for (name, _, _, reason) in bombs {
        let row = row(&rows, name);
        let said = row["messages"].to_string();
        assert_eq!(
            (row["verdict"].as_str(), row["stage"].as_str()),
            (Some("refused"), Some("compile")),
            "{row}"
        );
        assert!(said.contains(reason) && said.len() > 30, "{name}: {said}");
        assert!(!said.contains("signal"), "{name}: {said}");
    }
    assert_eq!(row(&rows, "z-harmless")["verdict"], "accepted", "{}", ran.report());
}

fn row<'a>(rows: &'a [Value], name: &str) -> &'a Value {
    let fits = |row: &&Value| row["file"].as_str().is_some_and(|file| file.contains(name));
    rows.iter().find(fits).unwrap_or_else(|| panic!("no row for {name}"))
}

/// Where the service is root's, the compiler is not: it is a user that nobody else is, for every place of the toolchain
/// and every wall, and its folder is gone after it.
#[test]
fn a_compiler_of_roots_service_runs_as_nobody_else() {
    if fs::metadata("/proc/self").map_or(0, |facts| facts.uid()) != 0 {
        return skip("the tests do not run as root");
    }
    for rustc in compilers() {
        for hidden in [false, true] {
            runs_as_nobody_else(&rustc, hidden);
        }
    }
}

fn runs_as_nobody_else(rustc: &Path, hidden: bool) {
    let world = hurried();
    let config = world.home().admin_config();
    let text = fs::read_to_string(&config).unwrap_or_default();
    let text: String =
        text.lines().filter(|line| !line.starts_with("compiler:")).map(|l| format!("{l}\n")).collect();
    fs::write(&config, format!("{text}compiler: {}\n", rustc.display())).expect("it can be written");
    let path = world.outside().join("bomb.rs");
    fs::write(&path, skill(GROWING, "g(1u8, 200)")).expect("a file can be written");
    let mut command = world.command(Program::Admin, &["scan", &path.display().to_string()]);
    if hidden {
        landlock::hide(&mut command);
    }
    let scan = Background::start(command);
    let (user, folder) = eventually(PATIENCE, "a compiler runs", || compiler_below(scan.pid()));
    assert!((62_000..63_000).contains(&user), "{}: the compiler runs as {user}", rustc.display());
    assert!(Path::new(&folder).is_absolute(), "{folder}");
    scan.ended(PATIENCE).exited(3);
    assert!(!Path::new(&folder).exists(), "{folder} is left behind");
}

/// Every compiler for skills that this machine has: rustup's, which is in a home, and the distribution's.
fn compilers() -> Vec<PathBuf> {
    let sysroot = |rustc: &str| {
        let mut asked = Command::new(rustc);
        let answer = asked.args(["--print", "sysroot"]).current_dir(workspace()).output().ok()?;
        Some(PathBuf::from(String::from_utf8_lossy(&answer.stdout).trim()))
    };
    let found = ["rustc", "/usr/bin/rustc"].into_iter().filter_map(sysroot);
    let target = "lib/rustlib/wasm32-unknown-unknown/lib";
    let mut found: Vec<PathBuf> =
        found.filter(|root| root.join(target).is_dir()).map(|root| root.join("bin/rustc")).collect();
    found.dedup();
    if found.is_empty() {
        skip("no compiler for wasm32-unknown-unknown is installed");
    }
    found
}

/// The user and the folder of the compiler that a process started, or a process that it started.
fn compiler_below(above: u32) -> Option<(u32, String)> {
    crate::children::below(above).into_iter().find_map(|pid| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next().map(str::to_owned)
        };
        // Before it compiles, the program asks the compiler who it is, as who it is itself.
        let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let compiles = String::from_utf8_lossy(&line).contains("--crate-name");
        if !field("Name:")?.starts_with("rustc") || !compiles {
            return None;
        }
        let folder = fs::read_link(format!("/proc/{pid}/cwd")).ok()?;
        Some((field("Uid:")?.parse().ok()?, folder.display().to_string()))
    })
}

/// The same source gives the same module, byte for byte: twice, in another folder, in another home, as another user.
#[test]
fn the_same_source_gives_the_same_digest_anywhere() {
    let world = World::new();
    let (near, far) = (world.outside().join("skill.rs"), world.outside().join("elsewhere/deep"));
    let text = skill("fn twice(n: &[u32]) -> u32 { n[1] * 2 }", "twice(&[1, 2]).checked_add(1).unwrap()");
    fs::create_dir_all(&far).expect("a folder can be made");
    fs::write(&near, &text).expect("a file can be written");
    // Layout and comments are not part of what is compiled.
    fs::write(far.join("other.rs"), format!("// by someone else\n\n{}", text.replace("    ", "\t")))
        .expect("a file");

    let plain =
        world.admin(&["scan", "--json", &near.display().to_string(), &near.display().to_string()]).done();
    let first = plain.json_rows()[0].clone();
    let digest = first["module_sha256"].as_str().expect("a digest").to_owned();
    assert_eq!(plain.json_rows()[1]["module_sha256"], digest.as_str(), "the second time");
    assert!(
        first["compiler"].as_str().is_some_and(|by| by.starts_with("rustc ") && by.contains("opt-level=s"))
    );
    assert!(first["bounds"]["functions"].as_u64().is_some_and(|count| count > 10), "{first}");

    // A folder that others cannot pass: there the compiler stays who the service is.
    let closed = world.outside().join("closed");
    fs::create_dir(&closed).expect("a folder can be made");
    fs::set_permissions(&closed, std::os::unix::fs::PermissionsExt::from_mode(0o700))
        .expect("its mode can be set");
    let other = far.join("other.rs").display().to_string();
    let mut command = world.command(Program::Admin, &["scan", "--json", &other]);
    command.env("TMPDIR", &closed).env("TZ", "Asia/Tokyo").current_dir(&far);
    let elsewhere = run(command, b"", PATIENCE).done();
    assert_eq!(elsewhere.json()["module_sha256"], digest.as_str(), "{}", elsewhere.report());
}

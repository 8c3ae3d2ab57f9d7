//! What a generated source may not do: each evasion is refused with its line and rule.

use std::fs;

use tameclaw_tests::world::{Program, World};

/// A harmless skill with room for one hostile line, which becomes line 3.
fn source(line: &str) -> String {
    format!(
        "use skill_sdk::prelude::*;\n\n{line}\n\npub struct Skill;\n\nimpl skill_sdk::Skill for Skill {{\n    \
         fn describe(&self) -> Description {{\n        Description::new(\"x\")\n    }}\n}}\n"
    )
}

/// Rule and line of code.
const EVASIONS: &[(&str, &str)] = &[
    // Files, processes, sockets and the like, by every road to a name.
    ("no-files", "use std::fs;"),
    ("no-files", "use std::{collections::HashMap, fs as maps};"),
    ("no-files", "use std::r#fs::File;"),
    ("no-files", "fn f() { let _ = ::std::fs::read(\"/etc/passwd\"); }"),
    ("no-files", "fn f() { let _ = <std::fs::File>::open(\"/etc/passwd\"); }"),
    ("no-files", "fn f(_: std::fs::File) {}"),
    ("no-files", "struct Hidden<T = std::fs::File>(T);"),
    ("no-files", "fn f() { fn g() { use std::fs::read; } }"),
    ("no-process", "use std::process::Command;"),
    ("no-process", "fn f() { std::process::exit(0) }"),
    ("no-network", "use std::net::TcpStream;"),
    ("no-environment", "fn f() { let _ = std::env::var(\"HOME\"); }"),
    ("no-threads", "fn f() { std::thread::spawn(|| ()); }"),
    ("no-clock", "fn f() { let _ = std::time::SystemTime::now(); }"),
    ("root-alias", "use std as harmless; fn f() { let _ = harmless::fs::read(\"x\"); }"),
    ("sdk-internal", "use skill_sdk::abi;"),
    ("no-crate-path", "use crate::skill_sdk;"),
    ("unknown-root", "use libc::system;"),
    // The language's own back doors.
    ("no-unsafe", "fn f() { unsafe { } }"),
    ("no-unsafe", "unsafe fn f() {}"),
    ("no-unsafe", "unsafe impl Send for Skill {}"),
    ("no-extern", "extern \"C\" { fn system(line: i32) -> i32; }"),
    ("no-extern", "pub extern \"C\" fn f() {}"),
    ("no-extern", "extern crate core as harmless;"),
    ("no-static-mut", "static mut COUNT: u32 = 0;"),
    ("no-raw-pointer", "fn f(_: *mut u8) {}"),
    ("no-union", "union Both { a: u32, b: f32 }"),
    ("no-outside-module", "mod secrets;"),
    // Macros.
    ("no-compile-time-reading", "const KEY: &str = include_str!(\"/etc/passwd\");"),
    ("no-compile-time-reading", "include!(\"/etc/passwd\");"),
    ("no-compile-time-reading", "const KEY: &[u8] = include_bytes!(\"/etc/passwd\");"),
    ("no-compile-time-reading", "const PATH: &str = env!(\"PATH\");"),
    ("no-compile-time-reading", "const PATH: Option<&str> = option_env!(\"PATH\");"),
    ("no-compile-time-reading", "fn f() -> String { format!(\"{}\", include_str!(\"/etc/passwd\")) }"),
    ("no-compile-time-reading", "fn f() -> Vec<&'static str> { vec![env!(\"HOME\")] }"),
    ("no-macro-definition", "macro_rules! grow { () => { grow!() grow!() } }"),
    ("no-unsafe", "fn f() { core::arch::asm!(\"nop\"); }"),
    ("no-threads", "thread_local! { static X: u8 = 0; }"),
    ("no-printing", "fn f() { println!(\"x\"); }"),
    // Attributes.
    ("attribute-not-allowed", "#[no_mangle] pub fn tameclaw_call() {}"),
    ("attribute-not-allowed", "#[export_name = \"x\"] pub fn f() {}"),
    ("cfg-not-allowed", "#[cfg_attr(all(), no_mangle)] pub fn f() {}"),
    ("attribute-not-allowed", "#[path = \"/etc/passwd\"] mod secrets {}"),
    ("attribute-not-allowed", "#[global_allocator] static A: Skill = Skill;"),
    ("derive-not-allowed", "#[derive(Serialize)] struct Hidden;"),
    // What a reader would not see.
    ("hidden-character", "// harmless \u{202e} }{ edoc"),
    ("hidden-character", "fn f\u{200b}() {}"),
    ("ascii-names", "fn \u{0430}pprove() {}"),
];

/// Each evasion is refused with the rule that forbids it and the line on which it stands.
#[test]
fn each_evasion_is_refused_with_line_and_rule() {
    let world = World::new();
    let mut failures = Vec::new();
    for (number, (rule, line)) in EVASIONS.iter().enumerate() {
        let path = world.outside().join(format!("evasion-{number}.rs"));
        fs::write(&path, source(line)).expect("a file can be written");
        let ran = world.admin(&["scan", &path.display().to_string(), "--rules-only"]);
        let told = format!("{}{}", ran.stdout, ran.stderr);
        if ran.status != 3 || !told.lines().any(|l| l.contains(&format!("[{rule}]")) && l.contains(" 3:")) {
            failures.push(format!("{rule}: {line}\n{}", ran.report()));
        }
    }
    assert!(failures.is_empty(), "{} evasions:\n{}", failures.len(), failures.join("\n"));
}

/// Without the hostile line the same source is in order, or the test above would prove nothing.
#[test]
fn the_same_source_without_the_evasion_is_in_order() {
    let world = World::new();
    let path = world.outside().join("harmless.rs");
    fs::write(&path, source("// nothing here")).expect("a file can be written");
    world.admin(&["scan", &path.display().to_string(), "--rules-only"]).done();
}

/// Sources that are made to exhaust their reader are refused quickly and take nothing along.
#[test]
fn a_source_that_exhausts_its_reader_is_refused() {
    let world = World::new();
    let bombs = [
        ("parentheses", format!("fn f() -> u32 {{ {}1{} }}", "(".repeat(20_000), ")".repeat(20_000))),
        ("blocks", format!("fn f() {{ {}{} }}", "{".repeat(20_000), "}".repeat(20_000))),
        ("generics", format!("type T = {}u8{};", "Vec<".repeat(5_000), ">".repeat(5_000))),
        ("operators", format!("const N: u32 = 1{};", " + 1".repeat(15_000))),
        ("negations", format!("const N: bool = {}true;", "!".repeat(30_000))),
        ("references", format!("type T = {}u8;", "&'static ".repeat(5_000))),
        ("a large file", format!("// {}", "x".repeat(1 << 20))),
        ("an open string", "const S: &str = \"never closed".to_owned()),
        ("an open comment", "/* never closed".to_owned()),
        ("zeros", "\0".repeat(100)),
    ];
    for (what, line) in bombs {
        let path = world.outside().join(format!("{}.rs", what.replace(' ', "-")));
        fs::write(&path, source(&line)).expect("a file can be written");
        let start = std::time::Instant::now();
        let ran = world.admin(&["scan", &path.display().to_string(), "--rules-only"]);
        assert_eq!(ran.status, 3, "{what}\n{}", ran.report());
        assert!(start.elapsed().as_secs() < 30, "{what} took {:?}", start.elapsed());
        assert!(ran.stdout.len() + ran.stderr.len() < 20_000, "{what}: a violation is told briefly");
    }
}

/// A file that is not there is named, and nothing else happens.
#[test]
fn a_file_that_is_not_there_is_a_plain_failure() {
    let world = World::new();
    world.admin(&["scan", "no-such-file.rs", "--rules-only"]).exited(1).says("no-such-file.rs");
}

/// Files, a folder and stdin in one call: each is reported, a file that is not there stops none of the others.
#[test]
fn many_sources_are_judged_in_one_call() {
    let world = World::new();
    let folder = world.outside().join("sources");
    fs::create_dir_all(folder.join("deep")).expect("a folder can be made");
    fs::write(folder.join("a.rs"), source("// nothing")).expect("a file can be written");
    fs::write(folder.join("deep/b.rs"), source("use std::fs;")).expect("a file can be written");
    fs::write(folder.join("deep/notes.txt"), "no source").expect("a file can be written");
    fs::write(folder.join("bytes.rs"), [0xff, 0xfe]).expect("a file can be written");
    let folder = folder.display().to_string();

    let ran = world.typed(
        Program::Admin,
        &["scan", "--rules-only", "--json", &folder, "no-such-file.rs", "-"],
        "fn f() { std::process::exit(1) }",
    );
    let rows = ran.exited(3).json_rows();
    let told: Vec<(String, &str)> = rows
        .iter()
        .map(|row| {
            let file = row["file"].as_str().expect("a name");
            (file.rsplit('/').next().unwrap_or(file).to_owned(), row["verdict"].as_str().expect("a verdict"))
        })
        .collect();
    let expected = [
        ("a.rs", "accepted"),
        ("bytes.rs", "refused"),
        ("b.rs", "refused"),
        ("no-such-file.rs", "unknown"),
        ("-", "refused"),
    ];
    assert_eq!(told, expected.map(|(file, verdict)| (file.to_owned(), verdict)));
    assert_eq!(rows[2]["violations"][0]["rule"], "no-files");
    assert_eq!(rows[4]["violations"][0]["rule"], "no-process");

    world.admin(&["scan", "--rules-only", &folder]).exited(3).prints("1 accepted, 2 refused, 0 not judged");
    let empty = world.outside().join("empty");
    fs::create_dir(&empty).expect("a folder can be made");
    world.admin(&["scan", "--rules-only", &empty.display().to_string()]).exited(1).says("no .rs file");
    let pipe = world.outside().join("pipe.rs");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe can be made");
    world.admin(&["scan", "--rules-only", &pipe.display().to_string()]).exited(1).says("neither a file");
}

/// A macro and a crate path of the ordinary kind live through the whole way: judged, printed, compiled, inspected.
#[test]
fn ordinary_macros_and_crate_paths_compile_from_the_canonical_print() {
    let world = World::new();
    let line = "macro_rules! twice { ($x:expr) => { $x * 2 } } mod a { pub fn f() -> u32 { crate::g(twice!(3)) } } \
                fn g(n: u32) -> u32 { crate::Skill; n } pub fn h() -> u32 { a::f() }";
    let path = world.outside().join("macro.rs");
    fs::write(&path, source(line)).expect("a file can be written");
    world
        .admin(&["scan", &path.display().to_string()])
        .done()
        .prints("derived tokens: none")
        .prints("sha256 ");
}

//! Who depends on whom.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tameclaw_tests::world::workspace;

/// The members of the workspace: folder and the names of the members that each needs, tests included.
pub(crate) struct Graph(pub(crate) BTreeMap<String, (String, BTreeSet<String>)>);

impl Graph {
    pub(crate) fn read() -> Graph {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--locked"]);
        let output = cargo.current_dir(workspace()).output().expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let member = |package: &Value| {
            let manifest = text(&package["manifest_path"]);
            let folder = Path::new(&manifest).parent().expect("a folder").strip_prefix(workspace());
            let folder = folder.expect("members lie in the workspace").display().to_string();
            // Only what is in the workspace has a path; what comes from a registry cannot lead back.
            let needs = package["dependencies"].as_array().expect("a list").iter();
            let needs = needs.filter(|d| d["path"].is_string()).map(|d| text(&d["name"])).collect();
            (text(&package["name"]), (folder, needs))
        };
        Graph(metadata["packages"].as_array().expect("a list").iter().map(member).collect())
    }

    pub(crate) fn reachable(&self, from: &str) -> BTreeSet<String> {
        let (mut reached, mut left) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(name) = left.pop() {
            for need in &self.0[&name].1 {
                if reached.insert(need.clone()) {
                    left.push(need.clone());
                }
            }
        }
        reached
    }
}

#[test]
fn neither_program_depends_on_the_other_and_both_share_only_libraries() {
    let graph = Graph::read();
    // The door is the bot's, the page of the review the service's.
    for (program, parts) in [
        ("user-agent", "user-agent/"),
        ("door", "user-agent/"),
        ("admin-service", "admin-service/"),
        ("page", "admin-service/"),
    ] {
        for reached in graph.reachable(program) {
            let folder = &graph.0[&reached].0;
            let own = folder.starts_with(parts);
            let shared =
                ["shared-types", "skill-sdk"].contains(&folder.as_str()) || folder.starts_with("libs/");
            assert!(own || shared, "`{program}` reaches `{reached}`, which is no shared library");
        }
    }
}

/// The server and what makes certificates are parts of other programs.
#[test]
fn the_chat_holds_no_server_and_makes_no_certificate() {
    let graph = Graph::read();
    let reached = graph.reachable("user-agent");
    for part in ["certificates", "web"] {
        assert!(graph.reachable("door").contains(part), "`{part}` is no part of the door");
        assert!(!reached.contains(part), "`cl-bot` reaches `{part}`");
    }
    for member in reached.iter().chain([&"user-agent".to_owned(), &"door".to_owned()]) {
        let manifest = workspace().join(&graph.0[member].0).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("a manifest");
        assert!(!manifest.contains("rcgen"), "`{member}` names rcgen");
    }
}

#[test]
fn the_shared_vocabulary_and_the_guests_kit_depend_on_no_member() {
    let graph = Graph::read();
    for leaf in ["shared-types", "skill-sdk"] {
        assert!(graph.0[leaf].1.is_empty(), "`{leaf}` depends on {:?}", graph.0[leaf].1);
    }
}

#[test]
fn the_shared_vocabulary_reads_no_yaml_or_toml_and_hashes_no_pin() {
    let manifest = fs::read_to_string(workspace().join("shared-types/Cargo.toml")).expect("a manifest");
    for reader in ["serde-saphyr", "granit-parser", "toml", "argon2"] {
        let named = manifest.lines().any(|line| line.starts_with(&format!("{reader} =")));
        assert!(!named, "`{reader}` belongs into libs/documents");
    }
}

#[test]
fn the_guests_kit_has_no_dependency_at_all() {
    let manifest = fs::read_to_string(workspace().join("skill-sdk/Cargo.toml")).expect("a manifest");
    let section = manifest.split("\n[dependencies]").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let entries: Vec<&str> = lines.filter(|l| !l.trim().is_empty() && !l.starts_with('#')).collect();
    assert!(entries.is_empty(), "learned skills are compiled by plain rustc, without {entries:?}");
}

#[test]
fn every_member_inherits_the_workspaces_lints() {
    for (name, (folder, _)) in Graph::read().0 {
        let manifest = fs::read_to_string(workspace().join(folder).join("Cargo.toml")).expect("a manifest");
        assert!(manifest.contains("[lints]\nworkspace = true"), "`{name}` does not inherit the lints");
    }
}

#[test]
fn no_member_holds_the_others_dependencies_back() {
    // The resolver takes no version that needs a newer compiler than the oldest that a member names.
    for (name, (folder, _)) in Graph::read().0 {
        let manifest = fs::read_to_string(workspace().join(folder).join("Cargo.toml")).expect("a manifest");
        let mut lines = manifest.lines().filter(|line| line.starts_with("rust-version"));
        assert!(
            lines.all(|line| line == "rust-version.workspace = true"),
            "`{name}` names a compiler of its own"
        );
    }
}

#[test]
fn the_guests_kit_compiles_with_debians_compiler() {
    let compiler = Path::new("/usr/bin/rustc");
    if !compiler.exists() {
        return tameclaw_tests::skip("Debian's rustc is not installed");
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut rustc = Command::new(compiler);
    rustc.args([
        "--edition",
        "2021",
        "--crate-type",
        "lib",
        "--crate-name",
        "skill_sdk",
        "--emit",
        "metadata",
    ]);
    rustc.arg("--out-dir").arg(folder.path()).arg(workspace().join("skill-sdk/src/lib.rs"));
    let output = rustc.output().expect("the compiler runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What breaks a program off at a point of its work is for tests alone.
#[test]
fn no_program_holds_what_breaks_it_off() {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args("tree --offline --locked --prefix none --edges normal,build --all-features".split(' '));
    cargo.args(["user-agent", "door", "admin-service", "page"].iter().flat_map(|name| ["--package", name]));
    let output = cargo.current_dir(workspace()).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let held = String::from_utf8(output.stdout).expect("cargo writes text");
    assert!(held.lines().any(|line| line.starts_with("base v")), "the programs were not found");
    assert!(!held.lines().any(|line| line.starts_with("fail v")), "a program depends on `fail`");
}

/// A feature that only a test or a figure switches on would have cargo build every crate above it twice, once for the programs and
/// once for the tests.
#[test]
fn the_programs_and_their_tests_are_built_of_the_same_crates() {
    let crates = |edges: &str| -> BTreeSet<String> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args("tree --workspace --offline --locked --prefix none --format".split(' ')).arg("{p} {f}");
        let output = cargo.args(["--edges", edges]).current_dir(workspace()).output().expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("cargo writes text");
        text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
    };
    let (programs, tests) = (crates("normal,build"), crates("normal,build,dev"));
    let twice: Vec<&String> = programs.difference(&tests).collect();
    assert!(programs.len() > 100, "only {} crates were found", programs.len());
    assert!(twice.is_empty(), "switch their features on in tests/Cargo.toml as well: {twice:?}");
}

//! What a release stands on: one place for the version, pinned workflows, and the refusal of other systems.

use std::fs;
use std::process::Command;

use tameclaw_tests::world::workspace;

use crate::graph::Graph;
use crate::tree::files_below;

#[test]
fn the_version_stands_in_the_root_manifest_alone() {
    let root = fs::read_to_string(workspace().join("Cargo.toml")).expect("a manifest");
    let version = root.lines().find_map(|line| line.strip_prefix("version = \"")).expect("a version");
    let version = version.trim_end_matches('"');
    for (name, (folder, _)) in Graph::read().0 {
        let manifest = fs::read_to_string(workspace().join(folder).join("Cargo.toml")).expect("a manifest");
        assert!(manifest.contains("\nversion.workspace = true\n"), "`{name}` has a version of its own");
    }
    // The changelog names it once for its readers; nothing else that makes a release does.
    let changes = fs::read_to_string(workspace().join("CHANGELOG.md")).expect("a changelog");
    assert!(changes.contains(&format!("\n## {version} ")), "CHANGELOG.md has no section for {version}");
    let mut files = files_below(&workspace().join("packaging"));
    files.extend(files_below(&workspace().join(".github")));
    assert!(files.len() > 10, "only {} files were found", files.len());
    for path in files {
        let text = fs::read_to_string(&path).unwrap_or_default();
        // Its images carry the version as their tag; `containers` compares them.
        let text = text
            .replace(&format!("tameclaw-bot:{version}"), "")
            .replace(&format!("tameclaw-admin:{version}"), "");
        let named = text.match_indices(version).any(|(at, _)| {
            let number = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || c == '.');
            !number(text[..at].chars().next_back()) && !number(text[at + version.len()..].chars().next())
        });
        assert!(!named, "{} names the version {version}", path.display());
    }
}

/// A tag can be moved to other code; a commit cannot. The job's token may do nothing that its step does not need.
#[test]
fn the_workflows_pin_their_actions_and_ask_for_the_least() {
    let folder = workspace().join(".github/workflows");
    let mut actions = 0;
    for path in files_below(&folder) {
        let text = fs::read_to_string(&path).expect("a workflow");
        let name = path.display();
        assert!(text.contains("\npermissions: {}\n"), "{name}: the workflow begins without any permission");
        assert!(!text.contains("pull_request_target"), "{name}: code of a stranger must not see a secret");
        for line in
            text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: "))
        {
            let (_, commit) = line.split_once('@').expect("an action has a version");
            let commit = commit.split(' ').next().unwrap_or_default();
            let pinned = commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_hexdigit());
            assert!(pinned, "{name}: `{line}` is not pinned to a commit");
            actions += 1;
        }
    }
    assert!(actions > 1, "only {actions} actions were found");
    let check = fs::read_to_string(folder.join("check.yml")).expect("the workflow of the checks");
    assert!(check.contains("run: .ci/run\n"), "the workflow runs what CI runs");
}

/// Both programs stand on the crate whose build script refuses.
#[test]
fn another_system_is_refused_at_build_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let script = folder.path().join("script");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut rustc = Command::new(compiler);
    rustc
        .args(["--edition", "2024", "-o"])
        .arg(&script)
        .arg("shared-types/build.rs")
        .current_dir(workspace());
    assert!(rustc.status().is_ok_and(|status| status.success()), "the build script does not compile");
    let refusal = |system: &str, processor: &str| {
        let mut command = Command::new(&script);
        command.env_clear().env("CARGO_CFG_TARGET_OS", system).env("CARGO_CFG_TARGET_ARCH", processor);
        let output = command.output().expect("it runs");
        let text = String::from_utf8(output.stdout).expect("it writes text");
        text.lines().find_map(|line| line.strip_prefix("cargo::error=")).map(str::to_owned)
    };
    assert_eq!(refusal("linux", "x86_64"), None);
    assert_eq!(refusal("linux", "aarch64"), None);
    for system in ["macos", "windows", "freebsd"] {
        let words = refusal(system, "x86_64").expect("it is refused");
        assert!(words.contains(system) && words.contains("Landlock"), "{words}");
    }
    let words = refusal("linux", "riscv64").expect("it is refused");
    assert!(words.contains("riscv64") && words.contains("system calls"), "{words}");
}

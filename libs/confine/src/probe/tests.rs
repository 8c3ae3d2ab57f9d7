use std::collections::BTreeSet;

use super::{Outcome, Targets, all, run};

#[test]
fn every_probe_has_a_name_of_its_own() {
    let names: BTreeSet<&str> = all().map(|p| p.name).collect();
    assert_eq!(names.len(), all().count());
    assert_eq!(run("no-such-probe", &Targets::default()), None);
}

/// A probe that is refused everywhere shows nothing: without walls, on one's own files, each of these gets what it wants.
#[test]
fn a_free_process_gets_what_it_tries() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(&path).unwrap();
        path
    };
    let admin = at("admin");
    for folder in ["journal", "keys"] {
        std::fs::create_dir_all(admin.join(folder)).unwrap();
    }
    for file in ["journal/journal.jsonl", "keys/approver-owner.key", "admin.yaml"] {
        std::fs::write(admin.join(file), "x").unwrap();
    }
    let config = at("config");
    for file in ["default.yaml", "skills_manifest.yaml", "approvers.yaml"] {
        std::fs::write(config.join(file), "x").unwrap();
    }
    let targets = Targets {
        process: std::process::id() as i32,
        admin: vec![admin],
        config,
        skills: at("skills"),
        status: at("status"),
        secrets: vec![at("secrets")],
        workspace: at("data/profiles/one/workspace"),
        other: at("other"),
        other_proposals: at("others"),
    };
    // Left out: what would replace, end or trap this process, or needs root, a terminal, or a kernel's configuration.
    let tried = [
        "start-process",
        "session-bus",
        "tmux",
        "internet",
        "datagrams",
        "machine-network",
        "map-own-file",
        "map-memory",
        "make-executable",
        "file-in-memory",
        "read-environment",
        "read-memory",
        "signal",
        "keyring",
        "read-journal",
        "list-keys",
        "read-key",
        "read-admin-config",
        "list-secrets",
        "write-config",
        "change-config",
        "replace-manifest",
        "remove-approvers",
        "write-module",
        "forge-status",
        "read-other-profile",
        "write-other-proposals",
        "link-to-journal",
        "hard-link-journal",
        "leave-by-dots",
        "read-users",
        "write-elsewhere",
    ];
    for name in tried {
        let outcome = run(name, &targets);
        assert!(matches!(outcome, Some(Outcome::Succeeded(_))), "{name}: {outcome:?}");
    }
}

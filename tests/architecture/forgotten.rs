//! No test is forgotten: a file that nothing names is not compiled, and nobody notices.

use std::fs;

use tameclaw_tests::world::workspace;

use crate::tree::{code_of, sources};

#[test]
fn every_file_of_the_tests_is_named_by_its_main() {
    let folders = [
        ("journeys", "main.rs"),
        ("attacks", "main.rs"),
        ("architecture", "main.rs"),
        ("soak", "main.rs"),
        ("harness", "lib.rs"),
    ];
    for (folder, root) in folders {
        let folder = workspace().join("tests").join(folder);
        let root_text = fs::read_to_string(folder.join(root)).expect("the root of a test program");
        for entry in fs::read_dir(&folder).expect("a folder of tests") {
            let path = entry.expect("an entry").path();
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            if path.extension().is_none_or(|e| e != "rs") || path.ends_with(root) {
                continue;
            }
            let named = root_text.lines().any(|line| line.trim_end().ends_with(&format!("mod {stem};")));
            assert!(named, "{} is not named in {root}", path.display());
        }
    }
}

#[test]
fn every_folder_of_the_tests_is_a_test_program() {
    let manifest = fs::read_to_string(workspace().join("tests/Cargo.toml")).expect("a manifest");
    for entry in fs::read_dir(workspace().join("tests")).expect("the tests") {
        let path = entry.expect("an entry").path();
        let root = path.join("main.rs");
        if root.is_file() {
            let name = path.file_name().expect("a name").to_string_lossy();
            let line = format!("path = \"{name}/main.rs\"");
            assert!(manifest.contains(&line), "{} is not a test program", root.display());
        }
    }
}

#[test]
fn every_fuzz_target_is_named_by_its_main_and_has_seeds() {
    let folder = workspace().join("fuzz/targets");
    let root_text = fs::read_to_string(folder.join("main.rs")).expect("the root of the targets");
    let mut targets = 0;
    for entry in fs::read_dir(&folder).expect("the targets") {
        let path = entry.expect("an entry").path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() || stem == "main" {
            continue;
        }
        targets += 1;
        let named = root_text.lines().any(|line| line == format!("mod {stem};"));
        assert!(named, "{} is not named in main.rs", path.display());
        let corpus = folder.join("__fuzz__").join(&stem).join("corpus");
        let seeds = fs::read_dir(&corpus).map_or(0, Iterator::count);
        assert!(seeds > 0, "{} holds no seed", corpus.display());
    }
    assert!(targets > 20, "only {targets} targets were found");
}

#[test]
fn an_ignored_test_says_why() {
    for source in sources() {
        for (number, line) in code_of(&source.text).lines().enumerate() {
            let bare = line.contains(concat!("#[", "ignore", "]"));
            assert!(!bare, "{}:{}: an ignored test gives its reason", source.path, number + 1);
        }
    }
}

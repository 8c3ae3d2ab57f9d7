//! What a reader must be able to read in one sitting.

use std::fs;

use tameclaw_tests::world::workspace;

use crate::tree::{Source, code_of, sources};

#[test]
fn the_kernel_and_the_transition_table_are_read_in_one_sitting() {
    for file in ["user-agent/kernel/src/lib.rs", "shared-types/src/status.rs"] {
        let text = fs::read_to_string(workspace().join(file)).expect("the file is there");
        let lines = text.lines().count();
        assert!(lines <= 150, "{file} has {lines} lines; at most 150 are read in one sitting");
    }
}

/// The most lines of the kernel, over all its files, tests aside.
const KERNEL: usize = 1500;

#[test]
fn the_kernel_is_read_in_one_afternoon() {
    let is_kernel = |path: &str| path.starts_with("user-agent/kernel/src/") && !path.contains("tests");
    let files: Vec<_> = sources().into_iter().filter(|source| is_kernel(&source.path)).collect();
    assert!(files.len() > 5, "the kernel was not found: this test no longer sees it");
    let lines: usize = files.iter().map(|source| source.text.lines().count()).sum();
    assert!(lines <= KERNEL, "the kernel has {lines} lines; at most {KERNEL} are allowed");
}

#[test]
fn the_kernel_depends_on_the_shared_vocabulary_and_on_no_io() {
    let manifest = fs::read_to_string(workspace().join("user-agent/kernel/Cargo.toml")).expect("a manifest");
    let section = manifest.split("\n[dependencies]\n").nth(1).expect("the dependencies");
    let lines: Vec<&str> = section.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, ["serde_json = { workspace = true }", "shared-types = { workspace = true }"]);
    assert_eq!(manifest.matches("dependencies").count(), 1);
}

#[test]
fn the_kernel_names_no_file_and_no_socket() {
    let io =
        ["std::fs", "std::net", "std::os", "std::process", "std::env", "std::io", "std::path", "SystemTime"];
    // What is imported in a group would not be found.
    let hidden = ["use std::{", "use std::*"];
    let mut seen = 0;
    for Source { path, text } in sources() {
        if path.starts_with("user-agent/kernel/src/") {
            let code = code_of(&text);
            let named = io.iter().chain(&hidden).find(|io| code.contains(**io));
            assert!(named.is_none(), "{path} names {named:?}");
            seen += 1;
        }
    }
    assert!(seen > 5, "the kernel was not found: this test no longer sees it");
}

//! What a reader must be able to read in one sitting.

use std::collections::BTreeSet;
use std::fs;

use tameclaw_tests::world::workspace;

use crate::tree::{Source, code_of, sources};

#[test]
fn the_kernel_and_the_transition_table_are_read_in_one_sitting() {
    for file in ["user-agent/src/kernel/mod.rs", "shared-types/src/status.rs"] {
        let text = fs::read_to_string(workspace().join(file)).expect("the file is there");
        let lines = text.lines().count();
        assert!(lines <= 150, "{file} has {lines} lines; at most 150 are read in one sitting");
    }
}

/// The lines of the kernel. It is to be a crate of 1,500 that depends on `shared-types` alone; until then this only falls.
const KERNEL: usize = 1677;
/// The parts of the program, and the libraries, that the kernel still names; this list only gets shorter.
const KERNEL_NAMES: [&str; 7] = ["config", "error", "guest", "log", "models", "ports", "receipts"];

/// The files of the kernel, tests aside.
fn kernel() -> Vec<Source> {
    let is_kernel = |path: &str| path.starts_with("user-agent/src/kernel/") && !path.contains("tests");
    sources().into_iter().filter(|source| is_kernel(&source.path)).collect()
}

#[test]
fn the_kernel_only_gets_smaller() {
    let lines: usize = kernel().iter().map(|source| source.text.lines().count()).sum();
    assert!(lines <= KERNEL, "the kernel has {lines} lines; it had {KERNEL}");
    assert!(lines + 50 > KERNEL, "the kernel has {lines} lines: let {KERNEL} follow");
}

#[test]
fn the_kernel_names_ever_less_of_the_program() {
    let map = fs::read_to_string(workspace().join("user-agent/src/lib.rs")).expect("the map");
    let parts = map.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let libraries = fs::read_dir(workspace().join("libs")).expect("the libraries");
    let libraries =
        libraries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let paths: Vec<(String, String)> = parts
        .filter(|part| *part != "kernel")
        .map(|part| (part.to_owned(), format!("crate::{part}")))
        .chain(libraries.map(|library| (library.clone(), format!("{library}::"))))
        .collect();
    let begins =
        |code: &str, at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    let mut named = BTreeSet::new();
    for Source { text, .. } in kernel() {
        let code = code_of(&text);
        let is_named = |path: &str| code.match_indices(path).any(|(at, _)| begins(&code, at));
        named.extend(paths.iter().filter(|(_, path)| is_named(path)).map(|(name, _)| name.clone()));
    }
    assert_eq!(named.iter().map(String::as_str).collect::<Vec<_>>(), KERNEL_NAMES);
}

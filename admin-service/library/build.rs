//! Writes down the SHA-256 of each file of the skill library, one a line: the program reads those files from a folder beside it
//! and takes only what is listed here.

use std::path::{Path, PathBuf};
use std::{env, fs};

use shared_types::id::Digest;

const LIBRARY: &str = "../skill-library";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={LIBRARY}");
    // A program of a developer, in any folder of cargo's, reads the tree that it was built from.
    let is_release = env::var_os("PROFILE").is_none_or(|profile| profile == "release");
    let tree = fs::canonicalize(LIBRARY).expect("the skill library is there");
    let tree = if is_release { String::new() } else { tree.display().to_string() };
    println!("cargo::rustc-env=SKILL_LIBRARY={tree}");
    let mut lines = Vec::new();
    add(Path::new(LIBRARY), "", &mut lines);
    lines.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder"));
    fs::write(out.join("digests.txt"), lines.concat()).expect("the list is written");
}

/// Adds the files of a folder, which is called `below` in the list.
fn add(folder: &Path, below: &str, lines: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the skill library is there") {
        let path = entry.expect("the skill library can be read").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in ASCII");
        let name = format!("{below}{name}");
        if path.is_dir() {
            add(&path, &format!("{name}/"), lines);
        } else if path.extension().is_some_and(|end| end == "rs" || end == "yaml") {
            let bytes = fs::read(&path).expect("a file of the skill library can be read");
            lines.push(format!("{name} {}\n", Digest::of(&bytes)));
        }
    }
}

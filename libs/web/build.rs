//! Names the files of words, so that a language is added by its file alone.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=words");
    let entries = fs::read_dir("words").expect("the folder of words can be read");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    // English first: it is the language of those who name none.
    files.sort_by_key(|path| (path.file_stem() != Some("en".as_ref()), path.clone()));
    let row = |path: &PathBuf| {
        let code = path.file_stem().unwrap_or_default();
        // Named when the crate is compiled, so that a checkout which was moved or copied reads its own files.
        format!("({code:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/\", {path:?}))),\n")
    };
    let table: String = files.iter().map(row).collect();
    let out = env::var_os("OUT_DIR").expect("cargo names the folder for what is made");
    fs::write(Path::new(&out).join("words.rs"), format!("&[\n{table}]\n")).expect("the table can be written");
}

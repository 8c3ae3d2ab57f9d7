//! Turns each language's folder into the tables that the program carries, so that no start has to read them.

use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "src/data/source.rs"]
mod source;
#[path = "src/squeeze.rs"]
mod squeeze;

/// The language that is taken when a line does not tell.
const DEFAULT: &str = "en";

fn main() {
    let data = Path::new("data");
    println!("cargo::rerun-if-changed={}", data.display());
    let mut folders: Vec<PathBuf> = fs::read_dir(data)
        .expect("the folder of languages is there")
        .map(|entry| entry.expect("the folder of languages can be read").path())
        .collect();
    folders.sort_by_key(|path| (path.file_name().is_none_or(|name| name != DEFAULT), path.clone()));
    let mut tables =
        String::from("/// Every language, the default first.\npub(crate) static ALL: &[Data] = &[\n");
    let mut all = Vec::new();
    for folder in &folders {
        let lacking = source::lacking(&folders[0], folder);
        // A language may do without an intent; all else is asked for by name.
        let needed: Vec<&String> = lacking.iter().filter(|key| !key.starts_with("intents")).collect();
        assert!(needed.is_empty(), "{} lacks {needed:?}", folder.display());
        let source = source::Source::read(folder);
        tables.push_str(&source.emit());
        tables.push_str(",\n");
        all.push(source);
    }
    tables.push_str("];\n");
    tables.push_str(&source::emit_shared(&all));
    let out = env::var_os("OUT_DIR").expect("cargo names the folder for what is made");
    fs::write(Path::new(&out).join("languages.rs"), tables).expect("the tables can be written");
}

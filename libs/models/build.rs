//! Turns each language's YAML file into the tables that the program carries, so that no start has to read them.

use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "src/language/source.rs"]
mod source;

/// The language that is taken when a line does not tell.
const DEFAULT: &str = "en";

fn main() {
    let folder = Path::new("src/language");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder of languages is there")
        .map(|entry| entry.expect("the folder of languages can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort_by_key(|path| (path.file_stem().is_none_or(|stem| stem != DEFAULT), path.clone()));
    let mut tables =
        String::from("/// Every language, the default first.\npub(crate) static ALL: &[Data] = &[\n");
    for file in files {
        let name = file.display();
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{name}: {e}"));
        let read: source::Source = documents::yaml::from_own(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(
            file.file_stem().is_some_and(|stem| stem == read.code.as_str()),
            "{name}: code: {}",
            read.code
        );
        tables.push_str(&read.emit());
        tables.push_str(",\n");
    }
    tables.push_str("];\n");
    let out = env::var_os("OUT_DIR").expect("cargo names the folder for what is made");
    fs::write(Path::new(&out).join("languages.rs"), tables).expect("the tables can be written");
}

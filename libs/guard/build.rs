//! Turns the rules in `rules/` into static tables, so that the program reads and compiles nothing when it starts.

use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "src/chars.rs"]
mod chars;
#[path = "build/compile.rs"]
mod compile;
#[path = "build/emit.rs"]
mod emit;
#[path = "src/hash.rs"]
mod hash;
#[path = "build/inflect.rs"]
mod inflect;
#[path = "build/pattern.rs"]
mod pattern;
#[path = "build/source.rs"]
mod source;
#[path = "src/words.rs"]
#[expect(dead_code, reason = "the tables need a part of what judging needs")]
mod words;

fn main() {
    let folder = Path::new("rules");
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=build");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("rules/ is there").map(|e| e.expect("an entry").path()).collect();
    files.sort();
    let mut sources = Vec::new();
    let mut thresholds = None;
    for file in files {
        let text = fs::read_to_string(&file).expect("a file of rules is UTF-8");
        let fault = |e: documents::yaml::YamlError| -> ! { panic!("{}: {e}", file.display()) };
        if file.file_name().is_some_and(|name| name == "thresholds.yaml") {
            thresholds =
                Some(documents::yaml::from_own::<source::Thresholds>(&text).unwrap_or_else(|e| fault(e)));
        } else {
            sources.push(documents::yaml::from_own::<source::RuleFile>(&text).unwrap_or_else(|e| fault(e)));
        }
    }
    let tables = compile::compile(&sources);
    let text = emit::emit(&tables, &thresholds.expect("rules/thresholds.yaml is there"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder"));
    fs::write(out.join("tables.rs"), text).expect("the tables are written");
}

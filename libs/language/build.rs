//! Turns each language's folder into the tables that the program carries, so that no start has to read them, and trains the score
//! of need.

use std::path::{Path, PathBuf};
use std::{env, fs};

#[expect(dead_code, reason = "the program compares words by it as well")]
#[path = "src/fold.rs"]
mod fold;
#[expect(dead_code, reason = "the program reads by it")]
#[path = "src/need/score.rs"]
mod score;
#[path = "src/data/source.rs"]
mod source;
#[path = "src/squeeze.rs"]
mod squeeze;
#[path = "src/start.rs"]
mod start;
#[path = "src/need/text.rs"]
mod text;
#[path = "src/need/train.rs"]
mod train;

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
    let out = Path::new(&out);
    tables.push_str(&score(&all, out));
    fs::write(out.join("languages.rs"), tables).expect("the tables can be written");
}

/// Trains the score of need on the corpora of the languages; its tables are in files of their own.
fn score(languages: &[source::Source], out: &Path) -> String {
    let folder = Path::new("src/need");
    println!("cargo::rerun-if-changed={}", folder.display());
    // A language without corpora has its rules alone.
    let codes = languages.iter().map(|language| &language.code).filter(|code| folder.join(code).is_dir());
    let codes: Vec<&String> = codes.collect();
    let corpora = codes.iter().enumerate().flat_map(|(n, code)| train::corpora(&folder.join(code), n));
    let concepts = train::concepts(&folder.join("concepts.txt"));
    let trained = train::train(&corpora.collect::<Vec<_>>(), &concepts, codes.len());
    for (name, table) in [("need.weights", &trained.weights), ("need.classes", &trained.classes)] {
        fs::write(out.join(name), table).expect("the weights can be written");
    }
    let file = |name: &str| format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))");
    format!(
        "/// The score of need.\npub(crate) static MODEL: crate::need::score::Model = crate::need::score::Model {{ concepts: &{concepts:?}, weights: {}, scale: {:?}, classes: {}, class_scales: &{:?}, languages: &{codes:?} }};\n",
        file("need.weights"),
        trained.scale,
        file("need.classes"),
        trained.class_scales,
    )
}

//! Files of tables to constants of Rust, for build scripts: a program carries the tables and no parser of them.
//!
//! A file is YAML: a mapping from names to tables, each a list of words or of rows.
//!
//! ```yaml
//! readers:
//!   why: Programs that only read.
//!   words: cat head tail
//! wrappers:
//!   why: Programs that start another.
//!   row: {struct: Wrapper, key: names, columns: {flags: "", operands: 0}}
//!   rows:
//!     - {names: nohup, why: It has no options.}
//!     - {names: timeout gtimeout, flags: vfp, operands: 1, why: The time stands before the command.}
//! ```
//!
//! - A list becomes `READERS`, a `&str` with a blank between two words: an entry costs no pointer, and nothing to relocate.
//! - Rows become `WRAPPERS`, a slice of the struct, which the program defines. `key` is the column that names a row; `columns`
//!   are the others, with what holds for a row that leaves one out. Under `enum`, a type with a variant for each row is made too.
//! - Each list, table and row says why it is there. The reason of a row is part of the program only if `why` is a column.
#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Deserialize;
use serde_json::Value;

/// A file of which no tables are made.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("{file}: {fault}")]
    Yaml { file: String, fault: documents::yaml::YamlError },
    #[error("{file}: `{key}` {flaw}")]
    Table { file: String, key: String, flaw: &'static str },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    why: String,
    #[serde(default)]
    words: String,
    row: Option<Kind>,
    #[serde(default)]
    rows: Vec<BTreeMap<String, Value>>,
}

/// What a row is in Rust.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kind {
    r#struct: String,
    r#enum: Option<String>,
    key: String,
    columns: BTreeMap<String, Value>,
}

/// The key within a table, and what is wrong there.
type Flaw = (String, &'static str);

/// Makes `tables.rs`, in the folder that cargo names, of the files in a folder.
///
/// # Panics
/// Where a file cannot be read or is refused: so a build script ends.
pub fn make(folder: &str) {
    println!("cargo::rerun-if-changed={folder}");
    let entries = fs::read_dir(folder).expect("the folder of tables is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let read = |file: &PathBuf| {
        let text = fs::read_to_string(file).expect("a file of tables is UTF-8");
        source(&file.display().to_string(), &text).unwrap_or_else(|fault| panic!("{fault}"))
    };
    let tables: String = files.iter().map(read).collect();
    let out = env::var_os("OUT_DIR").expect("cargo names the folder for what is made");
    fs::write(Path::new(&out).join("tables.rs"), tables).expect("the tables can be written");
}

/// The constants of a file; `file` is its name in a fault.
///
/// # Errors
/// The first fault: a key that is unknown, missing or of another kind, a name that is there twice, a list or a row that is empty.
pub fn source(file: &str, text: &str) -> Result<String, Fault> {
    let tables: BTreeMap<String, Table> =
        documents::yaml::from_own(text).map_err(|fault| Fault::Yaml { file: file.to_owned(), fault })?;
    let constant = |(name, table): (&String, &Table)| {
        table.constant(&name.to_uppercase().replace('-', "_")).map_err(|(key, flaw)| Fault::Table {
            file: file.to_owned(),
            key: format!("{name}{key}"),
            flaw,
        })
    };
    tables.iter().map(constant).collect()
}

impl Table {
    fn constant(&self, name: &str) -> Result<String, Flaw> {
        let why = one_line(&self.why);
        let mut names = BTreeSet::new();
        let body = match &self.row {
            _ if why.is_empty() => return Err((".why".to_owned(), "is missing")),
            None if self.rows.is_empty() => {
                distinct(&self.words, &mut names).map_err(|(key, flaw)| (format!(".words{key}"), flaw))?;
                format!("&str = {:?}", one_line(&self.words))
            }
            Some(kind) if self.words.is_empty() && !self.rows.is_empty() => {
                let row = |(at, row): (usize, &BTreeMap<String, Value>)| {
                    kind.row(row, &mut names).map_err(|(key, flaw)| (format!(".rows[{at}]{key}"), flaw))
                };
                let rows: String = self.rows.iter().enumerate().map(row).collect::<Result<_, _>>()?;
                format!("&[{}] = &[\n{rows}]", kind.r#struct)
            }
            _ => return Err((String::new(), "has neither words alone nor rows of a kind")),
        };
        let variants = self.row.as_ref().map(|kind| kind.variants(&self.rows)).unwrap_or_default();
        Ok(format!("{variants}/// {why}\npub(super) const {name}: {body};\n"))
    }
}

impl Kind {
    /// A row as an expression.
    fn row(&self, row: &BTreeMap<String, Value>, names: &mut BTreeSet<String>) -> Result<String, Flaw> {
        let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
        if text("why").trim().is_empty() {
            return Err((".why".to_owned(), "is missing"));
        }
        distinct(text(&self.key), names).map_err(|(key, flaw)| (format!(".{}{key}", self.key), flaw))?;
        for (key, value) in row {
            let known = self.columns.get(key);
            if known.is_none() && *key != self.key && key != "why" {
                return Err((format!(".{key}"), "is unknown"));
            }
            if known.is_some_and(|known| std::mem::discriminant(known) != std::mem::discriminant(value)) {
                return Err((format!(".{key}"), "is of another kind than in `columns`"));
            }
        }
        let cell = |(key, other): (&String, &Value)| match row.get(key).unwrap_or(other) {
            Value::String(text) => format!(", {key}: {:?}", one_line(text)),
            value => format!(", {key}: {value}"),
        };
        let cells: String = self.columns.iter().map(cell).collect();
        Ok(format!("    {} {{ {}: {:?}{cells} }},\n", self.r#struct, self.key, one_line(text(&self.key))))
    }

    /// The type with a variant for each row, in their order.
    fn variants(&self, rows: &[BTreeMap<String, Value>]) -> String {
        let Some(name) = &self.r#enum else { return String::new() };
        let variant = |row: &BTreeMap<String, Value>| {
            let words = row[&self.key].as_str().unwrap_or_default().split('-');
            words.map(|word| word[..1].to_uppercase() + &word[1..]).collect::<String>() + ", "
        };
        let variants: String = rows.iter().map(variant).collect();
        format!(
            "#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]\npub(super) enum {name} {{ {variants}}}\n"
        )
    }
}

/// Adds words to those that are there.
fn distinct(words: &str, names: &mut BTreeSet<String>) -> Result<(), Flaw> {
    if words.trim().is_empty() {
        return Err((String::new(), "is empty"));
    }
    match words.split_whitespace().find(|word| !names.insert((*word).to_owned())) {
        Some(word) => Err((format!(": {word}"), "is there twice")),
        None => Ok(()),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;

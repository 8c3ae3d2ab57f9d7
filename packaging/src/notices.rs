//! The licences of what is linked into the programs: most ask to stand beside each copy.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::error::Fault;
use crate::plan::Processor;
use crate::tool;

/// How files with licences are called.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// The crates of the programs; `page` uses no library that `admin-service` does not.
const PROGRAMS: [&str; 6] = ["user-agent", "door", "admin-service", "ear", "mouth", "pins"];

/// Every library of the programs with its licences; a text that several share stands there once.
pub(crate) fn collect(processor: Processor) -> Result<String, Fault> {
    let mut cargo = tool::cargo();
    cargo.args(["metadata", "--locked", "--format-version", "1", "--filter-platform", processor.target()]);
    cargo.args(["--features", "admin-service/email,admin-service/journald"]);
    let text = tool::output(&mut cargo)?;
    let metadata: Value = serde_json::from_str(&text)
        .map_err(|why| Fault::content("the answer of cargo metadata".as_ref(), why))?;
    let linked = linked(&metadata);
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut list = String::new();
    for package in array(&metadata["packages"]) {
        // What has no source is a member of the workspace.
        if !linked.contains(word(&package["id"])) || package["source"].is_null() {
            continue;
        }
        let name = format!("{} {}", word(&package["name"]), word(&package["version"]));
        list.push_str(&format!("{name}: {}\n", word(&package["license"])));
        let folder = Path::new(word(&package["manifest_path"])).parent().expect("a manifest is in a folder");
        for text in texts_in(folder)? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut all = format!("The libraries that are linked into the programs, with their licences.\n\n{list}");
    for (text, names) in texts {
        all.push_str(&format!("\n{}\n{}\n\n{}\n", "=".repeat(78), names.join(", "), text.trim_end()));
    }
    Ok(all)
}

/// The packages that the programs reach without what only builds or tests them.
fn linked(metadata: &Value) -> BTreeSet<String> {
    let nodes: BTreeMap<&str, &Value> =
        array(&metadata["resolve"]["nodes"]).map(|node| (word(&node["id"]), node)).collect();
    let is_program = |package: &&Value| PROGRAMS.contains(&word(&package["name"]));
    let programs = array(&metadata["packages"]).filter(is_program).map(|package| word(&package["id"]));
    let (mut reached, mut left) = (BTreeSet::new(), programs.collect::<Vec<_>>());
    while let Some(id) = left.pop() {
        if !reached.insert(id.to_owned()) {
            continue;
        }
        let Some(node) = nodes.get(id) else { continue };
        let is_linked = |need: &&Value| array(&need["dep_kinds"]).any(|kind| kind["kind"].is_null());
        left.extend(array(&node["deps"]).filter(is_linked).map(|need| word(&need["pkg"])));
    }
    reached
}

fn texts_in(folder: &Path) -> Result<Vec<String>, Fault> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).map_err(Fault::io(folder))?.flatten() {
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if NAMES.iter().any(|start| name.starts_with(start)) && entry.path().is_file() {
            let path = entry.path();
            texts.push(fs::read_to_string(&path).map_err(Fault::io(&path))?);
        }
    }
    Ok(texts)
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

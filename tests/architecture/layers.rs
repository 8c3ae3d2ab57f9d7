//! The order of the admin's parts, from the bottom up; and what lies above the bot's network process.

use std::collections::{BTreeMap, BTreeSet};

use tameclaw_tests::world::workspace;

use crate::graph::Graph;
use crate::uses::Uses;

/// The crates of `admin-service/`, by their folders. Each uses only those before it, in its tests too.
const LAYERS: &[&str] = &[
    "base", "compose", "ledger", "codes", "builder", "library", "review", "audit", "actions", "pipeline",
    "api", "service", "console", "redteam", "cl-admin",
];

/// What the console names of the layers. It asks by values of `api`, and the verb that starts it hands it the functions that
/// answer. Beside `api` and `review` there are left:
/// - `actions`: the pages of an action, and the yes to one that its approver signs here
/// - `base`: the home with its keys, the kinds of error, the terminal in raw mode
/// - `codes`: asks for passphrases and one-time codes without echo
/// - `ledger`: the queue and each package are read from the journal, by this process and not by the service
const OF_THE_CONSOLE: &[&str] = &["actions", "api", "base", "codes", "ledger", "review"];

/// Each layer, with the layers that its `Cargo.toml` names.
fn layers() -> BTreeMap<String, BTreeSet<String>> {
    let graph = Graph::read();
    let layer = |folder: &str| folder.strip_prefix("admin-service/").map(str::to_owned);
    let members = graph.0.values();
    let named = |needs: &BTreeSet<String>| needs.iter().filter_map(|need| layer(&graph.0[need].0)).collect();
    members.filter_map(|(folder, needs)| Some((layer(folder)?, named(needs)))).collect()
}

#[test]
fn each_layer_of_the_admin_uses_only_those_below_it() {
    let layers = layers();
    let height = |layer: &str| LAYERS.iter().position(|other| *other == layer);
    for (layer, named) in &layers {
        let wrong = named.iter().find(|other| height(other) >= height(layer));
        assert_eq!(wrong, None, "`{layer}` uses it, and does not lie above it");
    }
    let present: BTreeSet<&str> = layers.keys().map(String::as_str).collect();
    assert_eq!(present, LAYERS.iter().copied().collect());
}

#[test]
fn the_console_does_not_reach_the_service() {
    let named: Vec<String> = layers().remove("console").expect("a layer").into_iter().collect();
    assert_eq!(named, OF_THE_CONSOLE);
}

/// The process that has the network is told by values; it reaches neither the start nor a skill.
#[test]
fn the_network_process_of_the_bot_uses_no_part_above_it() {
    let uses = Uses::read(&workspace().join("user-agent/src"));
    let module = |file: &str| file.split('/').next().unwrap_or(file).trim_end_matches(".rs").to_owned();
    let above = ["commands", "learned", "skills", "start", "workflows"];
    let modules: BTreeSet<String> = uses.0.keys().map(|file| module(file)).collect();
    let missing = above.iter().chain(&["net"]).find(|part| !modules.contains(**part));
    assert_eq!(missing, None, "it is a part no more: this test no longer sees it");
    for (file, used) in uses.0.iter().filter(|(file, _)| module(file) == "net") {
        let wrong = used.iter().find(|used| above.contains(&module(used).as_str()));
        assert_eq!(wrong, None, "{file} uses it");
    }
}

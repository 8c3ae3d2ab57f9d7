//! The order of the admin's parts, from the bottom up.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::Graph;

/// The crates of `admin-service/`, by their folders. Each uses only those before it, in its tests too.
const LAYERS: &[&str] = &[
    "base", "compose", "ledger", "codes", "builder", "library", "review", "audit", "actions", "pipeline",
    "api", "service", "console", "redteam", "cl-admin",
];

/// What the console names of the layers: it asks by values of `api`. The verb that starts it hands it the function that
/// submits them.
const OF_THE_CONSOLE: &[&str] =
    &["actions", "api", "base", "builder", "codes", "ledger", "pipeline", "review"];

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

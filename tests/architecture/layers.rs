//! The order of the admin's parts, from the bottom up.

use std::collections::BTreeSet;

use tameclaw_tests::world::workspace;

use crate::graph::Graph;
use crate::uses::Uses;

/// The crates of the admin from the bottom up, by their folders. Each uses only those before it, in its tests too.
const CRATES: &[&str] = &[
    "base", "compose", "ledger", "codes", "builder", "library", "review", "audit", "actions", "pipeline",
    "api", "cl-admin",
];

#[test]
fn each_crate_of_the_admin_uses_only_those_below_it() {
    let graph = Graph::read();
    let layer = |folder: &str| {
        let found = CRATES.iter().position(|layer| *layer == folder);
        found.unwrap_or_else(|| panic!("{folder} is no layer"))
    };
    let mut present = BTreeSet::new();
    for (folder, needs) in graph.0.values() {
        let Some(own) = folder.strip_prefix("admin-service/") else { continue };
        present.insert(own);
        for need in needs.iter().filter_map(|need| graph.0[need].0.strip_prefix("admin-service/")) {
            assert!(layer(need) < layer(own), "`{own}` uses `{need}`, which does not lie below it");
        }
    }
    assert_eq!(present, CRATES.iter().copied().collect());
}

/// The layers of `admin-service/cl-admin/src`, each with its modules. A layer uses itself and the layers before it.
const LAYERS: &[(&str, &[&str])] = &[
    ("service", &["notify", "schedule", "service"]),
    ("console", &["console"]),
    ("redteam", &["redteam"]),
    ("cl-admin", &["commands"]),
];

/// The module to which a file belongs: its folder, or its own name.
fn module(file: &str) -> &str {
    file.split('/').next().unwrap_or(file).trim_end_matches(".rs")
}

fn layer(file: &str) -> usize {
    let found = LAYERS.iter().position(|(_, modules)| modules.contains(&module(file)));
    found.unwrap_or_else(|| panic!("{file} belongs to no layer"))
}

#[test]
fn each_layer_of_the_admin_uses_only_those_below_it() {
    let mut uses = Uses::read(&workspace().join("admin-service/cl-admin/src"));
    uses.0.remove("lib.rs");
    let mut wrong = Vec::new();
    for (file, used) in &uses.0 {
        for used in used.iter().filter(|used| layer(used) > layer(file)) {
            let (low, high) = (LAYERS[layer(file)].0, LAYERS[layer(used)].0);
            wrong.push(format!("{file} uses {used}: `{low}` lies below `{high}`"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let present: BTreeSet<&str> = uses.0.keys().map(|file| module(file)).collect();
    let listed: BTreeSet<&str> = LAYERS.iter().flat_map(|(_, modules)| modules.iter().copied()).collect();
    assert_eq!(present, listed);
}

/// The console asks by values of `api`. The verb that starts it hands it the function that submits them.
#[test]
fn the_console_does_not_reach_the_service() {
    let uses = Uses::read(&workspace().join("admin-service/cl-admin/src"));
    for (file, used) in uses.0.iter().filter(|(file, _)| module(file) == "console") {
        let service = used.iter().find(|used| LAYERS[layer(used)].0 == "service");
        assert_eq!(service, None, "{file} uses it");
    }
}

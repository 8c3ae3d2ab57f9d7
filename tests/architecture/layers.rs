//! The order of the parts of both programs, from the bottom up.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use tameclaw_tests::world::workspace;

use crate::graph::Graph;

/// The crates of `user-agent/`, by their folders. Each uses only those before it; its tests may use `testing`, too.
const BOT: &[&str] =
    &["kernel", "base", "net", "ports", "terminal", "skills", "testing", "workflows", "cl-bot", "door"];

/// The crates of `admin-service/`, by their folders. Each uses only those before it, in its tests too.
const ADMIN: &[&str] = &[
    "base", "compose", "ledger", "codes", "builder", "learner", "library", "review", "audit", "actions",
    "pipeline", "api", "service", "backup", "console", "page", "redteam", "cl-admin",
];

/// What the console names of the layers. It asks by values of `api`, and the verb that starts it hands it the functions that
/// answer. Beside `api` and `review` there is left `base`:
/// the home with its keys, the kinds of error, the terminal in raw mode, and whether a service runs.
const OF_THE_CONSOLE: &[&str] = &["api", "base", "review"];

/// What the page of the review names of the layers: the list of what it may ask, and how what waits is laid out. It has no key.
const OF_THE_PAGE: &[&str] = &["api", "review"];

/// What the tests of the bot stand on: it boots the skills, so it is above crates whose tests use it.
const FOR_TESTS: &str = "bot-testing";

/// Each layer of a program, with the layers that its `Cargo.toml` names.
fn layers(program: &str) -> BTreeMap<String, BTreeSet<String>> {
    let graph = Graph::read();
    let layer = |folder: &str| folder.strip_prefix(program).map(str::to_owned);
    let members = graph.0.values();
    let named = |needs: &BTreeSet<String>| {
        let needs = needs.iter().filter(|need| *need != FOR_TESTS);
        needs.filter_map(|need| layer(&graph.0[need].0)).collect()
    };
    members.filter_map(|(folder, needs)| Some((layer(folder)?, named(needs)))).collect()
}

#[test]
fn each_layer_uses_only_those_below_it() {
    for (program, order) in [("user-agent/", BOT), ("admin-service/", ADMIN)] {
        let layers = layers(program);
        let height = |layer: &str| order.iter().position(|other| *other == layer);
        for (layer, named) in &layers {
            let wrong = named.iter().find(|other| height(other) >= height(layer));
            assert_eq!(wrong, None, "`{layer}` uses it, and does not lie above it");
        }
        let present: BTreeSet<&str> = layers.keys().map(String::as_str).collect();
        assert_eq!(present, order.iter().copied().collect());
    }
}

#[test]
fn no_program_holds_what_its_tests_stand_on() {
    let mut tested = 0;
    for (name, (folder, needs)) in Graph::read().0 {
        if needs.contains(FOR_TESTS) {
            let manifest = fs::read_to_string(workspace().join(folder).join("Cargo.toml"));
            let manifest = manifest.expect("a manifest");
            let (built, _) = manifest.split_once("[dev-dependencies]").expect("its tests need something");
            assert!(!built.contains(FOR_TESTS), "`{name}` needs `{FOR_TESTS}` not only for its tests");
            tested += 1;
        }
    }
    assert!(tested > 2, "only {tested} crates use it: this test no longer sees them");
}

#[test]
fn the_console_does_not_reach_the_service() {
    let named: Vec<String> =
        layers("admin-service/").remove("console").expect("a layer").into_iter().collect();
    assert_eq!(named, OF_THE_CONSOLE);
}

#[test]
fn the_page_of_the_review_reaches_neither_the_service_nor_the_home() {
    let named: Vec<String> = layers("admin-service/").remove("page").expect("a layer").into_iter().collect();
    assert_eq!(named, OF_THE_PAGE);
}

//! The order of the admin's parts, from the bottom up; and what lies above the bot's network process.

use std::collections::BTreeSet;

use tameclaw_tests::world::workspace;

use crate::uses::Uses;

/// The layers of `admin-service/src`, each with its modules. A layer uses itself and the layers before it.
const LAYERS: &[(&str, &[&str])] = &[
    (
        "base",
        &[
            "bell",
            "clock",
            "config",
            "error",
            "failpoints",
            "folders",
            "home",
            "keys",
            "layout",
            "lock",
            "log",
            "raw",
            "scratch",
            "stop",
            "totp",
        ],
    ),
    ("compose", &["compose"]),
    ("ledger", &["journal"]),
    ("codes", &["ask", "codes"]),
    ("builder", &["children", "build"]),
    ("library", &["implementer"]),
    ("review", &["review"]),
    ("audit", &["audit"]),
    ("actions", &["plugins", "actions"]),
    ("pipeline", &["profiles", "intake", "life", "pipeline"]),
    ("api", &["api"]),
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
    let mut uses = Uses::read(&workspace().join("admin-service/src"));
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
    let uses = Uses::read(&workspace().join("admin-service/src"));
    for (file, used) in uses.0.iter().filter(|(file, _)| module(file) == "console") {
        let service = used.iter().find(|used| LAYERS[layer(used)].0 == "service");
        assert_eq!(service, None, "{file} uses it");
    }
}

/// The process that has the network is told by values; it reaches neither the start nor a skill.
#[test]
fn the_network_process_of_the_bot_uses_no_part_above_it() {
    let uses = Uses::read(&workspace().join("user-agent/src"));
    let above = ["commands", "learned", "skills", "start", "workflows"];
    for (file, used) in uses.0.iter().filter(|(file, _)| module(file) == "net") {
        let wrong = used.iter().find(|used| above.contains(&module(used)));
        assert_eq!(wrong, None, "{file} uses it");
    }
}

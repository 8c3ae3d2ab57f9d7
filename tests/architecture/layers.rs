//! The order of the admin's parts: each uses only those above it in the list.

use tameclaw_tests::world::workspace;

use crate::uses::Uses;

/// The layers of `admin-service/src` from the bottom up, each with its folders and files.
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
    ("console", &["review/console", "review/desk", "review/editor", "review/screen", "review/tryout"]),
    ("redteam", &["redteam"]),
    ("cl-admin", &["commands", "lib"]),
];

fn layer(file: &str) -> usize {
    let holds = |place: &&str| {
        file == *place || file.strip_prefix(*place).is_some_and(|rest| rest.starts_with('/') || rest == ".rs")
    };
    let longest = |places: &&[&str]| places.iter().filter(|p| holds(p)).map(|p| p.len()).max();
    let found = LAYERS.iter().enumerate().filter_map(|(at, (_, places))| Some((longest(places)?, at))).max();
    found.unwrap_or_else(|| panic!("{file} belongs to no layer")).1
}

#[test]
fn each_layer_uses_only_those_below_it() {
    let uses = Uses::read(&workspace().join("admin-service/src"));
    let mut wrong = Vec::new();
    for (file, used) in &uses.0 {
        wrong.extend(used.iter().filter(|used| layer(used) > layer(file)).map(|used| {
            format!("{file}: {used} ({} uses {})", LAYERS[layer(file)].0, LAYERS[layer(used)].0)
        }));
    }
    assert!(wrong.is_empty(), "{} edges:\n{}", wrong.len(), wrong.join("\n"));
}

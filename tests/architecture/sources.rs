//! Which file may use what.

use std::fs;

use tameclaw_tests::world::workspace;

use crate::graph::Graph;
use crate::tree::{Source, code_of, sources};

/// Fails for every file outside `homes` whose code holds `word`.
#[track_caller]
fn only_in(word: &str, homes: &[&str]) {
    let mut found_at_home = false;
    let mut strays = Vec::new();
    for Source { path, text } in sources() {
        for (number, line) in code_of(&text).lines().enumerate() {
            if has_word(line, word) {
                if homes.iter().any(|home| path.starts_with(home)) {
                    found_at_home = true;
                } else {
                    strays.push(format!("{path}:{}: {}", number + 1, line.trim()));
                }
            }
        }
    }
    assert!(strays.is_empty(), "`{word}` belongs into {homes:?} only:\n{}", strays.join("\n"));
    assert!(found_at_home, "`{word}` was not found in {homes:?} either: this test no longer sees it");
}

pub(crate) fn has_word(line: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        !line[..at].chars().next_back().is_some_and(part)
            && !line[at + word.len()..].chars().next().is_some_and(part)
    })
}

#[test]
fn yaml_is_read_in_one_file_only() {
    only_in("serde_saphyr", &["libs/documents/src/yaml.rs"]);
}

#[test]
fn pins_are_hashed_in_one_file_only() {
    only_in("argon2", &["libs/documents/src/pin.rs"]);
}

/// The service moves what an MCP server says unread; the child alone knows JSON, events and messages of the protocol.
#[test]
fn what_an_mcp_server_says_is_read_by_the_child_alone() {
    let mcp = "admin-service/actions/src/plugins/mcp/";
    let of_the_service = |path: &str| {
        path.starts_with(mcp) && !path.starts_with(&format!("{mcp}reader/")) && !path.ends_with("tests.rs")
    };
    let files: Vec<Source> = sources().into_iter().filter(|source| of_the_service(&source.path)).collect();
    assert!(files.len() > 4, "the service's part was not found: this test no longer sees it");
    for Source { path, text } in files {
        let code = code_of(&text);
        let reads =
            ["from_str", "from_slice", "from_reader", "from_value", "sse", "serde_json", "Deserialize"];
        let found = reads.into_iter().find(|word| has_word(&code, word) || code.contains("reader::"));
        assert_eq!(found, None, "{path} reads what a server says");
    }
    only_in("mcp::reader", &["admin-service/cl-admin/src/commands/child.rs", "fuzz/targets/mcp_message.rs"]);
}

#[test]
fn the_interpreter_is_known_to_one_library_only() {
    only_in("wasmi", &["libs/guest/"]);
}

#[test]
fn both_programs_tell_of_themselves_in_one_file_each() {
    let homes = ["libs/events/", "user-agent/base/src/log", "admin-service/base/src/log"];
    for word in ["tracing", "events::start", "set_global_default"] {
        only_in(word, &homes);
    }
}

#[test]
fn folders_are_watched_by_one_library_only() {
    // No other crate can name a type of `notify`, under any name.
    let names = |folder: &str| {
        let manifest = fs::read_to_string(workspace().join(folder).join("Cargo.toml")).expect("a manifest");
        // `sd-notify` reports to systemd and watches nothing.
        let other = |line: &str| line.starts_with('#') || line.starts_with("sd-notify ");
        manifest.lines().any(|line| has_word(line, "notify") && !other(line))
    };
    let watching: Vec<String> =
        Graph::read().0.into_values().map(|(folder, _)| folder).filter(|folder| names(folder)).collect();
    assert_eq!(watching, ["libs/watch"]);
    // And it hands none of them on but the mask of changes.
    for file in sources().iter().filter(|file| file.path.starts_with("libs/watch/src/")) {
        let mut handed = file.text.lines().filter(|line| line.starts_with("pub ") && line.contains("notify"));
        assert!(handed.all(|line| line == "pub use notify::EventKindMask as Changes;"), "{}", file.path);
    }
    only_in("RecommendedWatcher", &["libs/watch/"]);
    // What comes and goes has to be followed there by its name, in a process that cannot look again.
    only_in("inotify", &["libs/confine/tests/", "drivers/pins/src/stops.rs"]);
}

#[test]
fn unsafe_code_has_five_homes() {
    only_in(
        "unsafe",
        &[
            "skill-sdk/src/abi.rs",
            "libs/confine/",
            "drivers/mouth/src/pico.rs",
            "drivers/ear/src/sphinx.rs",
            "tests/harness/",
        ],
    );
}

/// Which built-in skill may do what beyond its tokens is a table that the kernel is handed.
#[test]
fn no_skills_name_stands_in_the_kernel() {
    let shipped = fs::read_to_string(workspace().join("config/builtin_skills.yaml")).expect("the list");
    let names: Vec<&str> = shipped.lines().filter_map(|line| line.strip_prefix("- name: ")).collect();
    assert!(names.len() >= 8, "only {names:?} were found: this test no longer sees them");
    let mut seen = false;
    for Source { path, text } in sources() {
        if !path.starts_with("user-agent/kernel/src/") || path.contains("tests") {
            continue;
        }
        seen = true;
        for (number, line) in text.lines().enumerate() {
            let named = names.iter().find(|name| line.contains(&format!("\"{name}\"")));
            assert!(named.is_none(), "{path}:{}: {}", number + 1, line.trim());
        }
    }
    assert!(seen, "the kernel was not found: this test no longer sees it");
}

/// `serde_json` makes a reader of each type for texts and another one for bytes: both in `cl-bot` are 40 KB.
#[test]
fn the_chat_reads_json_from_bytes_alone() {
    let graph = Graph::read();
    let folders: Vec<String> =
        graph.reachable("user-agent").iter().map(|name| format!("{}/", graph.0[name].0)).collect();
    let mut seen = false;
    for Source { path, text } in sources() {
        let is_test = path.contains("/tests") || path.contains("/benches/") || path.ends_with("/build.rs");
        if is_test || !folders.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        let code = code_of(&text);
        seen |= code.contains("serde_json::from_slice");
        assert!(!code.contains("serde_json::from_str"), "{path}: `serde_json::from_slice` reads bytes");
    }
    assert!(seen, "no part of the chat reads JSON any more: this test no longer sees it");
}

/// What a verb prints as JSON goes through `shared_types::json`, so that it steers no terminal.
#[test]
fn verbs_print_json_by_the_one_printer() {
    let verbs = ["admin-service/cl-admin/src/commands/", "user-agent/cl-bot/src/commands/"];
    let mut seen = false;
    for Source { path, text } in sources() {
        if !verbs.iter().any(|verbs| path.starts_with(verbs)) || path.ends_with("/tests.rs") {
            continue;
        }
        let code: String = code_of(&text).split_whitespace().collect();
        seen |= code.contains("out::json(&") || code.contains("print_json(&");
        for own in [
            "outln!(\"{}\",json!",
            "outln!(\"{}\",serde_json",
            "print(&json!",
            "print(&serde_json",
            "})\n.to_string()",
        ] {
            assert!(
                !code.contains(own),
                "{path} prints JSON by `{own}`; `out::json` or `print_json` does it"
            );
        }
        // A setting or a binding is kept as JSON too; what is kept is not printed.
        let kept = ["admin-service/cl-admin/src/commands/secret.rs"];
        let made = code.contains("serde_json::to_string");
        let weighs = code.contains("serde_json::to_string(&tool.parameters)");
        assert!(!made || weighs || kept.contains(&path.as_str()), "{path} makes JSON by itself");
    }
    assert!(seen, "no verb prints JSON any more: this test no longer sees it");
}

#[test]
fn a_lint_is_expected_and_never_allowed() {
    for Source { path, text } in sources() {
        // The guests' kit is compiled by a Rust that does not know `expect` yet.
        let old = path.starts_with("skill-sdk/");
        for (number, line) in code_of(&text).lines().enumerate() {
            let allowed = line.contains(concat!("#[", "allow(")) || line.contains(concat!("#![", "allow("));
            assert!(old || !allowed, "{path}:{}: use an expectation with its reason", number + 1);
        }
    }
}

#[test]
fn a_word_is_found_as_a_word_only() {
    assert!(has_word("unsafe { x }", "unsafe") && has_word("(unsafe)", "unsafe"));
    assert!(!has_word("forbid(unsafe_code)", "unsafe") && !has_word("anunsafe", "unsafe"));
}

#[test]
fn only_a_program_of_the_tests_sets_a_hook_at_the_points() {
    only_in("failpoints::hook", &["tests/harness/bin/cl-admin-failpoints.rs"]);
}

/// A test names the files as it finds them; all else asks `base::package::Package` for the file.
#[test]
fn the_files_of_a_package_are_named_in_one_file_only() {
    let homes = [
        "admin-service/base/src/package.rs",
        // The place of a module in `skills/`: the bot reads it there, and knows nothing of the admin's packages.
        "shared-types/src/home.rs",
    ];
    let names = ["skill.rs", "skill.wasm", "report.yaml", "proposal.yaml", "decision.json", "trials.json"]
        .map(|name| format!("\"{name}\""));
    let mut seen = 0;
    for Source { path, text } in sources() {
        if homes.contains(&path.as_str()) {
            seen += names.iter().filter(|name| text.contains(*name)).count();
        } else if !path.starts_with("tests/") && !path.contains("/tests") {
            let named = names.iter().find(|name| text.contains(*name));
            assert!(named.is_none(), "{path} names {named:?}: see `base::package`");
        }
    }
    assert!(seen > names.len(), "the names were not found: this test no longer sees them");
}

use std::path::PathBuf;
use std::{env, fs};

use shared_types::settings::{Key, Kind, Shipped};
use shared_types::status::{Gate, TRANSITIONS};

use super::admin::{self, ADMIN, RULES};
use super::bot::{self, BOT};
use super::profile::{self, PROFILE};
use super::wrap::wrapped;
use super::{reference, shipped};

/// The file of the repository is what its table says; `TAMECLAW_BLESS=1` writes it.
fn is_written(path: &str, made: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if env::var_os("TAMECLAW_BLESS").is_some() {
        fs::write(&path, made).unwrap();
    }
    let stands = fs::read_to_string(&path).unwrap();
    assert!(stands == made, "{} differs from its table; TAMECLAW_BLESS=1 writes it", path.display());
}

#[test]
fn the_shipped_files_are_made_from_the_tables() {
    is_written("config/default.yaml", &shipped::file(bot::HEADER, BOT));
    is_written("config/admin.yaml", &shipped::file(admin::HEADER, ADMIN));
    is_written("config/profile.yaml", &shipped::file(profile::HEADER, PROFILE));
}

#[test]
fn the_reference_is_made_from_the_tables() {
    let mut page =
        "# Configuration\n\nEvery key of every file, made from the tables in `libs/settings`.\n".to_owned();
    for (file, who, keys) in [
        ("config/default.yaml", "The chat program. The admin writes the file, the bot only reads it.", BOT),
        ("config/profiles/<id>.yaml", "One person's space.", PROFILE),
        ("admin/admin.yaml", "The service.", ADMIN),
        ("admin/composition_rules.yaml", "What tokens together may mean.", RULES),
    ] {
        page.push_str(&format!("\n## `{file}`\n\n{who}\n{}", reference::page(keys)));
    }
    is_written("docs/CONFIGURATION.md", &page);
}

#[test]
fn every_default_lies_within_its_own_bounds_and_every_key_has_one_name() {
    for table in [BOT, PROFILE, ADMIN, RULES] {
        let mut paths = Vec::new();
        reference::walk(table, "", &mut |path, key: &Key| {
            assert!(!paths.contains(&path.to_owned()), "{path} is there twice");
            paths.push(path.to_owned());
            match &key.kind {
                Kind::Number { default: Some(default), least, most, .. } => {
                    assert!((least..=most).contains(&default), "{path}");
                }
                Kind::Word { default, allowed, .. } => {
                    assert!(default.is_empty() || allowed.contains(default), "{path}");
                }
                _ => {}
            }
            // A list's default is JSON, or this panics.
            key.default();
            let is_shown = key.is_read()
                && key.shipped == Shipped::Default
                && key.default().is_null()
                && !path.contains('.');
            assert!(!is_shown || !key.example.is_empty(), "{path} has neither default nor example");
        });
        assert!(paths.len() > 4);
    }
}

#[test]
fn the_gates_of_the_table_are_those_of_the_transitions() {
    let Kind::Keys(gates) = &ADMIN.iter().find(|key| key.name == "gates").unwrap().kind else { panic!() };
    let said: Vec<String> = gates.iter().map(|key| key.default().as_str().unwrap().to_owned()).collect();
    let meant = TRANSITIONS.map(|(_, _, gate)| if gate == Gate::Human { "human" } else { "auto" });
    assert_eq!(said, meant);
}

#[test]
fn a_key_is_explained_by_its_path_and_a_wrong_one_names_its_neighbours() {
    let explain = |key: &str| reference::explain(&reference::BOT_FILES, key).map_err(|e| e.to_string());
    let rounds = explain("limits.max_tool_rounds").unwrap();
    assert!(rounds.contains("A whole number from 1 to 50 rounds; default `5`."), "{rounds}");
    let both = explain("autonomy").unwrap();
    assert!(both.contains("(config/default.yaml)") && both.contains("(config/profiles/<id>.yaml)"), "{both}");
    for (wrong, near) in [
        ("max_tool_rounds", "did you mean limits.max_tool_rounds?"),
        ("autonmy", "did you mean autonomy?"),
        ("colour of the sky", "`config explain` without a key lists them"),
    ] {
        assert!(explain(wrong).unwrap_err().ends_with(near), "{wrong}");
    }
    assert!(reference::list(&reference::ADMIN_FILES).contains("limits.compile_seconds"));
}

#[test]
fn long_text_is_wrapped_at_words_and_lists_are_indented() {
    assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
    assert_eq!(wrapped("- one two three\n\nfour", 9), ["- one two", "  three", "", "four"]);
}

use super::*;

use shared_types::settings::{Kind, NEEDED, filled, key, number, word};

static KEYS: &[Key] = &[
    key("rounds", number(5, 1, 20, ""), ""),
    key("mode", word("a", &["a", "b"]), ""),
    key("list", Kind::List { keys: &[key("name", NEEDED, "")], default: "[]", most: 2 }, ""),
];

#[test]
fn an_empty_document_has_every_default() {
    let section = section(KEYS, "# nothing\n");
    assert_eq!(section.number("rounds"), 5);
    assert_eq!(section.word("mode"), "a");
    assert!(section.finish().is_empty());
    let file = crate::yaml::from_own("mode: b\n").unwrap();
    assert_eq!(filled(KEYS, &file), serde_json::json!({"rounds": 5, "mode": "b", "list": []}));
}

#[test]
fn every_fault_is_told_with_its_key_and_what_is_allowed() {
    let section = section(KEYS, "rounds: 99\nmode: c\nghost: 1\nlist:\n  - {name: 3, more: x}\n  - {}\n");
    let told: Vec<String> = section.finish().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "ghost: this key is unknown; allowed: rounds mode list",
            "rounds: must be a whole number from 1 to 20",
            "mode: \"c\" is not allowed; allowed: a b",
            "list[0].more: this key is unknown; allowed: name",
            "list[0].name: must be a text",
            "list[1].name: missing",
        ]
    );
}

#[test]
fn a_path_is_spelled_out_from_the_environment() {
    let home = |user: &str| match user {
        "~" => Ok(PathBuf::from("/home/anna/")),
        "~bert" => Ok(PathBuf::from("/home/bert")),
        _ => Err("has no home"),
    };
    let variable = |name: &str| match name {
        "DATA" => Some("/srv/data".to_owned()),
        _ => None,
    };
    for (text, path) in [
        ("~/private", "/home/anna/private"),
        ("${DATA}/private", "/srv/data/private"),
        ("~/${DATA}-${DATA}", "/home/anna//srv/data-/srv/data"),
        ("notes/~/$DATA/**", "notes/~/$DATA/**"),
        ("~bert/private", "/home/bert/private"),
        ("/srv/~bert", "/srv/~bert"),
    ] {
        assert_eq!(path_with(text, home, variable).as_deref(), Ok(path));
    }
    let told = |text: &str| path_with(text, |_| Err("has no home"), |_| None).unwrap_err().to_string();
    assert_eq!(told("~/a"), "`~/a` has no home");
    assert_eq!(told("${GHOST}/a"), "`${GHOST}/a`: the environment variable GHOST is not set");
    assert_eq!(told("${DATA"), "`${DATA`: a variable is written as ${NAME}");
}

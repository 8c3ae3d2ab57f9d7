use super::*;

#[test]
fn an_empty_document_has_every_default() {
    let mut section = section("# nothing\n");
    assert_eq!(section.number("rounds", 5, 1..=20), 5);
    assert_eq!(section.word("mode", "a", &["a", "b"]), "a");
    assert!(section.finish().is_empty());
}

#[test]
fn every_fault_is_told_with_its_key_and_what_is_allowed() {
    let mut section = section("rounds: 99\nmode: c\nghost: 1\nlist:\n  - {name: 3, more: x}\n");
    section.number("rounds", 5, 1..=20);
    section.word("mode", "a", &["a", "b"]);
    for mut item in section.sections("list") {
        item.text("name");
        section.close(item);
    }
    let told: Vec<String> = section.finish().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "rounds: must be a whole number from 1 to 20",
            "mode: \"c\" is not allowed; allowed: a b",
            "list[0].name: must be a text",
            "list[0].more: this key is unknown; allowed: name",
            "ghost: this key is unknown; allowed: rounds mode list",
        ]
    );
}

#[test]
fn a_path_is_spelled_out_from_the_environment() {
    let variable = |name: &str| match name {
        "HOME" => Some("/home/anna/".to_owned()),
        "DATA" => Some("/srv/data".to_owned()),
        _ => None,
    };
    for (text, path) in [
        ("~/private", "/home/anna/private"),
        ("${DATA}/private", "/srv/data/private"),
        ("~/${DATA}-${DATA}", "/home/anna//srv/data-/srv/data"),
        ("notes/~/$DATA/**", "notes/~/$DATA/**"),
        ("~anna/private", "~anna/private"),
    ] {
        assert_eq!(path_with(text, variable).as_deref(), Ok(path));
    }
    let told = |text: &str| path_with(text, |_| None).unwrap_err().to_string();
    assert_eq!(told("~/a"), "`~/a`: the environment variable HOME is not set");
    assert_eq!(told("${GHOST}/a"), "`${GHOST}/a`: the environment variable GHOST is not set");
    assert_eq!(told("${DATA"), "`${DATA`: a variable is written as ${NAME}");
}

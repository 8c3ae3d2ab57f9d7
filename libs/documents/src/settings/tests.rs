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

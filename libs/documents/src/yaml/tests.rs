use std::collections::BTreeMap;

use super::*;

type Map = BTreeMap<String, String>;

#[test]
fn a_plain_document_is_read() {
    assert_eq!(from_outside::<Map>("a: b\nc: \"d e\"\n").unwrap()["c"], "d e");
}

#[test]
fn tricks_are_refused() {
    let deep = "[".repeat(100_000);
    let many = format!("a: [{}]", "x,".repeat(5_000));
    let anchors: String = (0..17).map(|i| format!("k{i}: &a{i} x\n")).collect();
    let aliases = format!("a: &x y\nb: [{}]\n", "*x, ".repeat(33));
    let replayed = format!("a: &x [{}]\nb: [{}]\n", "y, ".repeat(100), "*x, ".repeat(6));
    let laughs = "a: &a [x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n";
    for (name, text) in [
        ("duplicate keys", "a: b\na: c\n"),
        ("a second document", "a: b\n---\na: c\n"),
        ("too many anchors", anchors.as_str()),
        ("too many aliases", aliases.as_str()),
        ("aliases that stand for much", replayed.as_str()),
        ("aliases of aliases", laughs),
        ("an alias of what is not there", "a: *x\n"),
        ("an alias within its anchor", "a: &x [b, *x]\n"),
        ("a tag", "a: !!str b\n"),
        ("a tag behind the last key", "a: b\nc: !x\n"),
        ("merge keys", "a: b\n<<: {c: d}\n"),
        ("deep nesting", deep.as_str()),
        ("too many nodes", many.as_str()),
        ("a raw escape", "a: \u{1b}[31m\n"),
    ] {
        let fault = from_outside::<BTreeMap<String, serde_json::Value>>(text);
        assert!(fault.is_err(), "{name} was accepted: {fault:?}");
        assert!(!fault.unwrap_err().to_string().contains('\u{1b}'), "{name} echoes its escape");
    }
}

#[test]
fn a_few_aliases_are_read_and_a_tag_is_named_with_its_line() {
    assert_eq!(from_outside::<Map>("a: &x b\nc: *x\n").unwrap()["c"], "b");
    let fault = from_outside::<Map>("a: b\nc: !<tag:example.org,2000:x> d\n").unwrap_err().to_string();
    assert!(fault.contains("line 2") && fault.contains("tag:example.org,2000:x"), "{fault}");
}

#[test]
fn what_is_written_reads_back_the_same() {
    let hard = [
        "yes",
        "null",
        "1e3",
        "- a",
        "a: b",
        "#x",
        "  lead",
        "multi\nline\n",
        "\"q\"",
        "0193",
        "ünï",
        "",
        "~",
        "*a",
        "&b",
        "!t",
        "%d",
        "@at",
        "`tick",
        "|",
        ">",
        "2026-01-01",
    ];
    for text in hard {
        let map = Map::from([("k".to_owned(), text.to_owned())]);
        assert_eq!(from_own::<Map>(&to_string(&map).unwrap()).unwrap(), map, "{text:?}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_survives_the_round_trip(text in "[^\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}]{0,60}") {
        let map = Map::from([("k".to_owned(), text)]);
        proptest::prop_assert_eq!(from_own::<Map>(&to_string(&map).unwrap()).unwrap(), map);
    }

    #[test]
    fn garbage_never_panics(text in "\\PC{0,200}") {
        let _ = from_outside::<serde_json::Value>(&text);
    }
}

#[test]
fn a_mirror_has_room_for_two_outputs_and_is_read_as_strictly_as_any() {
    let long = |bytes: usize| format!("text: \"{}\"\n", "a".repeat(bytes));
    let read = |text: &str| from_mirror::<serde_json::Value>(text);
    assert!(from_outside::<serde_json::Value>(&long(200_000)).is_err());
    assert_eq!(read(&long(200_000)).unwrap()["text"].as_str().unwrap().len(), 200_000);
    assert!(read(&long(MAX_MIRROR_BYTES)).is_err());
    assert!(read("text: !!binary aGk=\n").is_err());
    assert!(read("a: 1\na: 2\n").is_err());
}

#[test]
fn a_fault_is_told_in_words_for_the_author_of_the_document() {
    let fault = from_own::<Map>("a: b\na: c\n").unwrap_err().to_string();
    assert!(fault.contains("duplicate mapping key `a`") && fault.contains("line 2"), "{fault}");
    assert!(!fault.contains("Policy") && !fault.contains("Options"), "{fault}");
}

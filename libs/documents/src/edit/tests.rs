use proptest::prelude::*;
use serde_json::json;

use super::*;

fn put(text: &str, pointer: &str, value: Value) -> Result<String, NotEdited> {
    edit(text, pointer, &Change::Put(value))
}

#[test]
fn a_value_is_replaced_and_every_other_byte_stays() {
    let text = "# mine\na: 1   # one\nb:\n  c: x  # see\n  d: [1,\n      2]\n";
    assert_eq!(put(text, "/b/c", json!("y z")).unwrap(), text.replace("c: x ", "c: \"y z\" "));
    assert_eq!(put(text, "/a", json!(7)).unwrap(), text.replace("a: 1 ", "a: 7 "));
    assert_eq!(put(text, "/b/d/1", json!(3)).unwrap(), text.replace("2]", "3]"));
    assert_eq!(put(text, "/a", json!(1)).unwrap(), text, "what holds already is not written");
}

#[test]
fn a_missing_key_goes_behind_the_comment_that_shows_it_or_to_the_end() {
    let text = "help:\n  # The country.\n  # region: de\n  # Lines.\n  own: []\n\nnext: 1\n";
    assert_eq!(
        put(text, "/help/region", json!("at")).unwrap(),
        text.replace("# region: de\n", "# region: de\n  region: at\n")
    );
    assert_eq!(put(text, "/help/more", json!("x")).unwrap(), text.replace("[]\n", "[]\n  more: x\n"));
    assert_eq!(
        put(text, "/new/deep/er", json!(true)).unwrap(),
        format!("{text}new:\n  deep:\n    er: true\n")
    );
    assert_eq!(put("", "/a/b", json!("c")).unwrap(), "a:\n  b: c\n");
    assert_eq!(put("# only\n", "/a", json!("c")).unwrap(), "# only\na: c\n");
    assert_eq!(put("a: 1", "/b", json!("c")).unwrap(), "a: 1\nb: c\n");
    assert_eq!(put("a: # why\nb: 1\n", "/a/c", json!(2)).unwrap(), "a: # why\n  c: 2\nb: 1\n");
    assert_eq!(put("a: # why\nb: 1\n", "/a", json!(2)).unwrap(), "a: 2 # why\nb: 1\n");
    assert_eq!(put("a: {}\n", "/a/b", json!(2)).unwrap(), "a: {b: 2}\n");
    assert_eq!(put("a: {x: 1}\n", "/a/b/c", json!(2)).unwrap(), "a: {b: {c: 2}, x: 1}\n");
}

#[test]
fn a_list_grows_at_either_end() {
    let first = |text: &str| {
        edit(text, "/p", &Change::First(json!({"name": "new", "url": "http://h:1/v1"}))).unwrap()
    };
    let new = "{name: new, url: \"http://h:1/v1\"}";
    assert_eq!(
        first("p:\n  # the fallback\n  - name: old\n    kind: x\nq: 1\n"),
        format!("p:\n  # the fallback\n  - {new}\n  - name: old\n    kind: x\nq: 1\n")
    );
    assert_eq!(first("p:\n- a\n"), format!("p:\n- {new}\n- a\n"));
    assert_eq!(first("p: []\n"), format!("p: [{new}]\n"));
    assert_eq!(first("p: [a] # c\n"), format!("p: [{new}, a] # c\n"));
    assert_eq!(first("q: 1\n"), format!("q: 1\np:\n  - {new}\n"));
    assert_eq!(first("p:\nq: 1\n"), format!("p: [{new}]\nq: 1\n"));
    let last = |text: &str| edit(text, "/p", &Change::Last(json!("z"))).unwrap();
    assert_eq!(last("p:\n  - a # one\n  # end\nq: 1\n"), "p:\n  - a # one\n  - z\n  # end\nq: 1\n");
    assert_eq!(last("p: [a, b]\n"), "p: [a, b, z]\n");
    assert_eq!(last("p: []\n"), "p: [z]\n");
}

#[test]
fn a_key_is_taken_out_with_its_line() {
    let text = "s:\n  user: a\n  group: b # x\n  z: 1\n";
    assert_eq!(edit(text, "/s/group", &Change::Remove).unwrap(), "s:\n  user: a\n  z: 1\n");
    assert_eq!(edit(text, "/s/none", &Change::Remove).unwrap(), text);
    assert_eq!(edit(text, "/none/none", &Change::Remove).unwrap(), text);
    let only = "s: # why\n  # who\n  group: b\nt: 1\n";
    assert_eq!(edit(only, "/s/group", &Change::Remove).unwrap(), "s: {} # why\n  # who\nt: 1\n");
    assert_eq!(edit("s: {a: 1, b: 2}\n", "/s/a", &Change::Remove).unwrap(), "s: {b: 2}\n");
    assert_eq!(edit("s: {a: 1, b: 2}\n", "/s/b", &Change::Remove).unwrap(), "s: {a: 1}\n");
    assert_eq!(edit("s: {a: 1} # x\n", "/s/a", &Change::Remove).unwrap(), "s: {} # x\n");
}

#[test]
fn an_item_is_taken_out_of_a_list_and_every_other_byte_stays() {
    let without = |text: &str, at: usize| edit(text, &format!("/d/p/{at}"), &Change::Remove).unwrap();
    let text =
        "# a\nd:\n  p:\n    # one\n    - {n: 1} # x\n    # two\n    - n: 2\n      m: 3\n    # end\nq: 1\n";
    assert_eq!(without(text, 0), text.replace("    - {n: 1} # x\n", ""));
    assert_eq!(without(text, 1), text.replace("    - n: 2\n      m: 3\n", ""));
    assert_eq!(without(text, 2), text, "there is none");
    let only = "d:\n  p: # why\n    # one\n    - {n: 1}\n  z: 1\n";
    assert_eq!(without(only, 0), "d:\n  p: [] # why\n    # one\n  z: 1\n");
    assert_eq!(without("d:\n  p:\n  - 1\n  - 2", 1), "d:\n  p:\n  - 1\n");
    assert_eq!(without("d: {p: [1, {n: 2}, 3]} # x\n", 1), "d: {p: [1, 3]} # x\n");
    assert_eq!(without("d: {p: [1, 2]}\n", 1), "d: {p: [1]}\n");
    assert_eq!(without("d: {p: [ 1, ]}\n", 0), "d: {p: []}\n");
    assert_eq!(without("d:\n  p: [\n    1,\n    2,\n    ]\n", 0), "d:\n  p: [\n    2,\n    ]\n");
    // A comment would state something false about what is left.
    let refused =
        edit("d:\n  p: [\n    1, # one\n    2, # two\n    ]\n", "/d/p/1", &Change::Remove).unwrap_err();
    assert_eq!(refused.by_hand, "(`d.p` without its entry number 2)\n");
    assert!(edit("- 1\n", "/0", &Change::Remove).is_err(), "a list without a key is left alone");
}

#[test]
fn what_cannot_be_changed_in_place_is_refused_with_the_lines_to_write() {
    for (text, pointer) in [
        ("a:\n  - 1\n", "/a"),
        ("a: b: c\n", "/a"),
        ("a: 1\na: 2\n", "/a"),
        ("a: 1\n---\nb: 2\n", "/a"),
        ("- 1\n", "/a"),
        ("a: 1\n", "/a/b"),
    ] {
        let refused = put(text, pointer, json!("x")).unwrap_err();
        assert!(refused.by_hand.ends_with(": x\n"), "{text:?}: {refused}");
    }
    assert!(edit("a: 1\n", "/a", &Change::First(json!(1))).is_err());
    // A text without its last key would not be a mapping any more.
    assert!(edit("group: b\n", "/group", &Change::Remove).is_err());
}

#[test]
fn the_shipped_configurations_can_be_changed_everywhere_and_lose_no_line() {
    let bot = include_str!("../../../../config/default.yaml");
    let admin = include_str!("../../../../config/admin.yaml");
    let entry = json!({"name": "local", "kind": "openai-compatible"});
    for (text, pointer, change) in [
        (bot, "/help_lines/region", Change::Put(json!("at"))),
        (bot, "/providers", Change::First(entry.clone())),
        (bot, "/security/user", Change::Put(json!("cl-bot"))),
        (bot, "/providers/0/model", Change::Put(json!("m"))),
        (admin, "/providers", Change::First(entry.clone())),
        (admin, "/notifiers", Change::Last(entry)),
        (admin, "/implementers", Change::Last(json!("local"))),
        (admin, "/language", Change::Put(json!("de"))),
    ] {
        let written = edit(text, pointer, &change).unwrap();
        let lost: Vec<&str> = text.lines().filter(|line| !written.lines().any(|l| l == *line)).collect();
        assert!(lost.iter().all(|line| !line.starts_with('#') && lost.len() < 2), "{pointer}: {lost:?}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic_or_say_something_else(text in "[ab:\\-\\[\\]{},#\n é\"'|>?&*!]{0,60}", pointer in "(/[ab0]){1,3}") {
        if let Ok(written) = put(&text, &pointer, json!("v")) {
            let value: Value = yaml::from_own(&written).unwrap();
            prop_assert_eq!(value.pointer(&pointer), Some(&json!("v")));
        }
        let _ = edit(&text, &pointer, &Change::First(json!(1)));
        let _ = edit(&text, &pointer, &Change::Last(json!(1)));
        if let Ok(written) = edit(&text, &pointer, &Change::Remove) {
            let before: Value = yaml::from_own(&text).unwrap();
            let after: Value = yaml::from_own(&written).unwrap();
            prop_assert_eq!(before == after, before.pointer(&pointer).is_none());
        }
    }
}

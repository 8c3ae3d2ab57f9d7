use std::collections::BTreeMap;

use super::*;
use crate::data::source;

/// Lengths on both sides of each border between one, two and three characters, and bytes that are not letters.
#[test]
fn what_was_packed_is_read_as_it_was() {
    let texts: Vec<String> = [0, 1, 63, 64, 4_095, 4_096, 70_000]
        .into_iter()
        .map(|length| "x".repeat(length))
        .chain(["größe".to_owned(), "\u{1}@\u{7f}".to_owned(), "für 'n Euro €".to_owned()])
        .collect();
    let list: List<&str> = List::of(source::list(&texts).leak());
    assert!(list.iter().eq(texts.iter().map(String::as_str)));
    assert_eq!(
        (list.len(), list.is_empty(), list.contains("größe"), list.contains("gro")),
        (10, false, true, false)
    );
}

#[test]
fn a_list_without_entries_has_none() {
    let list: List<&str> = List::of(source::list([""; 0]).leak());
    assert_eq!((list.len(), list.is_empty(), list.contains("")), (0, true, false));
}

/// A key that is the beginning of another, the first, the last, and those that are not there on either side of each.
#[test]
fn a_table_gives_what_stands_beside_its_keys_alone() {
    let table: BTreeMap<String, String> =
        ["a", "ab", "abc", "ü"].into_iter().map(|key| (key.to_owned(), format!("{key}!"))).collect();
    let packed: List<(&str, &str)> = List::of(source::table(&table, String::clone).leak());
    for key in ["", "a", "aa", "ab", "abc", "abcd", "b", "ü", "üü"] {
        assert_eq!(packed.get(key), table.get(key).map(String::as_str), "{key}");
    }
}

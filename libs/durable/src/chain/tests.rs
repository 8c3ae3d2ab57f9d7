use std::fs::OpenOptions;

use serde_json::json;

use super::*;

fn filled(path: &Path) -> ChainedLog {
    let mut log = ChainedLog::open(path).unwrap();
    for n in 1..=3 {
        assert_eq!(log.append(&json!({"n": n, "text": "ü\n"})).unwrap(), n);
    }
    log
}

fn values(path: &Path) -> Vec<u64> {
    replay(path).unwrap().map(|r| r.unwrap().1["n"].as_u64().unwrap()).collect()
}

fn broken_line(path: &Path) -> u64 {
    match verify(path).unwrap_err() {
        ChainError::Broken(broken) => broken.line,
        other => panic!("{other}"),
    }
}

#[test]
fn a_chain_is_read_back_and_goes_on_after_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let head = filled(&path).head().to_owned();
    let mut again = ChainedLog::open(&path).unwrap();
    assert_eq!((again.len(), again.head()), (3, head.as_str()));
    again.append(&json!({"n": 4})).unwrap();
    assert_eq!(values(&path), [1, 2, 3, 4]);
    assert_eq!(verify(&path).unwrap(), (4, again.head().to_owned()));
}

#[test]
fn reading_goes_on_from_a_place_and_begins_anew_where_the_chain_does_not_have_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let mut log = filled(&path);
    let rest = |place: &Place| {
        let walk = replay_from::<serde_json::Value>(&path, place).unwrap();
        walk.map(|record| record.unwrap().0).collect::<Vec<_>>()
    };
    assert_eq!(rest(&Place::default()), [1, 2, 3]);
    let place = log.place.clone();
    assert_eq!(rest(&place), [0; 0]);
    log.append(&json!({"n": 4})).unwrap();
    assert_eq!(rest(&place), [4]);
    assert!(ChainedLog::open_at(&path, place.clone()).is_err());
    ChainedLog::open_at(&path, log.place.clone()).unwrap().append(&json!({"n": 5})).unwrap();
    assert_eq!(rest(&place), [4, 5]);

    // Another chain, as long as the first one, and a shorter one.
    std::fs::remove_file(&path).unwrap();
    let mut other = ChainedLog::open(&path).unwrap();
    for n in 1..=3 {
        other.append(&json!({"n": n + 1, "text": "ü\n"})).unwrap();
    }
    assert_eq!(rest(&place), [1, 2, 3]);
    OpenOptions::new().write(true).open(&path).unwrap().set_len(0).unwrap();
    assert_eq!(rest(&place), [0; 0]);
}

#[test]
fn the_first_broken_link_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    filled(&path);
    let good = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = good.lines().collect();

    std::fs::write(&path, good.replacen("\"n\":2", "\"n\":7", 1)).unwrap();
    assert_eq!(broken_line(&path), 2);
    assert!(ChainedLog::open(&path).is_err());

    std::fs::write(&path, format!("{}\n{}\n", lines[0], lines[2])).unwrap();
    assert_eq!(broken_line(&path), 2);

    std::fs::write(&path, format!("{}\n{}\n{}\n", lines[1], lines[0], lines[2])).unwrap();
    assert_eq!(broken_line(&path), 1);

    std::fs::write(&path, format!("{}\nnonsense\n", lines[0])).unwrap();
    assert_eq!(broken_line(&path), 2);
}

#[test]
fn a_cut_at_any_byte_leaves_every_earlier_record_and_a_usable_chain() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    filled(&path);
    let whole = std::fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        std::fs::write(&path, &whole[..cut]).unwrap();
        let complete = whole[..cut].iter().filter(|b| **b == b'\n').count() as u64;
        let mut log = ChainedLog::open(&path).unwrap();
        assert_eq!(log.len(), complete);
        log.append(&json!({"n": 9})).unwrap();
        assert_eq!(verify(&path).unwrap().0, complete + 1);
    }
}

#[test]
fn a_failed_write_leaves_the_chain_usable() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let mut log = filled(&path);
    let good = std::mem::replace(&mut log.file, File::open(&path).unwrap());
    assert!(log.append(&json!({"n": 4})).is_err());
    log.file = good;
    // Half a record stands behind the last accepted one, as after a full disk.
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"seq\":4,\"prev").unwrap();
    log.append(&json!({"n": 5})).unwrap();
    assert_eq!(values(&path), [1, 2, 3, 5]);
}

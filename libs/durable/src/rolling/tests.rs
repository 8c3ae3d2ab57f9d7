use std::fs::{self, OpenOptions};
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::{replay, verify};

fn open(folder: &Path, most: u64) -> RollingChain {
    let part = |name: &str| {
        let path = folder.join(name);
        (OpenOptions::new().read(true).append(true).create(true).open(&path).unwrap(), path)
    };
    RollingChain::adopt([part("0"), part("1")], most)
}

fn values(path: &Path) -> Vec<serde_json::Value> {
    replay(path).unwrap().map(|record| record.unwrap().1).collect()
}

#[test]
fn what_is_appended_is_a_chain_that_verifies_and_goes_on_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    for run in 0..3 {
        let mut chain = open(dir.path(), 1 << 20);
        chain.append(&json!({"run": run})).unwrap();
        chain.append(&json!({"run": run})).unwrap();
        chain.sync().unwrap()().unwrap();
    }
    assert_eq!(verify(&dir.path().join("0")).unwrap().0, 6);
    assert_eq!(fs::metadata(dir.path().join("1")).unwrap().len(), 0);
}

#[test]
fn two_processes_that_append_in_turn_make_one_chain() {
    let dir = tempfile::tempdir().unwrap();
    let (mut one, mut other) = (open(dir.path(), 1 << 20), open(dir.path(), 1 << 20));
    for number in 0..10 {
        let chain = if number % 3 == 0 { &mut one } else { &mut other };
        chain.append(&number).unwrap();
    }
    assert_eq!(values(&dir.path().join("0")), (0..10).map(|n| json!(n)).collect::<Vec<_>>());
}

#[test]
fn threads_that_append_at_once_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let mut chain = open(dir.path(), 1 << 20);
            scope.spawn(move || (0..25).for_each(|n| chain.append(&n).unwrap()));
        }
    });
    assert_eq!(verify(&dir.path().join("0")).unwrap().0, 100);
}

#[test]
fn a_full_file_is_followed_by_the_other_which_names_where_it_continues() {
    let dir = tempfile::tempdir().unwrap();
    let mut chain = open(dir.path(), 1000);
    for number in 0..100 {
        chain.append(&json!({"number": number})).unwrap();
        // The file system's clock ticks every few milliseconds only.
        if number % 4 == 0 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
    let paths = [dir.path().join("0"), dir.path().join("1")];
    let mut lasts = Vec::new();
    for path in &paths {
        assert!(fs::metadata(path).unwrap().len() < 1000 + 400, "bounded");
        let values = values(path);
        assert!(values[0]["continues"].is_string(), "{values:?}");
        lasts.push(values.last().unwrap()["number"].as_u64().unwrap());
    }
    assert_eq!(lasts.iter().max(), Some(&99));
    let newer = usize::from(lasts[1] == 99);
    let head = verify(&paths[1 - newer]).unwrap().1;
    assert_eq!(values(&paths[newer])[0]["continues"], json!(head), "nothing is missing between the two");
}

#[test]
fn a_file_that_another_process_began_anew_is_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let (mut one, mut other) = (open(dir.path(), 1 << 20), open(dir.path(), 1 << 20));
    one.append(&"first").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::write(dir.path().join("0"), "").unwrap();
    other.append(&"other").unwrap();
    one.append(&"third").unwrap();
    assert_eq!(values(&dir.path().join("0")), [json!("other"), json!("third")]);
}

#[test]
fn a_torn_last_line_is_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("0");
    for whole in [0, 1, 3] {
        fs::write(&path, "").unwrap();
        let mut chain = open(dir.path(), 1 << 20);
        (0..whole).for_each(|n| chain.append(&n).unwrap());
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend_from_slice(b"{\"seq\":9,\"prev");
        fs::write(&path, bytes).unwrap();
        open(dir.path(), 1 << 20).append(&"next").unwrap();
        assert_eq!(verify(&path).unwrap().0, whole + 1);
    }
}

#[test]
fn a_changed_last_record_is_not_built_upon() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("0");
    open(dir.path(), 1 << 20).append(&"honest").unwrap();
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("honest", "forged")).unwrap();
    let error = open(dir.path(), 1 << 20).append(&"next").unwrap_err();
    assert!(error.to_string().contains("last record does not hold"), "{error}");
}

#[test]
fn a_record_that_is_too_long_is_refused_and_the_chain_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let mut chain = open(dir.path(), 1 << 20);
    assert!(chain.append(&"x".repeat(9000)).is_err());
    chain.append(&"short").unwrap();
    assert_eq!(verify(&dir.path().join("0")).unwrap().0, 1);
}

proptest! {
    #[test]
    fn no_bytes_in_the_file_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("0"), bytes).unwrap();
        let _ = open(dir.path(), 1 << 20).append(&1);
    }
}

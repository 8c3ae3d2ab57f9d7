use std::os::unix::fs::MetadataExt;

use super::*;

/// Bytes that a file really holds on the disk.
fn held(path: &std::path::Path) -> u64 {
    fs::metadata(path).unwrap().blocks() * 512
}

#[test]
fn a_ballast_is_really_on_the_disk_and_goes_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reserve");
    let ballast = Ballast::new(path.clone(), 100_000, 40_000);
    assert!(!ballast.give().unwrap(), "there is nothing to give yet");
    ballast.renew().unwrap();
    assert!(held(&path) >= 100_000);
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    for left in [60_000, 20_000, 0] {
        assert!(ballast.give().unwrap());
        assert_eq!(fs::metadata(&path).unwrap().len(), left);
    }
    assert!(!ballast.give().unwrap());
    ballast.renew().unwrap();
    assert!(held(&path) >= 100_000);
}

#[test]
fn room_behind_the_end_of_a_chain_is_taken_and_not_seen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let mut log = crate::ChainedLog::open(&path).unwrap();
    log.keep_ahead(200_000).unwrap();
    for n in 0..40 {
        log.append(&serde_json::json!({"n": n, "text": "x".repeat(10_000)})).unwrap();
        let length = fs::metadata(&path).unwrap().len();
        assert!(held(&path) >= length + 100_000, "record {n} leaves too little behind it");
    }
    assert_eq!(crate::verify(&path).unwrap().0, 40);
    // A stranger's bytes behind the end are cut off, and the room is taken again.
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"torn").unwrap();
    log.append(&1).unwrap();
    assert!(held(&path) >= fs::metadata(&path).unwrap().len() + 100_000);
    assert_eq!(crate::verify(&path).unwrap().0, 41);
}

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;
use shared_types::risk::Risk;

use super::*;
use crate::{Disk, Status, audit};

fn attempt(tool: &str) -> Attempt<'_> {
    Attempt {
        conversation: "c",
        tool,
        args: &Value::Null,
        result: "",
        status: Status::Allowed,
        approved_by: "policy",
        risk: Risk::Low,
        network: &[],
    }
}

fn count(folder: &Path) -> u64 {
    let report = audit::audit(&Disk::new(folder), None, None).unwrap();
    assert_eq!(report.wrong(), None);
    report.end.count
}

#[test]
fn what_is_written_is_one_chain_for_its_owner_alone() {
    let dir = tempfile::tempdir().unwrap();
    let chain = Chain::new(Disk::new(dir.path()), None);
    let receipts: Vec<_> = ["a", "b", "c"].iter().map(|tool| chain.write(&attempt(tool)).unwrap()).collect();
    assert_eq!(receipts[0].previous_hash, NOTHING_BEFORE);
    assert_eq!(receipts[2].previous_hash, receipts[1].receipt_hash);
    assert_eq!(count(dir.path()), 3);
    let mode = fs::metadata(dir.path().join(CURRENT)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_torn_last_line_is_cut_off_and_the_chain_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let chain = Chain::new(Disk::new(dir.path()), None);
    chain.write(&attempt("a")).unwrap();
    let path = dir.path().join(CURRENT);
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"approved_by\":\"pol");
    fs::write(&path, text).unwrap();
    chain.write(&attempt("b")).unwrap();
    assert_eq!(count(dir.path()), 2);
}

#[test]
fn full_files_make_way_and_together_stay_one_chain() {
    let dir = tempfile::tempdir().unwrap();
    let chain = Chain::new(Disk::new(dir.path()), None).of_at_most(500);
    for _ in 0..25 {
        chain.write(&attempt("a")).unwrap();
    }
    let names = segments(chain.files()).unwrap();
    assert!(names.len() > 10, "{names:?}");
    assert_eq!(names[9..11], ["receipts.10.jsonl", "receipts.11.jsonl"]);
    assert_eq!(count(dir.path()), 25);
    fs::remove_file(dir.path().join("receipts.2.jsonl")).unwrap();
    let report = audit::audit(&Disk::new(dir.path()), None, None).unwrap();
    assert_eq!(report.fault.map(|f| f.file), Some("receipts.3.jsonl".to_owned()));
}

#[test]
fn writers_in_several_threads_and_handles_make_one_chain() {
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let chain = Chain::new(Disk::new(dir.path()), None).of_at_most(4000);
                for _ in 0..25 {
                    chain.write(&attempt("a")).unwrap();
                }
            });
        }
    });
    assert_eq!(count(dir.path()), 100);
}

#[test]
fn nothing_is_written_after_a_last_line_that_does_not_hold() {
    let dir = tempfile::tempdir().unwrap();
    let chain = Chain::new(Disk::new(dir.path()), None);
    chain.write(&attempt("a")).unwrap();
    let path = dir.path().join(CURRENT);
    let text = fs::read_to_string(&path).unwrap().replace("policy", "person");
    fs::write(&path, &text).unwrap();
    assert!(matches!(chain.write(&attempt("b")), Err(ReceiptError::Tail { .. })));
    assert!(matches!(chain.ready(), Err(ReceiptError::Tail { .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn readiness_holds_room_and_says_so_where_there_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let chain = Chain::new(Disk::new(dir.path()), None);
    chain.ready().unwrap();
    assert_eq!(fs::metadata(dir.path().join(RESERVE)).unwrap().len(), RESERVED);
    chain.give().unwrap();
    chain.ready().unwrap();
    assert_eq!(fs::metadata(dir.path().join(RESERVE)).unwrap().len(), RESERVED);
    let gone = Chain::new(Disk::new(&dir.path().join("no-such-folder")), None);
    assert!(gone.ready().is_err());
}

use std::fs;
use std::path::Path;

use serde_json::Value;
use shared_types::risk::Risk;

use super::*;
use crate::head::Log;
use crate::{Attempt, Chain, Disk, Status};

fn write(folder: &Path, count: usize) {
    let chain = Chain::new(Disk::new(folder), None).of_at_most(2000);
    for _ in 0..count {
        let attempt = Attempt {
            conversation: "c",
            tool: "t",
            args: &Value::Null,
            result: "",
            status: Status::Failed,
            approved_by: "policy",
            risk: Risk::Low,
            network: &[],
        };
        chain.write(&attempt).unwrap();
    }
}

fn seen(folder: &Path, head: Option<&Head>) -> Report {
    audit(&Disk::new(folder), head, None).unwrap()
}

fn head(end: Place, begin: Option<Place>) -> Head {
    let log = Log::Receipts("default".parse().unwrap());
    Head { log, end, begin, acknowledged: 0, at: "2026-02-07T14:30:00Z".to_owned() }
}

#[test]
fn a_chain_is_held_against_its_head() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), 5);
    let signed = head(seen(dir.path(), None).end, None);
    assert_eq!(seen(dir.path(), Some(&signed)).against, Against::Holds { beyond: 0 });
    write(dir.path(), 7);
    assert_eq!(seen(dir.path(), Some(&signed)).against, Against::Holds { beyond: 7 });
    let longer = head(seen(dir.path(), None).end, None);
    let anew = tempfile::tempdir().unwrap();
    write(anew.path(), 4);
    assert_eq!(seen(anew.path(), Some(&signed)).against, Against::Shorter { signed: 5 });
    write(anew.path(), 20);
    assert_eq!(seen(anew.path(), Some(&longer)).against, Against::Differs { at: 12 });
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(seen(empty.path(), Some(&signed)).against, Against::Shorter { signed: 5 });
    assert!(seen(empty.path(), Some(&signed)).wrong().unwrap().contains("receipt 1 (of 5"));
}

#[test]
fn what_a_person_acknowledged_is_passed_over_and_what_follows_is_not() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), 3);
    let path = dir.path().join(CURRENT);
    let text = fs::read_to_string(&path).unwrap();
    let last = seen(dir.path(), None).end;
    fs::write(&path, text.replacen("\"t\"", "\"u\"", 1)).unwrap();
    assert_eq!(seen(dir.path(), None).fault.map(|f| f.receipt), Some(1));
    let accepted = head(last.clone(), Some(last));
    assert_eq!(seen(dir.path(), Some(&accepted)).wrong(), None);
    write(dir.path(), 3);
    assert_eq!(seen(dir.path(), Some(&accepted)).against, Against::Holds { beyond: 3 });
    let text = fs::read_to_string(&path).unwrap();
    let last_line = text.lines().last().unwrap();
    fs::write(&path, text.replace(last_line, &last_line.replace("\"t\"", "\"u\""))).unwrap();
    assert_eq!(seen(dir.path(), Some(&accepted)).fault.map(|f| f.receipt), Some(6));
}

#[test]
fn an_empty_folder_is_an_empty_chain() {
    let dir = tempfile::tempdir().unwrap();
    let report = seen(dir.path(), None);
    assert_eq!((report.end, report.against), (Place::start(), Against::NoHead));
}

#[test]
fn a_length_that_no_chain_has_is_named_before_anything_is_read() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), 9);
    let go = AtomicBool::new(false);
    let ends = seen(dir.path(), None).end;
    assert_eq!(as_it_lies(&Disk::new(dir.path()), &go).unwrap(), AsItLies::Ends(ends));
    let sparse = |name: &str, length: u64| {
        fs::File::create(dir.path().join(name)).unwrap().set_len(length).unwrap();
        seen(dir.path(), None).fault.unwrap()
    };
    let fault = sparse("receipts.77.jsonl", 1 << 42);
    assert_eq!(
        (fault.file.as_str(), fault.what.contains(&MOST_FILE.to_string())),
        ("receipts.77.jsonl", true)
    );
    let lies = as_it_lies(&Disk::new(dir.path()), &go).unwrap();
    assert!(matches!(lies, AsItLies::TooLong(fault) if fault.file == "receipts.77.jsonl"));
    fs::remove_file(dir.path().join("receipts.77.jsonl")).unwrap();
    for n in 100..399 {
        sparse(&format!("receipts.{n}.jsonl"), MOST_FILE);
    }
    let fault = sparse("receipts.399.jsonl", MOST_FILE);
    assert!(fault.what.contains(&MOST_TOTAL.to_string()), "{fault}");
}

#[test]
fn a_cancelled_reading_ends_at_once() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), 9);
    let (files, cancel) = (Disk::new(dir.path()), AtomicBool::new(true));
    assert_eq!(as_it_lies(&files, &cancel).unwrap_err().kind(), io::ErrorKind::Interrupted);
    let audited = audit_from(None, &files, None, None, &cancel);
    assert_eq!(audited.unwrap_err().kind(), io::ErrorKind::Interrupted);
}

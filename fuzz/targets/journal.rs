//! A chained log: the admin's journal, the network process' log.

use std::fs;

use durable::{ChainedLog, replay, verify};
use serde_json::{Value, json};

use crate::harness::{Verdict, target};

#[test]
fn a_chain_that_opens_keeps_its_records_and_goes_on_and_any_other_is_left_alone() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("log.jsonl");
    fs::write(&path, bytes).expect("a file can be written");
    let walk = replay(&path).expect("a file can be opened");
    let records: Result<Vec<(u64, Value)>, _> = walk.collect();
    match ChainedLog::open(&path) {
        Ok(mut log) => {
            let records = records.expect("what opens can be read");
            assert_eq!(log.len(), records.len() as u64);
            assert_eq!(
                records.iter().map(|(seq, _)| *seq).collect::<Vec<_>>(),
                (1..=log.len()).collect::<Vec<_>>()
            );
            let last = log.append(&json!({"more": true})).expect("a chain goes on");
            assert_eq!(verify(&path).expect("and holds"), (last, log.head().to_owned()));
            let kept: Vec<_> =
                replay(&path).expect("it opens").map(|record| record.expect("it holds")).collect();
            assert_eq!(kept[..records.len()], records[..]);
            Verdict::Taken
        }
        Err(_) => {
            assert!(records.is_err(), "what can be read opens");
            assert!(
                bytes.starts_with(&fs::read(&path).expect("still there")),
                "nothing but a torn end is cut"
            );
            Verdict::Refused
        }
    }
}

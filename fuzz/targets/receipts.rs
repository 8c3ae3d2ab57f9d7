//! A chain of receipts: what holds is canonical and linked by an independent reckoning, and can be continued.

use std::fs;

use receipts::{Attempt, Chain, Disk, Receipt, Status, audit};
use serde_json::Value;
use shared_types::id::Digest;
use shared_types::risk::Risk;

use crate::harness::{Verdict, target};

#[test]
fn a_chain_that_holds_is_canonical_and_goes_on_and_any_other_is_left_alone() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("receipts.jsonl");
    fs::write(&path, bytes).expect("a file can be written");
    let report = audit(&Disk::new(folder.path()), None, None).expect("a file can be read");
    let whole = &bytes[..usize::try_from(report.end.bytes).expect("as many as were given")];
    let mut previous = "0".repeat(64);
    let mut count = 0;
    for line in whole.split_inclusive(|b| *b == b'\n') {
        let line = line.strip_suffix(b"\n").expect("only whole lines count");
        let value: Value = serde_json::from_slice(line).expect("a link is JSON");
        assert_eq!(value.to_string().as_bytes(), line, "with its members in order");
        assert_eq!(value["previous_hash"], previous);
        let mut rest = value.clone();
        let members = rest.as_object_mut().expect("a link is an object");
        members.remove("receipt_hash");
        members.remove("hmac");
        assert_eq!(value["receipt_hash"], Digest::of(rest.to_string().as_bytes()).as_str());
        previous = value["receipt_hash"].as_str().expect("a hash").to_owned();
        serde_json::from_value::<Receipt>(value).expect("a link is a receipt");
        count += 1;
    }
    assert_eq!((report.end.count, &report.end.hash), (count, &previous));
    if report.fault.is_some() {
        return Verdict::Refused;
    }
    let args = Value::Null;
    let attempt = Attempt {
        conversation: "c",
        tool: "t",
        args: &args,
        result: "",
        status: Status::Denied,
        approved_by: "policy",
        risk: Risk::Low,
        network: &[],
    };
    Chain::new(Disk::new(folder.path()), None).write(&attempt).expect("a chain goes on");
    let after = audit(&Disk::new(folder.path()), None, None).expect("a file can be read");
    assert_eq!((after.fault, after.end.count), (None, count + 1));
    assert!(fs::read(&path).expect("still there").starts_with(whole));
    Verdict::Taken
}

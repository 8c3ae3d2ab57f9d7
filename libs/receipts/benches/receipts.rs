//! What a receipt costs: one append with its sync, and a long chain that is verified.
#![forbid(unsafe_code)]

use std::fs;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use receipts::{Attempt, Chain, Disk, Key, Receipt, Status, audit};
use serde_json::json;
use shared_types::risk::Risk;

fn main() {
    divan::main();
}

fn attempt<'a>(args: &'a serde_json::Value) -> Attempt<'a> {
    Attempt {
        conversation: "0193a0b0-0000-7000-8000-000000000000",
        tool: "files.file_read",
        args,
        result: "the content of a file",
        status: Status::Allowed,
        approved_by: "policy",
        risk: Risk::Low,
        network: &[],
    }
}

#[divan::bench(sample_count = 50, sample_size = 1)]
fn append(bencher: Bencher<'_, '_>) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let chain = Chain::new(Disk::new(dir.path()), None);
    let args = json!({"path": "notes.txt"});
    bencher.bench_local(|| chain.write(&attempt(&args)).expect("the disk has room"));
}

#[divan::bench(args = [false, true], sample_count = 3, sample_size = 1)]
fn verify_a_million(bencher: Bencher<'_, '_>, sealed: bool) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let key = sealed.then(|| Key::new([7; 32]));
    let args = json!({"path": "notes.txt"});
    let mut previous = receipts::receipt::NOTHING_BEFORE.to_owned();
    let (mut text, mut bytes, mut file) = (String::new(), 0, 1);
    for n in 1..=1_000_000 {
        let receipt = Receipt::after(&previous, &attempt(&args), key.as_ref());
        text.push_str(&receipt.line());
        text.push('\n');
        previous = receipt.receipt_hash;
        if text.len() > 16 << 20 || n == 1_000_000 {
            fs::write(dir.path().join(format!("receipts.{file}.jsonl")), &text).expect("the disk has room");
            (bytes, file) = (bytes + text.len(), file + 1);
            text.clear();
        }
    }
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let report = audit(&Disk::new(dir.path()), None, key.as_ref()).expect("it can be read");
        assert_eq!((black_box(report).end.count, bytes > 0), (1_000_000, true));
    });
}

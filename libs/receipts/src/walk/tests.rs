use std::io::Write;

use serde_json::Value;
use shared_types::risk::Risk;

use super::*;
use crate::receipt::Receipt;
use crate::{Attempt, Status};

fn lines(count: usize, key: Option<&Key>) -> Vec<String> {
    let mut previous = NOTHING_BEFORE.to_owned();
    let mut lines = Vec::new();
    for n in 0..count {
        let tool = format!("tool-{n}");
        let attempt = Attempt {
            conversation: "c",
            tool: &tool,
            args: &Value::Null,
            result: "",
            status: Status::Denied,
            approved_by: "policy",
            risk: Risk::High,
            network: &[],
        };
        let receipt = Receipt::after(&previous, &attempt, key);
        lines.push(receipt.line());
        previous = receipt.receipt_hash;
    }
    lines
}

fn walked(text: &str, mark: Option<u64>, key: Option<&Key>) -> Walked {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    std::io::Seek::rewind(&mut file).unwrap();
    walk(&mut file, "receipts.jsonl", (&Place::start(), 1), mark, key, &AtomicBool::new(false)).unwrap()
}

fn file(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn fault(lines: &[String]) -> (u64, u64) {
    let fault = walked(&file(lines), None, None).fault.expect("it does not hold");
    (fault.receipt, fault.line)
}

#[test]
fn a_chain_of_several_blocks_is_read_whole_and_knows_the_hash_at_a_mark() {
    // About 2.4 MB, so three blocks.
    let lines = lines(5000, None);
    let text = file(&lines);
    assert!(text.len() > 2 * BLOCK);
    for mark in [1, 2, 1700, 4999, 5000] {
        let walked = walked(&text, Some(mark), None);
        assert_eq!((walked.end.count, walked.end.bytes, walked.torn), (5000, text.len() as u64, 0));
        assert!(walked.fault.is_none());
        let expected: Receipt = serde_json::from_str(&lines[mark as usize - 1]).unwrap();
        assert_eq!(walked.at_mark, Some(expected.receipt_hash));
    }
    let beyond = walked(&text, Some(5001), None);
    assert_eq!(beyond.at_mark, None);
}

#[test]
fn every_way_to_change_a_chain_names_the_first_link_that_does_not_hold() {
    let good = lines(5, None);
    assert!(walked(&file(&good), None, None).fault.is_none());
    let mut changed = good.clone();
    changed[1] = changed[1].replace("tool-1", "tool-9");
    assert_eq!(fault(&changed), (2, 2));
    let mut swapped = good.clone();
    swapped.swap(1, 2);
    assert_eq!(fault(&swapped), (2, 2));
    let mut missing = good.clone();
    missing.remove(2);
    assert_eq!(fault(&missing), (3, 3));
    let mut twice = good.clone();
    twice.insert(3, good[2].clone());
    assert_eq!(fault(&twice), (4, 4));
    let mut garbage = good.clone();
    garbage.push("{}".to_owned());
    assert_eq!(fault(&garbage), (6, 6));
    let mut headless = good.clone();
    headless.remove(0);
    assert_eq!(fault(&headless), (1, 1));
    let mut empty = good;
    empty.insert(2, String::new());
    assert_eq!(fault(&empty), (3, 3));
}

#[test]
fn a_change_far_into_a_long_chain_is_named_where_it_is() {
    let mut lines = lines(5000, None);
    lines[3500] = lines[3500].replace("tool-3500", "tool-3501");
    assert_eq!(fault(&lines), (3501, 3501));
}

#[test]
fn a_torn_last_line_is_passed_over_and_an_endless_one_is_not() {
    let lines = lines(3, None);
    let text = format!("{}{}", file(&lines), &lines[0][..50]);
    let torn = walked(&text, None, None);
    assert_eq!((torn.end.count, torn.torn, torn.fault.is_none()), (3, 50, true));
    let endless = walked(&format!("{}{}", file(&lines), "x".repeat(3 * BLOCK)), None, None);
    assert_eq!(endless.fault.map(|f| (f.receipt, f.line)), Some((4, 4)));
}

#[test]
fn a_receipt_sealed_with_another_key_is_named_and_one_without_a_seal_is_counted() {
    let (mine, other) = (Key::new([1; 32]), Key::new([2; 32]));
    let text = file(&lines(3, Some(&mine)));
    assert_eq!(walked(&text, None, Some(&mine)).sealed, 3);
    assert_eq!(walked(&text, None, Some(&other)).fault.map(|f| f.receipt), Some(1));
    assert_eq!(walked(&file(&lines(3, None)), None, Some(&mine)).sealed, 0);
}

#[test]
fn a_line_that_is_too_long_is_passed_over_in_pieces_and_what_follows_is_read() {
    let (first, last) = (vec![b'a'; MOST_LINE - 1], vec![b'c'; 3]);
    for long in [MOST_LINE, MOST_LINE + 1, 2 * MOST_LINE, 40 * MOST_LINE + 7] {
        let text = [&first[..], b"\n", &vec![b'b'; long], b"\n\n", &last, b"\nunfinished"].concat();
        let mut seen = vec![];
        assert_eq!(super::lines(&text[..], |line| seen.push(line.to_vec())).unwrap(), text.len() as u64);
        assert_eq!(seen, [first.clone(), vec![], last.clone()], "{long}");
    }
}

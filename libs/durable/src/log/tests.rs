use super::*;
use proptest::prelude::*;

#[test]
fn a_torn_last_line_is_cut_and_the_rest_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    std::fs::write(&path, "{\"a\":1}\n{\"a\":2}\n{\"a\":").unwrap();
    let file = open_log(&path, 0o600).unwrap();
    append_line(&file, "{\"a\":3}").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n");
}

#[test]
fn a_torn_line_longer_than_a_chunk_is_cut_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    std::fs::write(&path, format!("first\n{}", "x".repeat(10_000))).unwrap();
    let file = OpenOptions::new().read(true).append(true).open(&path).unwrap();
    assert_eq!(repair(&file).unwrap(), 10_000);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "first\n");
}

#[test]
fn a_record_of_two_lines_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = open_log(&folder.path().join("log"), 0o600).unwrap();
    assert!(append_line(&file, "a\nb").is_err());
    assert_eq!(file.metadata().unwrap().len(), 0);
}

#[test]
fn a_write_that_fails_leaves_the_log_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    append_line(&open_log(&path, 0o600).unwrap(), "one").unwrap();
    let read_only = File::open(&path).unwrap();
    assert!(append_line(&read_only, "two").is_err());
    append_line(&open_log(&path, 0o600).unwrap(), "three").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\nthree\n");
}

proptest! {
    #[test]
    fn a_cut_at_any_byte_loses_at_most_the_last_record(cut in 0usize..60) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let whole = "first record\nsecond record\nthird record\nfourth one\n";
        let cut = cut.min(whole.len());
        std::fs::write(&path, &whole[..cut]).unwrap();
        append_line(&open_log(&path, 0o600).unwrap(), "next").unwrap();
        let complete = whole[..cut].matches('\n').count();
        let lines: Vec<String> = std::fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
        prop_assert_eq!(lines.len(), complete + 1);
        prop_assert_eq!(&lines[..complete], &whole.lines().take(complete).collect::<Vec<_>>()[..]);
    }
}

/// On a card each new block costs more than the record in it; a folder of short logs must not fill it either.
#[test]
fn a_log_takes_room_ahead_once_it_is_long_and_its_length_is_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = open_log(&folder.path().join("log"), 0o600).unwrap();
    append_line(&file, "one").unwrap();
    let first = file.metadata().unwrap();
    assert_eq!(first.len(), 4);
    assert!(first.blocks() * UNIT <= 4096, "a short log takes one block");
    append_line(&file, &"x".repeat(100_000)).unwrap();
    append_line(&file, "next").unwrap();
    let long = file.metadata().unwrap();
    if long.blocks() * UNIT < long.len() + AHEAD / 2 {
        eprintln!("skipped: this file system takes no room ahead");
        return;
    }
    for _ in 0..50 {
        append_line(&file, &"x".repeat(500)).unwrap();
    }
    assert_eq!(file.metadata().unwrap().blocks(), long.blocks(), "what follows needs no new block");
}

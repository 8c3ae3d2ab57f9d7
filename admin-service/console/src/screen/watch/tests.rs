use std::io::Write;

use super::*;

#[test]
fn a_journal_that_grows_is_noticed_once_and_not_before_its_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    let mut file = fs::File::create(&path).unwrap();
    let start = Instant::now();
    let mut watch = Watch::new(path, start);
    assert!(!watch.has_changed(start));
    file.write_all(b"a record\n").unwrap();
    assert!(!watch.has_changed(start + PAUSE / 2));
    assert!(watch.has_changed(start + PAUSE * 2));
    assert!(!watch.has_changed(start + PAUSE * 4));
}

#[test]
fn a_journal_that_takes_long_to_read_is_read_less_often() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    let start = Instant::now();
    let mut watch = Watch::new(path.clone(), start);
    watch.took(Duration::from_secs(1), start);
    fs::write(&path, "a record").unwrap();
    assert!(!watch.has_changed(start + Duration::from_secs(9)));
    assert!(watch.has_changed(start + Duration::from_secs(11)));
}

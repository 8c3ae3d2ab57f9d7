use std::fs::{self, OpenOptions};
use std::io::Write;

use super::*;

#[test]
fn only_whole_lines_that_came_since_are_told_and_none_twice() {
    let place = tempfile::tempdir().unwrap();
    let home = Home::new(place.path().to_owned(), None);
    let mut log = Log::at_its_end(&home);
    assert!(log.fresh().is_empty(), "there is no log yet");
    fs::create_dir_all(home.admin()).unwrap();
    let write = |text: &str| {
        let mut file = OpenOptions::new().create(true).append(true).open(log_path(&home)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    write("one\ntwo\x1b[2J\nthr");
    assert_eq!(log.fresh(), ["one", "two\\u{1b}[2J"]);
    assert!(log.fresh().is_empty());
    write("ee\n");
    assert_eq!(log.fresh(), ["three"]);
    fs::write(log_path(&home), "new\n").unwrap();
    assert_eq!(log.fresh(), ["new"]);
    assert!(Log::at_its_end(&home).fresh().is_empty());
}

fn log_path(home: &Home) -> std::path::PathBuf {
    base::log::service_log(home)
}

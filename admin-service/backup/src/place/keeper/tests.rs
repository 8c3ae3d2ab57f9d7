use std::fs::{self, File};
use std::path::Path;

use super::*;

/// What the process of root's does for these words, in a folder with an older backup; `before` happens to the folder first.
fn after_that(before: impl FnOnce(&Path), words: &[u8]) -> (Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tameclaw-0a1b2c3d-2026-01-01T03-04-05-678Z.tar"), "old").unwrap();
    let name = "tameclaw-0a1b2c3d-2026-01-02T03-04-05-678Z.tar".to_owned();
    let opened = File::open(folder.path()).unwrap();
    let place = Place {
        folder: opened,
        above: folder.path().to_owned(),
        name,
        prefix: Some("tameclaw-0a1b2c3d-".to_owned()),
    };
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    ours.write_all(words).unwrap();
    ours.shutdown(std::net::Shutdown::Write).unwrap();
    let draft = place.draft().unwrap();
    before(folder.path());
    serve(theirs, &place, draft, Some(1));
    let answers = BufReader::new(ours).lines().map_while(Result::ok).collect();
    let mut left: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    (answers, left)
}

fn after(words: &[u8]) -> (Vec<String>, Vec<String>) {
    after_that(|_| (), words)
}

/// The new file is gone before it has its name; the old one is all there is.
#[test]
fn a_file_that_got_no_name_costs_no_older_backup() {
    let old = "tameclaw-0a1b2c3d-2026-01-01T03-04-05-678Z.tar";
    let lose_the_new_one = |folder: &Path| {
        let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        all.filter(|path| !path.ends_with(old)).for_each(|path| fs::remove_file(path).unwrap());
    };
    let (answers, left) = after_that(lose_the_new_one, b"pk");
    assert_eq!((answers.len(), left), (1, vec![old.to_owned()]), "{answers:?}");
}

#[test]
fn older_backups_go_only_once_the_new_one_has_its_name() {
    let old = "tameclaw-0a1b2c3d-2026-01-01T03-04-05-678Z.tar";
    let new = "tameclaw-0a1b2c3d-2026-01-02T03-04-05-678Z.tar";
    assert_eq!(after(b""), (vec![], vec![old.to_owned()]));
    assert_eq!(after(b"k"), (vec![], vec![old.to_owned()]));
    assert_eq!(after(b"x"), (vec![], vec![old.to_owned()]));
    let (answers, left) = after(b"pk");
    assert_eq!((answers.len(), left), (2, vec![new.to_owned()]), "{answers:?}");
    assert!(answers[1].contains(old), "{answers:?}");
}

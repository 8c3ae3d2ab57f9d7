use std::fs;
use std::os::unix::fs::symlink;

use super::*;

fn all(root: &std::path::Path, step: usize) -> (Usage, usize) {
    let (mut walk, mut steps) = (Walk::over(Folder::open(root).ok()), 1);
    while !walk.step(step) {
        steps += 1;
    }
    (walk.usage(), steps)
}

#[test]
fn everything_is_counted_once_and_no_link_is_followed() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir_all(place.path().join("a/b")).unwrap();
    fs::write(place.path().join("a/b/file"), vec![1; 100_000]).unwrap();
    fs::write(place.path().join("a/other"), "x").unwrap();
    symlink("/usr", place.path().join("a/out")).unwrap();
    symlink(place.path(), place.path().join("a/b/round")).unwrap();
    fs::File::create(place.path().join("sparse")).unwrap().set_len(1 << 40).unwrap();
    let (usage, steps) = all(place.path(), 3);
    assert_eq!(usage.files, 7);
    assert!((100_000..1_000_000).contains(&usage.bytes), "{usage:?}");
    assert!(steps > 2, "a step is bounded");
    assert_eq!(all(place.path(), 1_000).0, usage);
    assert_eq!(all(&place.path().join("nowhere"), 1).0, Usage::default());
}

#[test]
fn a_nest_without_end_counts_as_too_much() {
    let place = tempfile::tempdir().unwrap();
    let deep: String = "d/".repeat(MAX_DEPTH + 1);
    fs::create_dir_all(place.path().join(&deep)).unwrap();
    let (usage, _) = all(place.path(), 100);
    let limit = DataLimit { bytes: u64::MAX, files: u64::MAX };
    assert!(usage.is_over(&limit) && !usage.leaves_room(&limit), "{usage:?}");
}

#[test]
fn between_the_limit_and_nine_tenths_of_it_nothing_changes() {
    let limit = DataLimit { bytes: 1_000, files: 100 };
    let of = |bytes, files| {
        let usage = Usage { bytes, files, deep: false, closed: 0 };
        (usage.is_over(&limit), usage.leaves_room(&limit))
    };
    assert_eq!(of(1_001, 1), (true, false));
    assert_eq!(of(1, 101), (true, false));
    assert_eq!(of(1_000, 100), (false, false));
    assert_eq!(of(900, 1), (false, false));
    assert_eq!(of(899, 89), (false, true));
}

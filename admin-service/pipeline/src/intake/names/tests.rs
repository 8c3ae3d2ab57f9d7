use std::collections::BTreeSet;
use std::fs;

use super::*;

#[test]
fn no_two_names_look_the_same_and_none_reaches_a_terminal() {
    let names: [&[u8]; 8] = [
        b"a.yaml",
        b"a\n.yaml",
        b"a .yaml",
        b"a\\u{a}.yaml",
        b"a\xff.yaml",
        b"a\xfe.yaml",
        b"a\\xff.yaml",
        "a\u{fffd}.yaml".as_bytes(),
    ];
    let shown: BTreeSet<String> = names.iter().map(|name| shown(OsStr::from_bytes(name))).collect();
    assert_eq!(shown.len(), names.len(), "{shown:?}");
    assert!(shown.iter().all(|name| !name.chars().any(shared_types::text::is_unsafe)));
}

#[test]
fn a_new_file_is_found_among_any_number_of_known_ones() {
    let place = tempfile::tempdir().unwrap();
    for n in 0..3_000 {
        fs::write(place.path().join(format!("old-{n}.yaml")), "").unwrap();
    }
    fs::write(place.path().join("new.yaml"), "").unwrap();
    fs::write(place.path().join(".new.yaml"), "").unwrap();
    fs::write(place.path().join("new.txt"), "").unwrap();
    fs::write(place.path().join("old-1.withdrawn"), "").unwrap();
    let folder = Folder::open(place.path()).unwrap();
    let mut sweep = Sweep::default();
    let fresh = |names: Vec<OsString>| {
        names.into_iter().filter(|name| !name.as_bytes().starts_with(b"old")).collect::<Vec<_>>()
    };
    let found = sweep.next(&folder, 10, fresh).unwrap();
    assert_eq!((found.new, found.more), (vec![OsString::from("new.yaml")], false));
    assert_eq!(found.withdrawn, ["old-1.withdrawn"]);
    let found = sweep.next(&folder, 10, |names| names).unwrap();
    assert_eq!((found.new.len(), found.more), (10, true));
}

#[test]
fn a_folder_that_is_very_full_is_gone_over_in_several_passes() {
    let place = tempfile::tempdir().unwrap();
    for n in 0..MAX_ENTRIES + CHUNK {
        // A second name is cheaper than a second file.
        match n {
            0 => fs::write(place.path().join("first.yaml"), "").unwrap(),
            n => fs::hard_link(place.path().join("first.yaml"), place.path().join(format!("{n}.yaml")))
                .unwrap(),
        }
    }
    let folder = Folder::open(place.path()).unwrap();
    let (mut sweep, mut asked) = (Sweep::default(), 0);
    let mut none = |names: Vec<OsString>| {
        asked += names.len();
        vec![]
    };
    assert!(sweep.next(&folder, 10, &mut none).unwrap().more);
    assert!(!sweep.next(&folder, 10, &mut none).unwrap().more);
    assert_eq!(asked, MAX_ENTRIES + CHUNK, "every name once");
}

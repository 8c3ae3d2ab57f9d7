use std::fs;
use std::os::unix::fs::symlink;

use super::*;

fn folder() -> (tempfile::TempDir, Folder) {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("in")).unwrap();
    let folder = Folder::open(&place.path().join("in")).unwrap().unwrap();
    (place, folder)
}

#[test]
fn a_regular_file_is_read_and_hashed() {
    let (place, folder) = folder();
    fs::write(place.path().join("in/a.yaml"), "x").unwrap();
    fs::write(place.path().join("in/.hidden.yaml"), "x").unwrap();
    fs::write(place.path().join("in/b.txt"), "x").unwrap();
    assert_eq!(folder.names(|_| true).unwrap(), ["a.yaml"]);
    assert_eq!(folder.read("a.yaml".as_ref()).unwrap().digest, Digest::of(b"x"));
}

#[test]
fn links_pipes_folders_and_second_names_are_refused_without_blocking() {
    let (place, folder) = folder();
    let at = |name: &str| place.path().join("in").join(name);
    fs::write(place.path().join("outside"), "secret").unwrap();
    symlink(place.path().join("outside"), at("link.yaml")).unwrap();
    nix::unistd::mkfifo(&at("pipe.yaml"), Mode::S_IRWXU).unwrap();
    fs::create_dir(at("dir.yaml")).unwrap();
    fs::hard_link(place.path().join("outside"), at("hard.yaml")).unwrap();
    for name in
        ["link.yaml", "pipe.yaml", "dir.yaml", "hard.yaml", "../outside", "/etc/hostname", "gone.yaml"]
    {
        assert!(folder.read(name.as_ref()).is_err(), "{name} was opened");
    }
}

#[test]
fn what_is_too_large_or_no_text_is_refused() {
    let (place, folder) = folder();
    let at = |name: &str| place.path().join("in").join(name);
    fs::write(at("big.yaml"), vec![b'a'; MAX_BYTES + 1]).unwrap();
    fs::write(at("edge.yaml"), vec![b'a'; MAX_BYTES]).unwrap();
    fs::write(at("bytes.yaml"), [0xff, 0xfe]).unwrap();
    fs::write(at("nul.yaml"), "a\0b").unwrap();
    fs::write(at("bom.yaml"), "\u{feff}a: b").unwrap();
    assert_eq!(folder.read("big.yaml".as_ref()).unwrap_err(), NotOpened::TooLarge);
    assert!(folder.read("edge.yaml".as_ref()).is_ok());
    for name in ["bytes.yaml", "nul.yaml", "bom.yaml"] {
        assert_eq!(folder.read(name.as_ref()).unwrap_err(), NotOpened::NotText, "{name}");
    }
}

#[test]
fn a_new_file_is_found_among_any_number_of_known_ones() {
    let (place, folder) = folder();
    for n in 0..=MAX_ENTRIES {
        fs::write(place.path().join("in").join(format!("old-{n}.yaml")), "x").unwrap();
    }
    fs::write(place.path().join("in/new.yaml"), "x").unwrap();
    let found = folder.names(|name| !name.to_string_lossy().starts_with("old-")).unwrap();
    assert_eq!(found, ["new.yaml"]);
}

use std::fs;
use std::os::unix::fs::symlink;

use nix::sys::stat::Mode;

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
fn a_file_that_claims_a_terabyte_is_refused_unread_and_one_that_is_gone_is_no_fault() {
    let (place, folder) = folder();
    let huge = fs::File::create(place.path().join("in/huge.yaml")).unwrap();
    huge.set_len(1 << 40).unwrap();
    assert_eq!(folder.read("huge.yaml".as_ref()).unwrap_err(), NotOpened::TooLarge);
    assert_eq!(folder.read("gone.yaml".as_ref()).unwrap_err(), NotOpened::Gone);
}

#[test]
fn a_link_on_the_way_to_a_profiles_folder_is_not_followed() {
    let place = tempfile::tempdir().unwrap();
    let home = Home::new(place.path().join("home"), None);
    let profile: ProfileId = "default".parse().unwrap();
    assert!(Folder::of(&home, &profile).unwrap().is_none());
    fs::create_dir_all(home.all_proposals()).unwrap();
    fs::create_dir(place.path().join("elsewhere")).unwrap();
    symlink(place.path().join("elsewhere"), home.proposals(&profile)).unwrap();
    assert!(Folder::of(&home, &profile).is_err());
    fs::remove_file(home.proposals(&profile)).unwrap();
    fs::remove_dir(home.all_proposals()).unwrap();
    fs::create_dir(place.path().join("elsewhere/default")).unwrap();
    symlink(place.path().join("elsewhere"), home.all_proposals()).unwrap();
    assert!(Folder::of(&home, &profile).is_err());
}

#![expect(clippy::disallowed_methods, reason = "the tests build what the sandbox must refuse")]
use std::os::unix::fs::symlink;

use super::*;

fn world() -> (tempfile::TempDir, Folder) {
    let outer = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(outer.path().join("root/sub")).unwrap();
    std::fs::write(outer.path().join("secret"), "outside").unwrap();
    std::fs::write(outer.path().join("root/sub/a"), "inside").unwrap();
    let root = Folder::root(&outer.path().join("root")).unwrap();
    (outer, root)
}

#[test]
fn a_file_beneath_is_read() {
    let (_outer, root) = world();
    assert_eq!(root.read_text("sub/a", 100).unwrap(), "inside");
    assert_eq!(root.folder("sub").unwrap().files().unwrap(), ["a"]);
}

#[test]
fn nothing_outside_is_reached_by_any_spelling() {
    let (outer, root) = world();
    let absolute = outer.path().join("secret").to_str().unwrap().to_owned();
    for name in ["../secret", "sub/../../secret", absolute.as_str(), "/etc/hostname", "..", ""] {
        assert!(root.read(name, 100).is_err(), "{name} was read");
        assert!(root.append(name, "x").is_err(), "{name} was written");
    }
    assert!(root.folder("..").is_err());
    assert_eq!(std::fs::read_to_string(outer.path().join("secret")).unwrap(), "outside");
}

#[test]
fn a_link_is_never_followed_not_even_one_that_stays_inside() {
    let (outer, root) = world();
    symlink(outer.path().join("secret"), outer.path().join("root/out")).unwrap();
    symlink("sub/a", outer.path().join("root/in")).unwrap();
    symlink("sub", outer.path().join("root/way")).unwrap();
    for name in ["out", "in", "way/a", "/proc/self/root/etc/hostname"] {
        assert!(root.read(name, 100).is_err(), "{name} was read");
        assert!(root.append(name, "x").is_err(), "{name} was written");
    }
    assert!(root.folder("way").is_err());
    assert_eq!(std::fs::read_to_string(outer.path().join("secret")).unwrap(), "outside");
}

#[test]
fn a_pipe_in_the_place_of_a_file_neither_hangs_nor_opens() {
    let (outer, root) = world();
    nix::unistd::mkfifo(&outer.path().join("root/pipe"), Mode::S_IRWXU).unwrap();
    assert!(matches!(root.read("pipe", 100), Err(PathError::NotAFile(_))));
    assert!(matches!(root.append("pipe", "x"), Err(PathError::NotAFile(_))));
    assert!(!root.files().unwrap().contains(&"pipe".to_owned()));
}

#[test]
fn a_file_beyond_the_limit_is_refused() {
    let (_outer, root) = world();
    root.create_new("big", &[b'x'; 101], 0o600).unwrap();
    assert!(matches!(root.read("big", 100), Err(PathError::TooLarge { .. })));
}

#[test]
fn a_folder_is_made_once_and_only_directly_beneath() {
    let (_outer, root) = world();
    root.make_folder("new").unwrap().replace("f", b"1").unwrap();
    assert_eq!(root.make_folder("new").unwrap().read_text("f", 10).unwrap(), "1");
    assert!(root.make_folder("../x").is_err());
    assert!(root.make_folder("..").is_err());
}

#[test]
fn a_step_enters_no_other_mount_and_opens_no_device() {
    let system = Folder::root("/".as_ref()).unwrap();
    match system.step("proc") {
        Err(PathError::Elsewhere { why, .. }) => assert!(why.contains("mounted"), "{why}"),
        other => panic!("{other:?}"),
    }
    let devices = Folder::root("/dev".as_ref()).unwrap();
    assert!(matches!(devices.single("null"), Err(PathError::NotAFile(_))));
    for name in ["..", ".", "", "a/b"] {
        assert!(system.step(name).is_err() && devices.single(name).is_err(), "{name}");
    }
}

#[test]
fn a_listing_tells_what_is_there_and_when_there_is_more() {
    let (outer, root) = world();
    symlink("sub/a", outer.path().join("root/link")).unwrap();
    std::fs::write(outer.path().join("root/.hidden"), "x").unwrap();
    let listed = root.listed(10).unwrap();
    assert!(!listed.cut && listed.unreadable == 0);
    let expected = [(".hidden", Below::File(1)), ("link", Below::Other), ("sub", Below::Folder)];
    assert_eq!(listed.entries, expected.map(|(name, below)| (name.to_owned(), below)));
    assert!(root.listed(2).unwrap().cut);
    use std::os::unix::ffi::OsStrExt;
    std::fs::write(outer.path().join("root").join(std::ffi::OsStr::from_bytes(b"\xff")), "x").unwrap();
    assert_eq!(root.listed(10).unwrap().unreadable, 1);
}

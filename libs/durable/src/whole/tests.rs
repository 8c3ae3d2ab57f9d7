use std::os::unix::fs::PermissionsExt;

use super::*;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn replacing_leaves_the_new_content_with_its_mode_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    replace(&path, b"old", 0o640).unwrap();
    replace(&path, b"new", 0o600).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(names(folder.path()), ["a"]);
}

#[test]
fn a_new_file_never_overwrites_and_cleans_up_after_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    create_new(&path, b"first", 0o600).unwrap();
    let again = create_new(&path, b"second", 0o600).unwrap_err();
    assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(std::fs::read(&path).unwrap(), b"first");
    assert_eq!(names(folder.path()), ["a"]);
}

#[test]
fn a_link_in_the_place_of_the_file_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let outside = folder.path().join("outside");
    std::fs::write(&outside, "precious").unwrap();
    std::os::unix::fs::symlink(&outside, folder.path().join("a")).unwrap();
    assert!(create_new(&folder.path().join("a"), b"x", 0o600).is_err());
    replace(&folder.path().join("a"), b"x", 0o600).unwrap();
    assert_eq!(std::fs::read(&outside).unwrap(), b"precious");
}

#[test]
fn a_name_that_is_a_path_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let handle = File::open(folder.path()).unwrap();
    for name in ["", ".", "..", "a/b", "../x"] {
        assert!(replace_at(&handle, name, b"x", 0o600).is_err(), "{name}");
        assert!(create_new_at(&handle, name, b"x", 0o600).is_err(), "{name}");
    }
    assert!(names(folder.path()).is_empty());
}

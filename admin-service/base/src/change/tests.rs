use std::os::unix::fs::MetadataExt;

use serde_json::json;

use super::*;

fn put(value: &str) -> [(&'static str, Change); 1] {
    [("/a", Change::Put(json!(value)))]
}

#[test]
fn nothing_is_written_where_nothing_changes_or_the_check_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.yaml");
    fs::write(&path, "# mine\na: x\n").unwrap();
    let inode = || fs::metadata(&path).unwrap().ino();
    let before = inode();
    assert!(!change(&path, 0o640, &put("x"), |_| Ok(())).unwrap());
    assert!(change(&path, 0o640, &put("w"), |_| Err(Error::failed("no"))).is_err());
    assert_eq!(inode(), before);
    assert!(
        change(&path, 0o640, &put("w"), |text| {
            assert_eq!(text, "# mine\na: w\n");
            Ok(())
        })
        .unwrap()
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "# mine\na: w\n");
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o640);
}

#[test]
fn a_link_is_not_replaced_and_what_cannot_be_changed_names_the_lines() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("c.yaml"), folder.path().join("l.yaml"));
    fs::write(&path, "a:\n  - 1\n").unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let refused = |path: &Path| change(path, 0o640, &put("w"), |_| Ok(())).unwrap_err();
    assert!(matches!(refused(&link).cause(), Some(Unchanged::NotAFile { .. })));
    let error = refused(&path);
    let Some(Unchanged::ByHand { why, .. }) = error.cause() else { panic!("{error}") };
    assert_eq!(why.by_hand, "a: w\n");
    assert_eq!(fs::read_to_string(&path).unwrap(), "a:\n  - 1\n");
}

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("inner")).unwrap();
    fs::write(dir.path().join("run"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(dir.path().join("run"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(dir.path().join("inner/data"), "x").unwrap();
    dir
}

#[test]
fn a_copy_has_the_digest_of_what_was_copied() {
    let (dir, place) = (folder(), tempfile::tempdir().unwrap());
    let to = place.path().join("copy");
    let copied = copy(dir.path(), &to).unwrap();
    assert_eq!((copied.files, copied.bytes), (2, 11));
    assert_eq!(digest(&to).unwrap(), copied);
    assert_eq!(digest(dir.path()).unwrap(), copied);
    assert!(copy(dir.path(), &to).is_err(), "nothing is copied over what is there");
}

#[test]
fn contents_names_and_modes_all_count() {
    let dir = folder();
    let before = digest(dir.path()).unwrap().digest;
    let changes: [&dyn Fn(); 3] = [
        &|| fs::write(dir.path().join("inner/data"), "y").unwrap(),
        &|| fs::rename(dir.path().join("inner/data"), dir.path().join("inner/date")).unwrap(),
        &|| fs::set_permissions(dir.path().join("run"), fs::Permissions::from_mode(0o644)).unwrap(),
    ];
    let mut seen = vec![before];
    for change in changes {
        change();
        let now = digest(dir.path()).unwrap().digest;
        assert!(!seen.contains(&now));
        seen.push(now);
    }
}

#[test]
fn links_pipes_and_names_that_cannot_be_shown_are_refused() {
    let link = folder();
    symlink("/etc/passwd", link.path().join("inner/passwd")).unwrap();
    assert!(digest(link.path()).unwrap_err().to_string().contains("is a link"));
    let pipe = folder();
    nix::unistd::mkfifo(&pipe.path().join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert!(digest(pipe.path()).unwrap_err().to_string().contains("neither a file nor a folder"));
    let odd = folder();
    fs::write(odd.path().join("a\u{202e}b"), "x").unwrap();
    assert!(digest(odd.path()).is_err());
}

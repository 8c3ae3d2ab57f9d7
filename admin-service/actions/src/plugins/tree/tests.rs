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
    let copied = copy(&open_source(dir.path()).unwrap(), &to).unwrap();
    assert_eq!((copied.files.len(), copied.bytes), (2, 11));
    assert_eq!(digest(&to).unwrap(), copied);
    assert_eq!(digest(dir.path()).unwrap(), copied);
    assert!(copy(&open_source(dir.path()).unwrap(), &to).is_err(), "nothing is copied over what is there");
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

#[test]
fn what_a_third_user_may_write_is_refused_by_name_mode_and_next_step() {
    let facts = |path: &Path| *Folder::open(path).unwrap().facts();
    let dir = folder();
    let own = facts(dir.path());
    let (us, third) = (own.user, own.user + 1);
    assert_eq!(open_to(us, &own), None);
    assert_eq!(open_to(us, &Facts { user: 0, group: 0, ..own }), None);
    assert_eq!(open_to(us, &Facts { user: third, ..own }), Some(format!("user {third}")));
    assert_eq!(open_to(us, &Facts { mode: 0o702, ..own }), Some("everybody".to_owned()));
    assert_eq!(open_to(us, &Facts { mode: 0o720, group: us, ..own }), None);
    assert_eq!(open_to(us, &Facts { mode: 0o720, group: third, ..own }), Some(format!("group {third}")));
    let inner = dir.path().join("inner");
    for path in [&inner, &inner.join("data")] {
        let mode = fs::metadata(path).unwrap().permissions().mode();
        fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o002)).unwrap();
        let why = digest(dir.path()).unwrap_err().to_string();
        assert!(why.contains(&path.display().to_string()) && why.contains("by everybody (mode "), "{why}");
        assert!(why.contains("cp -r"), "{why}");
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o777)).unwrap();
    assert!(open_source(dir.path()).is_err() && open_source(&inner).is_err());
}

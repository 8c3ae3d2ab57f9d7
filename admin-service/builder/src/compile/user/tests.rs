use super::*;

#[test]
fn the_capabilities_are_read_from_their_own_line() {
    let status = "Name:\tx\nCapInh:\t0000000000000000\nCapEff:\t00000000a80425fb\nCapBnd:\tffff\n";
    assert_eq!(effective(status), 0xa804_25fb);
    assert_eq!(effective("Name:\tx\n"), 0);
}

#[test]
fn a_number_outside_the_map_of_the_namespace_is_not_taken() {
    assert!(is_mapped("         0          0 4294967295\n", 62_000));
    assert!(is_mapped("0 100000 1\n62000 200000 1000\n", 62_999));
    assert!(!is_mapped("         0       1000          1\n", 62_000));
    assert!(!is_mapped("0 100000 62000\nnonsense\n", 62_000));
}

#[test]
fn a_folder_that_others_cannot_pass_is_named() {
    let outside = tempfile::tempdir().unwrap();
    let (closed, inside) = (outside.path().join("closed"), outside.path().join("closed/inside"));
    fs::create_dir_all(&inside).unwrap();
    fs::set_permissions(outside.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    let temporary = closed_to_others(outside.path(), usize::MAX);
    assert_eq!(closed_to_others(&inside, usize::MAX), temporary);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    if temporary.is_none() {
        assert_eq!(closed_to_others(&inside, usize::MAX), Some(closed.as_path()));
    }
    // What is above it is not seen from a root of its own.
    assert_eq!(closed_to_others(&inside, 1), None);
    fs::set_permissions(&inside, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(closed_to_others(&inside, 1), Some(inside.as_path()));
}

#[test]
fn a_number_that_a_process_has_is_not_free() {
    let status =
        "Name:\tx\nUid:\t1000\t62001\t1000\t1000\nGid:\t100\t100\t100\t100\nGroups:\t27 62002 \nCapInh:\t0\n";
    for number in [1000, 62_001, 100, 27, 62_002] {
        assert!(is_of(status, number), "{number}");
    }
    for number in [0, 62_000, 620, 2] {
        assert!(!is_of(status, number), "{number}");
    }
    if nix::unistd::geteuid().is_root() {
        use std::os::unix::process::CommandExt;
        let mut sleeper = std::process::Command::new("/bin/sleep");
        let mut sleeper = sleeper.arg("60").uid(62_345).gid(62_345).spawn().unwrap();
        assert!(!is_free(62_345));
        sleeper.kill().unwrap();
        sleeper.wait().unwrap();
        assert!(!has_process(62_345));
    }
}

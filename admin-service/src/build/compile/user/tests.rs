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
    let temporary = closed_to_others(outside.path());
    assert_eq!(closed_to_others(&inside), temporary);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    if temporary.is_none() {
        assert_eq!(closed_to_others(&inside), Some(closed.as_path()));
    }
}

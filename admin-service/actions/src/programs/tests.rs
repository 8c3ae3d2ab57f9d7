use super::*;

#[test]
fn a_program_is_found_by_its_name_or_its_whole_path_and_no_other_way() {
    let found = open("true").unwrap();
    assert!(SEARCHED.iter().any(|folder| found.path.starts_with(folder)), "{}", found.path.display());
    assert_eq!(open(found.path.to_str().unwrap()).unwrap().digest().unwrap(), found.digest().unwrap());
    for none in ["no-such-program", "./true", "bin/true", "/etc/passwd", "/usr/bin", "", ".."] {
        assert!(open(none).is_err(), "{none}");
    }
}

#[test]
fn pins_name_each_program_once_and_tell_which_is_missing() {
    let pinned = pin(["true", "cat", "true"].into_iter()).unwrap();
    assert_eq!(pinned.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["true", "cat"]);
    let bytes = std::fs::read(&pinned[0].path).unwrap();
    assert_eq!(pinned[0].sha256, Digest::of(&bytes));
    assert!(pin(["true", "no-such-program"].into_iter()).unwrap_err().name == "no-such-program");
}

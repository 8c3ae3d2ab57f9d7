use super::*;

#[test]
fn a_home_without_the_file_has_version_one_and_the_current_file_reads_back() {
    assert_eq!(HomeFile::read(None), Ok(HomeFile { version: 1, restoring: None }));
    let text = yaml::to_string(&HomeFile::current()).unwrap();
    assert_eq!(HomeFile::read(Some(&text)), Ok(HomeFile::current()));
}

#[test]
fn a_newer_version_is_refused_whatever_else_the_file_says() {
    let newer = HomeFile::read(Some("version: 2\nlayout: {of: later, releases: [1, 2]}\n"));
    assert_eq!(newer, Err(Unusable::Newer { found: 2 }));
    assert_eq!(
        HomeFile::read(Some("version: 18446744073709551615\n")),
        Err(Unusable::Newer { found: u64::MAX })
    );
}

#[test]
fn what_is_no_version_is_invalid() {
    for text in [
        "",
        "version: 0\n",
        "version: one\n",
        "version: -1\n",
        "version: 1\nmore: 1\n",
        "- 1\n",
        "version: 1.5\n",
    ] {
        assert!(matches!(HomeFile::read(Some(text)), Err(Unusable::Invalid(_))), "{text:?}");
    }
}

#[test]
fn a_home_into_which_a_restore_has_not_ended_is_not_used() {
    let restoring =
        Restoring { backup: Digest::of(b"x"), looked: true, seen: 7, kept: vec!["anna".parse().unwrap()] };
    let restoring = HomeFile { restoring: Some(restoring), ..HomeFile::current() };
    let text = yaml::to_string(&restoring).unwrap();
    assert_eq!(HomeFile::read(Some(&text)).unwrap().check(), Err(Unusable::Restoring));
    assert_eq!(HomeFile::current().check(), Ok(()));
}

use super::*;

fn home() -> (tempfile::TempDir, Home) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path().to_owned(), None);
    fs::create_dir(home.admin()).unwrap();
    (dir, home)
}

fn last(at: &str) -> Last {
    Last { at: at.to_owned(), file: "/b/x.tar".into(), bytes: 7, index: Digest::of(b"x") }
}

#[test]
fn a_failure_leaves_the_last_backup_and_a_backup_ends_the_failure() {
    let (_dir, home) = home();
    assert_eq!(Outcomes::read(&home), Outcomes::default());
    Outcomes::note_failure(&home, "no\nroom", None).unwrap();
    let first = Outcomes::read(&home);
    assert_eq!((first.last, first.failed.unwrap().why.as_str()), (None, "no room"));
    Outcomes::note(&home, last("2026-01-02T03:00:00Z")).unwrap();
    assert_eq!(Outcomes::read(&home), Outcomes { last: Some(last("2026-01-02T03:00:00Z")), failed: None });
    Outcomes::note_failure(&home, "a memory", Some(Path::new("/b/y.tar"))).unwrap();
    let both = Outcomes::read(&home);
    assert_eq!(both.last, Some(last("2026-01-02T03:00:00Z")));
    let failed = both.failed.unwrap();
    assert_eq!(failed.file.as_deref(), Some(Path::new("/b/y.tar")));
    Outcomes::note_failure(&home, "no room", None).unwrap();
    let again = Outcomes::read(&home).failed.unwrap();
    assert_eq!((again.why.as_str(), again.file.as_deref()), ("no room", Some(Path::new("/b/y.tar"))));
    assert_eq!(again.id, failed.id, "failures in a row are told once");
}

/// As releases before wrote it.
#[test]
fn a_note_of_a_backup_alone_is_read() {
    let (_dir, home) = home();
    fs::write(path(&home), serde_json::to_vec(&last("2026-01-02T03:00:00Z")).unwrap()).unwrap();
    assert_eq!(Outcomes::read(&home).last, Some(last("2026-01-02T03:00:00Z")));
}

#[test]
fn two_times_without_a_backup_are_trouble_and_one_is_not() {
    let times = Times::new(&"backups".parse().unwrap(), "0 3 * * *", "UTC", 0).unwrap();
    let outcomes = Outcomes { last: Some(last("2026-01-02T03:00:10Z")), failed: None };
    let at = |text: &str| outcomes.trouble(Some(&times), text.parse().unwrap());
    assert_eq!(at("2026-01-04T02:59:00Z"), None);
    assert!(at("2026-01-04T03:01:00Z").unwrap().contains("two times of the schedule"));
    assert_eq!(outcomes.trouble(None, "2027-01-01T00:00:00Z".parse().unwrap()), None);
    let failed = Some(Failure {
        id: ProposalId::generate(),
        at: "2026-01-03T03:00:00Z".to_owned(),
        why: "no room".to_owned(),
        file: None,
    });
    let outcomes = Outcomes { failed, ..outcomes };
    assert!(outcomes.trouble(None, Timestamp::now()).unwrap().ends_with("failed: no room"));
}

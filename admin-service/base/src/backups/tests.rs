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
    let stopped = at("2026-01-04T03:01:00Z").unwrap();
    assert_eq!(stopped.kind, Kind::Stopped);
    assert!(stopped.words.contains("two times of the schedule"));
    assert_eq!(at("2026-01-09T03:01:00Z").unwrap().id, stopped.id);
    assert_eq!(outcomes.trouble(None, "2027-01-01T00:00:00Z".parse().unwrap()), None);
}

/// A notifier tells by this identifier: once from the last whole backup to the next one.
#[test]
fn backups_that_stop_and_then_fail_are_one_trouble() {
    let (_dir, home) = home();
    let times = Times::new(&"backups".parse().unwrap(), "0 3 * * *", "UTC", 0).unwrap();
    let trouble = || Outcomes::read(&home).trouble(Some(&times), "2026-02-01T00:00:00Z".parse().unwrap());
    Outcomes::note(&home, last("2026-01-02T03:00:00Z")).unwrap();
    let stopped = trouble().unwrap();
    Outcomes::note_failure(&home, "no room", None).unwrap();
    let failed = trouble().unwrap();
    assert!(failed.words.ends_with("failed: no room"), "{failed:?}");
    assert_eq!((failed.kind, &failed.id), (Kind::Failed, &stopped.id));
    Outcomes::note(&home, Last { index: Digest::of(b"y"), ..last("2026-01-31T03:00:00Z") }).unwrap();
    Outcomes::note_failure(&home, "no room", None).unwrap();
    assert_ne!(trouble().unwrap().id, stopped.id, "a later row gets a notice of its own");
}

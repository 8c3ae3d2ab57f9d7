use super::*;

fn place(folder: &Path, name: &str, is_named: bool) -> Place {
    let opened = File::open(folder).unwrap();
    Place { folder: opened, above: folder.to_owned(), name: name.to_owned(), is_named }
}

#[test]
fn only_names_that_this_program_made_are_backups() {
    assert!(is_one("tameclaw-2026-01-02T03-04-05-678Z.tar.age"));
    assert!(is_one("tameclaw-2026-01-02T03-04-05-678Z.tar"));
    for name in [
        "tameclaw-photos.tar",
        "other.tar.age",
        "tameclaw-.tar",
        "tameclaw-2026-01-02T03-04-05-678Z.tar.age.bak",
    ] {
        assert!(!is_one(name), "{name}");
    }
}

#[test]
fn the_newest_are_kept_and_nothing_else_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    let name = |day: u32| format!("tameclaw-2026-01-0{day}T03-04-05-678Z.tar.age");
    for day in 1..=5 {
        fs::write(folder.path().join(name(day)), "x").unwrap();
    }
    fs::write(folder.path().join("tameclaw-photos.tar"), "x").unwrap();
    // The clock of a machine without a battery was behind when this one was made: it stays all the same.
    let place = place(folder.path(), &name(1), true);
    assert_eq!(place.keep(2).unwrap().len(), 3);
    assert!(folder.path().join(name(1)).exists() && folder.path().join(name(5)).exists());
    assert!(folder.path().join("tameclaw-photos.tar").exists());
    assert_eq!(place.keep(0).unwrap().len(), 1);
    assert!(folder.path().join(name(1)).exists());
}

#[test]
fn what_a_process_that_has_ended_left_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join(format!(".b.tar.{}.0.tmp", i32::MAX));
    let running = folder.path().join(format!(".b.tar.{}.0.tmp", std::process::id()));
    let other = folder.path().join(format!(".c.tar.{}.0.tmp", i32::MAX));
    for path in [&left, &running, &other] {
        fs::write(path, "x").unwrap();
    }
    let place = place(folder.path(), "b.tar", false);
    assert_eq!(place.sweep(), 1);
    assert!(!left.exists() && running.exists() && other.exists());
}

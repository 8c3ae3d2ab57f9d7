use super::*;

const PREFIX: &str = "tameclaw-0a1b2c3d-";

fn place(folder: &Path, name: &str, prefix: Option<&str>) -> Place {
    let opened = File::open(folder).unwrap();
    Place {
        folder: opened,
        above: folder.to_owned(),
        name: name.to_owned(),
        prefix: prefix.map(str::to_owned),
    }
}

#[test]
fn only_names_that_this_program_made_are_backups() {
    assert!(is_one(PREFIX, "tameclaw-0a1b2c3d-2026-01-02T03-04-05-678Z.tar.age"));
    assert!(is_one(PREFIX, "tameclaw-0a1b2c3d-2026-01-02T03-04-05-678Z.tar"));
    for name in [
        // Another home's, and one of an earlier release, which named no home.
        "tameclaw-3d2c1b0a-2026-01-02T03-04-05-678Z.tar.age",
        "tameclaw-2026-01-02T03-04-05-678Z.tar.age",
        "tameclaw-photos.tar",
        "other.tar.age",
        "tameclaw-0a1b2c3d-.tar",
        "tameclaw-0a1b2c3d-2026-01-02T03-04-05-678Z.tar.age.bak",
    ] {
        assert!(!is_one(PREFIX, name), "{name}");
    }
}

#[test]
fn each_home_has_names_of_its_own() {
    let name = prefix(Path::new("/var/lib/a/home")).unwrap();
    assert!(is_one(&name, &format!("{name}2026-01-02T03-04-05-678Z.tar")), "{name}");
    assert_eq!(name, prefix(Path::new("/var/lib/a/home/")).unwrap());
    assert_ne!(name, prefix(Path::new("/var/lib/b/home")).unwrap());
}

#[test]
fn the_newest_are_kept_and_nothing_else_is_touched() {
    let folder = tempfile::tempdir().unwrap();
    let name = |day: u32| format!("{PREFIX}2026-01-0{day}T03-04-05-678Z.tar.age");
    for day in 1..=5 {
        fs::write(folder.path().join(name(day)), "x").unwrap();
    }
    let older = ["tameclaw-2026-01-01T03-04-05-678Z.tar", "tameclaw-2026-01-02T03-04-05-678Z.tar.age"];
    let others = ["tameclaw-photos.tar", "tameclaw-01234567-2026-01-01T03-04-05-678Z.tar"];
    for name in older.iter().chain(&others) {
        fs::write(folder.path().join(name), "x").unwrap();
    }
    // The clock of a machine without a battery was behind when this one was made: it stays all the same.
    let place = place(folder.path(), &name(1), Some(PREFIX));
    let kept = place.keep(2).unwrap();
    assert_eq!((kept.removed.len(), kept.nameless), (3, 2));
    assert!(folder.path().join(name(1)).exists() && folder.path().join(name(5)).exists());
    assert_eq!(place.keep(0).unwrap().removed.len(), 1);
    assert!(folder.path().join(name(1)).exists());
    assert!(older.iter().chain(&others).all(|name| folder.path().join(name).exists()));
}

#[test]
fn a_noted_backup_goes_only_by_a_name_of_this_home_in_this_folder() {
    let folder = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let old = format!("{PREFIX}2026-01-01T03-04-05-678Z.tar");
    let own = format!("{PREFIX}2026-01-02T03-04-05-678Z.tar");
    let paths = [
        folder.path().join(&old),
        folder.path().join(&own),
        folder.path().join("x"),
        other.path().join(&old),
    ];
    paths.iter().for_each(|path| fs::write(path, "x").unwrap());
    let place = place(folder.path(), &own, Some(PREFIX));
    paths.iter().for_each(|path| place.remove_noted(path).unwrap());
    assert_eq!(paths.map(|path| path.exists()), [false, true, true, true]);
}

#[test]
fn what_a_process_that_has_ended_left_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join(format!(".b.tar.{}.0.tmp", i32::MAX));
    let running = folder.path().join(format!(".b.tar.{}.0.tmp", std::process::id()));
    let other = folder.path().join(format!(".c.tar.{}.0.tmp", i32::MAX));
    let own = folder.path().join(format!(".{PREFIX}2026-01-01T03-04-05-678Z.tar.{}.0.tmp", i32::MAX));
    let of_another =
        folder.path().join(format!(".tameclaw-3d2c1b0a-2026-01-01T03-04-05-678Z.tar.{}.0.tmp", i32::MAX));
    for path in [&left, &running, &other, &own, &of_another] {
        fs::write(path, "x").unwrap();
    }
    let place = place(folder.path(), "b.tar", None);
    assert_eq!(place.sweep(), 1);
    assert!(!left.exists() && running.exists() && other.exists() && own.exists());
    let named = Place { prefix: Some(PREFIX.to_owned()), ..place };
    assert_eq!(named.sweep(), 1);
    assert!(!own.exists() && of_another.exists());
}

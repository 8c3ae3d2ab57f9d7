use super::*;

#[test]
fn whatever_lies_in_the_place_of_the_stop_is_one() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path().to_owned(), None);
    fs::create_dir_all(home.config()).unwrap();
    assert_eq!(holds(&home), None);
    assert!(!clear(&home).unwrap());
    set(&home, "smoke\u{1b}[2J\nin the kitchen").unwrap();
    assert!(holds(&home).is_some_and(|why| why.starts_with("smoke") && !why.contains('\u{1b}')));
    assert!(
        matches!(check(&home, "a skill would be installed"), Err(Error::Refused(why)) if why.to_string().contains("cl-admin estop --clear"))
    );
    assert!(clear(&home).unwrap());
    fs::create_dir(home.stop()).unwrap();
    assert!(holds(&home).is_some());
    fs::remove_dir(home.stop()).unwrap();
    std::os::unix::fs::symlink("/nowhere", home.stop()).unwrap();
    assert!(holds(&home).is_some());
    fs::remove_file(home.stop()).unwrap();
    fs::write(home.stop(), [0xff, 0xfe]).unwrap();
    assert!(holds(&home).is_some());
    fs::remove_file(home.stop()).unwrap();
    nix::unistd::mkfifo(&home.stop(), nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(holds(&home).unwrap(), "`config/stop` is not a regular file (a pipe)");
}

#[test]
fn a_profiles_stop_counts_by_its_presence_and_its_words_are_nobodys() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path().to_owned(), None);
    let profile: ProfileId = "default".parse().unwrap();
    let path = home.profile_stop(&profile).unguarded_path();
    assert_eq!(holds_for(&home, &profile), None);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert_eq!(holds_for(&home, &profile), None);
    fs::write(&path, "a secret").unwrap();
    let stop = holds_for(&home, &profile).unwrap();
    assert_eq!(stop.to_string(), "the emergency stop of this profile holds");
    let told = |why: &str| format!("the emergency stop of this profile holds (`stop` {why})");
    fs::remove_file(&path).unwrap();
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert_eq!(holds_for(&home, &profile).unwrap().to_string(), told("is not a regular file (a pipe)"));
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/nowhere", &path).unwrap();
    assert_eq!(holds_for(&home, &profile).unwrap().to_string(), told("is a link"));
    // A link on the way stops as well: its target is not read.
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(dir.path(), path.parent().unwrap()).unwrap();
    assert_eq!(holds_for(&home, &profile).unwrap().to_string(), told("is a link"));
}

#[test]
fn what_is_done_for_a_profile_ends_when_the_profile_is_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::new(dir.path().to_owned(), None);
    let profile: ProfileId = "default".parse().unwrap();
    fs::create_dir_all(home.config()).unwrap();
    fs::create_dir_all(home.profile(&profile).unguarded_path()).unwrap();
    let never = AtomicBool::new(false);
    assert_eq!(during(&home, Some(&profile), &never, |_| 7), 7);
    let ended = during(&home, Some(&profile), &never, |cancel| {
        fs::write(home.profile_stop(&profile).unguarded_path(), "").unwrap();
        while !cancel.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        true
    });
    assert!(ended && holds_for(&home, &profile).is_some() && holds(&home).is_none());
}

use super::*;

/// A home whose lock is held by a file of its own, and the number that stands in it.
fn held_by(pid: u32) -> (tempfile::TempDir, Home, File) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let home = Home::new(folder.path().into(), None);
    std::fs::create_dir_all(home.admin()).expect("a folder can be made");
    std::fs::write(path(&home), pid.to_string()).expect("the lock can be written");
    let holder = OpenOptions::new().write(true).open(path(&home)).expect("the lock can be opened");
    holder.lock().expect("the lock is free");
    (folder, home, holder)
}

#[test]
fn a_lock_of_a_running_process_is_refused_at_once() {
    let (_folder, home, _holder) = held_by(std::process::id());
    let refused = Lock::take(&home);
    assert!(matches!(refused, Err(Error::Busy { pid }) if pid == std::process::id()), "{refused:?}");
}

#[test]
fn a_lock_that_a_child_of_an_ended_service_still_shares_is_waited_for() {
    let mut ended = std::process::Command::new("true").spawn().expect("`true` starts");
    ended.wait().expect("`true` ends");
    let (_folder, home, holder) = held_by(ended.id());
    let child = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        drop(holder);
    });
    Lock::take(&home).expect("the lock is taken once the child lets go");
    child.join().expect("the holder ends");
}

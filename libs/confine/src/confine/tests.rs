use super::*;

#[test]
fn what_is_held_is_said_in_one_line() {
    let held =
        Confinement { landlock_abi: Some(6), seccomp: true, no_new_privs: true, ..Confinement::default() };
    assert_eq!(held.to_string(), "Landlock 6, seccomp, no new privileges");
    let user = Some(User::find("4242", None).unwrap());
    let held =
        Confinement { view: View::Own, seccomp: true, user, no_capabilities: true, ..Confinement::default() };
    assert_eq!(held.to_string(), "user 4242, own mount namespace, seccomp, no capabilities");
    assert_eq!(Confinement::default().to_string(), "nothing");
}

#[test]
fn a_process_with_threads_is_not_confined() {
    // With one test thread the runner has no other, so this one is made to exist.
    let (end, wait) = std::sync::mpsc::channel::<()>();
    let other = std::thread::spawn(move || wait.recv());
    let error = confine(Role::Worker, &FileRules::default(), &Limits::default()).unwrap_err();
    assert!(matches!(error, ConfineError::Threads { count } if count > 1), "{error}");
    drop(end);
    assert!(other.join().unwrap().is_err());
}

#[test]
fn landlock_without_truncate_does_not_govern_files() {
    let support = Support { landlock_abi: Some(2), seccomp: true, mdwe: true };
    assert_eq!(support.reachable().landlock_abi, None);
    let newer = Support { landlock_abi: Some(3), ..support };
    assert_eq!(newer.reachable().landlock_abi, Some(3));
}

#[test]
fn a_version_newer_than_this_program_counts_as_the_newest_known() {
    let support = Support { landlock_abi: Some(4000), seccomp: true, mdwe: true };
    assert_eq!(support.reachable().landlock_abi, Some(9));
}

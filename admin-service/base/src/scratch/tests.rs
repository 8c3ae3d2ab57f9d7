use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use nix::fcntl::{OFlag, openat};
use nix::sys::stat::{Mode, mkdirat};

use super::*;

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o7777
}

/// A folder nested so deep that no path can name its bottom.
fn nest(top: &Path, depth: usize) {
    let mut at = opened(top).unwrap();
    for _ in 0..depth {
        mkdirat(at.as_fd(), "deep", Mode::S_IRWXU).unwrap();
        at = openat(at.as_fd(), "deep", OFlag::O_RDONLY | OFlag::O_DIRECTORY, Mode::empty()).unwrap().into();
    }
}

/// A folder in the machine's memory, where there is such a place: what is made of many files must not wait for the disk.
fn in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

#[test]
fn a_folder_of_any_depth_and_mode_is_removed_and_nothing_behind_a_link() {
    let folder = in_memory();
    let (top, other) = (folder.path().join("top"), folder.path().join("other"));
    for made in [&top, &other, &top.join("wide/inner"), &top.join(".removed-1")] {
        fs::create_dir_all(made).unwrap();
    }
    fs::write(other.join("kept"), "x").unwrap();
    symlink(&other, top.join("link")).unwrap();
    symlink(&other, top.join("wide/link")).unwrap();
    for at in 0..5000 {
        fs::write(top.join("wide").join(at.to_string()), "").unwrap();
    }
    nest(&top, 20_000);
    fs::set_permissions(top.join("wide/inner"), fs::Permissions::from_mode(0o000)).unwrap();
    remove(&top).unwrap();
    assert!(!top.exists() && other.join("kept").exists());
    remove(&top).unwrap();
    // A link in the place of the folder goes, and what it leads to stays.
    symlink(&other, &top).unwrap();
    remove(&top).unwrap();
    assert!(fs::symlink_metadata(&top).is_err() && other.join("kept").exists());
}

#[test]
fn bits_that_lend_power_and_what_others_may_are_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path();
    fs::create_dir(top.join("inner")).unwrap();
    fs::set_permissions(top.join("inner"), fs::Permissions::from_mode(0o3777)).unwrap();
    let program = top.join("inner/program");
    fs::write(&program, "x").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o6777)).unwrap();
    symlink("/etc/passwd", top.join("link")).unwrap();
    assert_eq!(tidy(top, OF_ONE).unwrap().entries, 3);
    assert_eq!((mode(&top.join("inner")), mode(&program)), (0o2750, 0o750));
    assert!(fs::symlink_metadata(top.join("link")).is_err());
}

#[test]
fn each_part_of_a_quota_counts() {
    let folder = tempfile::tempdir().unwrap();
    let top = folder.path();
    fs::write(top.join("file"), vec![1; 64 << 10]).unwrap();
    assert!(usage(top, OF_ONE).unwrap().bytes >= 64 << 10);
    assert_eq!(usage(top, Quota { bytes: 1 << 10, ..OF_ONE }), Err(Over::Bytes(1 << 10)));
    nest(top, 10);
    assert_eq!(usage(top, Quota { entries: 5, ..OF_ONE }), Err(Over::Entries(5)));
    assert_eq!(usage(top, Quota { depth: 5, ..OF_ONE }), Err(Over::Depth(5)));
    nest(&top.join("deep"), 0);
    fs::create_dir(top.join("hole")).unwrap();
    fs::set_permissions(top.join("hole"), fs::Permissions::from_mode(0o000)).unwrap();
    assert_eq!(usage(top, OF_ONE).unwrap().entries, 12);
}

#[test]
fn work_that_writes_too_much_is_cancelled_and_so_is_work_whose_caller_cancels() {
    let folder = tempfile::tempdir().unwrap();
    let quota = Quota { bytes: 1 << 20, ..OF_ONE };
    let waits = |cancel: &AtomicBool| {
        let begun = Instant::now();
        while !cancel.load(Ordering::Relaxed) {
            assert!(begun.elapsed() < Duration::from_secs(20), "nobody cancels");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    let ((), over) = within(folder.path(), quota, &AtomicBool::new(true), waits);
    assert_eq!(over, None);
    let ((), over) = within(folder.path(), quota, &AtomicBool::new(false), |cancel| {
        fs::write(folder.path().join("file"), vec![1; 2 << 20]).unwrap();
        waits(cancel);
    });
    assert_eq!(over, Some(Over::Bytes(1 << 20)));
}

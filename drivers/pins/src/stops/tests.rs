use std::fs;

use super::*;

#[test]
fn a_stop_that_comes_and_goes_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("stop"), folder.path().join("other-stop"));
    fs::write(&other, "").unwrap();
    let mut stops = Stops::watch(&[one.clone(), other.clone()]).unwrap();
    assert!(stops.is_set(), "one was there before");
    fs::remove_file(&other).unwrap();
    stops.take();
    assert!(!stops.is_set());
    fs::write(folder.path().join("unrelated"), "").unwrap();
    stops.take();
    assert!(!stops.is_set());
    fs::rename(folder.path().join("unrelated"), &one).unwrap();
    stops.take();
    assert!(stops.is_set());
    // One that is replaced is there all the while.
    fs::write(folder.path().join("new"), "").unwrap();
    fs::rename(folder.path().join("new"), &one).unwrap();
    stops.take();
    assert!(stops.is_set());
    fs::remove_file(&one).unwrap();
    stops.take();
    assert!(!stops.is_set());
}

#[test]
fn a_folder_that_is_gone_is_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("config");
    fs::create_dir(&inner).unwrap();
    let mut stops = Stops::watch(&[inner.join("stop")]).unwrap();
    assert!(!stops.is_set());
    fs::rename(&inner, folder.path().join("elsewhere")).unwrap();
    stops.take();
    assert!(stops.is_set());
    let Err(fault) = Stops::watch(&[inner.join("stop")]) else { panic!("its folder is not there") };
    assert!(fault.to_string().contains("config/stop"), "{fault}");
}

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::*;

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(200);

fn changes() -> Changes {
    Changes::CREATE | Changes::MODIFY_NAME
}

fn over(watch: &mut Watch, paths: &[&Path]) -> bool {
    watch.renew(paths.iter().map(|path| Folder::open(path).unwrap()))
}

/// How long a wait of at most `most` takes.
fn waits(watch: &Watch, most: Duration) -> Duration {
    let begun = Instant::now();
    watch.wait(&[], PollTimeout::try_from(most).unwrap());
    begun.elapsed()
}

#[test]
fn a_change_wakes_and_is_news_once() {
    let place = tempfile::tempdir().unwrap();
    let mut watch = Watch::of(changes());
    assert!(over(&mut watch, &[place.path()]));
    fs::write(place.path().join("a"), "").unwrap();
    assert!(waits(&watch, LONG) < LONG);
    assert!(waits(&watch, SHORT) >= SHORT, "it was taken");
    fs::rename(place.path().join("a"), place.path().join("b")).unwrap();
    assert!(waits(&watch, LONG) < LONG, "what came before the wait counts");
}

#[test]
fn what_was_not_asked_for_does_not_wake() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("below")).unwrap();
    fs::write(place.path().join("a"), "").unwrap();
    let mut watch = Watch::of(changes());
    assert!(over(&mut watch, &[place.path()]));
    fs::write(place.path().join("a"), "written").unwrap();
    fs::write(place.path().join("below/b"), "").unwrap();
    let _ = fs::read_dir(place.path()).unwrap().count();
    assert!(waits(&watch, SHORT) >= SHORT);
}

#[test]
fn without_notices_the_clock_wakes() {
    let place = tempfile::tempdir().unwrap();
    let mut watch = Watch::with(changes(), |_, _| Err(notify::Error::generic("no instance is left")));
    assert!(!over(&mut watch, &[place.path()]), "nobody believes that it is watched");
    fs::write(place.path().join("a"), "").unwrap();
    let took = waits(&watch, SHORT);
    assert!(took >= SHORT && took < LONG, "{took:?}");
}

#[test]
fn another_call_wakes_with_and_without_notices() {
    let call = EventFd::from_flags(EfdFlags::EFD_NONBLOCK).unwrap();
    call.write(1).unwrap();
    for watch in [Watch::of(changes()), Watch(None)] {
        let begun = Instant::now();
        watch.wait(&[call.as_fd()], PollTimeout::try_from(LONG).unwrap());
        watch.sleep(&[call.as_fd()], PollTimeout::try_from(LONG).unwrap());
        assert!(begun.elapsed() < LONG);
    }
}

#[test]
fn a_sleep_passes_over_the_news_and_takes_it() {
    let place = tempfile::tempdir().unwrap();
    let mut watch = Watch::of(changes());
    assert!(over(&mut watch, &[place.path()]));
    fs::write(place.path().join("a"), "").unwrap();
    let begun = Instant::now();
    watch.sleep(&[], PollTimeout::try_from(SHORT).unwrap());
    assert!(begun.elapsed() >= SHORT);
    assert!(waits(&watch, SHORT) >= SHORT);
}

#[test]
fn the_folders_are_exactly_those_of_the_last_renewal() {
    let place = tempfile::tempdir().unwrap();
    let [first, second] = ["first", "second"].map(|name| place.path().join(name));
    fs::create_dir(&first).unwrap();
    fs::create_dir(&second).unwrap();
    let mut watch = Watch::of(changes());
    assert!(over(&mut watch, &[&first]));
    fs::write(first.join("a"), "").unwrap();
    // The handle of the first is closed here, and its number is free for the next folder that is opened.
    assert!(over(&mut watch, &[&second]));
    assert!(waits(&watch, LONG) < LONG, "news is not lost by a renewal");
    fs::write(first.join("b"), "").unwrap();
    assert!(waits(&watch, SHORT) >= SHORT, "the first is watched no more");
    assert!(over(&mut watch, &[&first, &second]));
    for folder in [&first, &second] {
        fs::write(folder.join("c"), "").unwrap();
        assert!(waits(&watch, LONG) < LONG, "{}", folder.display());
    }
}

#[test]
fn a_folder_that_is_made_anew_is_watched_anew() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("folder");
    let mut watch = Watch::of(changes());
    for _ in 0..3 {
        fs::create_dir(&folder).unwrap();
        assert!(over(&mut watch, &[&folder]));
        fs::write(folder.join("a"), "").unwrap();
        assert!(waits(&watch, LONG) < LONG);
        fs::remove_dir_all(&folder).unwrap();
    }
}

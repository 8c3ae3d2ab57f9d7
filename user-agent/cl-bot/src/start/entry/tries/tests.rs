use super::*;

fn tries(dir: &tempfile::TempDir) -> Tries {
    Tries::of(&Folder::root(dir.path()).unwrap(), &"anna".parse().unwrap()).unwrap()
}

fn wait_left(result: Result<Tried, Error>) -> Option<u64> {
    match result {
        Ok(Tried::Wrong) => None,
        Err(Error::PinLater { seconds, .. }) => Some(seconds),
        other => panic!("{other:?}"),
    }
}

#[test]
fn three_wrong_ones_are_free_and_then_the_wait_doubles() {
    let dir = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        assert_eq!(wait_left(tries(&dir).try_at(1000, || false)), None);
    }
    let mut now = 1000;
    for seconds in [5, 10, 20, 40, 80, 160, 320, 640, 900, 900] {
        assert_eq!(wait_left(tries(&dir).try_at(now, || panic!("nothing is tried"))), Some(seconds));
        assert_eq!(wait_left(tries(&dir).try_at(now + seconds - 1, || panic!("nothing is tried"))), Some(1));
        now += seconds;
        assert_eq!(wait_left(tries(&dir).try_at(now, || false)), None);
    }
}

#[test]
fn the_right_one_ends_the_counting() {
    let dir = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        assert_eq!(tries(&dir).try_at(1000, || false).unwrap(), Tried::Wrong);
    }
    assert!(tries(&dir).try_at(1000, || true).is_err(), "the wait holds for the right one too");
    assert_eq!(tries(&dir).try_at(1005, || true).unwrap(), Tried::Right);
    assert_eq!(wait_left(tries(&dir).try_at(1005, || false)), None);
}

#[test]
fn a_try_is_counted_before_it_is_judged() {
    let dir = tempfile::tempdir().unwrap();
    let tries = tries(&dir);
    let seen = std::cell::Cell::new(0);
    let _ = tries.try_at(1000, || {
        seen.set(tries.read().unwrap().0);
        false
    });
    assert_eq!(seen.get(), 1);
}

#[test]
fn a_clock_that_was_set_back_locks_nobody_out_for_good() {
    let dir = tempfile::tempdir().unwrap();
    for _ in 0..4 {
        let _ = tries(&dir).try_at(1_700_000_000, || false);
    }
    assert_eq!(wait_left(tries(&dir).try_at(100, || false)), Some(5));
    assert_eq!(wait_left(tries(&dir).try_at(105, || false)), None);
}

#[test]
fn a_damaged_count_still_counts() {
    let dir = tempfile::tempdir().unwrap();
    let log = Folder::root(dir.path()).unwrap();
    log.replace(FILE, b"1000\nnonsense\n\xff\xfe\n999\n").unwrap();
    assert_eq!(tries(&dir).read().unwrap(), (4, 1000));
}

#[test]
fn programs_that_try_at_the_same_time_are_all_counted() {
    let dir = tempfile::tempdir().unwrap();
    let judged = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let _ = tries(&dir).try_at(1000, || {
                    judged.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    false
                });
            });
        }
    });
    assert_eq!(judged.into_inner(), 3, "more were judged than are free");
}

use super::*;

#[test]
fn a_driver_is_stuck_at_one_thing_and_never_at_rest() {
    let progress = Progress::default();
    let moment = Duration::from_millis(5);
    assert!(!progress.is_stuck(Duration::ZERO), "nothing was begun");
    progress.begins();
    std::thread::sleep(2 * moment);
    assert!(progress.is_stuck(moment) && !progress.is_stuck(Duration::from_secs(3_600)));
    progress.rests();
    assert!(!progress.is_stuck(Duration::ZERO));
}

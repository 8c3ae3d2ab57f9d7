use super::*;

#[test]
fn a_running_service_may_make_up_for_missed_backups_before_their_lack_is_told() {
    let now = Instant::now();
    let mut running = Stopped { since: None, patience: MAKING_UP };
    let later = |seconds| now + MAKING_UP + Duration::from_secs(seconds);
    assert!(!running.is_told(true, now));
    assert!(!running.is_told(true, now + MAKING_UP / 2));
    assert!(running.is_told(true, later(0)));
    assert!(!running.is_told(false, later(1)), "it was made up for");
    assert!(!running.is_told(true, later(2)), "another one begins anew");
    assert!(Stopped::default().is_told(true, now), "one that ends now makes up for nothing");
    assert!(!Stopped::default().is_told(false, now));
}

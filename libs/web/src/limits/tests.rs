use std::time::Duration;

use super::*;

/// A burst is let in, what is beyond it is not, and time brings room again.
#[test]
fn a_bucket_is_emptied_and_fills_with_time() {
    let now = Instant::now();
    let bucket = Bucket::new(2.0, 3.0, now);
    let taken = (0..5).filter(|_| bucket.take(now)).count();
    assert_eq!(taken, 3);
    let later = now + Duration::from_millis(600);
    assert!(bucket.take(later) && !bucket.take(later));
    let much_later = now + Duration::from_secs(3600);
    assert_eq!((0..9).filter(|_| bucket.take(much_later)).count(), 3);
}

/// Strangers empty their own bucket alone; a caller who is known empties its own, and still has room for the emergency stop.
#[test]
fn each_known_caller_has_a_bucket_and_strangers_share_one() {
    let limits = Limits::default();
    let taken = |token: Option<&str>, kind| (0..900).filter(|_| limits.take(token, kind)).count();
    limits.judge(Some("anna"), true);
    limits.judge(Some("ben"), true);
    assert!((300..500).contains(&taken(None, Kind::Usual)));
    assert!(taken(Some("mallory"), Kind::Stop) < 100, "a stranger's stop has no bucket of its own");
    assert!((100..200).contains(&taken(None, Kind::Login)), "the log-in has room where strangers have none");
    assert!(taken(Some("mallory"), Kind::Login) < 100, "all who are not known share it");
    assert!((300..500).contains(&taken(Some("anna"), Kind::Usual)));
    assert!(taken(Some("anna"), Kind::Login) < 100, "who is known has no second bucket");
    assert!((20..40).contains(&taken(Some("anna"), Kind::Stop)));
    assert!((300..500).contains(&taken(Some("ben"), Kind::Usual)));
    limits.judge(Some("ben"), false);
    assert!(limits.knows(Some("anna")) && !limits.knows(Some("ben")) && !limits.knows(None));
    assert!(taken(Some("ben"), Kind::Usual) < 200, "a caller whose token was removed has no bucket");
}

/// Another judgement of the same caller fills no bucket, and the number of callers has a bound.
#[test]
fn a_judgement_fills_no_bucket_and_callers_have_a_bound() {
    let limits = Limits::default();
    limits.judge(Some("anna"), true);
    while limits.take(Some("anna"), Kind::Usual) {}
    limits.judge(Some("anna"), true);
    assert!((0..100).filter(|_| limits.take(Some("anna"), Kind::Usual)).count() < 50);
    for number in 0..2 * MOST_CALLERS {
        limits.judge(Some(&number.to_string()), true);
    }
    assert_eq!(limits.callers().len(), MOST_CALLERS);
    assert!(!limits.knows(Some("anna")), "the oldest made room");
}

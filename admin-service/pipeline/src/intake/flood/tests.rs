use std::time::Duration;

use super::*;

const RATES: Flood =
    Flood { user: Rate { burst: 6, per_minute: 6 }, profile: Rate { burst: 4, per_minute: 2 } };

fn profile(name: &str) -> ProfileId {
    name.parse().unwrap()
}

/// How many tokens there are at a moment.
fn drain(buckets: &mut Buckets, user: u32, name: &str, now: Instant) -> usize {
    (0..100).take_while(|_| buckets.take(&RATES, user, &profile(name), now)).count()
}

#[test]
fn a_flood_leaves_something_to_the_other_profiles_and_comes_back_with_time() {
    let (mut buckets, start) = (Buckets::default(), Instant::now());
    assert_eq!(drain(&mut buckets, 1, "loud", start), 4);
    assert_eq!(drain(&mut buckets, 1, "quiet", start), 2, "what the user has left");
    assert_eq!(drain(&mut buckets, 2, "other", start), 4, "another user has tokens of their own");
    let later = start + Duration::from_secs(60);
    assert_eq!(drain(&mut buckets, 1, "loud", later), 2);
    assert_eq!(drain(&mut buckets, 1, "quiet", later), 4);
    let much_later = start + Duration::from_secs(86_400);
    assert_eq!(drain(&mut buckets, 1, "loud", much_later), 4, "never more than the burst");
}

#[test]
fn a_clock_that_goes_back_refills_nothing() {
    let (mut buckets, start) = (Buckets::default(), Instant::now() + Duration::from_secs(100));
    assert_eq!(drain(&mut buckets, 1, "loud", start), 4);
    assert_eq!(drain(&mut buckets, 1, "loud", start - Duration::from_secs(90)), 0);
}

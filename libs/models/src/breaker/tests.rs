use proptest::prelude::*;

use super::*;

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

#[test]
fn each_failure_doubles_the_pause_up_to_five_minutes() {
    let (mut breaker, mut now) = (Breaker::default(), Instant::now());
    for expected in [5, 10, 20, 40, 80, 160, 300, 300, 300] {
        breaker.failed(now, None);
        assert_eq!(breaker.health(now), Health::Open(seconds(expected)));
        now += seconds(expected);
        assert_eq!(breaker.health(now - Duration::from_millis(1)), Health::Open(Duration::from_millis(1)));
        assert_eq!(breaker.health(now), Health::HalfOpen);
    }
    breaker.answered();
    assert_eq!(breaker.health(now), Health::Closed);
    breaker.failed(now, None);
    assert_eq!(breaker.health(now), Health::Open(seconds(5)), "an answer makes good for all failures");
}

#[test]
fn a_server_may_ask_for_more_patience_but_not_for_ever() {
    let now = Instant::now();
    for (wish, expected) in [(1, 5), (60, 60), (1_000_000, 300)] {
        let mut breaker = Breaker::default();
        breaker.failed(now, Some(seconds(wish)));
        assert_eq!(breaker.health(now), Health::Open(seconds(expected)));
    }
}

#[test]
fn one_request_finds_out_and_others_keep_away() {
    let (mut breaker, now) = (Breaker::default(), Instant::now());
    breaker.asked();
    assert_eq!(breaker.health(now), Health::Closed, "a healthy provider takes any number of requests");
    breaker.failed(now, None);
    let later = now + seconds(5);
    assert!(breaker.health(later).is_available());
    breaker.asked();
    assert_eq!(breaker.health(later), Health::Probing);
    assert!(!breaker.health(later).is_available());
    breaker.unclear();
    assert_eq!(breaker.health(later), Health::HalfOpen, "a cancelled probe leaves the question open");
    breaker.asked();
    breaker.failed(later, None);
    assert_eq!(breaker.health(later), Health::Open(seconds(10)));
}

proptest! {
    #[test]
    fn no_sequence_keeps_a_provider_away_for_longer_than_the_longest_pause(
        steps in proptest::collection::vec((0u8..4, 0u64..1_000_000), 0..60)
    ) {
        let (mut breaker, mut now) = (Breaker::default(), Instant::now());
        for (step, n) in steps {
            match step {
                0 => breaker.asked(),
                1 => breaker.failed(now, Some(seconds(n))),
                2 => breaker.unclear(),
                _ => now += seconds(n % 400),
            }
            if let Health::Open(pause) = breaker.health(now) {
                prop_assert!(pause <= LONGEST_PAUSE);
            }
        }
        breaker.unclear();
        prop_assert!(breaker.health(now + LONGEST_PAUSE).is_available());
        breaker.answered();
        prop_assert_eq!(breaker, Breaker::default());
    }
}

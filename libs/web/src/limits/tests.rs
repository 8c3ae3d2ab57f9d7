use std::net::{IpAddr, Ipv4Addr};
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
    let taken = |token: Option<&str>, kind| (0..900).filter(|_| limits.take(token, kind, None)).count();
    limits.judge(Some("anna"), true);
    limits.judge(Some("ben"), true);
    assert!((300..500).contains(&taken(None, Kind::Usual)));
    assert!(taken(Some("mallory"), Kind::Stop) < 100, "a stranger's stop has no bucket of its own");
    assert!((60..100).contains(&taken(None, Kind::Login)), "the log-in has room where strangers have none");
    assert!(taken(Some("mallory"), Kind::Login) < 20, "an address has one bucket, whatever tokens it names");
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
    while limits.take(Some("anna"), Kind::Usual, None) {}
    limits.judge(Some("anna"), true);
    assert!((0..100).filter(|_| limits.take(Some("anna"), Kind::Usual, None)).count() < 50);
    for number in 0..2 * MOST_CALLERS {
        limits.judge(Some(&number.to_string()), true);
    }
    assert_eq!(limits.callers().len(), MOST_CALLERS);
    assert!(!limits.knows(Some("anna")), "the oldest made room");
}

/// At the log-in an address that floods is refused alone. All addresses together have a bound, which a browser that logged in before
/// does not meet; and the table has one.
#[test]
fn each_address_has_a_bucket_at_the_log_in_and_all_together_have_one() {
    let limits = Limits::default();
    let from = |last: u32| Some(Peer::from(IpAddr::from(Ipv4Addr::from_bits(last))));
    let taken =
        |browser, peer: u32| (0..900).filter(|_| limits.take(browser, Kind::Login, from(peer))).count();
    assert!((60..100).contains(&taken(None, 1)));
    assert!((60..100).contains(&taken(None, 2)), "another address is not concerned");
    let all: usize = (3..60).map(|peer| taken(None, peer)).sum();
    assert!((150..500).contains(&all), "{all}");
    limits.judge(Some("browser"), true);
    assert!(taken(Some("browser"), 1) >= 300);
    for peer in 0..3000 {
        let _ = limits.take(None, Kind::Login, from(peer));
    }
    assert_eq!(limits.peers.lock().unwrap().len(), MOST_PEERS);
}

/// A browser that logged in is remembered until many others did.
#[test]
fn browsers_are_remembered_up_to_a_bound() {
    let limits = Limits::default();
    limits.remember("first");
    assert!(limits.remembers("first") && !limits.remembers("second"));
    for number in 0..MOST_BROWSERS {
        limits.remember(&number.to_string());
    }
    assert!(!limits.remembers("first") && limits.remembers("0"));
}

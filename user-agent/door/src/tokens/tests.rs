use super::*;

/// A session lasts while it is used, and ends after twelve hours of silence.
#[test]
fn a_session_ends_after_a_silence() {
    let (mut known, now) = (Known::default(), Instant::now());
    known.keep_session([1; 32], now);
    let later = now + IDLE - Duration::from_secs(1);
    assert!(known.uses_session(&[1; 32], later));
    assert!(known.uses_session(&[1; 32], later + IDLE - Duration::from_secs(1)));
    assert!(!known.uses_session(&[1; 32], later + IDLE * 2));
    assert!(!known.uses_session(&[2; 32], now));
}

/// Only a limited number is kept, and the one that was used least lately goes.
#[test]
fn a_new_session_takes_the_place_of_the_stalest() {
    let (mut known, now) = (Known::default(), Instant::now());
    for n in 0..=MOST_SESSIONS {
        let byte = u8::try_from(n).unwrap();
        known.keep_session([byte; 32], now + Duration::from_secs(n as u64));
    }
    let now = now + Duration::from_secs(100);
    assert_eq!(known.sessions.len(), MOST_SESSIONS);
    assert!(!known.uses_session(&[0; 32], now) && known.uses_session(&[1; 32], now));
}

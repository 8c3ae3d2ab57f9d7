use super::*;

#[test]
fn nothing_is_told_where_nothing_was_used() {
    assert_eq!(Used::default().line(Tongue::ENGLISH), None);
}

#[test]
fn turns_tokens_and_time_add_up() {
    let mut used = Used::default();
    used.add(Some(Usage { input: 100, output: 20 }), Duration::from_millis(1500));
    assert_eq!(used.line(Tongue::ENGLISH).as_deref(), Some("1 turn, 1.5 s, 100 tokens in, 20 out"));
    used.add(None, Duration::from_secs(200));
    assert_eq!(
        used.line(Tongue::ENGLISH).as_deref(),
        Some("2 turns, 3 min 21 s, 100 tokens in, 20 out (1 without a count)")
    );
    let mut silent = Used::default();
    silent.add(None, Duration::from_secs(12));
    assert_eq!(silent.line(Tongue::ENGLISH).as_deref(), Some("1 turn, 12 s"));
    // A server's nonsense does not cause an overflow.
    used.add(Some(Usage { input: u64::MAX, output: 0 }), Duration::ZERO);
    assert!(used.line(Tongue::ENGLISH).unwrap().contains(&u64::MAX.to_string()));
}

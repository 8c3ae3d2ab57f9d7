use super::*;

const KILLED: u8 = 137;

fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn wait_of(next: Next) -> Duration {
    match next {
        Next::Again { wait } => wait,
        other => panic!("{other:?}"),
    }
}

#[test]
fn three_failures_within_a_minute_lead_to_a_bare_start_and_one_more_to_the_end() {
    let (mut restarts, start) = (Restarts::at_terminal(), Instant::now());
    let mut waits = vec![];
    for second in [1, 20, 40] {
        assert!(!restarts.core_only());
        waits.push(wait_of(restarts.after(KILLED, start, start + seconds(second))));
    }
    assert!(restarts.core_only());
    assert!(waits.windows(2).all(|pair| pair[0] < pair[1]), "{waits:?}");
    assert_eq!(restarts.after(KILLED, start, start + seconds(500)), Next::End(KILLED));
}

#[test]
fn failures_far_apart_never_lead_to_a_bare_start() {
    let (mut restarts, start) = (Restarts::at_terminal(), Instant::now());
    for n in 1..20 {
        let _ = wait_of(restarts.after(KILLED, start, start + seconds(31 * n)));
        assert!(!restarts.core_only(), "after {n}");
    }
}

#[test]
fn an_installation_makes_a_bare_chat_whole_again() {
    let (mut restarts, start) = (Restarts::at_terminal(), Instant::now());
    for _ in 0..3 {
        let _ = restarts.after(KILLED, start, start);
    }
    assert!(restarts.core_only());
    let _ = restarts.after(exit::RESTART, start, start + seconds(100));
    assert!(!restarts.core_only());
    let _ = wait_of(restarts.after(KILLED, start, start + seconds(101)));
    assert!(!restarts.core_only());
}

#[test]
fn a_chat_that_asks_for_a_restart_over_and_over_waits_longer_and_longer() {
    let (mut restarts, start) = (Restarts::at_terminal(), Instant::now());
    let waits: Vec<Duration> =
        (0..14).map(|_| wait_of(restarts.after(exit::RESTART, start, start + seconds(1)))).collect();
    assert!(waits[..3].iter().all(Duration::is_zero), "{waits:?}");
    assert!(waits[3..].windows(2).all(|pair| pair[0] <= pair[1]), "{waits:?}");
    assert_eq!(waits.last(), Some(&LONGEST_WAIT));
    assert!(wait_of(restarts.after(exit::RESTART, start, start + seconds(60))).is_zero());
}

#[test]
fn what_forbids_a_start_or_was_ended_by_the_person_is_not_tried_again() {
    for code in [exit::USAGE, exit::REFUSED, exit::INTEGRITY, INTERRUPTED] {
        let now = Instant::now();
        assert_eq!(Restarts::at_terminal().after(code, now, now), Next::End(code));
        assert_eq!(Restarts::on_pipes().after(code, now, now), Next::End(code));
    }
}

#[test]
fn a_failed_turn_of_a_pipe_is_the_end_and_a_chat_that_broke_down_at_a_terminal_is_not() {
    let now = Instant::now();
    assert_eq!(Restarts::on_pipes().after(exit::FAILED, now, now), Next::End(exit::FAILED));
    assert!(matches!(Restarts::at_terminal().after(exit::FAILED, now, now), Next::Again { .. }));
    assert!(matches!(Restarts::on_pipes().after(KILLED, now, now), Next::Again { .. }));
    assert_eq!(Restarts::at_terminal().after(exit::DONE, now, now), Next::Left);
}

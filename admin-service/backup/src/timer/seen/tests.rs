use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn nightly() -> Times {
    Times::new(&"backups".parse().unwrap(), "0 3 * * *", "UTC", 0).unwrap()
}

/// What is due at each of these moments, where each backup is made at once.
fn made_at(begun: &str, moments: &[&str]) -> Vec<String> {
    let times = nightly();
    let mut seen = Seen::up_to(None, times.written(), at(begun));
    let mut made = vec![];
    for moment in moments {
        seen = Seen::up_to(Some(&seen), times.written(), at(moment));
        if seen.due(&times, at(moment)) == Due::Now {
            made.push((*moment).to_owned());
            seen = Seen::up_to(None, times.written(), at(moment));
        }
    }
    made
}

#[test]
fn each_time_is_made_once_and_many_missed_ones_are_made_up_for_once() {
    let moments = [
        "2026-01-01T02:59:59Z",
        "2026-01-01T03:00:00Z",
        "2026-01-01T03:00:20Z",
        "2026-01-09T12:00:00Z",
        "2026-01-09T12:01:00Z",
    ];
    assert_eq!(made_at("2026-01-01T00:00:00Z", &moments), ["2026-01-01T03:00:00Z", "2026-01-09T12:00:00Z"]);
}

#[test]
fn a_clock_that_leaps_brings_at_most_one_more_and_never_none_for_ever() {
    // Forward by years and back again: one more, and the next night has its own.
    let moments =
        ["2031-01-01T12:00:00Z", "2026-01-01T12:01:00Z", "2026-01-02T02:00:00Z", "2026-01-02T03:00:00Z"];
    assert_eq!(made_at("2026-01-01T12:00:00Z", &moments), ["2031-01-01T12:00:00Z", "2026-01-02T03:00:00Z"]);
    // A machine without a battery begins in 1970 until the network tells the time.
    let moments = ["1970-01-01T00:00:10Z", "2026-01-01T12:01:00Z", "2026-01-02T03:00:00Z"];
    assert_eq!(made_at("2026-01-01T12:00:00Z", &moments), ["2026-01-01T12:01:00Z", "2026-01-02T03:00:00Z"]);
    // Back over the time of a backup that was made: once more.
    let moments =
        ["2026-01-02T03:00:00Z", "2026-01-02T02:30:00Z", "2026-01-02T03:00:00Z", "2026-01-02T03:30:00Z"];
    assert_eq!(made_at("2026-01-01T12:00:00Z", &moments), ["2026-01-02T03:00:00Z", "2026-01-02T03:00:00Z"]);
}

#[test]
fn another_schedule_begins_now_and_one_that_ends_with_the_service_is_given_up() {
    let times = nightly();
    let old = Seen { times: "0 4 * * * UTC".to_owned(), tries: 1, ..Seen::default() };
    let now = at("2026-01-02T12:00:00Z");
    assert_eq!(
        Seen::up_to(Some(&old), times.written(), now).due(&times, now),
        Due::Later(Some(at("2026-01-03T03:00:00Z")))
    );
    let begun = Seen { tries: 1, ..Seen::up_to(None, times.written(), at("2026-01-01T12:00:00Z")) };
    assert_eq!(begun.due(&times, now), Due::Now);
    assert_eq!(Seen { tries: TRIES, ..begun }.due(&times, now), Due::GivenUp);
}

#[test]
fn a_time_that_failed_is_tried_again_three_times_with_growing_pauses() {
    let times = nightly();
    let mut seen = Seen::up_to(None, times.written(), at("2026-01-01T12:00:00Z"));
    let moments =
        ["2026-01-02T03:00:00Z", "2026-01-02T03:10:00Z", "2026-01-02T04:10:00Z", "2026-01-02T07:10:00Z"];
    for moment in moments {
        assert_eq!(seen.due(&times, at(moment)), Due::Now, "{moment}");
        let before = seen.next(&times, at(moment));
        assert_eq!(before, Some(at(moment)), "not sooner");
        seen = Seen { tries: 1, ..seen }.failed(&times, at(moment));
        assert_eq!(seen.tries, 0);
    }
    // The next night is a time of its own, with tries of its own.
    let night = at("2026-01-03T03:00:00Z");
    assert_eq!(seen.due(&times, at("2026-01-02T08:00:00Z")), Due::Later(Some(night)));
    let seen = seen.failed(&times, night);
    assert_eq!((seen.failures, seen.next(&times, night)), (1, Some(at("2026-01-03T03:10:00Z"))));
    // A clock that was set back begins anew, so that nothing waits for a time that may be years ahead.
    let back = Seen::up_to(Some(&seen), times.written(), at("2026-01-02T12:00:00Z"));
    assert_eq!((back.failures, back.again), (0, None));
}

#[test]
fn a_schedule_that_comes_sooner_than_the_pause_needs_no_further_try() {
    let times = Times::new(&"backups".parse().unwrap(), "* * * * *", "UTC", 0).unwrap();
    let mut seen = Seen::up_to(None, times.written(), at("2026-01-02T03:00:30Z"));
    for minute in 1..6 {
        let now = at(&format!("2026-01-02T03:0{minute}:01Z"));
        assert_eq!(seen.due(&times, now), Due::Now);
        seen = seen.failed(&times, now);
        assert_eq!(seen.failures, 1);
    }
}

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
    let old = Seen { times: "0 4 * * * UTC".to_owned(), base: 0, tries: 1 };
    let now = at("2026-01-02T12:00:00Z");
    assert_eq!(
        Seen::up_to(Some(&old), times.written(), now).due(&times, now),
        Due::Later(Some(at("2026-01-03T03:00:00Z")))
    );
    let begun =
        Seen { times: times.written().to_owned(), base: at("2026-01-01T12:00:00Z").as_second(), tries: 1 };
    assert_eq!(begun.due(&times, now), Due::Now);
    assert_eq!(Seen { tries: TRIES, ..begun }.due(&times, now), Due::GivenUp);
}

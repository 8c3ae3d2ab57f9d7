use super::*;

fn times(cron: &str, zone: &str, jitter: u64) -> Times {
    Times::new(&"test".parse().unwrap(), cron, zone, jitter).unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn next(times: &Times, moment: &str, count: usize) -> Vec<String> {
    let mut moment = at(moment);
    let mut found = vec![];
    for _ in 0..count {
        moment = times.after(moment).unwrap();
        found.push(moment.to_string());
    }
    found
}

#[test]
fn the_wall_clock_of_the_zone_counts() {
    let weekdays = times("0 7 * * 1-5", "Europe/Berlin", 0);
    let found = next(&weekdays, "2026-02-06T05:00:00Z", 3);
    assert_eq!(found, ["2026-02-06T06:00:00Z", "2026-02-09T06:00:00Z", "2026-02-10T06:00:00Z"]);
    // The same hour of the wall, another hour of the world.
    assert_eq!(next(&weekdays, "2026-07-01T00:00:00Z", 1), ["2026-07-01T05:00:00Z"]);
}

/// In spring the clock leaps from 02:00 to 03:00: what was to come between comes an hour later, once.
#[test]
fn a_time_that_the_clock_leaps_over_comes_all_the_same() {
    let daily = times("30 2 * * *", "Europe/Berlin", 0);
    let found = next(&daily, "2026-03-27T12:00:00Z", 3);
    assert_eq!(found, ["2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"]);
    let hourly = times("0 * * * *", "Europe/Berlin", 0);
    let found = next(&hourly, "2026-03-28T23:30:00Z", 4);
    let expected =
        ["2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z", "2026-03-29T03:00:00Z"];
    assert_eq!(found, expected);
}

/// In autumn the clock goes from 03:00 back to 02:00: what comes twice counts once, the first time.
#[test]
fn a_time_that_comes_twice_counts_once() {
    let daily = times("30 2 * * *", "Europe/Berlin", 0);
    let found = next(&daily, "2026-10-24T12:00:00Z", 2);
    assert_eq!(found, ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]);
    // Seen from within the hour that comes again.
    assert_eq!(next(&daily, "2026-10-25T01:10:00Z", 1), ["2026-10-26T01:30:00Z"]);
    let quarters = times("*/15 * * * *", "Europe/Berlin", 0);
    assert_eq!(next(&quarters, "2026-10-25T01:10:00Z", 1), ["2026-10-25T02:00:00Z"]);
}

#[test]
fn each_time_is_due_once_and_what_is_long_over_is_missed() {
    let daily = times("0 7 * * *", "UTC", 0);
    let base = at("2026-02-06T08:00:00Z");
    let before = daily.due(base, at("2026-02-07T06:59:59Z"));
    assert_eq!(before, Due { next: Some(at("2026-02-07T07:00:00Z")), ..Due::default() });
    let due = daily.due(base, at("2026-02-07T07:00:01Z"));
    assert_eq!((due.now, due.missed), (Some(at("2026-02-07T07:00:00Z")), None));
    // Once it is seen to, it is not due again.
    let again = daily.due(at("2026-02-07T07:00:00Z"), at("2026-02-07T07:00:02Z"));
    assert_eq!((again.now, again.missed), (None, None));
    let late = daily.due(base, at("2026-02-09T12:00:00Z"));
    let (first, last) = (at("2026-02-07T07:00:00Z"), at("2026-02-09T07:00:00Z"));
    assert_eq!((late.now, late.missed), (None, Some((3, first, last))));
    let both = daily.due(base, at("2026-02-09T07:05:00Z"));
    assert_eq!(both.now, Some(last));
    assert_eq!(both.missed, Some((2, first, at("2026-02-08T07:00:00Z"))));
}

/// Years without the service cost no more than a glance, and a clock that was set back brings nothing a second time.
#[test]
fn a_long_absence_and_a_clock_set_back_do_no_harm() {
    let minutes = times("* * * * *", "UTC", 0);
    let due = minutes.due(at("2016-01-01T00:00:00Z"), at("2026-01-01T00:00:30Z"));
    let (count, ..) = due.missed.unwrap();
    assert_eq!(count, 10_000);
    assert_eq!(due.next, Some(at("2026-01-01T00:01:00Z")));
    let back = minutes.due(at("2026-01-01T00:00:00Z"), at("2025-12-31T23:00:00Z"));
    assert_eq!((back.now, back.missed), (None, None));
}

#[test]
fn jitter_is_the_same_for_the_same_time_and_within_its_bound() {
    let spread = times("0 * * * *", "UTC", 60);
    let mut seen = std::collections::BTreeSet::new();
    let mut moment = at("2026-02-07T00:00:00Z");
    for _ in 0..200 {
        moment = spread.after(moment).unwrap();
        let jitter = spread.jitter(moment);
        assert!((0..=60).contains(&jitter));
        assert_eq!(jitter, times("0 * * * *", "UTC", 60).jitter(moment));
        seen.insert(jitter);
    }
    assert!(seen.len() > 30, "it spreads: {seen:?}");
    assert_eq!(times("0 * * * *", "UTC", 0).jitter(moment), 0);
}

#[test]
fn what_is_no_time_is_refused_with_its_key() {
    for (cron, zone, key, words) in [
        ("0 7 * *", "UTC", "cron", "4 field(s)"),
        ("0 7 * * * UTC", "UTC", "cron", "6 field(s)"),
        ("99 7 * * *", "UTC", "cron", "not an expression"),
        ("soon or very much later", "UTC", "cron", "not an expression"),
        ("0 7 30 2 *", "UTC", "cron", "never comes"),
        ("0 7 * * *", "Mars/Olympus", "zone", "not a time zone"),
    ] {
        let (at, why) = Times::new(&"test".parse().unwrap(), cron, zone, 0).unwrap_err();
        assert_eq!(at, key, "{why}");
        assert!(why.contains(words) && !why.contains('\n'), "{why}");
    }
}

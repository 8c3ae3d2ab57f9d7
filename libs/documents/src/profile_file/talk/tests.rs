use super::*;
use crate::profile_file::Profile;

fn read(text: &str) -> Result<Talk, Vec<String>> {
    let parsed = Profile::parse(text, Vec::new, |_| Err("no home"));
    parsed.map(|profile| profile.talk).map_err(|faults| faults.iter().map(ToString::to_string).collect())
}

fn talk(text: &str) -> Talk {
    read(text).expect("a profile without faults")
}

fn at(text: &str) -> Zoned {
    text.parse().expect("a moment")
}

fn berlin(text: &str) -> Zoned {
    at(&format!("{text}[Europe/Berlin]"))
}

#[test]
fn a_profile_without_the_section_limits_nothing() {
    assert!(talk("audience: child").is_unsaid());
    assert!(!talk("talk: {minutes_a_day: 1}").is_unsaid());
}

#[test]
fn every_wrong_value_is_named_with_what_is_allowed() {
    for (text, fault) in [
        ("talk: {minutes_a_day: 0}", "talk.minutes_a_day: must be a whole number from 1 to 1440"),
        ("talk: {minutes_a_day: sixty}", "talk.minutes_a_day: must be a whole number from 1 to 1440"),
        ("talk: {tokens_a_day: -1}", "talk.tokens_a_day: must be a whole number from 1"),
        ("talk: {quiet_hours: \"21:00\"}", "talk.quiet_hours: \"21:00\" is not a time; allowed"),
        ("talk: {quiet_hours: [\"9:00-25:00\"]}", "talk.quiet_hours: \"9:00-25:00\" is not a time"),
        ("talk: {quiet_hours: \"07:00-07:00\"}", "talk.quiet_hours: \"07:00-07:00\" is not a time"),
        ("talk: {quiet_hours: \"07:00-7:60\"}", "talk.quiet_hours: \"07:00-7:60\" is not a time"),
        ("talk: {quiet_hours: 21}", "talk.quiet_hours: \"21\" is not a time"),
        (
            "talk: {quiet_hours: [\"00:00-12:00\", \"12:00-24:00\"]}",
            "talk.quiet_hours: the whole day is quiet",
        ),
        ("talk: {time_zone: Europe/Nowhere}", "talk.time_zone: \"Europe/Nowhere\" is not a time zone"),
        (
            "talk: {minutes: 3}",
            "talk.minutes: this key is unknown; allowed: minutes_a_day tokens_a_day quiet_hours time_zone",
        ),
    ] {
        let faults = read(text).expect_err(text);
        assert!(faults.iter().any(|told| told.starts_with(fault)), "{text}: {faults:?}");
    }
}

#[test]
fn a_quiet_time_over_midnight_holds_on_both_sides_of_it() {
    let talk = talk("talk: {quiet_hours: \"21:00-07:00\"}");
    let until = |now: &str| talk.quiet_until(&berlin(now)).map(|end| end.datetime().to_string());
    assert_eq!(until("2026-11-30T20:59:59"), None);
    assert_eq!(until("2026-11-30T21:00:00").as_deref(), Some("2026-12-01T07:00:00"));
    assert_eq!(until("2026-11-30T23:59:59.5").as_deref(), Some("2026-12-01T07:00:00"));
    assert_eq!(until("2026-12-01T00:00:00").as_deref(), Some("2026-12-01T07:00:00"));
    assert_eq!(until("2026-12-01T06:59:59").as_deref(), Some("2026-12-01T07:00:00"));
    assert_eq!(until("2026-12-01T07:00:00"), None);
}

#[test]
fn several_times_that_touch_end_together() {
    let talk = talk("talk: {quiet_hours: [\"12:00-14:00\", \"20:00-24:00\", \"0:00-06:30\"]}");
    let until = |now: &str| talk.quiet_until(&berlin(now)).map(|end| end.datetime().to_string());
    assert_eq!(until("2026-11-30T13:00:00").as_deref(), Some("2026-11-30T14:00:00"));
    assert_eq!(until("2026-11-30T22:00:00").as_deref(), Some("2026-12-01T06:30:00"));
    let again = talk.again(&berlin("2026-12-01T00:00:00"));
    assert_eq!(again.datetime().to_string(), "2026-12-01T06:30:00");
}

/// On the night in March the clock goes from 2 to 3, in October from 3 to 2.
#[test]
fn a_change_of_summer_time_ends_no_quiet_hour_early_or_late() {
    let both = talk("talk: {quiet_hours: [\"21:00-07:00\", \"12:00-12:30\"]}");
    let hours = |now: &str| {
        let now = berlin(now);
        let end = both.quiet_until(&now).expect("it is quiet");
        assert_eq!(end.time().to_string(), "07:00:00");
        end.timestamp().as_second() - now.timestamp().as_second()
    };
    assert_eq!(hours("2026-03-28T21:00:00"), 9 * 3600);
    assert_eq!(hours("2026-10-24T21:00:00"), 11 * 3600);
    // An end that the clock never shows is the moment after which it shows a later one.
    let gap = talk("talk: {quiet_hours: \"01:00-02:30\"}");
    let end = gap.quiet_until(&berlin("2026-03-29T01:30:00")).expect("it is quiet");
    assert_eq!(end.time().to_string(), "03:00:00");
}

#[test]
fn the_beginning_of_a_quiet_time_is_seen_five_minutes_ahead() {
    let talk = talk("talk: {quiet_hours: \"21:00-07:00\"}");
    let soon = |now: &str| talk.quiet_soon(&berlin(now)).map(|from| from.time().to_string());
    assert_eq!(soon("2026-11-30T20:54:59"), None);
    assert_eq!(soon("2026-11-30T20:55:00").as_deref(), Some("21:00:00"));
    assert_eq!(soon("2026-11-30T20:59:59").as_deref(), Some("21:00:00"));
    assert_eq!(soon("2026-11-30T21:00:00"), None);
}

/// A silence of at most five minutes counts; after a longer one a line counts a minute, and an answer as long as it took.
#[test]
fn talk_is_counted_between_lines_and_while_an_answer_comes() {
    let mut spent = Spent::default().at(&berlin("2026-11-30T12:00:00"));
    let mut count = |now: &str, took: Option<u64>| {
        match took {
            None => spent.line(&berlin(now)),
            Some(took) => spent.answer(&berlin(now), Duration::from_secs(took)),
        }
        spent.seconds
    };
    assert_eq!(count("2026-11-30T12:00:00", None), 60);
    assert_eq!(count("2026-11-30T12:00:20", Some(20)), 80);
    assert_eq!(count("2026-11-30T12:05:20", None), 380);
    assert_eq!(count("2026-11-30T12:10:21", None), 440);
    assert_eq!(count("2026-11-30T12:22:21", Some(720)), 1160);
    // A clock that goes back takes nothing away.
    assert_eq!(count("2026-11-30T12:00:00", None), 1220);
}

#[test]
fn a_new_day_begins_anew_and_a_clock_set_back_begins_none_again() {
    let used = Spent { seconds: 3_600, ..Spent::default().at(&berlin("2026-11-30T12:00:00")) };
    let seconds = |spent: &Spent, now: &str| spent.clone().at(&berlin(now)).seconds;
    assert_eq!(seconds(&used, "2026-11-30T23:59:59"), 3_600);
    assert_eq!(seconds(&used, "2026-12-01T00:00:00"), 0);
    // Back by a day, and forward to the day that had its budget.
    let back = used.clone().at(&berlin("2026-11-29T12:00:00"));
    assert_eq!(back.seconds, 3_600);
    assert_eq!(seconds(&back, "2026-11-30T12:00:00"), 3_600);
    assert_eq!(seconds(&back, "2026-12-01T12:00:00"), 0);
    // A clock that was years ahead locks nothing for years.
    let ahead = Spent { day: "2036-01-01".to_owned(), ..used }.at(&berlin("2026-11-30T12:00:00"));
    assert_eq!((ahead.seconds, ahead.day.as_str()), (3_600, "2026-12-01"));
    assert_eq!(seconds(&ahead, "2026-12-02T00:00:00"), 0);
    assert_eq!(ahead.over(&berlin("2026-11-30T12:00:00")).datetime().to_string(), "2026-12-02T00:00:00");
}

#[test]
fn the_person_hears_once_that_little_is_left() {
    let talk = talk("talk: {minutes_a_day: 10, tokens_a_day: 1000}");
    let mut spent = Spent { seconds: 299, tokens: 899, ..Spent::default() };
    assert_eq!(talk.nearly_over(&mut spent), NearlyOver::default());
    (spent.seconds, spent.tokens) = (301, 900);
    assert_eq!(talk.nearly_over(&mut spent), NearlyOver { minutes: Some(5), tokens: true });
    assert_eq!(talk.nearly_over(&mut spent), NearlyOver::default());
    assert_eq!(Spent::read(&spent.written()), None, "an account without a day is none");
    let spent = spent.at(&berlin("2026-11-30T12:00:00"));
    assert_eq!(Spent::read(&spent.written()), Some(spent));
    for odd in ["", "{}", "x", r#"{"day":"2026-13-01","last":0,"seconds":0,"tokens":0}"#] {
        assert_eq!(Spent::read(odd), None, "{odd}");
    }
}

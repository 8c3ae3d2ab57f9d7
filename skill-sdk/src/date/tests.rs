use std::format;
use std::string::ToString;

use super::*;

#[test]
fn every_day_of_the_calendar_survives_the_round_trip_and_follows_its_neighbour() {
    let mut before = Date::from_days(MIN_DAYS).unwrap();
    assert_eq!(before.to_string(), "0001-01-01");
    for days in MIN_DAYS + 1..=MAX_DAYS {
        let date = Date::from_days(days).unwrap();
        assert_eq!(date.days(), days);
        assert!(date > before);
        before = date;
    }
    assert_eq!(before.to_string(), "9999-12-31");
}

#[test]
fn days_outside_the_calendar_do_not_exist() {
    for days in [MIN_DAYS - 1, MAX_DAYS + 1, i64::MIN, i64::MAX] {
        assert_eq!(Date::from_days(days), None);
    }
    for (year, month, day) in
        [(2023, 2, 29), (2023, 0, 1), (2023, 13, 1), (2023, 4, 31), (0, 1, 1), (2023, 1, 0)]
    {
        assert_eq!(Date::new(year, month, day), None);
    }
}

#[test]
fn known_days_have_known_numbers_and_weekdays() {
    let day = |year, month, day| Date::new(year, month, day).unwrap();
    assert_eq!(day(1970, 1, 1).days(), 0);
    assert_eq!(day(2000, 3, 1).days(), 11_017);
    assert_eq!(day(1970, 1, 1).weekday(), Weekday::Thursday);
    assert_eq!(day(2030, 1, 1).weekday().to_string(), "Tuesday");
    assert_eq!(day(1600, 2, 29).weekday(), Weekday::Tuesday);
    assert_eq!(day(2024, 2, 28).days_until(day(2024, 3, 1)), 2);
    assert_eq!(day(2023, 2, 28).plus_days(1), Date::new(2023, 3, 1));
    assert_eq!(day(2023, 2, 28).plus_days(i64::MAX), None);
}

#[test]
fn leap_years_follow_the_rule_of_400() {
    let leap = [2000, 2024, 2400].map(Date::is_leap);
    let common = [1900, 2023, 2100].map(Date::is_leap);
    assert_eq!((leap, common), ([true; 3], [false; 3]));
}

#[test]
fn dates_are_read_as_people_write_them() {
    for text in [
        "2030-01-31",
        " 2030-1-31 ",
        "2030/01/31",
        "31.1.2030",
        "31.01.2030",
        "31 January 2030",
        "January 31, 2030",
        "Jan 31st 2030",
        "31. Januar 2030",
    ] {
        assert_eq!(Date::parse(text), Date::new(2030, 1, 31), "{text}");
    }
    assert_eq!(Date::parse("3 März 2031"), Date::new(2031, 3, 3));
    assert_eq!(Date::parse("3 may 2031"), Date::new(2031, 5, 3));
}

#[test]
fn what_is_no_date_is_not_read() {
    for text in [
        "",
        "tomorrow",
        "2030-02-30",
        "1.2",
        "2030-01-01-01",
        "-1-1-1",
        "31 Foo 2030",
        "31 m 2030",
        "99999-1-1",
    ] {
        assert_eq!(Date::parse(text), None, "{text}");
    }
}

#[test]
fn a_text_that_is_not_a_date_is_named_in_a_sentence() {
    assert_eq!("2024-02-29".parse::<Date>(), Ok(Date::new(2024, 2, 29).unwrap()));
    for text in ["2023-02-29", "31.4.2023", "0000-01-01", "10000-01-01", "übermorgen"] {
        let why = text.parse::<Date>().unwrap_err();
        assert_eq!(why.to_string(), format!("`{text}` is not a date such as 2030-01-31"));
    }
}

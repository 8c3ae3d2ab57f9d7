use super::*;

#[test]
fn a_date_is_written_out_in_each_language() {
    let day: jiff::Zoned = "2026-11-21T08:00:00+00:00[UTC]".parse().unwrap();
    assert_eq!(date(&day, Language::DEFAULT), "Today is Saturday, 21 November 2026.");
    let german = Language::of_code("de").unwrap();
    assert_eq!(date(&day, german), "Heute ist Samstag, der 21. November 2026.");
}

#[test]
fn the_tools_are_found_in_both_languages() {
    let clock = Clock::default();
    for tool in clock.tools() {
        for language in ["en", "de"] {
            assert!(tool.phrases.iter().any(|p| p.0 == language), "{} {language}", tool.name);
        }
    }
}

#[test]
fn a_zone_is_local_universal_or_one_of_the_database() {
    let local = TimeZone::fixed(jiff::tz::offset(3));
    assert_eq!(zone("local", &local).unwrap(), local);
    assert_eq!(zone("UTC", &local).unwrap(), TimeZone::UTC);
    for name in ["Europe/Zuerich", "../etc/passwd", "/etc/localtime", "Mars", "a b"] {
        let why = zone(name, &local).unwrap_err().to_string();
        assert!(why.contains("Europe/Zurich") && why.contains("utc"), "{name}: {why}");
    }
}

#[test]
fn the_tools_go_by_their_plain_names() {
    let clock = Clock::default();
    let names: Vec<String> = clock.tools().iter().map(|tool| clock.full_name(&tool.name)).collect();
    assert_eq!(names, ["time", "date", "until", "later", "earlier", "week", "age"]);
}

#[test]
fn a_city_is_found_by_the_name_that_people_type() {
    let local = TimeZone::UTC;
    for (typed, expected) in [
        ("tokyo", "Asia/Tokyo"),
        ("Tokio", "Asia/Tokyo"),
        ("New York", "America/New_York"),
        ("Zürich", "Europe/Zurich"),
        ("zuerich", "Europe/Zurich"),
        ("Wien", "Europe/Vienna"),
        ("san francisco", "America/Los_Angeles"),
    ] {
        assert_eq!(zone(typed, &local).unwrap(), TimeZone::get(expected).unwrap(), "{typed}");
    }
}

fn today() -> jiff::civil::Date {
    jiff::civil::date(2026, 11, 24)
}

#[test]
fn a_day_is_read_as_people_write_it() {
    for (text, expected) in [
        ("20 July 1969", "1969-07-20"),
        ("July 20th, 1969", "1969-07-20"),
        ("the 2nd of May", "2027-05-02"),
        ("9. november 1989", "1989-11-09"),
        ("15.2.2025", "2025-02-15"),
        ("3.4.", "2027-04-03"),
        ("2030-01-01", "2030-01-01"),
        ("christmas", "2026-12-25"),
        ("heiligabend", "2026-12-24"),
        ("new year's eve", "2026-12-31"),
        ("silvester", "2026-12-31"),
        ("easter", "2027-03-28"),
        ("this saturday", "2026-11-28"),
        ("nächsten freitag", "2026-11-27"),
        ("übermorgen", "2026-11-26"),
        ("3 weeks from now", "2026-12-15"),
        ("a fortnight from today", "2026-12-08"),
        ("in 2 monaten", "2027-01-24"),
        // The day on which it is asked is a Tuesday.
        ("friday in 3 weeks", "2026-12-18"),
        ("tuesday in 3 weeks", "2026-12-15"),
        ("in einer woche samstag", "2026-12-05"),
        ("29 february", "2028-02-29"),
        ("july", "2027-07-01"),
    ] {
        let day = when::day(text, today()).map(|day| day.to_string());
        assert_eq!(day.as_deref(), Some(expected), "{text}");
    }
    for text in [
        "",
        "our anniversary",
        "my trip to Rome",
        "31 february",
        "5",
        "the party",
        "monday and tuesday and 3 cakes",
        "3 may in 2 weeks",
        "friday in 10 days",
    ] {
        assert_eq!(when::day(text, today()), None, "{text}");
    }
}

#[test]
fn the_year_of_a_birth_depends_on_the_birthday() {
    let born = |birthday| count::year_of_birth(78, when::day(birthday, today()).unwrap(), today());
    assert_eq!(born("9 March"), 1948);
    assert_eq!(born("24 November"), 1948);
    assert_eq!(born("25 November"), 1947);
}

#[test]
fn a_time_of_day_and_a_span_are_read_as_people_write_them() {
    for (text, expected) in [
        ("8:05", "08:05"),
        ("11 pm", "23:00"),
        ("11pm", "23:00"),
        ("6:30", "06:30"),
        ("8 uhr 50", "08:50"),
        ("halbzehn", "09:30"),
        ("half past seven", "07:30"),
        ("quarter to 8", "07:45"),
        ("viertel nach acht", "08:15"),
        ("noon", "12:00"),
        ("12 am", "00:00"),
    ] {
        let time = when::time(text).map(|(time, _)| time.strftime("%H:%M").to_string());
        assert_eq!(time.as_deref(), Some(expected), "{text}");
    }
    for text in ["", "the morning", "25:00", "8:7", "dinner"] {
        assert_eq!(when::time(text), None, "{text}");
    }
    assert_eq!(when::span("half an hour").map(|span| span.get_minutes()), Some(30));
    assert_eq!(when::span("30 min").map(|span| span.get_minutes()), Some(30));
    assert_eq!(when::span("a while").map(|span| span.get_minutes()), None);
}

#[test]
fn a_place_is_found_in_what_is_said_of_somebody() {
    let zoned = |text: &str| zone(text, &TimeZone::UTC).ok();
    assert_eq!(zoned("my aunt in Vancouver"), TimeZone::get("America/Vancouver").ok());
    assert_eq!(zoned("my aunt in Narnia"), None);
}

/// What is outside of the calendar is not understood; it never ends the program.
#[test]
fn a_span_that_no_calendar_holds_is_none() {
    let today = jiff::civil::date(2026, 11, 24);
    for text in ["50000 years", "-99999999 years", "999999999 days", "19000 years 19000 years"] {
        assert!(when::span(text).is_none(), "{text}");
        assert!(when::day(text, today).is_none(), "{text}");
    }
    assert!(when::span("3 years").is_some());
}

proptest::proptest! {
    #[test]
    fn any_words_are_a_day_a_span_a_time_or_nothing(
        words in proptest::collection::vec("(-?[0-9]{1,20}|[0-9.:]{1,12}|[a-zäöü]{1,8}|years|weeks|min|halb|past|may|pm|easter)", 0..8),
        text in ".{0,40}",
    ) {
        let today = jiff::civil::date(9990, 2, 28);
        for text in [words.join(" "), text] {
            let _ = (when::day(&text, today), when::span(&text), when::time(&text));
        }
    }
}

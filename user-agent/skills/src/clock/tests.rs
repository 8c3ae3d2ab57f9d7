use super::*;

#[test]
fn a_date_is_written_out_in_each_language() {
    let day: jiff::Zoned = "2026-11-21T08:00:00+00:00[UTC]".parse().unwrap();
    assert_eq!(date(&day, Language::DEFAULT), "Today is Saturday, 21 November 2026.");
    let german = Language::of_code("de").unwrap();
    assert_eq!(date(&day, german), "Heute ist Samstag, der 21. November 2026.");
}

#[test]
fn both_tools_are_found_in_both_languages() {
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
fn both_tools_go_by_their_plain_names() {
    let clock = Clock::default();
    let names: Vec<String> = clock.tools().iter().map(|tool| clock.full_name(&tool.name)).collect();
    assert_eq!(names, ["time", "date"]);
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

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
            assert!(tool.phrases.iter().any(|p| p.language == language), "{} {language}", tool.name);
        }
    }
}

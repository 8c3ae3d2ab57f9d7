use settings::bot::BOT;

use super::*;

fn read(text: &str) -> (HelpLines, Vec<String>) {
    let indented: String = text.lines().map(|line| format!("  {line}\n")).collect();
    let mut top = documents::settings::section(BOT, &format!("help_lines:\n{indented}"));
    let mut section = top.section("help_lines");
    let lines = HelpLines::of(&mut section);
    top.close(section);
    (lines, top.finish().iter().map(ToString::to_string).collect())
}

#[test]
fn without_a_region_the_numbers_stand_with_their_countries_and_fit_a_console() {
    for (language, country) in
        [("de", "Deutschland: 112"), ("en", "United States: 911"), ("fr", "Europe: 112")]
    {
        let shown = HelpLines::default().shown(language);
        assert!(shown.iter().any(|line| line.starts_with(country)), "{shown:?}");
        assert!(shown.iter().all(|line| line.contains(": ") && line.chars().count() <= 78), "{shown:?}");
    }
    let german = HelpLines::default().shown("de").join("\n");
    for number in ["112", "116 111", "0800 111 0 111"] {
        assert!(german.contains(number), "{german}");
    }
    assert!(german.contains("Europa: ") && !german.contains("children"), "{german}");
    let english = HelpLines::default().shown("en").join("\n");
    assert!(!english.contains("Europa: ") && !english.contains("Kinder"), "{english}");
    assert!(english.contains("988") && english.contains("116 123 (Samaritans)"), "{english}");
}

#[test]
fn each_region_has_its_country() {
    let mut codes = COUNTRIES.map(|country| country.code).to_vec();
    codes.dedup();
    assert_eq!(codes, REGIONS);
}

#[test]
fn a_region_shows_its_own_numbers_after_those_of_the_house() {
    let (lines, faults) = read("region: de\nown: [\"Frau Berg, Schule: 030 123\"]\n");
    assert!(faults.is_empty(), "{faults:?}");
    let shown = lines.shown("en");
    assert_eq!(shown[..2], ["Frau Berg, Schule: 030 123", "112 (Notruf)"]);
    assert!(shown.iter().all(|line| !line.contains("911")), "{shown:?}");
}

#[test]
fn what_is_no_country_or_no_line_is_named_with_what_is_allowed() {
    let (_, faults) = read("region: atlantis\n");
    assert!(faults[0].contains("\"atlantis\"") && faults[0].contains("de at ch gb"), "{faults:?}");
    for own in ["[\"\"]", "[\"a\\u202eb\"]", "[a, b, c, d, e, f, g, h, i]"] {
        let (_, faults) = read(&format!("own: {own}\n"));
        assert!(faults.iter().any(|fault| fault.contains("own")), "{own}: {faults:?}");
    }
    assert!(!read("lines: [x]\n").1.is_empty(), "an unknown key is named");
}

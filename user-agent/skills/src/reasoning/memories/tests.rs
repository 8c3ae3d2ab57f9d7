use super::*;

#[test]
fn a_day_that_counts_from_another_gets_its_date() {
    let told: Zoned = "2026-11-30T10:00:00+01:00[Europe/Zurich]".parse().unwrap();
    let english = Language::of_code("en").unwrap();
    let german = Language::of_code("de").unwrap();
    let dated = |text: &str, language| counted(text, &told, language);
    assert_eq!(
        dated("mum's birthday is tomorrow", english).unwrap(),
        "mum's birthday is tomorrow (Tuesday, 1 December 2026)"
    );
    assert_eq!(
        dated("the party is the day after tomorrow at 6", english).unwrap(),
        "the party is the day after tomorrow (Wednesday, 2 December 2026) at 6"
    );
    assert_eq!(
        dated("wir fahren morgen in den Urlaub", german).unwrap(),
        "wir fahren morgen (Dienstag, 1. Dezember 2026) in den Urlaub"
    );
    for (text, language) in [
        ("the dog is called Rex", english),
        ("the bins go out on tuesday", english),
        ("ich nehme jeden Morgen eine Tablette", german),
        ("am Morgen nehme ich eine Tablette", german),
    ] {
        assert_eq!(dated(text, language), None, "{text}");
    }
}

use super::*;

const ENGLISH: Tongue = Tongue::ENGLISH;

#[test]
fn the_sign_tells_what_is_done_and_never_wraps() {
    assert_eq!(sign('|', ("thinking", ENGLISH), 0, 80), "| thinking 0 s");
    assert_eq!(
        sign('/', ("calling dice.roll", ENGLISH), 12, 80),
        "/ calling dice.roll 12 s  (Ctrl-C cancels)"
    );
    let german = Tongue::of(Some("de"));
    assert_eq!(sign('|', ("denkt nach", german), 3, 80), "| denkt nach 3 s  (Strg-C bricht ab)");
    for columns in [1, 5, 10, 20, 40, 80] {
        for doing in ["thinking", &"x".repeat(200), &"日本".repeat(60)] {
            assert!(sign('-', (doing, german), 100, columns).width() < columns.max(1), "{columns} {doing}");
        }
    }
    assert!(sign('-', (&"x".repeat(200), ENGLISH), 7, 80).contains("... 7 s"), "the time is never cut away");
}

#[test]
fn a_cut_counts_columns_and_not_characters() {
    assert_eq!(cut("short", 10), "short");
    assert_eq!(cut("日本日本日本", 8), "日本...");
    assert_eq!(cut("abcdefgh", 6), "abc...");
}

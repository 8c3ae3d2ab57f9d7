use super::*;

#[test]
fn a_period_is_days_or_forever_and_the_error_names_both() {
    for (text, keep, shown) in [
        ("90 days", Keep::Days(90), "90 days"),
        (" 90d ", Keep::Days(90), "90 days"),
        ("1 day", Keep::Days(1), "1 day"),
        ("36525 days", Keep::Days(36_525), "36525 days"),
        ("forever", Keep::Forever, "forever"),
    ] {
        assert_eq!(text.parse(), Ok(keep), "{text}");
        assert_eq!(keep.to_string(), shown);
        assert_eq!(keep.to_string().parse(), Ok(keep));
    }
    for text in [
        "",
        "90",
        "0 days",
        "36526 days",
        "-1 days",
        "+1 days",
        "1.5 days",
        "3 months",
        "days",
        "99999999999d",
    ] {
        let why = text.parse::<Keep>().unwrap_err().to_string();
        assert!(why.contains("`forever`") && why.contains("`90 days`"), "{why}");
    }
}

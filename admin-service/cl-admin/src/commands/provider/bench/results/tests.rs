use super::*;

#[test]
fn an_answer_is_right_where_the_expected_text_stands_by_itself() {
    for (answer, expect) in [
        ("12", "12"),
        ("It is 12.", "12"),
        ("(12)", "12"),
        ("`a-b`!", "a-b"),
        ("112, or 12", "12"),
        ("Pace: 5:00 a kilometre", "5:00"),
        ("Das sind 2 9 Buchstaben", "2 9"),
    ] {
        assert!(is_right(answer, expect), "{answer}");
    }
    for (answer, expect) in [
        ("112", "12"),
        ("120", "12"),
        ("-12", "12"),
        ("12.5", "12"),
        ("0.12", "12"),
        ("15:00", "5:00"),
        ("5:00:30", "5:00"),
        ("--a-b--", "a-b"),
        ("xa", "a"),
        ("ä12ß", "12"),
        ("", "12"),
    ] {
        assert!(!is_right(answer, expect), "{answer}");
    }
}

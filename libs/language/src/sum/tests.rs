use super::*;

fn said(line: &str, earlier: &[&str]) -> String {
    match sum(line, earlier, languages::detect(line)) {
        Some(Sum::Result { result, rounded, .. }) => format!("{}{result}", if rounded { "~" } else { "" }),
        Some(Sum::ByZero) => "by zero".to_owned(),
        Some(Sum::TooLarge) => "too large".to_owned(),
        None => "none".to_owned(),
    }
}

#[test]
fn sums_are_worked_out_as_people_type_them() {
    for (line, result) in [
        ("12+7", "19"),
        ("0.1+0.2", "0.3"),
        ("what is 15% of 80?", "12"),
        ("what's 20 percent of 45.50", "9.1"),
        ("(3+4)*2", "14"),
        ("calculate (3+4) x 5 please", "35"),
        ("half of 90", "45"),
        ("a third of 10", "~3.333333"),
        ("twelve times eleven", "132"),
        ("how much is 144 divided by 12", "12"),
        ("can you add 199 and 302 for me", "501"),
        ("multiply 3 by 4", "12"),
        ("2 to the power of 10", "1024"),
        ("square root of 81?", "9"),
        ("square root of 2", "~1.414214"),
        ("80 + 19%", "95.2"),
        ("80 - 20%", "64"),
        ("2+3*4", "14"),
        ("-5 + 3", "-2"),
        ("1,000 - 333", "667"),
        ("7 / 2", "3.5"),
        ("was ist 7 mal 8", "56"),
        ("15 % von 80", "12"),
        ("wie viel ist 3,5 + 2,75", "6,25"),
        ("wieviel sind 96 geteilt durch 8", "12"),
        ("was sind 19 prozent von 200 euro", "38"),
        ("kannst du 1000 minus 481 rechnen bitte", "519"),
        ("rechne mal (12-4)*3", "24"),
        ("die hälfte von 90", "45"),
        ("sechs mal sechs", "36"),
        ("what is 5 divided by 0", "by zero"),
        ("was ist 10 durch 0", "by zero"),
        ("10^100", "too large"),
        ("9 to the power of 0.5", "too large"),
    ] {
        assert_eq!(said(line, &[]), result, "{line}");
    }
}

#[test]
fn a_sum_goes_on_from_the_one_before() {
    assert_eq!(said("times 2", &["what's 250 minus 75"]), "350");
    assert_eq!(said("und das mal 3", &["was macht 48 + 52"]), "300");
    assert_eq!(said("plus 1", &["times 2", "3+4"]), "15");
    assert_eq!(said("times 2", &["hello", "3+4"]), "none");
    assert_eq!(said("times 2", &["3+4", "a", "b", "c", "d", "e", "f", "g", "h"]), "14");
    assert_eq!(said("times 2", &[]), "none");
}

#[test]
fn what_is_no_sum_is_none() {
    for line in [
        "",
        "42",
        "-5",
        "15%",
        "roll 3d6+2",
        "what is my age",
        "2 eggs and 3 apples",
        "call 030-123456",
        "2026-11-23 is a date",
        "24/7 support",
        "a+b",
        "12 +",
        "((1+2)",
        "1..2 + 3",
        "the sky is blue",
        "half of the cake",
        "one",
        "if i have 3 apples and eat 1 how many do i have",
        "stell einen timer auf 5 minuten",
        "/help",
        "::",
        "%",
    ] {
        assert_eq!(said(line, &[]), "none", "{line}");
    }
    assert_eq!(said(&format!("{}1{}", "(".repeat(90), ")".repeat(90)), &[]), "none");
    assert_eq!(said(&"1+".repeat(200), &[]), "none");
}

proptest::proptest! {
    #[test]
    fn no_line_breaks_the_reader(line in "[0-9a-z+*/^()%., -]{0,60}") {
        let _ = said(&line, &["1+2"]);
    }
}

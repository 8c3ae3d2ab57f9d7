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
        ("17 mod 5", "2"),
        ("what is 20 modulo 6", "2"),
        ("-7 mod 3 + 1", "3"),
        ("was ist der rest von 17 geteilt durch 5", "2"),
        ("round 3.7", "~4"),
        ("round 4.56 to 1 decimal", "~4.6"),
        ("runde 3,7", "~4"),
        ("quarter of 340", "85"),
        ("whats 100 take away 37", "63"),
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
        ("add 20% vat to 50", "60"),
        ("whats 20% off 80", "64"),
        ("10% trinkgeld auf 64 euro, gesamt bitte", "70,4"),
        ("split 82.50 by 5", "16.5"),
        ("add up 12 + 7 + 19", "38"),
        ("15 out of 60 in percent", "25"),
        ("what percent of 60 is 15", "25"),
        ("15 von 60 sind wieviel prozent", "25"),
        ("50 euro plus 19% mwst", "59,5"),
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

/// A line, and the sum with its result as they are said.
fn shown_as(line: &str) -> String {
    match sum(line, &[], languages::detect(line)) {
        Some(Sum::Result { sum, result, .. }) => format!("{sum} = {result}"),
        other => format!("{other:?}"),
    }
}

#[test]
fn sums_in_prose_are_worked_out_and_shown() {
    for (line, expected) in [
        ("if 4 tickets cost 58 euros how much is one", "58 ÷ 4 = 14.5"),
        ("If four tickets cost £58, how much does one cost?", "58 ÷ 4 = 14.5"),
        ("6 eggs cost 2.40, how much are 10 eggs?", "2.4 ÷ 6 × 10 = 4"),
        ("i have 20 pounds, i buy 3 comics for 4.25 each, how much is left?", "20 - 3 × 4.25 = 7.25"),
        ("if i have 3 apples and eat 1 how many do i have", "3 - 1 = 2"),
        ("jacket was 120 its 30% off now, what do i pay", "120 - 30% = 84"),
        ("VAT is 20%. Net 1,450. Gross?", "1450 + 20% = 1740"),
        ("a recipe for 4 needs 300g of flour. how much flour for 6 people?", "300 ÷ 4 × 6 = 450"),
        ("whats 7 times 8 i always forgett", "7 × 8 = 56"),
        ("quick, 12 x 12, for my homework", "12 × 12 = 144"),
        ("3 bread rolls at 45 cents each", "3 × 45 = 135"),
        ("i got 36 out of 45 points, what percentage is that", "36 ÷ 45 × 100 = 80"),
        ("if one ticket is 12.50 how much are 4", "4 × 12.5 = 50"),
        ("I earn 15 an hour and work 38 hours, how much is that", "15 × 38 = 570"),
        ("3 kids get 45 sweets, how many does each get", "45 ÷ 3 = 15"),
        ("was kosten 4 kinokarten wenn eine 12,50 kostet", "4 × 12,5 = 50"),
        ("3 brötchen zu 45 cent", "3 × 45 = 135"),
        ("3 brezen kosten 2,85 was kosten dann 7", "2,85 ÷ 3 × 7 = 6,65"),
        ("netto 349 euro, was ist das mit 19% mwst", "349 + 19% = 415,31"),
        (
            "wir sind 4 leute und die rechnung macht 93,60 plus 10% trinkgeld, was zahlt jeder",
            "(93,6 + 10%) ÷ 4 = 25,74",
        ),
        ("wir haben 24 kinder und 5 sind krank, wie viele sind dann noch da?", "24 - 5 = 19"),
        ("ein rezept für 4 personen braucht 300 g mehl, wieviel mehl brauche ich für 6", "300 ÷ 4 × 6 = 450"),
        ("mein bruder ist 3 jahre älter als ich und ich bin 13, wie alt ist er", "13 + 3 = 16"),
        ("die hose kostet 80 euro und ist um 25% reduziert, was zahle ich", "80 - 25% = 60"),
    ] {
        assert_eq!(shown_as(line), expected, "{line}");
    }
}

#[test]
fn amounts_are_converted_where_nothing_else_is_said() {
    for (line, expected) in [
        ("5 feet 11 in cm", "5 ft 11 in = 180.34 cm"),
        ("how many ounces in half a kilo", "0.5 kg = 17.64 oz"),
        ("350 fahrenheit what is that in normal degrees", "350 °F = 176.7 °C"),
        ("60 mph in kmh", "60 mph = 96.56 km/h"),
        ("how many feet are in a mile?", "1 mi = 5280 ft"),
        ("convert 180 degrees celsius to fahrenheit", "180 °C = 356 °F"),
        ("what's 200 cm in feet", "200 cm = 6.562 ft"),
        ("wieviel gramm sind 2 1/2 kilo", "2,5 kg = 2500 g"),
        ("80 kmh wieviel meter pro sekunde", "80 km/h = 22,22 m/s"),
        ("rechne 3,5 kilometer in meter um", "3,5 km = 3500 m"),
        ("wie viele minuten sind zweieinhalb stunden", "2,5 h = 150 min"),
        ("wie viel ist eine meile in km", "1 mi = 1,609 km"),
        ("how many bytes are 3 GiB?", "3 GiB = 3221225472 bytes"),
        ("wie viele MB sind 3 GiB?", "3 GiB = 3221,2 MB"),
    ] {
        assert_eq!(shown_as(line), expected, "{line}");
    }
    for line in [
        "5 km",
        "61 kilos",
        "how many grams of sugar are in a cup",
        "is it 5 miles to the beach",
        "what is 3 metres",
        "5 km in kg",
        "i weigh 61 kilos",
        "wie warm ist es in grad",
        "how long is a day",
    ] {
        assert_eq!(said(line, &[]), "none", "{line}");
    }
}

#[test]
fn a_result_is_rounded_halved_and_gone_on_from() {
    assert_eq!(said("sqrt(2)*10", &[]), "~14.142136");
    assert_eq!(said("round it", &["sqrt(2)*10"]), "~14");
    assert_eq!(said("round it to 2 decimals", &["sqrt(2)*10"]), "~14.14");
    assert_eq!(said("and half of it?", &["200 + 45"]), "122.5");
    assert_eq!(said("die hälfte davon", &["was ist 7 mal 8"]), "28");
    assert_eq!(said("and minus 4", &["if 4 tickets cost 58 euros how much is one"]), "10.5");
    assert_eq!(said("and what is 20% of that", &["double that", "40 + 5"]), "18");
    assert_eq!(said("round it", &["hello"]), "none");
    assert_eq!(said("half of it", &[]), "none");
}

#[test]
fn what_is_no_sum_is_none() {
    for line in [
        "i have 20 pounds and 3 comics",
        "my car cost 3000 and is 4 years old",
        "the meeting with 3 people is at 4, how long is it",
        "tickets are 12 and the train leaves at 8:30, when do i go",
        "what is 7 times 8 and who was 9th",
        "how many kids are in class 3b if 2 left on 14 may",
        "3 people at 4",
        "ich habe 2 katzen und 1 hund",
        "der termin mit 3 leuten ist um 4",
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

/// Each line looks at those before it; a line of them must not look at all of them again.
#[test]
fn many_lines_that_go_on_from_nothing_cost_no_more_than_their_number() {
    let earlier = ["and in feet?"; 200];
    assert!(sum("and in feet?", &earlier, Language::DEFAULT).is_none());
}

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
        ("15 out of 60 in percent", "25%"),
        ("what percent of 60 is 15", "25%"),
        ("15 von 60 sind wieviel prozent", "25 %"),
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
        ("we have 350 gold and theres 4 of us how much each", "350 ÷ 4 = 87.5"),
        ("total came to 31.60, five of us, split it", "31.6 ÷ 5 = 6.32"),
        ("pizza was 58.40 for 4 people with 5 tip", "(58.4 + 5) ÷ 4 = 15.85"),
        ("12 V at 3.5 A how many watts", "12 × 3.5 = 42"),
        ("500 ml over 4 hours how many ml per hour", "500 ÷ 4 = 125"),
        ("3 chapters a day for 2 weeks how many chapters", "3 × 2 × 7 = 42"),
        ("my water butt holds 210 litres, how many 15 litre cans is that", "210 ÷ 15 = 14"),
        ("whats pi to 5 digits", "3.141593 = 3.14159"),
        ("bill was 84.60 split between 4 with 10 percent tip", "(84.6 + 10%) ÷ 4 = 23.265"),
        ("wir waren zu viert essen 87,40 mit 10% trinkgeld was zahlt jeder", "(87,4 + 10%) ÷ 4 = 24,035"),
        ("brutto 1.785 euro, wieviel ist das ohne 19 % mehrwertsteuer", "1785 ÷ (100 + 19) × 100 = 1500"),
        ("230 v und 16 a wieviel watt", "230 × 16 = 3680"),
        ("If four tickets cost £58, how much does one cost?", "58 ÷ 4 = 14.5"),
        ("6 eggs cost 2.40, how much are 10 eggs?", "2.4 ÷ 6 × 10 = 4"),
        ("i have 20 pounds, i buy 3 comics for 4.25 each, how much is left?", "20 - 3 × 4.25 = 7.25"),
        ("if i have 3 apples and eat 1 how many do i have", "3 - 1 = 2"),
        ("jacket was 120 its 30% off now, what do i pay", "120 - 30% = 84"),
        ("VAT is 20%. Net 1,450. Gross?", "1450 + 20% = 1740"),
        ("a recipe for 4 needs 300g of flour. how much flour for 6 people?", "300 ÷ 4 × 6 = 450 g"),
        ("whats 7 times 8 i always forgett", "7 × 8 = 56"),
        ("quick, 12 x 12, for my homework", "12 × 12 = 144"),
        ("3 bread rolls at 45 cents each", "3 × 45 = 135"),
        ("i got 36 out of 45 points, what percentage is that", "36 ÷ 45 = 80%"),
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
        (
            "ein rezept für 4 personen braucht 300 g mehl, wieviel mehl brauche ich für 6",
            "300 ÷ 4 × 6 = 450 g",
        ),
        ("mein bruder ist 3 jahre älter als ich und ich bin 13, wie alt ist er", "13 + 3 = 16"),
        ("die hose kostet 80 euro und ist um 25% reduziert, was zahle ich", "80 - 25% = 60"),
        ("Was sind 19 % Mehrwertsteuer auf 1.284,50 Euro?", "19% × 1284,5 = 244,055"),
        ("what's the VAT on 1,284.50 at 20%", "1284.5 × 20% = 256.9"),
        ("the VAT on 1,284.50 at 20% incl.", "1284.5 + 20% = 1541.4"),
        ("whats 2/3 of 1 1/2 cups", "2 ÷ 3 × 1.5 = 1"),
        ("and 12 x 12 i bet you dont know it", "12 × 12 = 144"),
        ("ruby is in the lead now :( whats 100 take away 67", "100 - 67 = 33"),
        ("3 bleche mit je 28 plätzchen, aufgeteilt auf 5 dosen?", "3 × 28 ÷ 5 = 16,8"),
        ("4 trays of 12 muffins split between 6 boxes", "4 × 12 ÷ 6 = 8"),
        ("ich brauch 24 säckchen für den kalender, hab erst 17. wieviele fehlen", "24 - 17 = 7"),
        ("we need 30 chairs and have 22, how many are missing", "30 - 22 = 8"),
        ("wer zuerst 20 hat gewinnt, ich hab 6 und 5 und 4, wieviel fehlt mir", "20 - 6 - 5 - 4 = 5"),
        ("meine pension ist 1640 euro, die miete 590, was bleibt da", "1640 - 590 = 1050"),
        ("my pension is 1450 and the rent is 620, what's left", "1450 - 620 = 830"),
        ("kostet 449, hab 180 und krieg 30 im monat. wie viele monate", "(449 - 180) ÷ 30 = 8,966667"),
        ("it costs 200, i have 50 and get 25 a week, how many weeks", "(200 - 50) ÷ 25 = 6"),
        ("im rezept sind 350 g mehl für 4 leute, wir sind 7. wieviel mehl", "350 ÷ 4 × 7 = 612,5 g"),
        ("its 300 g of rice for 4 people, we are 6. how much rice", "300 ÷ 4 × 6 = 450 g"),
        ("was ist der schnitt von 3, 2, 4 und 2", "(3 + 2 + 4 + 2) ÷ 4 = 2,75"),
        ("hab in mathe ne 3, ne 2, ne 4 und nochmal ne 2, was ist der schnitt", "(3 + 2 + 4 + 2) ÷ 4 = 2,75"),
        ("i got 71, 84, 90, 65 and 80, what's my average", "(71 + 84 + 90 + 65 + 80) ÷ 5 = 78"),
        ("what's 3.5 lbs at 25 minutes a pound", "25 × 3.5 = 87.5"),
        ("das fleisch kostet 14,90 das kilo, was macht das bei 1,8 kg", "14,9 × 1,8 = 26,82"),
        ("14,90 das kilo, was machen 800 g", "14,9 × 0,8 = 11,92"),
        ("62.50 a day, 3 days a week", "62.5 × 3 = 187.5"),
        (
            "the nursery charges 62.50 a day, 3 days a week, what's that a month roughly",
            "62.5 × 3 × 52 ÷ 12 = 812.5",
        ),
        ("my rent is 780 and i earn 1900, whats left", "1900 - 780 = 1120"),
        ("soup for 4 needs 600 ml of stock, we are 9. how much stock", "600 ÷ 4 × 9 = 1350 ml"),
        ("rezept für 4 mit 250 g reis, wir sind 6. wieviel reis", "250 ÷ 4 × 6 = 375 g"),
        ("i got 12, 15 and 18 points, whats my average", "(12 + 15 + 18) ÷ 3 = 15"),
        ("17 x 6 my teacher says its hard", "17 × 6 = 102"),
        ("wenn der braten 1,8 kilo hat und pro person 250 g, reicht das fuer 7", "1800 - 7 × 250 = 50"),
        ("i have 2 kg of rice and 80 g per person, is that enough for 20", "2000 - 20 × 80 = 400"),
        (
            "ich verdien 14 euro die stunde, 20 stunden die woche, wieviel ist das im monat",
            "14 × 20 × 52 ÷ 12 = 1213,33",
        ),
        ("12 euro pro stunde, 15 stunden die woche, wieviel ist das", "12 × 15 = 180"),
        ("durchschnitt von 2, 3, 3, 1, 4, 5, 2, 3", "(2 + 3 + 3 + 1 + 4 + 5 + 2 + 3) ÷ 8 = 2,875"),
        ("mean of 2, 3, 3, 1, 4", "(2 + 3 + 3 + 1 + 4) ÷ 5 = 2.6"),
        ("sam got 45 31 and 28 whats his total", "45 + 31 + 28 = 104"),
        ("oli hat 45 31 und 28 was ist das zusammen", "45 + 31 + 28 = 104"),
        ("bis jetzt 200 + 150 + 250 ml getrunken, summe?", "200 + 150 + 250 = 600 ml"),
        ("i got 39 40 20", "39 + 40 + 20 = 99"),
        ("hab 39 40 und 20", "39 + 40 + 20 = 99"),
        ("3 cats and 2 dogs, how many animals in total", "3 + 2 = 5"),
        ("rent 780, car 300, food 250 total", "780 + 300 + 250 = 1330"),
        ("miete 780, auto 300, essen 250, zusammen?", "780 + 300 + 250 = 1330"),
        ("23 von 30 punkten in prozent", "23 ÷ 30 = 76,67 %"),
        ("what is 17/24 as a percentage", "17 ÷ 24 = 70.83%"),
        ("3 out of 28 pupils missing, what percent is that", "3 ÷ 28 = 10.71%"),
        ("ey was ist 3/4 + 2/5", "3 ÷ 4 + 2 ÷ 5 = 23/20 = 1,15"),
        ("was ist 3/4 + 2/5 als bruch", "3 ÷ 4 + 2 ÷ 5 = 23/20 (1 3/20)"),
        ("what is 0.375 as a fraction", "0.375 = 3/8"),
        ("simplify 12/18", "12 ÷ 18 = 2/3"),
        ("kürze 12/18", "12 ÷ 18 = 2/3"),
        ("wie viel ist 9 stunde mal 14 euro", "9 × 14 = 126"),
        ("quadratmeter preis 28,90 mal 8,2", "28,9 × 8,2 = 236,98"),
        ("bad 2,40 mal 3,10", "2,4 × 3,1 = 7,44"),
        ("bathroom 2.40 times 3.10", "2.4 × 3.1 = 7.44"),
        ("48 kartons a 12 stk", "48 × 12 = 576"),
        ("48 boxes x 12 pcs", "48 × 12 = 576"),
        ("3 mal 250 ml", "3 × 250 = 750 ml"),
        ("2 plus 3 liter", "2 + 3 = 5 l"),
        ("rent 780 plus 120", "780 + 120 = 900"),
        ("12 kids, 3 pizza slices each, 8 slices a pizza, how many pizzas", "12 × 3 ÷ 8 = 4.5"),
        ("12 kinder, jedes 3 stücke, 8 stücke pro pizza, wie viele pizzen", "12 × 3 ÷ 8 = 4,5"),
        ("its 18 quid the trip and ive got two kids going so thats", "18 × 2 = 36"),
        ("380 miles at 55 mph how long", "380 ÷ 55 = 6 h 55 min"),
        ("380 km mit 120 km/h wie lange", "380 ÷ 120 = 3 h 10 min"),
        ("wie lange brauche ich für 380 km mit 120 km/h", "380 ÷ 120 = 3 h 10 min"),
        ("how far do i get in 2 hours at 60 mph", "60 × 2 = 120 mi"),
        ("100 km in 2 stunden wie schnell ist das", "100 ÷ 2 = 50 km/h"),
        ("10k in 52 minutes whats that per km", "52 ÷ 10 = 5:12 min/km"),
        ("10 km in 52 minuten, was ist das pro km", "52 ÷ 10 = 5:12 min/km"),
        ("recipe is 1.8 kg flour for 30 rolls, how much for 50", "1.8 ÷ 30 × 50 = 3 kg"),
        ("1,8 kg mehl für 30 brötchen, wieviel für 50", "1,8 ÷ 30 × 50 = 3 kg"),
        ("2 kg apples for 3 euros how much for 5", "3 ÷ 2 × 5 = 7.5"),
        ("65% hydration on 3 kg flour", "65% × 3 = 1.95"),
        ("we're 6 ppl and the bill is 187.20", "187.2 ÷ 6 = 31.2"),
        ("wir sind 6 leute und die rechnung ist 187,20", "187,2 ÷ 6 = 31,2"),
        ("10101101 binary to decimal", "10101101₂ = 173"),
        ("0x1F in dezimal", "1F₁₆ = 31"),
        ("what is 42 in binary", "42 = 101010₂"),
        ("255 als hexadezimal", "255 = FF₁₆"),
        ("hex ff", "FF₁₆ = 255"),
        ("was ist 1011 binär", "1011₂ = 11"),
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
        ("what's 3/4 of a cup in ml", "0.75 US cup = 177.44 ml"),
        ("and 350 fahrenheit in celsius? recipe's from my cousin", "350 °F = 176.7 °C"),
        ("i weigh 172 lbs in kg?", "172 lb = 78.02 kg"),
        ("ich wiege 172 pfund, was ist das in kg", "172 Pfund = 86 kg"),
        ("30 dag Butter wievü is des in Gramm", "30 dag = 300 g"),
        ("my dad is 6 ft 2 in cm", "6 ft 2 in = 187.96 cm"),
        ("das backbuch ist aus amerika: 350 grad fahrenheit sind wieviel celsius", "350 °F = 176,7 °C"),
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
fn a_line_behind_a_sum_takes_up_its_numbers_or_its_result() {
    for (earlier, line, expected) in [
        (&["15% of 240"][..], "what about 17.5%", "17.5% × 240 = 42"),
        (&["what about 17.5%", "15% of 240"], "and for 300?", "17.5% × 300 = 52.5"),
        (&["15% von 260"], "ne quatsch 25%", "25% × 260 = 65"),
        (&["17.5% of 240"], "and of 360", "17.5% × 360 = 63"),
        (&["12 mal 3"], "und durch vier", "36 ÷ 4 = 9"),
        (&["what's the VAT on 1,284.50 at 20%"], "and the total incl vat?", "1284.5 + 20% = 1541.4"),
        (
            &["Was sind 19 % Mehrwertsteuer auf 1.284,50 Euro?"],
            "Und der Bruttobetrag?",
            "1284,5 + 19% = 1528,555",
        ),
        (
            &["Und der Bruttobetrag?", "Was sind 19 % Mehrwertsteuer auf 1.284,50 Euro?"],
            "Bitte auch für 736 Euro.",
            "736 + 19% = 875,84",
        ),
        (&["what's 20 percent of 45.50"], "and for 736?", "20% × 736 = 147.2"),
        (&["62.50 a day, 3 days a week, what's that a month"], "and with 20% off?", "812.5 - 20% = 650"),
        (&["14,90 das kilo, was macht das bei 1,8 kg"], "und mit 10 prozent rabatt?", "26,82 - 10% = 24,138"),
        (
            &["350 g mehl für 4 leute, wir sind 7. wieviel mehl"],
            "und bei 180 ml milch?",
            "180 ÷ 4 × 7 = 315 ml",
        ),
        (&["350 g mehl für 4 leute, wir sind 7. wieviel mehl"], "runde das bitte", "612,5 = 613"),
        (
            &["meine pension ist 1640 euro, die miete 590, was bleibt da"],
            "davon noch 85 für strom weg",
            "1050 - 85 = 965",
        ),
        (&["1640 - 590"], "minus 85", "1050 - 85 = 965"),
        (&["23 von 30 punkten in prozent"], "und 28,5", "28,5 ÷ 30 = 95 %"),
        (&["23 out of 30 in percent"], "and 28 points", "28 ÷ 30 = 93.33%"),
        (&["ey was ist 3/4 + 2/5"], "als bruch bitte", "3 ÷ 4 + 2 ÷ 5 = 23/20 (1 3/20)"),
        (&["3/4 + 2/5"], "as a fraction", "3 ÷ 4 + 2 ÷ 5 = 23/20 (1 3/20)"),
        (
            &["bis jetzt 200 + 150 + 250 ml getrunken, summe?"],
            "wieviel fehlen auf 1,5 liter",
            "1500 - 600 = 900 ml",
        ),
        (&["200 + 150 + 250 ml total"], "how much is left to 1.5 l", "1500 - 600 = 900 ml"),
        (&["45 + 31"], "wie viel fehlt noch bis 100", "100 - 76 = 24"),
        (&["48 kartons a 12 stk"], "und 7 paletten davon", "576 × 7 = 4032"),
        (&["48 boxes x 12"], "and 7 pallets of those", "576 × 7 = 4032"),
        (&["10k in 52 minutes whats that per km"], "no 54 mins", "54 ÷ 10 = 5:24 min/km"),
        (&["10 km in 52 minuten, was ist das pro km"], "nein 54 minuten", "54 ÷ 10 = 5:24 min/km"),
        (&["we're 6 ppl and the bill is 187.20"], "with tip 12%", "31.2 + 12% = 34.944"),
        (&["wir sind 6 leute und die rechnung ist 187,20"], "mit trinkgeld 12%", "31,2 + 12% = 34,944"),
        (&["10101101 binary to decimal"], "and hex", "173 = AD₁₆"),
        (&["1640 - 590"], "und minus 85 für strom", "1050 - 85 = 965"),
        (
            &["hab ne 3, ne 2 und ne 4, was ist der schnitt"],
            "und wenn ich jetzt ne 1 schreib",
            "(3 + 2 + 4 + 1) ÷ 4 = 2,5",
        ),
        (&["apples are 2.40 a kilo, how much is 1.5 kg"], "and for 800 g?", "2.4 × 0.8 = 1.92"),
        (&["62.50 a day, 3 days a week"], "and with another 10% off", "187.5 - 10% = 168.75"),
        (&["2100 - 840"], "davon noch 60 fürs handy weg", "1260 - 60 = 1200"),
        (&["7 mal 8"], "mal 3", "56 × 3 = 168"),
        (&["7 mal 8"], "und geteilt durch 4", "56 ÷ 4 = 14"),
        (&["was kosten 4 kinokarten wenn eine 12,50 kostet"], "plus 19%", "50 + 19% = 59,5"),
    ] {
        let said = match sum(
            line,
            earlier,
            languages::detect_among([line].into_iter().chain(earlier.iter().copied())),
        ) {
            Some(Sum::Result { sum, result, .. }) => format!("{sum} = {result}"),
            other => format!("{other:?}"),
        };
        assert_eq!(said, expected, "{line}");
    }
    // Which number is meant is not clear, or there is none.
    for (earlier, line) in [
        (&["3 × 28 ÷ 5"][..], "and for 6?"),
        (&["3 + 4"], "und 28,5"),
        (&["hello"], "als bruch bitte"),
        (&["hello"], "and hex"),
        (&["3 + 4"], "no 54 mins"),
        (&["3 + 4"], "what about 20%"),
        (&["apples are 2.40 a kilo, how much is 1.5 kg"], "and for 500 ml?"),
        (&["12% of 80"], "and for 6 people"),
        (&["3 + 4"], "and the total incl vat?"),
        (&["hello"], "and with 20% off?"),
    ] {
        assert_eq!(said(line, earlier), "none", "{line}");
    }
}

#[test]
fn what_is_no_sum_is_none() {
    for line in [
        "sorry i meant friday, half eleven",
        "telefon nachbar 0171 5550123",
        "nachbar 555 1234",
        "jana 34 punkte, oli 41, ich 29",
        "the number 12 bus",
        "i was a bus driver, 31 years on the number 12",
        "fliese ist 30 mal 60 wieviel brauch ich da",
        "ich war 3 mal in 2 jahren dort",
        "bayern hat 3 zu 2 gewonnen",
        "open 9 - 17",
        "mein code ist 12 34 56",
        "der schnitt ist 2,3 bei 28 schülern",
        "total bill 84 for 4 kids",
        "3 boxes with 12 each, in total",
        "i did 3 x 10 pushups",
        "termin um 3 x 4 uhr",
        "i ran 10k in 52 minutes",
        "i drove 380 miles at 55 mph",
        "how long is the bus 12",
        "how much is 187 euros in dollars",
        "wie viel sind 187 euro in dollar",
        "i walk 5 miles a day",
        "binary",
        "the bad hex 12 thing",
        "2 tickets for 30 euro",
        "half 8",
        "half past 8",
        "what's 3/4 of a bucket in ml",
        "i run 5 km a day 3 days a week, is that healthy?",
        "i run 5 km a day 3 days a week, what should i eat?",
        "my train takes 2 hours and leaves at 9 pm, what is left",
        "der zug fährt um 9 uhr und es ist 7, was bleibt",
        "8 an hour, 5 days, how much",
        "my rent is 780, the car 300 and i earn 900, whats left",
        "3 tests and 55 points, what's my average",
        "what do you mean, 3 or 4?",
        "ich brauch 24 und hab 17",
        "4 - 5 i think",
        "and for 736?",
        "what about 17.5%",
        "und der bruttobetrag?",
        "davon noch 85 für strom weg",
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

//! Each family's skill, compiled and spoken to.

use super::harness::{self, Built, Said, build};
use super::*;

pub(super) fn learn(wish: &str, tokens: &[&str]) -> Built {
    let proposal = proposal(wish, tokens);
    let written = written(&proposal);
    let mut built = build(&proposal, &written);
    assert!(!written.examples.is_empty());
    for trial in &written.examples {
        match built.call(&trial.tool, &trial.args, "") {
            guest::ToolOutcome::Ok(text) => {
                assert!(text.contains(&trial.expect), "{wish}: {trial:?}: {text}")
            }
            other => panic!("{wish}: {trial:?}: {other:?}"),
        }
    }
    // The trials left their records behind.
    built.world.memory.clear();
    built.world.asked.clear();
    built
}

/// Every line with its whole answer; `-` stands for "not meant", a leading `!` for a refusal.
pub(super) fn answers(built: &mut Built, table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (line, expected) in table {
        let said = match built.say(line) {
            Said::Answer(text) => text,
            Said::Failed(why) => format!("!{why}"),
            Said::Nobody => "-".to_owned(),
        };
        if said != *expected {
            wrong.push(format!("{line}\n  said      {said}\n  expected  {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn dice_are_rolled_within_their_range() {
    let mut dice = learn("learn to roll dice", &[]);
    answers(
        &mut dice,
        &[
            ("roll 3d1+2", "My roll of 3d1+2 comes to 5: 1 + 1 + 1 + 2."),
            ("würfle 2w1", "Mein Wurf mit 2W1 ergibt 2: 1 + 1."),
            ("roll 1000d6", "!I roll 1 to 100 dice with 1 to 1000 sides."),
            ("roll up your sleeves", "-"),
            ("roll 2d", "-"),
            ("roll 5", "-"),
        ],
    );
    let range = [
        ("roll 3d6+2", 5, 20),
        ("roll d20", 1, 20),
        ("2d6", 0, 0),
        ("roll 2 d6 - 1", 1, 11),
        ("roll a die", 1, 6),
        ("throw two dice", 2, 12),
        ("roll 3 ten-sided dice!", 0, 0),
        ("roll 3 10-sided dice!", 3, 30),
        ("please roll d%", 1, 100),
        ("würfle 2W6+1", 3, 13),
        ("roll the dice", 2, 12),
    ];
    for (line, low, high) in range.into_iter().filter(|(_, low, _)| *low > 0) {
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..20 {
            let Said::Answer(text) = dice.say(line) else { panic!("{line}") };
            let words = text.replace(" ergibt ", " comes to ");
            let total = words.split(" comes to ").nth(1).unwrap().split([':', '.']).next().unwrap();
            let total: i64 = total.parse().unwrap_or_else(|_| panic!("{line}: {text}"));
            assert!((low..=high).contains(&total), "{line}: {text}");
            seen.insert(total);
        }
        assert!(seen.len() > 2, "{line} always gives {seen:?}");
    }
}

#[test]
fn temperatures_are_converted() {
    let mut units = learn("learn to convert temperatures", &[]);
    answers(
        &mut units,
        &[
            ("what is 100 Fahrenheit in Celsius?", "100 °F is 37.78 °C."),
            ("what's 37.5 C in F", "37.5 °C is 99.5 °F."),
            ("convert -40 celsius to fahrenheit", "-40 °C is -40 °F."),
            ("convert minus 40 degrees Celsius to Fahrenheit", "-40 °C is -40 °F."),
            ("300 kelvin in celsius", "300 K is 26.85 °C."),
            ("what is 72°F in °C?", "72 °F is 22.22 °C."),
            ("how hot is 451 fahrenheit in celsius?", "451 °F is 232.78 °C."),
            ("was sind 37,5 Grad Celsius in Fahrenheit?", "37,5 °C sind 99,5 °F."),
            ("rechne 20 Grad in Kelvin um", "-"),
            ("rechne 20 Grad Celsius in Kelvin um", "20 °C sind 293,15 K."),
            ("what is -500 C in F", "!That is below absolute zero."),
            ("what is love in Berlin", "-"),
            ("what is 5 km in miles", "-"),
            ("what is 7 in roman numerals", "-"),
        ],
    );
}

#[test]
fn other_units_are_converted_and_only_those_that_were_wished_for() {
    let mut length = learn("learn to convert miles and kilometres", &[]);
    answers(
        &mut length,
        &[
            ("convert 26.2 miles to km", "26.2 mi is 42.16 km."),
            ("how many inches are in 2 metres?", "2 m is 78.74 in."),
            ("what is 100 Fahrenheit in Celsius?", "-"),
        ],
    );
    let mut all = learn("learn to convert units of measurement", &[]);
    answers(
        &mut all,
        &[
            ("what is 5 pounds in kg", "5 lb is 2.27 kg."),
            ("what is 1 mm in km", "1 mm is 0.000001 km."),
            ("how many minutes are in 2.5 hours", "2.5 h is 150 min."),
            ("what is 5 kg in metres", "!kg and m do not measure the same thing."),
            ("was sind 3 Meilen in Kilometer?", "3 mi sind 4,83 km."),
        ],
    );
}

#[test]
fn capitals_are_asked_and_judged() {
    let mut quiz = learn("can you learn to quiz me on capitals?", &["user:input"]);
    for right in [true, false, true] {
        // The question decides the answer: ask once to learn it, then answer the same question.
        quiz.world.replies = [if right { "Paris" } else { "Atlantis" }.to_owned()].into();
        let Said::Answer(text) = quiz.say("quiz me") else { panic!() };
        let question = quiz.world.asked.last().unwrap().clone();
        let country = question.strip_prefix("What is the capital of ").unwrap().strip_suffix('?').unwrap();
        assert!(text.contains(&format!("The capital of {country} is ")), "{question} {text}");
        assert_eq!(text.starts_with("Right!"), right && country == "France", "{question} {text}");
    }
    answers(
        &mut quiz,
        &[
            ("the capital of France is paris", "Right! The capital of France is Paris."),
            ("the capital of Japan is Kyoto", "Not quite. The capital of Japan is Tokyo."),
            ("is Bern the capital of Switzerland?", "Right! The capital of Switzerland is Bern."),
            ("die Hauptstadt von Österreich ist Wien", "Richtig! Die Hauptstadt von Österreich ist Wien."),
            ("the capital of Atlantis is wet", "-"),
        ],
    );
    quiz.world.replies = ["Nowhere".to_owned(), "stop".to_owned()].into();
    let Said::Answer(text) = quiz.say("quiz me with 3 questions") else { panic!() };
    assert!(text.starts_with("Not quite.") && text.ends_with("You got 0 of 3 right."), "{text}");
    // Nobody to ask: the question itself, and how to answer it.
    let Said::Answer(text) = quiz.say("quiz me on capitals") else { panic!() };
    assert!(
        text.starts_with("What is the capital of ") && text.contains("Answer with: the capital of "),
        "{text}"
    );
}

#[test]
fn a_quiz_that_may_not_ask_puts_the_question_into_its_answer() {
    let mut quiz = learn("learn to quiz me on multiplication", &[]);
    let Said::Answer(text) = quiz.say("quiz me") else { panic!() };
    let sum = text.split("Answer with: ").nth(1).unwrap().strip_suffix(" is ...").unwrap().to_owned();
    let numbers: Vec<i64> = sum.split(" times ").map(|n| n.parse().unwrap()).collect();
    let product = numbers[0] * numbers[1];
    answers(
        &mut quiz,
        &[
            (&format!("{sum} is {product}"), &format!("Right! {sum} is {product}.")),
            ("12 times 12 is 145", "Not quite. 12 times 12 is 144."),
            ("my name is Anna", "-"),
        ],
    );
}

#[test]
fn other_subjects_are_asked_as_well() {
    let mut elements = learn("quiz me on chemical elements", &["user:input"]);
    answers(&mut elements, &[("the symbol for gold is Au", "Right! The symbol for gold is Au.")]);
    let mut states = learn("learn to quiz me on the capitals of US states", &["user:input"]);
    answers(&mut states, &[("the capital of Texas is Dallas", "Not quite. The capital of Texas is Austin.")]);
    let mut sums = learn("lerne mich im Kopfrechnen abzufragen", &["user:input"]);
    sums.world.replies = ["keine Ahnung".to_owned()].into();
    let Said::Answer(text) = sums.say("frag mich") else { panic!() };
    assert!(text.starts_with("Leider nein."), "{text}");
}

#[test]
fn texts_are_shifted_there_and_back() {
    let mut caesar = learn("learn the Caesar cipher", &[]);
    answers(
        &mut caesar,
        &[
            ("encode HELLO with shift 3", "KHOOR"),
            ("decode KHOOR with shift 3", "HELLO"),
            ("encode Attack at dawn, 6 o'clock with a shift of 29", "Dwwdfn dw gdzq, 6 r'forfn"),
            ("encode abc", "def"),
            ("encode abc with shift -1", "zab"),
            ("decrypt def", "abc"),
            ("verschlüssele Straße mit Verschiebung 1", "Tusbßf"),
            ("entschlüssele Tusbßf mit Verschiebung 1", "Straße"),
            ("caesar Zebra", "Cheud"),
        ],
    );
}

#[test]
fn other_ciphers_have_no_shift() {
    let mut rot13 = learn("learn rot13", &[]);
    answers(
        &mut rot13,
        &[("encode Hello with rot13", "Uryyb"), ("decode Uryyb", "Hello"), ("rot13 abc", "nop")],
    );
    let mut atbash = learn("learn the atbash cipher", &[]);
    answers(&mut atbash, &[("encode Hello", "Svool"), ("decode Svool", "Hello")]);
    let mut morse = learn("learn Morse code", &[]);
    answers(
        &mut morse,
        &[
            ("encode SOS in morse code", "... --- ..."),
            ("what is hi there in Morse code?", ".... .. / - .... . .-. ."),
            ("decode .... .. / - .... . .-. .", "HI THERE"),
            ("decode ... --- ...", "SOS"),
            ("encode a_b", "!Morse code has no sign for _."),
        ],
    );
}

#[test]
fn days_are_counted() {
    let mut dates = learn("learn to count the days until a date", &[]);
    // The clock says 2026-02-07 in universal time, and already the 8th where the person is.
    answers(
        &mut dates,
        &[
            ("how many days until 2030-01-01?", "There are 1423 days until 2030-01-01, a Tuesday."),
            ("how many days until 24 December 2026", "There are 319 days until 2026-12-24, a Thursday."),
            ("days until Christmas", "There are 320 days until 2026-12-25, a Friday."),
            ("how many days until christmas 2027?", "There are 685 days until 2027-12-25, a Saturday."),
            ("how many days until July 4", "There are 146 days until 2026-07-04, a Saturday."),
            ("when is Halloween?", "There are 265 days until 2026-10-31, a Saturday."),
            ("how many days until tomorrow", "There is 1 day until 2026-02-09, a Monday."),
            ("how many days until 2020-01-01", "2020-01-01, a Wednesday, was 2230 days ago."),
            ("how many days since 2024-02-29?", "710 days have passed since 2024-02-29."),
            (
                "how many days are between 2024-02-28 and 2024-03-01?",
                "There are 2 days between 2024-02-28 and 2024-03-01.",
            ),
            (
                "how many days until 2030-02-30?",
                "!I know no such day; a date looks like 2030-01-31, 31.1.2030 or 31 January 2030.",
            ),
            ("how many days until the cows come home", "-"),
            (
                "wie viele Tage sind es noch bis zum 24.12.2026?",
                "Es sind noch 319 Tage bis zum 24.12.2026, einem Donnerstag.",
            ),
            ("wie viele Tage bis Weihnachten?", "Es sind noch 320 Tage bis zum 25.12.2026, einem Freitag."),
            ("wie viele Tage seit 1.1.2026", "Seit dem 1.1.2026 sind 38 Tage vergangen."),
            ("when is dinner", "-"),
        ],
    );
    let mut christmas = learn("learn a countdown to Christmas", &[]);
    answers(
        &mut christmas,
        &[
            ("how many days are left?", "There are 320 days until 2026-12-25, a Friday."),
            ("how many days until Halloween", "There are 265 days until 2026-10-31, a Saturday."),
        ],
    );
    let mut weekdays = learn("lerne den Wochentag eines Datums zu sagen", &[]);
    answers(
        &mut weekdays,
        &[
            ("what day of the week is 2030-01-01?", "2030-01-01 is a Tuesday."),
            ("what day was 20 July 1969", "1969-07-20 was a Sunday."),
            ("welcher Wochentag ist der 3.10.2026?", "Der 3.10.2026 ist ein Samstag."),
            ("what day is it", "-"),
        ],
    );
}

#[test]
fn leap_years_are_told_with_the_reason() {
    let mut leap = learn("learn to tell leap years", &[]);
    answers(
        &mut leap,
        &[
            ("is 2100 a leap year?", "No, 2100 is not a leap year: it can be divided by 100 but not by 400."),
            ("is 2024 a leap year", "Yes, 2024 is a leap year: it can be divided by 4 and not by 100."),
            ("was 2000 a leap year?", "Yes, 2000 is a leap year: it can be divided by 400."),
            ("is the year 2023 a leap year?", "No, 2023 is not a leap year: it cannot be divided by 4."),
            (
                "ist 2028 ein Schaltjahr?",
                "Ja, 2028 ist ein Schaltjahr: es ist durch 4, aber nicht durch 100 teilbar.",
            ),
            ("when is the next leap year?", "The next leap year after 2026 is 2028."),
            ("what is the next leap year after 2096", "The next leap year after 2096 is 2104."),
            ("is soon a leap year", "-"),
        ],
    );
}

#[test]
fn roman_numerals_are_read_and_written_strictly() {
    let mut roman = learn("learn to convert Roman numerals", &[]);
    answers(
        &mut roman,
        &[
            ("what is MCMXCIV?", "MCMXCIV is 1994."),
            ("what is mcmxciv", "MCMXCIV is 1994."),
            ("what is 1994 in roman numerals", "1994 is MCMXCIV in Roman numerals."),
            ("convert 3999 to Roman numerals", "3999 is MMMCMXCIX in Roman numerals."),
            ("2026 as a roman numeral", "2026 is MMXXVI in Roman numerals."),
            ("what is IIII?", "!IIII is not a valid Roman numeral."),
            ("what is IC", "!IC is not a valid Roman numeral."),
            ("what is 4000 in roman numerals", "!Roman numerals go from 1 to 3999."),
            ("what number is XLIX?", "XLIX is 49."),
            ("what is the roman numeral mix", "MIX is 1009."),
            ("what is mix", "-"),
            ("what is love", "-"),
            ("what is 12", "-"),
            ("was ist MMXXVI?", "MMXXVI ist 2026."),
            ("was ist 49 als römische Zahl?", "49 ist XLIX in römischen Zahlen."),
        ],
    );
}

#[test]
fn offers_are_compared_by_their_unit_price() {
    let mut prices = learn("learn to do unit prices", &[]);
    answers(
        &mut prices,
        &[
            (
                "which is cheaper, 500 g for 2.49 or 750 g for 3.59?",
                "750 g for 3.59 is cheaper: 500 g for 2.49 costs 4.98 per kg, 750 g for 3.59 costs 4.79 per kg.",
            ),
            (
                "which is cheaper: 1.5 l for €0.99, 6 x 330 ml for €2.40 or 0,5 l for €0,45?",
                "1.5 l for €0.99 is cheaper: 1.5 l for €0.99 costs 0.66 € per l, 6 x 330 ml for €2.40 costs 1.21 € per l, 0,5 l for €0,45 costs 0.90 € per l.",
            ),
            (
                "what is cheaper, 6 eggs for $1.80 or 10 eggs for $2.90?",
                "10 eggs for $2.90 is cheaper: 6 eggs for $1.80 costs $0.30 per piece, 10 eggs for $2.90 costs $0.29 per piece.",
            ),
            (
                "was ist billiger, 500 g für 2,49 € oder 1 kg für 4,99 €?",
                "500 g für 2,49 € ist günstiger: 500 g für 2,49 € kostet 4,98 € je kg, 1 kg für 4,99 € kostet 4,99 € je kg.",
            ),
            (
                "which is cheaper, 100 g for 1 or 1 kg for 10?",
                "The cheapest ones cost the same: 100 g for 1 costs 10.00 per kg, 1 kg for 10 costs 10.00 per kg.",
            ),
            (
                "which is cheaper, 500 g for 2 or 1 l for 3?",
                "!These offers cannot be compared: their units or currencies differ.",
            ),
            ("compare apples and oranges", "-"),
            ("which is cheaper, the train or the bus?", "-"),
        ],
    );
}

#[test]
fn bills_are_split_to_the_cent() {
    let mut bill = learn("learn to split a bill", &[]);
    answers(
        &mut bill,
        &[
            (
                "split 84.60 between 4 with 10% tip",
                "With 10% tip it is 93.06: each pays 23.26 and 2 cents remain, so 2 pay 23.27 and 2 pay 23.26.",
            ),
            (
                "split 100 between 3",
                "It is 100.00: each pays 33.33 and 1 cent remains, so 1 pays 33.34 and 2 pay 33.33.",
            ),
            ("split €90 between 4 people", "It is 90.00 €: each of the 4 pays 22.50 €."),
            (
                "split a bill of $84.60 between 2 with a 15 percent tip",
                "With 15% tip it is $97.29: each pays $48.64 and 1 cent remains, so 1 pays $48.65 and 1 pays $48.64.",
            ),
            ("split 60 three ways", "It is 60.00: each of the 3 pays 20.00."),
            (
                "split 0.10 between 3 with 12.5% tip",
                "With 12.5% tip it is 0.11: each pays 0.03 and 2 cents remain, so 2 pay 0.04 and 1 pays 0.03.",
            ),
            (
                "teile 84,60 € durch 4 mit 10% Trinkgeld",
                "Mit 10 % Trinkgeld sind es 93,06 €: jeder zahlt 23,26 €, 2 Cent bleiben übrig, also 2 zahlen 23,27 € und 2 zahlen 23,26 €.",
            ),
            ("split 1,200 between 4", "It is 1200.00: each of the 4 pays 300.00."),
            ("teile 1.200 € durch 4", "Es sind 1200,00 €: jeder der 4 zahlt 300,00 €."),
            ("split 10 between 0", "!There must be 1 to 1000 people."),
            ("split the cake between 4", "-"),
        ],
    );
}

#[test]
fn a_list_is_kept_between_calls() {
    let mut list = learn("learn to keep a homework list", &["memory:read", "memory:write"]);
    answers(
        &mut list,
        &[
            ("what is my homework?", "Your homework list is empty."),
            ("add maths page 12 to my homework", "I added maths page 12 to your homework list."),
            ("what is my homework?", "On your homework list: maths page 12."),
            ("add a poem to my homework list", "I added a poem to your homework list; it has 2 entries now."),
            ("add A Poem to my homework", "A Poem is already on the list."),
            ("what's on my homework list", "On your homework list:\n1. maths page 12\n2. a poem"),
            ("remove poem from my homework", "I took a poem off your homework list."),
            ("remove tuba from my homework", "tuba is not on your homework list."),
            ("was sind meine Hausaufgaben?", "Auf deiner Liste „Homework“: maths page 12."),
            ("clear my homework", "Your homework list is empty now."),
            ("show my homework", "Your homework list is empty."),
            ("what is my name", "-"),
        ],
    );
    assert!(list.world.memory.is_empty());
}

#[test]
fn a_list_takes_several_at_once_and_asks_what_is_meant() {
    let mut list = learn("learn to keep a shopping list", &["memory:read", "memory:write"]);
    answers(
        &mut list,
        &[
            (
                "add milk and eggs to the shopping list",
                "I added milk and eggs to your shopping list; it has 2 entries now.",
            ),
            ("put batteries on my list", "I added batteries to your shopping list; it has 3 entries now."),
            (
                "add butter, peanut butter and milk to the list",
                "I added butter and peanut butter to your shopping list; it has 5 entries now.",
            ),
            (
                "what is on the list?",
                "On your shopping list:\n1. milk\n2. eggs\n3. batteries\n4. butter\n5. peanut butter",
            ),
            ("take butter off the list", "I took butter off your shopping list."),
            ("take butter off the list", "Which one do you mean: peanut butter?"),
            ("remove milk", "I took milk off your shopping list."),
            ("remove notes.txt", "-"),
            ("cross off the eggs", "I took eggs off your shopping list."),
            ("show me our list", "On your shopping list:\n1. batteries\n2. peanut butter"),
            (
                "remove batteries and peanut butter from the shopping list",
                "I took batteries and peanut butter off your shopping list.",
            ),
            ("what's on the shopping list", "Your shopping list is empty."),
            ("setz Milch auf die Einkaufsliste", "Ich habe Milch auf deine Liste „Shopping“ gesetzt."),
            (
                "setz Eier und Mehl auf die Liste",
                "Ich habe Eier und Mehl auf deine Liste „Shopping“ gesetzt; sie hat jetzt 3 Einträge.",
            ),
            (
                "schreib Brot auf unsere Einkaufsliste",
                "Ich habe Brot auf deine Liste „Shopping“ gesetzt; sie hat jetzt 4 Einträge.",
            ),
            ("was steht auf der Liste?", "Auf deiner Liste „Shopping“:\n1. Milch\n2. Eier\n3. Mehl\n4. Brot"),
            (
                "was steht noch auf der Einkaufsliste",
                "Auf deiner Liste „Shopping“:\n1. Milch\n2. Eier\n3. Mehl\n4. Brot",
            ),
            ("streich die Milch", "Ich habe Milch von deiner Liste „Shopping“ gestrichen."),
            ("streiche Eier von der Liste", "Ich habe Eier von deiner Liste „Shopping“ gestrichen."),
            (
                "nimm Mehl von der Einkaufsliste runter",
                "Ich habe Mehl von deiner Liste „Shopping“ gestrichen.",
            ),
            ("zeig mir die Liste", "Auf deiner Liste „Shopping“: Brot."),
            ("lösche die Liste", "Deine Liste „Shopping“ ist jetzt leer."),
            ("clear the list", "Your shopping list is empty now."),
        ],
    );
}

#[test]
fn two_lists_are_told_apart_by_their_names() {
    let tokens = ["memory:read", "memory:write"];
    let mut packing = learn("learn to keep a packing list", &tokens);
    answers(
        &mut packing,
        &[
            (
                "add socks and a torch to the packing list",
                "I added socks and a torch to your packing list; it has 2 entries now.",
            ),
            ("remove the torch from my packing list", "I took a torch off your packing list."),
            ("what is on the shopping list", "-"),
            ("add milk to the shopping list", "-"),
            ("was steht auf der Packliste?", "Auf deiner Liste „Packing“: socks."),
            ("clear my packing list", "Your packing list is empty now."),
        ],
    );
}

#[test]
fn a_list_is_about_what_the_wish_names() {
    let tokens = ["memory:read", "memory:write"];
    for (wish, add, show, expected) in [
        (
            "learn to keep a list of birds I saw",
            "add robin to my birds",
            "what are my birds",
            "On your birds list: robin.",
        ),
        (
            "keep my shopping list",
            "add milk to my shopping list",
            "what is on the grocery list?",
            "On your shopping list: milk.",
        ),
        (
            "learn to keep a to-do list",
            "add call mum to my todo list",
            "show my to-do list",
            "On your to-do list: call mum.",
        ),
        (
            "lerne eine Einkaufsliste zu führen",
            "setze Milch auf meine Einkaufsliste",
            "was steht auf meiner Einkaufsliste?",
            "Auf deiner Einkaufsliste: Milch.",
        ),
        (
            "learn to keep track of books",
            "add Momo to my books",
            "show me my books",
            "On your books list: Momo.",
        ),
        (
            "lerne meine Hausaufgaben zu merken",
            "füge Mathe zu meinen Hausaufgaben hinzu",
            "was sind meine Hausaufgaben",
            "Auf deiner Liste „Hausaufgaben“: Mathe.",
        ),
    ] {
        let mut list = learn(wish, &tokens);
        assert!(matches!(list.say(add), Said::Answer(_)), "{wish}: {add}");
        assert_eq!(list.say(show), Said::Answer(expected.to_owned()), "{wish}");
    }
}

#[test]
fn percentages_are_exact() {
    let mut percent = learn("learn to calculate percentages", &[]);
    answers(
        &mut percent,
        &[
            ("what is 15% of 80?", "15% of 80 is 12."),
            ("what's 7.5 percent of 19.99", "7.5% of 19.99 is 1.4993."),
            ("what percent of 120 is 30", "30 is 25% of 120."),
            ("add 19% to 50", "50 plus 19% is 59.5."),
            ("take 20% off 49.99", "49.99 minus 20% is 39.992."),
            ("was sind 15 Prozent von 80?", "15 % von 80 sind 12."),
            ("what percent of 0 is 5", "!There is no share of 0."),
        ],
    );
}

#[test]
fn calculations_are_exact() {
    let mut calculator = learn("learn to do arithmetic", &[]);
    answers(
        &mut calculator,
        &[
            ("what is (2 + 3) * 4.5?", "(2 + 3) * 4.5 is 22.5."),
            ("calculate 0.1 + 0.2", "0.1 + 0.2 is 0.3."),
            ("what is 2 plus 3 times 4", "2 plus 3 times 4 is 14."),
            ("what is 10 divided by 4", "10 divided by 4 is 2.5."),
            ("compute 1/3", "1/3 is about 0.3333333333."),
            ("what is -3 - -4", "-3 - -4 is 1."),
            ("calculate 2^64", "2^64 is 18446744073709551616."),
            ("calculate 1/0", "!Nothing can be divided by 0."),
            ("calculate 9^200", "!The numbers are too large for me."),
            ("calculate (2 + ", "!I cannot read that as a calculation."),
            ("what is 1,000 + 1.125", "1,000 + 1.125 is 1001.125."),
            ("was ist 1.000 plus 1,125?", "1.000 plus 1,125 ist 1001,125."),
            ("was ist 0.125 mal 8", "0.125 mal 8 ist 1."),
            ("was ist 3 mal 4,5?", "3 mal 4,5 ist 13,5."),
            ("what is love", "-"),
            ("what is 42", "-"),
        ],
    );
}

#[test]
fn words_and_letters_are_counted() {
    let mut counting = learn("learn to count words and letters", &[]);
    answers(
        &mut counting,
        &[
            ("how many words are in the quick brown fox?", "That is 4 words."),
            ("how many letters are in strawberry?", "That is 10 letters."),
            ("how many times does r appear in strawberry", "r occurs 3 times in strawberry."),
            ("wie viele Buchstaben hat Größe?", "Das sind 5 Buchstaben."),
            ("count the letters in to be", "That is 4 letters (5 characters with everything else)."),
        ],
    );
}

#[test]
fn chance_decides_between_what_is_named() {
    let mut chance = learn("learn to flip a coin and choose between things", &[]);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..40 {
        for line in ["flip a coin", "choose between tea, coffee or milk", "wähle zwischen Tee und Kaffee"] {
            let Said::Answer(text) = chance.say(line) else { panic!("{line}") };
            seen.insert(text);
        }
    }
    let expected = [
        "I choose coffee.",
        "I choose milk.",
        "I choose tea.",
        "Ich wähle Kaffee.",
        "Ich wähle Tee.",
        "It is heads.",
        "It is tails.",
    ];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), expected);
    assert_eq!(chance.say("pick flowers"), Said::Nobody);
}

/// All families side by side: the twelve wishes' second sentences reach their own skill.
#[test]
fn skills_installed_together_do_not_take_each_others_lines() {
    let memory = ["memory:read", "memory:write"];
    let wishes: [(&str, &[&str]); 17] = [
        ("learn to do arithmetic", &[]),
        ("learn to convert units of measurement", &[]),
        ("learn to roll dice", &[]),
        ("learn to quiz me on capitals", &["user:input"]),
        ("learn the Caesar cipher", &[]),
        ("learn to count the days until a date", &[]),
        ("learn to tell leap years", &[]),
        ("learn to convert Roman numerals", &[]),
        ("learn to do unit prices", &[]),
        ("learn to split a bill", &[]),
        ("learn to keep a homework list", &memory),
        ("learn to calculate percentages", &[]),
        ("learn to convert binary and hex numbers", &[]),
        ("learn to check prime numbers", &[]),
        ("learn to calculate the average of numbers", &[]),
        ("learn to calculate somebody's age", &[]),
        ("learn to reverse words and check palindromes", &[]),
    ];
    let mut skills: Vec<Built> = wishes.iter().map(|(wish, tokens)| learn(wish, tokens)).collect();
    for (line, owner) in [
        ("what is (2 + 3) * 4.5?", 0),
        ("what is 100 Fahrenheit in Celsius?", 1),
        ("roll 3d6+2", 2),
        ("the capital of France is Paris", 3),
        ("encode HELLO with shift 3", 4),
        ("how many days until 2030-01-01?", 5),
        ("is 2100 a leap year?", 6),
        ("what is MCMXCIV?", 7),
        ("what is 1994 in roman numerals", 7),
        ("which is cheaper, 500 g for 2.49 or 750 g for 3.59?", 8),
        ("split 84.60 between 4 with 10% tip", 9),
        ("add maths page 12 to my homework", 10),
        ("what is my homework?", 10),
        ("what is 15% of 80?", 11),
        ("what is 255 in binary?", 12),
        ("convert 0xff to decimal", 12),
        ("is 2027 a prime number?", 13),
        ("what is the average of 2, 3 and 4?", 14),
        ("how old is somebody born on 1990-05-17?", 15),
        ("what is snail backwards?", 16),
        ("is level a palindrome?", 16),
    ] {
        let (at, said, tried) = harness::say(&mut skills, line);
        assert_eq!(at, owner, "{line}: {said:?}");
        assert!(matches!(said, Said::Answer(_)), "{line}: {said:?}");
        // The companion asks at most five tools.
        assert!(tried <= 5, "{line}: {tried}");
    }
    assert_eq!(harness::say(&mut skills, "what is the meaning of life in one word?").1, Said::Nobody);
    for (skill, (wish, _)) in skills.iter().zip(&wishes) {
        assert!(skill.size < 300_000, "{wish}: {} bytes", skill.size);
        eprintln!(
            "{wish}: {} bytes, {} lines, {} ms",
            skill.size,
            skill.source.lines().count(),
            skill.compile_time.as_millis()
        );
    }
}

#[test]
fn tools_and_parameters_that_the_proposal_names_are_offered_exactly() {
    let text = json!({"type": "string"});
    let number = json!({"type": "number"});
    let cases = [
        (
            "roll dice",
            json!([{"name": "roll_dice", "description": "Roll dice", "parameters": {"type": "object", "properties": {"notation": text}, "required": ["notation"]}}]),
            "roll 3d1",
        ),
        (
            "roll dice",
            json!([{"name": "roll", "description": "Roll dice", "parameters": {"type": "object", "properties": {"count": {"type": "integer"}, "sides": {"type": "integer"}}}}]),
            "roll 3 dice with 1 sides",
        ),
        (
            "convert temperatures",
            json!([{"name": "convert_temperature", "description": "Converts", "parameters": {"type": "object", "properties": {"value": number, "from_unit": text, "to_unit": text}}}]),
            "what is 100 Fahrenheit in Celsius?",
        ),
        (
            "convert Roman numerals",
            json!([{"name": "to_roman", "description": "Number to numeral", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}, {"name": "from_roman", "description": "Numeral to number", "parameters": {"type": "object", "properties": {"roman": text}}}]),
            "what is MCMXCIV?",
        ),
        (
            "convert Roman numerals",
            json!([{"name": "convert_roman", "description": "Both ways", "parameters": {"type": "object", "properties": {"input": text}}}]),
            "what is MCMXCIV?",
        ),
        (
            "split a bill",
            json!([{"name": "split_bill", "description": "Splits", "parameters": {"type": "object", "properties": {"total": number, "people": {"type": "integer"}, "tip_percent": number}}}]),
            "split 84.60 between 4 with 10% tip",
        ),
        (
            "split a bill",
            json!([{"name": "split_bill", "description": "Splits", "parameters": {"type": "object", "properties": {"total": number, "num_people": {"type": "integer"}}}}]),
            "split 84.60 between 4",
        ),
        (
            "the Caesar cipher",
            json!([{"name": "caesar", "description": "Caesar cipher", "parameters": {"type": "object", "properties": {"message": text, "key": {"type": "integer"}, "mode": text}}}]),
            "",
        ),
        (
            "count the days until a date",
            json!([{"name": "days_until", "description": "Days until a date", "parameters": {"type": "object", "properties": {"target_date": text}}}]),
            "how many days until 2030-01-01?",
        ),
        (
            "keep a homework list",
            json!([{"name": "add_homework", "description": "Adds a task", "parameters": {"type": "object", "properties": {"task": text}}}, {"name": "list_homework", "description": "Lists all tasks", "parameters": {"type": "object", "properties": {}}}]),
            "add maths to my homework",
        ),
    ];
    for (wish, tools, line) in cases {
        let proposal = with_tools(wish, &["memory:read", "memory:write"], tools);
        let written = written(&proposal);
        let mut built = build(&proposal, &written);
        let offered: Vec<(String, Vec<String>)> = built
            .described
            .tools
            .iter()
            .map(|tool| {
                (
                    tool.name.to_string(),
                    tool.parameters.properties().map(|(name, _)| name.to_owned()).collect(),
                )
            })
            .collect();
        let mut wished: Vec<(String, Vec<String>)> = proposal
            .tools
            .iter()
            .map(|tool| {
                (
                    tool.name.to_string(),
                    tool.parameters.properties().map(|(name, _)| name.to_owned()).collect(),
                )
            })
            .collect();
        let mut offered_sorted = offered.clone();
        for (_, params) in wished.iter_mut().chain(&mut offered_sorted) {
            params.sort();
        }
        wished.sort();
        offered_sorted.sort();
        assert_eq!(offered_sorted, wished, "{wish}");
        assert!(!written.examples.is_empty(), "{wish}");
        for trial in &written.examples {
            let tool = built.described.tools.iter().find(|tool| tool.name.as_str() == trial.tool).unwrap();
            tool.parameters.check(&trial.args).unwrap();
            match built.call(&trial.tool, &trial.args, "") {
                guest::ToolOutcome::Ok(text) => {
                    assert!(text.contains(&trial.expect), "{wish}: {trial:?}: {text}")
                }
                other => panic!("{wish}: {trial:?}: {other:?}"),
            }
        }
        if !line.is_empty() {
            assert!(matches!(built.say(line), Said::Answer(_)), "{wish}: {line}: {offered:?}");
        }
    }
}

#[test]
fn passwords_have_the_length_and_the_kinds_that_were_asked_for() {
    let mut password = learn("learn to make strong passwords", &[]);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let Said::Answer(text) = password.say("make a password with 20 characters") else { panic!() };
        let made = text.strip_prefix("Here is a password, 20 characters: ").unwrap().to_owned();
        assert_eq!(made.len(), 20);
        for kind in [char::is_uppercase, char::is_lowercase, char::is_numeric] {
            assert!(made.chars().any(kind), "{made}");
        }
        seen.insert(made);
    }
    assert_eq!(seen.len(), 20, "no two are the same");
    let Said::Answer(text) = password.say("erzeuge mir ein sicheres Passwort") else { panic!() };
    assert!(text.starts_with("Hier ist ein Passwort, 16 Zeichen: "), "{text}");
    let Said::Answer(text) = password.say("give me a passphrase with 4 words") else { panic!() };
    assert_eq!(text.rsplit(": ").next().unwrap().split('-').count(), 4, "{text}");
    answers(&mut password, &[("make a sandwich", "-"), ("remember my password", "-")]);
}

#[test]
fn primes_and_factors_are_found() {
    let mut primes = learn("learn to check prime numbers, factors, gcd and lcm", &[]);
    answers(
        &mut primes,
        &[
            ("is 97 a prime number?", "97 is a prime number."),
            ("is 91 prime?", "91 is not a prime number: it is 7 × 13."),
            ("is 1 prime?", "1 is not a prime: a prime has exactly two divisors."),
            ("ist 9999999967 eine Primzahl?", "9999999967 ist eine Primzahl."),
            ("factor 360", "360 is 2^3 × 3^2 × 5."),
            ("factor 1", "1 is 1."),
            ("zerlege 84 in Primfaktoren", "84 ist 2^2 × 3 × 7."),
            ("what is the gcd of 84 and 36?", "The greatest common divisor of 84 and 36 is 12."),
            ("was ist der ggT von 84 und 36?", "Der größte gemeinsame Teiler von 84 und 36 ist 12."),
            ("lcm of 4 and 6", "The least common multiple of 4 and 6 is 12."),
            ("lcm of 9999999967 and 9999999966", "!The numbers are too large for me."),
            ("is -7 prime?", "!I work with whole numbers from 1 to 10000000000."),
            ("is the minister prime?", "-"),
        ],
    );
    let proposal = proposal("learn to tell prime numbers", &[]);
    assert_eq!(written(&proposal).author.text(), "template primes (prime)");
}

#[test]
fn numbers_are_written_in_other_bases() {
    let mut bases = learn("learn to convert binary and hex numbers", &[]);
    answers(
        &mut bases,
        &[
            ("what is 255 in binary?", "255 is 11111111 in binary."),
            ("convert 48879 to hex", "48879 is BEEF in hexadecimal."),
            ("what is 0xff in decimal?", "0xff is 255."),
            ("convert binary 1010 to decimal", "binary 1010 is 10."),
            ("what is hex ff in binary", "255 is 11111111 in binary."),
            ("was ist 10 als Binärzahl?", "10 ist binär 1010."),
            (
                "what is 18446744073709551615 in hex",
                "18446744073709551615 is FFFFFFFFFFFFFFFF in hexadecimal.",
            ),
            ("what is 1010 in decimal", "!Tell me what it is: binary 1010, hex ff or 0xff."),
            ("what is 18446744073709551616 in hex", "-"),
            ("what is love in binary", "-"),
            ("what is 7 in roman numerals", "-"),
        ],
    );
}

#[test]
fn letters_are_played_with() {
    let mut play = learn("learn to write words backwards, and check palindromes and anagrams", &[]);
    answers(
        &mut play,
        &[
            ("write snail backwards", "lians"),
            ("reverse the word Straße", "eßartS"),
            ("schreib Hallo rückwärts", "ollaH"),
            ("is level a palindrome?", "Yes, level is a palindrome."),
            (
                "is A man, a plan, a canal: Panama a palindrome?",
                "Yes, A man, a plan, a canal: Panama is a palindrome.",
            ),
            ("ist Rentier ein Palindrom?", "Nein, Rentier ist kein Palindrom."),
            ("are listen and silent anagrams?", "Yes, listen and silent are anagrams."),
            ("are listen and listen anagrams?", "No, listen and listen are not anagrams."),
            ("ist Lampe ein Anagramm von Palme?", "Ja, Lampe und Palme sind Anagramme."),
            ("is it raining?", "-"),
        ],
    );
}

#[test]
fn ages_are_counted_in_years_and_days() {
    // It is 8 February 2026 where the clock of this world stands.
    let mut age = learn("learn to calculate somebody's age", &[]);
    answers(
        &mut age,
        &[
            ("how old is somebody born on 2026-02-07?", "0 years, that is 1 days."),
            ("how old is someone born on 9 February 2025?", "0 years, that is 364 days."),
            ("how old am I if I was born on 2000-02-08?", "26 years, that is 9497 days. Happy birthday!"),
            ("how old is somebody born on 2000-02-09?", "25 years, that is 9496 days."),
            ("wie alt ist jemand der am 17.5.1990 geboren ist?", "35 Jahre, das sind 13051 Tage."),
            ("how old is somebody born on 2030-01-01?", "!That day is still to come."),
            ("how old is somebody born on the moon?", "-"),
            ("how old is the universe?", "-"),
        ],
    );
}

#[test]
fn the_body_mass_index_is_computed() {
    let mut bmi = learn("learn to calculate the BMI", &[]);
    answers(
        &mut bmi,
        &[
            (
                "what is my BMI with 81 kg and 1.8 m?",
                "The BMI is 25.0. For adults 18.5 to 25 counts as normal; it says no more than that.",
            ),
            (
                "bmi for 70 kg and 175 cm",
                "The BMI is 22.9. For adults 18.5 to 25 counts as normal; it says no more than that.",
            ),
            (
                "wie ist mein BMI bei 70 kg und 1,75 m?",
                "Der BMI ist 22,9. Bei Erwachsenen gelten 18,5 bis 25 als normal; mehr sagt er nicht.",
            ),
            (
                "bmi for 70 kg and 17 m",
                "!I need the weight in kilograms and the height in metres or centimetres.",
            ),
            ("bmi for elephants and mice", "-"),
        ],
    );
}

#[test]
fn rock_paper_and_scissors_beat_each_other() {
    let mut game = learn("learn to play rock paper scissors", &[]);
    let mut results = std::collections::BTreeSet::new();
    for _ in 0..40 {
        let Said::Answer(text) = game.say("I take rock") else { panic!() };
        results.insert(text);
    }
    assert_eq!(
        results.into_iter().collect::<Vec<_>>(),
        ["You: rock, me: paper. I win!", "You: rock, me: rock. A draw.", "You: rock, me: scissors. You win!"]
    );
    let Said::Answer(text) = game.say("ich nehme Schere!") else { panic!() };
    let expected = [
        "Du: Schere, ich: Stein. Ich gewinne!",
        "Du: Schere, ich: Papier. Du gewinnst!",
        "Du: Schere, ich: Schere. Unentschieden.",
    ];
    assert!(expected.contains(&text.as_str()), "{text}");
    answers(
        &mut game,
        &[
            ("I take the bus", "-"),
            (
                "lass uns Schere Stein Papier spielen",
                "Gern! Sag, was du nimmst: ich nehme Schere, ich nehme Stein oder ich nehme Papier.",
            ),
        ],
    );
}

#[test]
fn check_digits_are_checked() {
    let mut checks = learn("learn to check ISBN and IBAN numbers", &[]);
    answers(
        &mut checks,
        &[
            ("is 978-3-16-148410-0 a valid ISBN?", "The ISBN 9783161484100 is valid."),
            ("check the ISBN 0-8044-2957-x", "The ISBN 080442957X is valid."),
            (
                "is 0-306-40615-3 a valid ISBN?",
                "The ISBN 0306406153 is not valid: its last digit should be 2.",
            ),
            (
                "prüfe die ISBN 978-3-16-148410-1",
                "Die ISBN 9783161484101 ist nicht gültig: die letzte Ziffer müsste 0 sein.",
            ),
            ("is hello a valid ISBN?", "!An ISBN has 10 or 13 digits."),
            (
                "check the IBAN GB82 WEST 1234 5698 7654 32",
                "The IBAN GB82WEST12345698765432 is valid; whether there is such an account it does not tell.",
            ),
            (
                "is DE89 3704 0044 0532 0130 01 a valid IBAN?",
                "The IBAN DE89370400440532013001 is not valid: its check digits do not fit.",
            ),
            (
                "check the IBAN 12345",
                "!An IBAN has 15 to 34 characters: two letters, two digits and the account.",
            ),
        ],
    );
}

#[test]
fn words_are_spelled() {
    let mut spelling = learn("learn the NATO phonetic alphabet", &[]);
    answers(
        &mut spelling,
        &[
            ("spell Anna in the phonetic alphabet", "Alfa November November Alfa"),
            ("spell cab 7", "Charlie Alfa Bravo Seven"),
            ("buchstabiere Bär", "Bravo Alfa Echo Romeo"),
            ("spell ...", "-"),
        ],
    );
}

#[test]
fn averages_and_medians_are_computed() {
    let mut average = learn("learn to calculate the average of numbers", &[]);
    answers(
        &mut average,
        &[
            ("what is the average of 2, 3 and 4?", "The average of the 3 numbers is 3."),
            ("average of 1 2", "The average of the 2 numbers is 1.5."),
            ("mean of 1,2,4", "The average of the 3 numbers is 2.3333."),
            ("what is the average of -1.5 and 1.5", "The average of the 2 numbers is 0."),
            ("was ist der Durchschnitt von 1,5 und 2,5?", "Der Durchschnitt der 2 Zahlen ist 2."),
            ("median of 9, 1, 4 and 100", "The median of the 4 numbers is 6.5."),
            ("was ist der Median von 3 1 2", "Der Median der 3 Zahlen ist 2."),
            ("what is the average of cats and dogs", "-"),
            ("average of 7", "-"),
        ],
    );
}

#[test]
fn jokes_riddles_and_facts_come_in_the_language_of_the_line() {
    let mut sayings = learn("learn to tell jokes, riddles and fun facts", &["user:input"]);
    for (line, mark) in [
        ("tell me a joke", '.'),
        ("another joke please", '.'),
        ("tell me a fun fact", '.'),
        ("fact of the day", '.'),
        ("erzähl mir einen witz", '.'),
        ("kennst du noch einen witz?", '.'),
        ("erzähl mir was interessantes", '.'),
    ] {
        let Said::Answer(text) = sayings.say(line) else { panic!("{line}") };
        let is_german = ["erzähl", "kennst"].iter().any(|word| line.starts_with(word));
        let letters = [" the ", " is ", " a ", " are ", "The ", " on ", " and ", " can "];
        assert!(text.contains([mark, '!', '?']), "{line}: {text}");
        assert!(!is_german || !letters.iter().any(|word| text.contains(word)), "{line}: {text}");
    }
    sayings.world.replies = ["I have no idea".to_owned()].into();
    let Said::Answer(text) = sayings.say("give me a riddle") else { panic!() };
    assert!(text.starts_with("It is "), "{text}");
    // Nobody to ask: the solution stands beside the riddle.
    let Said::Answer(text) = sayings.say("stell mir ein rätsel") else { panic!() };
    assert!(text.contains("? (Lösung: "), "{text}");
    answers(&mut sayings, &[("make me a sandwich", "-"), ("tell me the truth", "-")]);
}

#[test]
fn every_riddle_takes_its_solution() {
    let mut sayings = learn("learn to tell riddles", &["user:input"]);
    for _ in 0..30 {
        let Said::Answer(text) = sayings.say("give me a riddle") else { panic!() };
        let solution =
            text.split("(Answer: ").nth(1).and_then(|rest| rest.strip_suffix(".)")).unwrap().to_owned();
        let mut right = false;
        // The same riddle comes again some time.
        for _ in 0..2000 {
            sayings.world.replies = [format!("{solution}?")].into();
            let Said::Answer(said) = sayings.say("give me a riddle") else { panic!() };
            right |= said == format!("Right: {solution}!");
            if right {
                break;
            }
        }
        assert!(right, "{text}");
        sayings.world.replies.clear();
    }
}

/// The language of the line, and where it does not tell, of the wish.
#[test]
fn a_skill_answers_in_the_language_of_the_line_and_else_of_the_wish() {
    let mut german = learn("lerne zu würfeln", &[]);
    answers(
        &mut german,
        &[
            ("2w1", "-"),
            ("roll 2d1", "Mein Wurf mit 2W1 ergibt 2: 1 + 1."),
            ("please roll me 2d1", "My roll of 2d1 comes to 2: 1 + 1."),
        ],
    );
    let mut english = learn("learn to roll dice", &[]);
    answers(
        &mut english,
        &[
            ("roll 2d1", "My roll of 2d1 comes to 2: 1 + 1."),
            ("throw 2w1", "My roll of 2d1 comes to 2: 1 + 1."),
            ("würfle mal 2w1", "Mein Wurf mit 2W1 ergibt 2: 1 + 1."),
        ],
    );
    let mut sums = learn("lerne zu rechnen", &[]);
    answers(&mut sums, &[("7 durch 0", "-"), ("was ist 7 durch 0", "!Durch 0 kann man nicht teilen.")]);
}

#[test]
fn a_comma_within_a_number_divides_no_entry_and_nothing_is_no_entry() {
    let mut list = learn("lern eine Einkaufsliste zu führen", &["memory:read", "memory:write"]);
    answers(
        &mut list,
        &[
            ("was steht auf der Einkaufsliste?", "Deine Einkaufsliste ist leer."),
            ("setz , auf die Einkaufsliste", "!Was soll auf die Liste?"),
            ("setz ... und , auf die Einkaufsliste", "!Was soll auf die Liste?"),
            (
                "setz 1,5 kg Mehl, 2,5 l Milch und Eier auf die Einkaufsliste",
                "Ich habe 1,5 kg Mehl, 2,5 l Milch und Eier auf deine Einkaufsliste gesetzt; sie hat jetzt 3 Einträge.",
            ),
            (
                "Brot auf die Einkaufsliste bitte",
                "Ich habe Brot auf deine Einkaufsliste gesetzt; sie hat jetzt 4 Einträge.",
            ),
            ("add Brot to my list", "Brot is already on the list."),
            (
                "kannst du die Eier von der Einkaufsliste streichen?",
                "Ich habe Eier von deiner Einkaufsliste gestrichen.",
            ),
            ("streich Käse von der Einkaufsliste", "Das steht nicht auf deiner Einkaufsliste: Käse."),
            ("hak das Brot ab", "Ich habe Brot von deiner Einkaufsliste gestrichen."),
            ("zeig mir mal den Einkaufszettel", "Auf deiner Einkaufsliste:\n1. 1,5 kg Mehl\n2. 2,5 l Milch"),
            ("Einkaufsliste leeren", "Deine Einkaufsliste ist jetzt leer."),
        ],
    );
}

/// Lines as they are said at home, to skills of German wishes.
#[test]
fn natural_german_wordings_reach_their_skill() {
    let reached: &[(&str, &[&str], &[&str])] = &[
        (
            "lerne zu würfeln",
            &[],
            &[
                "würfel mal",
                "kannst du für mich würfeln?",
                "würfle bitte noch einmal",
                "wirf mal zwei Würfel",
                "lass uns würfeln",
            ],
        ),
        (
            "bring dir bei, Witze zu erzählen",
            &[],
            &[
                "hast du mal nen Witz für mich",
                "noch einen Witz bitte",
                "kannst du uns einen Witz erzählen?",
                "ich will einen Witz hören",
            ],
        ),
        (
            "lerne Rätsel",
            &["user:input"],
            &[
                "gib mir mal ein Rätsel auf",
                "ich will ein Rätsel lösen",
                "hast du ein Rätsel für uns?",
                "lass uns ein Rätsel raten",
            ],
        ),
        (
            "lerne Wörter zu zählen",
            &[],
            &[
                "zähl die Wörter: eins zwei",
                "wieviele Wörter sind das: eins zwei",
                "zähle bitte die Wörter in „eins zwei“",
                "Wörter zählen: eins zwei",
            ],
        ),
        (
            "lerne eine Münze zu werfen",
            &[],
            &[
                "wirf mal ne Münze",
                "kannst du eine Münze werfen?",
                "lass uns eine Münze werfen",
                "kopf oder zahl?",
            ],
        ),
        (
            "lerne Passwörter zu erzeugen",
            &[],
            &[
                "ich brauche ein neues Passwort",
                "erzeug mir ein sicheres Passwort",
                "denk dir ein Passwort aus",
                "mach mir bitte ein Passwort mit 12 Zeichen",
            ],
        ),
        (
            "lerne mich nach Hauptstädten abzufragen",
            &["user:input"],
            &[
                "frag mich was",
                "stell mir eine Frage zu Hauptstädten",
                "noch eine Frage bitte",
                "frag mich Hauptstädte ab",
            ],
        ),
        (
            "lerne eine Rechnung aufzuteilen",
            &[],
            &[
                "84 Euro durch 3 Leute",
                "wir sind 3 und die Rechnung macht 75 Euro, was zahlt jeder?",
                "teile 60 Euro auf 4 Personen auf",
            ],
        ),
        (
            "lerne die Tage bis Weihnachten zu zählen",
            &[],
            &[
                "wie oft muss ich noch schlafen bis Weihnachten?",
                "Tage bis Weihnachten",
                "wie lange noch bis Weihnachten",
            ],
        ),
        (
            "lerne römische Zahlen",
            &[],
            &["wie schreibt man 2026 römisch?", "schreib 42 römisch", "was heißt XIV"],
        ),
    ];
    let mut missed = Vec::new();
    for (wish, tokens, lines) in reached {
        let mut skill = learn(wish, tokens);
        for line in *lines {
            match skill.say(line) {
                Said::Answer(text) if text.is_ascii() && text.contains(" the ") => {
                    missed.push(format!("{line}: {text}"))
                }
                Said::Answer(_) => {}
                other => missed.push(format!("{line}: {other:?}")),
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// What a person is shown as something to say leads to the tool, in both languages.
#[test]
fn every_tool_has_an_example_in_both_languages_that_works() {
    for (wish, tokens) in super::filling::WISHES {
        let proposal = proposal(wish, tokens);
        let built = build(&proposal, &written(&proposal));
        for tool in built.described.tools.iter().filter(|tool| !tool.examples.is_empty()) {
            for code in ["en", "de"] {
                let example = tool.examples.iter().find(|line| language::detect(line).code() == code);
                let said = example
                    .unwrap_or_else(|| panic!("{wish}: {}: none in {code}: {:?}", tool.name, tool.examples));
                let led = harness::leads_to(&built, said);
                assert_eq!(led.as_deref(), Some(tool.name.as_str()), "{wish}: {said}");
            }
        }
    }
}

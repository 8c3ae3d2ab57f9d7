//! What a line with a wish comes to, from the bot's reading of it to the template.

use language::Intent;

use super::*;

/// What the bot and the library make of a line: the family, or why no family fits.
fn reached(line: &str) -> String {
    if language::need(line).is_some() {
        return "taken for need".to_owned();
    }
    let Some(Intent::Learn { wish }) = language::intent(line).map(|meant| meant.intent) else {
        return "no wish".to_owned();
    };
    if let Some((refusal, _)) = language::refusal(&wish) {
        return format!("refused: {refusal:?}");
    }
    if let Some(line) = language::able(&wish) {
        return format!("able: {line}");
    }
    let draft = language::draft(&wish);
    let tokens: Vec<&str> = draft.capabilities.iter().map(|token| token.as_str()).collect();
    let drafted = Proposal { name: draft.name, description: draft.description, ..proposal(line, &tokens) };
    match write(&drafted) {
        Answer::Written(written) => written.author.to_string(),
        other => format!("{other:?}"),
    }
}

/// The wishes that the README names, in five wordings each.
#[test]
fn five_wordings_of_each_wish_lead_to_its_family() {
    let table: &[(&str, [&str; 5])] = &[
        (
            "dice",
            [
                "learn to roll dice",
                "can you learn to roll dice?",
                "please teach yourself to roll dice",
                "I wish you could roll dice",
                "lerne bitte zu würfeln",
            ],
        ),
        (
            "units",
            [
                "learn to convert temperatures",
                "can you learn to convert temperatures?",
                "I want you to learn to convert Fahrenheit to Celsius",
                "lerne Temperaturen umzurechnen",
                "kannst du lernen, Temperaturen umzurechnen?",
            ],
        ),
        (
            "quiz",
            [
                "learn to quiz me on capitals",
                "learn to ask me capitals",
                "can you learn to test me on capitals?",
                "lerne mich Hauptstädte abzufragen",
                "bring dir bei, mich Hauptstädte abzufragen",
            ],
        ),
        (
            "cipher",
            [
                "learn the Caesar cipher",
                "can you learn the Caesar cipher?",
                "teach yourself the Caesar cipher",
                "I'd like you to learn the Caesar cipher",
                "lerne die Caesar-Verschlüsselung",
            ],
        ),
        (
            "dates",
            [
                "learn to count the days until a date",
                "please learn to count the days until a date, because I love countdowns",
                "learn to count the days to my birthday",
                "learn how many days until Christmas",
                "lerne die Tage bis zu einem Datum zu zählen",
            ],
        ),
        (
            "leap years",
            [
                "learn to tell leap years",
                "can you learn to tell leap years?",
                "learn whether a year is a leap year",
                "I want you to learn to tell leap years",
                "lerne Schaltjahre zu erkennen",
            ],
        ),
        (
            "Roman numerals",
            [
                "learn to convert Roman numerals",
                "learn Roman numerals",
                "could you learn to read Roman numerals?",
                "lerne römische Zahlen umzurechnen",
                "bring dir bei, römische Zahlen zu lesen",
            ],
        ),
        (
            "unit prices",
            [
                "learn to do unit prices",
                "learn which product is cheaper",
                "learn to tell which offer is cheaper",
                "can you learn to compare prices?",
                "lerne Preise zu vergleichen",
            ],
        ),
        (
            "bill",
            [
                "learn to split a bill",
                "can you learn to split a bill?",
                "I wish you could split a bill",
                "teach yourself to split the bill",
                "lerne eine Rechnung aufzuteilen",
            ],
        ),
        (
            "list",
            [
                "learn to keep a homework list",
                "learn homework lists",
                "learn to manage lists",
                "can you learn to keep a shopping list?",
                "lerne eine Einkaufsliste zu führen",
            ],
        ),
        (
            "passwords",
            [
                "learn to make strong passwords",
                "can you learn to make passwords?",
                "learn to make up passwords for me",
                "I want you to learn to generate passwords",
                "lerne sichere Passwörter zu erzeugen",
            ],
        ),
        (
            "primes",
            [
                "learn to check whether a number is prime",
                "can you learn to find prime factors?",
                "learn whether a number is prime",
                "lerne Primzahlen zu erkennen",
                "bring dir bei, Primzahlen zu erkennen",
            ],
        ),
        (
            "number bases",
            [
                "learn to convert decimal to binary",
                "can you learn binary numbers?",
                "learn to convert numbers to hexadecimal",
                "I want you to learn to convert numbers to binary",
                "lerne Zahlen in Binärzahlen umzurechnen",
            ],
        ),
        (
            "wordplay",
            [
                "learn to find palindromes",
                "can you learn to find palindromes?",
                "learn if a word reads the same backwards",
                "teach yourself to check palindromes",
                "lerne Palindrome zu erkennen",
            ],
        ),
        (
            "age",
            [
                "learn to calculate my age",
                "can you learn to calculate an age?",
                "learn how old someone is",
                "I want you to learn to calculate ages",
                "lerne das Alter aus dem Geburtsdatum zu berechnen",
            ],
        ),
        (
            "body mass index",
            [
                "learn to calculate the BMI",
                "can you learn to calculate my BMI?",
                "learn the BMI",
                "I wish you could calculate my BMI",
                "lerne den BMI zu berechnen",
            ],
        ),
        (
            "rock paper scissors",
            [
                "learn to play rock paper scissors",
                "can you learn to play rock paper scissors?",
                "I wish you could play rock paper scissors",
                "I'd love it if you could play rock paper scissors with me",
                "lerne Schere, Stein, Papier zu spielen",
            ],
        ),
        (
            "check digits",
            [
                "learn to check an ISBN",
                "can you learn to check an IBAN?",
                "learn to validate ISBN numbers",
                "I want you to learn to check IBANs",
                "lerne IBANs zu prüfen",
            ],
        ),
        (
            "averages",
            [
                "learn to work out averages",
                "can you learn to calculate averages?",
                "learn to find the average of numbers",
                "I wish you could calculate averages",
                "lerne den Durchschnitt auszurechnen",
            ],
        ),
    ];
    let mut wrong = Vec::new();
    for (family, lines) in table {
        for line in lines {
            let reached = reached(line);
            if !reached.starts_with(&format!("template {family}")) && !reached.starts_with("able: ") {
                wrong.push(format!("{line}: {reached}, not {family}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A wish for a game is not refused as one for sound; where no template fits, it waits for a model.
#[test]
fn games_are_not_refused_as_sound_is() {
    for line in
        ["learn to play a guessing game", "learn to play tic tac toe", "learn to play noughts and crosses"]
    {
        assert!(reached(line).starts_with("NotMine"), "{line}: {}", reached(line));
    }
    for line in ["learn to play yesterday by the beatles", "learn to play music", "learn to sing a song"] {
        assert_eq!(reached(line), "refused: Sound", "{line}");
    }
}

/// The day of the week is known already, by a sentence that makes sense.
#[test]
fn what_is_known_already_is_shown_by_a_sentence_that_makes_sense() {
    assert_eq!(reached("learn to tell the day of the week"), "able: what day is it today?");
}

/// The texts in quotation marks of a source that are sentences, with one way to say each pattern.
fn sentences(source: &str) -> Vec<String> {
    let way = |text: &str| {
        let (mut said, mut is_slot) = (String::new(), false);
        for c in text.chars() {
            match c {
                '{' => is_slot = true,
                '}' => {
                    is_slot = false;
                    said.push_str("it");
                }
                '[' | ']' | '@' => {}
                c if !is_slot => said.push(c),
                _ => {}
            }
        }
        let words = said.split(' ').map(|word| word.split('|').next().unwrap_or_default());
        words.collect::<Vec<_>>().join(" ")
    };
    source
        .lines()
        .filter(|line| line.contains(".phrase(") || line.contains(".example"))
        .flat_map(|line| line.split('"').skip(1).step_by(2))
        .filter(|text| text.contains(' '))
        .map(way)
        .collect()
}

/// No wish, no sentence of a learned skill and no line that the pages show is taken for that of a person in need.
#[test]
fn no_wish_and_no_sentence_of_a_skill_is_taken_for_need() {
    let texts = include_str!("matching.rs").lines().chain(include_str!("wordings.rs").lines());
    let wishes = texts.flat_map(|line| line.split('"').skip(1).step_by(2)).map(str::to_owned);
    let skills = Library::shipped().families.iter().flat_map(|family| sentences(&family.source));
    let pages = [
        include_str!("../../../../../README.md"),
        include_str!("../../../../../docs/USING.md"),
        include_str!("../../../../../docs/FIRST_EVENING.md"),
        include_str!("../../../../../docs/guides/learn-from-examples.md"),
    ];
    let shown = pages
        .iter()
        .flat_map(|page| page.lines())
        .flat_map(|line| line.split('`').skip(1).step_by(2).map(str::to_owned));
    let all: Vec<String> = wishes.chain(skills).chain(shown).collect();
    assert!(all.len() > 700, "{}", all.len());
    let taken: Vec<&String> = all.iter().filter(|line| language::need(line).is_some()).collect();
    assert!(taken.is_empty(), "{taken:#?}");
}

//! Which family takes which wish.

use super::*;

const ALL: &[&str] = &["user:input", "user:output", "memory:read", "memory:write"];

fn author(wish: &str) -> String {
    match write(&proposal(wish, ALL)) {
        Answer::Written(written) => written.author,
        Answer::NotMine(_) => "-".to_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn wishes_find_their_family() {
    let table = [
        ("Learn to roll dice", "template dice (verb=roll)"),
        ("roll dice for our board games", "template dice (verb=roll)"),
        ("bitte lerne zu würfeln", "template dice (verb=roll)"),
        ("learn to convert temperatures", "template units (units=temperature)"),
        ("learn to convert Fahrenheit to Celsius", "template units (units=temperature)"),
        ("lerne Temperaturen umzurechnen", "template units (units=temperature)"),
        ("can you learn to convert kg to pounds", "template units (units=weight)"),
        (
            "learn to convert between metric and imperial units",
            "template units (units=temperature+length+weight+volume+speed+area+time)",
        ),
        ("can you learn to quiz me on capitals?", "template quiz (subject=capitals)"),
        ("learn to quiz me on times tables", "template quiz (subject=multiplication)"),
        ("lerne mich Hauptstädte abzufragen", "template quiz (subject=capitals)"),
        ("learn the Caesar cipher", "template cipher (cipher=caesar)"),
        ("lerne die Caesar-Verschlüsselung", "template cipher (cipher=caesar)"),
        ("learn rot13", "template cipher (cipher=rot13)"),
        ("learn to write Morse code", "template cipher (cipher=morse)"),
        ("learn to count the days until a date", "template dates (days)"),
        ("learn to count the days until 24.12.2026", "template dates (date=2026-12-24)"),
        ("lerne die Tage bis zu einem Datum zu zählen", "template dates (days)"),
        ("learn to tell the day of the week", "template dates (weekdays)"),
        ("learn to tell leap years", "template leap years"),
        ("lerne Schaltjahre zu erkennen", "template leap years"),
        ("learn to convert Roman numerals", "template Roman numerals"),
        ("lerne römische Zahlen umzurechnen", "template Roman numerals"),
        ("learn to do unit prices", "template unit prices"),
        ("learn to tell which offer is cheaper", "template unit prices"),
        ("lerne Preise zu vergleichen", "template unit prices"),
        ("learn to split a bill", "template bill"),
        ("lerne eine Rechnung aufzuteilen", "template bill"),
        ("learn to keep a homework list", "template list (subject=homework)"),
        ("learn to keep a list of birds I saw", "template list (subject=birds)"),
        ("learn to manage my to do list", "template list (subject=to-do)"),
        ("lerne eine Einkaufsliste zu führen", "template list (subject=einkaufsliste)"),
        ("learn to keep lists", "template list (subject=list)"),
        ("learn to calculate percentages", "template percentages"),
        ("learn to do arithmetic", "template calculator"),
        ("learn to count words", "template counting (of=words)"),
        ("lerne Buchstaben zu zählen", "template counting (of=letters)"),
        ("learn to flip a coin", "template chance (flip)"),
        ("learn to pick random numbers", "template chance (number)"),
        ("learn to make strong passwords", "template passwords"),
        ("lerne sichere Passwörter zu erfinden", "template passwords"),
        ("learn to check whether a number is prime", "template primes (prime)"),
        ("lerne Zahlen in Primfaktoren zu zerlegen", "template primes (factors)"),
        ("learn to find the greatest common divisor", "template primes (divisor)"),
        ("learn to convert decimal to binary", "template number bases"),
        ("lerne Zahlen in Binärzahlen umzurechnen", "template number bases"),
        ("learn to reverse words", "template wordplay (reverse)"),
        ("lerne Palindrome zu erkennen", "template wordplay (palindrome)"),
        ("learn to calculate my age", "template age"),
        ("lerne das Alter aus dem Geburtsdatum zu berechnen", "template age"),
        ("learn to calculate the BMI", "template body mass index"),
        ("learn to play rock paper scissors", "template rock paper scissors"),
        ("lerne Schere Stein Papier zu spielen", "template rock paper scissors"),
        ("learn to check an ISBN", "template check digits (isbn)"),
        ("lerne IBANs zu prüfen", "template check digits (iban)"),
        ("learn the NATO alphabet", "template spelling alphabet"),
        ("learn to calculate the average of numbers", "template averages"),
        ("lerne den Durchschnitt von Noten zu berechnen", "template averages"),
        ("learn to tell jokes", "template sayings (joke)"),
        ("learn jokes", "template sayings (joke)"),
        ("lerne Witze zu erzählen", "template sayings (joke)"),
        ("learn to make me laugh", "template sayings (joke)"),
        ("learn to tell riddles", "template sayings (riddle)"),
        ("lerne mir ein Rätsel zu stellen", "template sayings (riddle)"),
        ("learn to tell me a fact of the day", "template sayings (fact)"),
        ("learn to tell jokes and fun facts", "template sayings (joke+fact)"),
        ("lerne mir was Wissenswertes zu erzählen", "template sayings (fact)"),
    ];
    let wrong: Vec<String> = table
        .into_iter()
        .map(|(wish, expected)| (wish, expected, author(wish)))
        .filter(|(_, expected, found)| expected != found)
        .map(|(wish, expected, found)| format!("{wish}: {found}, not {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wishes_for_something_else_find_none() {
    let taken: Vec<String> = [
        "learn French",
        "learn to play the piano",
        "learn to play a dice game like Yahtzee",
        "learn to roll sushi",
        "learn to tell a bedtime story",
        "learn to tell the weather",
        "learn to write a poem about dice",
        "learn to convert currencies",
        "learn to convert PDF files",
        "learn about Roman history",
        "learn to quiz me on French vocabulary",
        "learn to crack the Caesar cipher",
        "learn to set a timer",
        "learn to remind me of birthdays",
        "learn to translate words into Latin",
        "learn to count calories",
        "learn to split wood",
        "learn to list prime numbers",
        "learn to do palm reading",
        "learn to share recipes for dinner",
        "learn to tell me the news of the day",
        "learn to calculate my tax",
        "learn to choose stocks",
        "learn to fly a plane between two cities",
        "lerne Spanisch",
        "lerne Gedichte zu schreiben",
        "learn to predict lottery numbers",
        "learn to keep calm",
        "learn to summarize a text of many words",
        "learn to tell the date of the next full moon",
        "learn to remember my passwords",
        "learn to crack passwords",
        "learn about the prime minister",
        "learn to read binary files",
        "learn to convert hex colours",
        "learn to reverse an image",
        "learn to find anagrams",
        "learn to guess the age of a dog",
        "learn to plan a diet by my BMI",
        "learn to look up books by ISBN",
        "learn the Greek alphabet",
        "learn the average temperature in Berlin",
        "learn to tell jokes about teachers",
        "learn to write jokes",
        "learn to solve riddles",
        "lerne Witze über Blondinen",
        "learn to check facts",
        "learn to remember facts",
        "learn to solve crossword puzzles",
    ]
    .into_iter()
    .filter_map(|wish| match write(&proposal(wish, ALL)) {
        Answer::NotMine(reason) if !reason.is_empty() => None,
        other => Some(format!("{wish}: {other:?}").chars().take(200).collect()),
    })
    .collect();
    assert!(taken.is_empty(), "{}", taken.join("\n"));
}

#[test]
fn a_missing_token_is_named() {
    let Answer::Infeasible { reason, .. } = write(&proposal("learn to keep a homework list", &[])) else {
        panic!()
    };
    assert_eq!(reason, "needs memory:read and memory:write, which the proposal does not ask for");
    let Answer::Infeasible { reason, .. } =
        write(&proposal("learn to keep a homework list", &["memory:read"]))
    else {
        panic!()
    };
    assert_eq!(reason, "needs memory:write, which the proposal does not ask for");
}

#[test]
fn a_tool_beyond_the_template_is_left_to_a_model() {
    let tools = json!([{"name": "roll", "description": "Roll dice", "parameters": {
        "type": "object", "properties": {"dice": {"type": "string"}, "lucky": {"type": "boolean"}}}}]);
    let Answer::NotMine(reason) = write(&with_tools("roll dice", &[], tools)) else { panic!() };
    assert_eq!(
        reason,
        "the templates have no tool like `roll` with these parameters; it needs a model to write it"
    );
}

#[test]
fn a_template_that_failed_is_not_tried_again() {
    let messages = ["line 3: no".to_owned()];
    let feedback = crate::Feedback { attempt: 1, source: "", scaffolded: false, messages: &messages };
    let proposal = proposal("learn to roll dice", &[]);
    let answer = Templates.write(&assignment(&proposal, Some(&feedback)), &AtomicBool::new(false)).unwrap();
    assert!(matches!(answer, Answer::NotMine(reason) if reason.contains("line 3: no")));
}

/// The bot's own draft of each wish that needs no model asks for what the template needs.
#[test]
fn the_bots_plain_drafts_become_skills() {
    for (line, wish) in [
        ("Learn to roll dice", "roll dice"),
        ("learn to convert temperatures", "convert temperatures"),
        ("can you learn to quiz me on capitals?", "quiz me on capitals"),
        ("learn the Caesar cipher", "the Caesar cipher"),
        ("learn to count the days until a date", "count the days until a date"),
        ("learn to tell leap years", "tell leap years"),
        ("learn to convert Roman numerals", "convert Roman numerals"),
        ("learn to do unit prices", "do unit prices"),
        ("learn to split a bill", "split a bill"),
        ("learn to keep a homework list", "keep a homework list"),
    ] {
        let draft = language::draft(wish);
        let plain = proposal(line, &[]);
        // A line that only agrees leaves the wish in the description.
        for user_context in [line, "yes, please do"] {
            let proposal = Proposal {
                name: draft.name.clone(),
                description: draft.description.clone(),
                capabilities: draft.capabilities.clone(),
                user_context: user_context.to_owned(),
                ..plain.clone()
            };
            written(&proposal);
        }
    }
}

#[test]
fn a_list_takes_its_subject_from_the_description_when_the_line_has_none() {
    let tokens = ["memory:read", "memory:write"];
    let proposal =
        Proposal { user_context: "yes please".to_owned(), ..proposal("Keep a list of birds", &tokens) };
    assert_eq!(written(&proposal).author, "template list (subject=birds)");
}

/// What the companion offers to learn, for a line that asks for it, needs no model.
#[test]
fn what_the_companion_offers_has_a_template() {
    for line in [
        "put milk on the shopping list",
        "add call mum to my to do list",
        "add sunscreen to my packing list",
        "what's on my list",
        "setze milch auf die einkaufsliste",
        "zeig mir die todo liste",
        "schreib das auf die packliste",
        "roll 2 dice",
        "würfle mal",
        "flip a coin",
        "wirf eine münze",
        "kopf oder zahl",
        "tell me a joke",
        "erzähl mir einen witz",
        "tell me a riddle",
        "tell me a fun fact",
        "is 2028 a leap year",
        "ist 2028 ein schaltjahr",
        "what is 255 in hex",
        "255 in binär",
        "what is MCMXC in roman numerals",
        "make me a password",
        "ich brauche ein neues passwort",
        "is 17 a prime number",
        "ist 91 eine primzahl",
        "quiz me on capitals",
        "scissors",
        "Schere!",
        "is madam a palindrome",
        "what is my bmi",
        "write hello in morse code",
        "give me a random number",
    ] {
        let (wish, _) = language::wished(line).unwrap_or_else(|| panic!("{line}"));
        let draft = language::draft(&wish);
        let tokens: Vec<&str> = draft.capabilities.iter().map(|token| token.as_str()).collect();
        let mut asked = proposal(line, &tokens);
        asked.name = draft.name;
        asked.description = draft.description;
        assert!(matches!(write(&asked), Answer::Written(_)), "{line}: {wish}: {:?}", write(&asked));
    }
}

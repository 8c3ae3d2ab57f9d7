use shared_types::capability::Token;
use shared_types::profile::SystemCapability;

use super::*;
use crate::slot::kinds;

fn meant(line: &str) -> Option<(Intent, &'static str)> {
    intent(line).map(|m| (m.intent, m.language.code()))
}

fn wish(line: &str) -> String {
    match intent(line) {
        Some(Meant { intent: Intent::Learn { wish }, .. }) => wish,
        other => panic!("{line:?} is {other:?}"),
    }
}

#[test]
fn wishes_in_many_forms_are_wishes() {
    for (line, expected) in [
        ("Learn to roll dice", "roll dice"),
        ("learn to convert temperatures", "convert temperatures"),
        ("can you learn to quiz me on capitals?", "quiz me on capitals"),
        ("learn the Caesar cipher", "Caesar cipher"),
        ("learn to count the days until a date", "count the days until a date"),
        ("learn to tell leap years", "tell leap years"),
        ("learn to convert Roman numerals", "convert Roman numerals"),
        ("learn to do unit prices", "do unit prices"),
        ("learn to split a bill", "split a bill"),
        ("learn to keep a homework list", "keep a homework list"),
        ("learn to tell a bedtime story", "tell a bedtime story"),
        ("learn to tell the weather", "tell the weather"),
        ("LEARN TO ROLL DICE!", "ROLL DICE"),
        ("Please learn how to juggle numbers.", "juggle numbers"),
        ("hey, could you please learn to flip a coin?", "flip a coin"),
        ("Hello TameClaw, can you learn how to sort words?", "sort words"),
        ("I want you to learn to play chess", "play chess"),
        ("i'd like you to learn the Morse code", "Morse code"),
        ("You should learn to reverse words", "reverse words"),
        ("teach yourself to count syllables", "count syllables"),
        ("Can I teach you to add fractions?", "add fractions"),
        ("learn Morse code", "Morse code"),
        ("would you learn to track my water, please?", "track my water"),
        ("Lerne zu würfeln", "würfeln"),
        ("Lerne bitte, Temperaturen umzurechnen.", "Temperaturen umzurechnen"),
        ("Kannst du lernen, mich nach Hauptstädten zu fragen?", "mich nach Hauptstädten zu fragen"),
        ("Kannst du bitte würfeln lernen?", "würfeln"),
        ("lerne die Cäsar-Chiffre", "Cäsar-Chiffre"),
        ("Bring dir bei, Rechnungen zu teilen", "Rechnungen zu teilen"),
        ("Ich möchte, dass du Schaltjahre erkennen lernst", "Schaltjahre erkennen"),
    ] {
        assert_eq!(wish(line), expected, "{line}");
    }
}

#[test]
fn what_only_sounds_like_a_wish_is_none() {
    for line in [
        "I want to learn French",
        "I want to learn to roll dice",
        "I would like to learn how to swim",
        "I'd love to learn the piano",
        "I am learning to cook",
        "I learned to swim last year",
        "Learning to cook is fun",
        "Did you learn to roll dice?",
        "Have you learned the Caesar cipher yet?",
        "What did you learn today?",
        "How can I learn to cook?",
        "How do children learn to read?",
        "Can I learn to juggle in a week?",
        "Help me learn the alphabet",
        "Can you help me learn to knit?",
        "My son must learn to tie his shoes",
        "We learn to share in kindergarten",
        "Once upon a time a small dragon wanted to learn to fly.",
        "Tell me a story about a robot that had to learn to roll dice",
        "The moral: learn to forgive",
        "Don't learn to smoke",
        "learn from your mistakes",
        "Learn more about our offers",
        "Can you learn?",
        "learn",
        "machine learning is the future",
        "roll 3d6+2",
        "Ich möchte Deutsch lernen",
        "Ich lerne gerade kochen",
        "Wie kann ich schwimmen lernen?",
        "Kannst du mir helfen, Deutsch zu lernen?",
        "Es war einmal ein Drache, der wollte fliegen lernen.",
        "Lerne ich schnell?",
        "",
        "   ",
        "?!",
    ] {
        let meant = intent(line).map(|m| m.intent);
        assert!(!matches!(meant, Some(Intent::Learn { .. })), "{line:?} is {meant:?}");
    }
}

#[test]
fn yes_and_no_are_told_from_each_other() {
    for line in [
        "yes",
        "Yes, please!",
        "y",
        "sure",
        "OK",
        "okay",
        "yes, do it",
        "please do",
        "go ahead",
        "of course",
        "yes learn it",
        "yes, ask to learn it",
        "Yeah",
        "ja",
        "Ja, bitte!",
        "ja danke",
        "gerne",
        "klar",
        "mach das",
        "ja, lern es",
        "yes please do",
    ] {
        assert_eq!(meant(line).map(|m| m.0), Some(Intent::Confirm), "{line}");
    }
    for line in [
        "no",
        "No, thanks.",
        "nope",
        "not now",
        "never mind",
        "forget it",
        "nein",
        "Nein danke",
        "lieber nicht",
        "vergiss es",
    ] {
        assert_eq!(meant(line).map(|m| m.0), Some(Intent::Decline), "{line}");
    }
    for line in
        ["yes I think it rained", "no idea what that is", "ok computer is an album", "ja aber was ist das"]
    {
        assert_eq!(meant(line), None, "{line}");
    }
}

#[test]
fn facts_are_kept_as_typed() {
    for (line, fact, code) in [
        ("remember that my dog is called Rex", "my dog is called Rex", "en"),
        ("Please remember that I'm allergic to nuts.", "I'm allergic to nuts", "en"),
        ("My name is Anna", "my name is Anna", "en"),
        ("call me Bob", "call me Bob", "en"),
        ("hi im tom", "my name is tom", "en"),
        ("note that the password is Sommer!2024!", "the password is Sommer!2024!", "en"),
        ("merk dir, dass mein Hund Rex heißt", "mein Hund Rex heißt", "de"),
        ("Ich heiße Anna", "Ich heiße Anna", "de"),
        ("hallo, bin die sabine", "mein Name ist sabine", "de"),
        ("grüß gott, i bin die oma hildegard", "mein Name ist oma hildegard", "de"),
        ("hi du ich bin max und bin 9", "mein Name ist max und ich bin 9 Jahre alt", "de"),
    ] {
        assert_eq!(meant(line), Some((Intent::Remember { fact: fact.to_owned() }, code)), "{line}");
    }
    let others =
        ["hi i am bored", "hello im back", "hey im so tired", "hallo ich bin müde", "hi bin die neue"];
    for line in ["is my name Anna?", "my homework is what?", "i am tired"].into_iter().chain(others) {
        assert!(!matches!(meant(line), Some((Intent::Remember { .. }, _))), "{line}");
    }
}

#[test]
fn the_other_intents_are_told() {
    let recall = |what: &str| Intent::Recall { what: what.to_owned() };
    let forget = |what: &str| Intent::Forget { what: what.to_owned() };
    for (line, intent, code) in [
        ("do not keep that my dog is ill", forget("my dog is ill"), "en"),
        ("what is my name?", recall("my name"), "en"),
        ("What's my favourite colour?", recall("my favourite colour"), "en"),
        ("who am I?", recall("my name"), "en"),
        ("what do you know about Rex?", recall("Rex"), "en"),
        ("what do you know about me", recall("me"), "en"),
        ("Do you remember my birthday?", recall("my birthday"), "en"),
        ("Wie heisse ich?", recall("mein Name"), "de"),
        ("Wie heiße ich?", recall("mein Name"), "de"),
        ("Was ist mein Lieblingstier?", recall("mein Lieblingstier"), "de"),
        ("was weißt du über mich?", recall("me"), "de"),
        ("forget my name", forget("my name"), "en"),
        ("forget that I like tea", forget("I like tea"), "en"),
        ("vergiss meinen Namen", forget("meinen Namen"), "de"),
        ("hi", Intent::Greeting, "en"),
        ("Hello there!", Intent::Greeting, "en"),
        ("Guten Morgen", Intent::Greeting, "de"),
        ("thanks a lot!", Intent::Thanks, "en"),
        ("vielen Dank", Intent::Thanks, "de"),
        ("bye", Intent::Goodbye, "en"),
        ("Tschüss!", Intent::Goodbye, "de"),
        ("what can you do?", Intent::Capabilities, "en"),
        ("was kannst du?", Intent::Capabilities, "de"),
        ("what can't you do?", Intent::Limits, "en"),
        ("What are you not allowed to do?", Intent::Limits, "en"),
        ("Was kannst du nicht?", Intent::Limits, "de"),
        ("was darfst du nicht tun", Intent::Limits, "de"),
        ("Who are you?", Intent::WhoAreYou, "en"),
        ("What's your name?", Intent::WhoAreYou, "en"),
        ("Wer bist du?", Intent::WhoAreYou, "de"),
        ("how are you today?", Intent::HowAreYou, "en"),
        ("Wie geht's?", Intent::HowAreYou, "de"),
    ] {
        assert_eq!(meant(line), Some((intent, code)), "{line}");
    }
}

#[test]
fn the_language_is_told_by_small_words() {
    for (line, code) in [
        ("what is the time", "en"),
        ("Wie spät ist es?", "de"),
        ("Kannst du das?", "de"),
        ("xyzzy", "en"),
        ("", "en"),
        ("Würfle 2d6 bitte", "de"),
    ] {
        assert_eq!(detect(line).code(), code, "{line}");
    }
}

#[test]
fn requests_are_told_from_statements() {
    for line in [
        "roll 2d6",
        "tell me a joke",
        "please draw a cat",
        "is it raining?",
        "I need a poem",
        "würfle mal",
        "weather in Rome",
    ] {
        assert!(looks_like_request(line), "{line}");
    }
    for line in ["the sky is blue", "hmm", "das Wetter ist schön", "nice weather today"] {
        assert!(!looks_like_request(line), "{line}");
    }
}

#[test]
fn the_offer_to_learn_is_recognised() {
    assert_eq!(gap(Language::DEFAULT), "I can't do that yet. Shall I ask to learn it?");
    let german = Language::of_code("de").unwrap();
    assert_eq!(offers_to_learn(gap(german)), Some(german));
    assert_eq!(offers_to_learn("I can do that."), None);
}

#[test]
fn the_twelve_wishes_are_drafted() {
    use Token::*;
    for (wish, name, tokens) in [
        ("roll dice", "roll-dice", vec![]),
        ("convert temperatures", "convert-temperatures", vec![]),
        ("quiz me on capitals", "quiz-capitals", vec![UserInput]),
        ("Caesar cipher", "caesar-cipher", vec![]),
        ("count the days until a date", "count-days-until-date", vec![]),
        ("tell leap years", "tell-leap-years", vec![]),
        ("convert Roman numerals", "convert-roman-numerals", vec![]),
        ("do unit prices", "unit-prices", vec![]),
        ("split a bill", "split-bill", vec![]),
        ("keep a homework list", "homework-list", vec![MemoryRead, MemoryWrite]),
        ("tell a bedtime story", "tell-bedtime-story", vec![LlmCall]),
        ("tell the weather", "tell-weather", vec![NetworkRead]),
        ("list prime numbers", "list-prime-numbers", vec![]),
        ("mich nach Hauptstädten abzufragen", "nach-hauptstaedten-abzufragen", vec![UserInput]),
        ("eine Einkaufsliste führen", "einkaufsliste", vec![MemoryRead, MemoryWrite]),
    ] {
        let draft = draft(wish);
        assert_eq!(draft.name.as_str(), name);
        assert_eq!(draft.capabilities, tokens.iter().copied().collect(), "{wish}");
    }
    assert_eq!(draft("tell a bedtime story").requirements, [SystemCapability::LanguageModel]);
    assert_eq!(draft("tell the weather").topics, ["weather"]);
    assert_eq!(draft("tell leap years.").description, "Tell leap years");
}

/// A pin is switched or read, as the verb says; what is wired there may be anything.
#[test]
fn wishes_for_pins_are_drafted() {
    use Token::*;
    for (wish, token) in [
        ("switch the lamp on pin 17", Some(GpioWrite)),
        ("turn the old desk lamp on pin 17 on and off", Some(GpioWrite)),
        ("turn on the aquarium pump at pin 5", Some(GpioWrite)),
        ("turn on the aquarium pump on pin 5", Some(GpioWrite)),
        ("read the button on pin 4", Some(GpioRead)),
        ("tell me whether the door on pin 4 is open", Some(GpioRead)),
        ("die Lampe an Pin 17 ein- und auszuschalten", Some(GpioWrite)),
        ("den Taster an Pin 4 zu lesen", Some(GpioRead)),
        ("remember my pin", None),
        ("switch the words of a sentence", None),
    ] {
        let draft = draft(wish);
        let pins = draft.capabilities.iter().filter(|token| matches!(token, GpioRead | GpioWrite));
        assert_eq!(pins.collect::<Vec<_>>(), token.into_iter().collect::<Vec<_>>(), "{wish}");
        assert_eq!(draft.requirements.contains(&SystemCapability::Gpio), token.is_some(), "{wish}");
    }
}

#[test]
fn every_wish_has_a_name_and_one_line() {
    for wish in [
        "",
        "?",
        "the",
        "2 things",
        "a",
        "x",
        "骰子",
        "🎲🎲",
        "éàü",
        "-- --",
        "a\u{202e}b\nc\u{1b}[31m",
        "averyveryveryveryveryveryverylongwordthatnobodyeverused anotherone",
        "1 2 3 4 5 6",
    ] {
        let draft = draft(wish);
        assert!((2..=63).contains(&draft.name.as_str().len()), "{wish:?}");
        assert!(!draft.description.is_empty() && draft.description.chars().count() <= 200);
        assert!(!draft.description.chars().any(shared_types::text::is_unsafe), "{:?}", draft.description);
    }
    assert_ne!(draft("骰子").name, draft("硬币").name);
    assert!(draft(&"word ".repeat(1000)).description.chars().count() <= 200);
}

#[test]
fn a_language_is_added_by_one_folder_and_no_code() {
    assert_eq!(meant("apprends à lancer les dés"), None);
    data::testing::add("src/tests/fr".as_ref());
    assert_eq!(wish("Bonjour, apprends à lancer les dés !"), "lancer les dés");
    for (line, intent) in [
        ("oui merci", Intent::Confirm),
        ("non", Intent::Decline),
        ("souviens-toi que mon chat est noir", Intent::Remember { fact: "mon chat est noir".to_owned() }),
        ("Quel est mon nom ?", Intent::Recall { what: "mon nom".to_owned() }),
        ("oublie mon chat", Intent::Forget { what: "mon chat".to_owned() }),
        ("que ne peux-tu pas faire ?", Intent::Limits),
    ] {
        assert_eq!(meant(line), Some((intent, "fr")), "{line}");
    }
    assert_eq!(detect("quelle est ma couleur").code(), "fr");
    assert_eq!(draft("lancer les dés").name.as_str(), "lancer");
    assert_eq!(draft("noter la météo").topics, ["weather"]);
    let french = Language::of_code("fr").unwrap();
    assert_eq!(offers_to_learn("Dois-je l'apprendre ?"), Some(french));
    assert_eq!(restate::say("mon nom est Anna", french), "Ton nom est Anna.");
    let pattern = Pattern::parse("lance {n} des").unwrap();
    let schema = serde_json::json!({"properties": {"n": {"type": "integer"}}});
    let kinds = kinds(&schema, pattern.slots(), french.decimal_comma()).unwrap();
    let line = &readings("lance deux dés")[0];
    let taken = pattern.matches(line, &kinds).unwrap().slots[0].clone().unwrap();
    assert_eq!(kinds[0].value(line, taken), Some(2.into()), "slots know its numbers as well");
    // The shipped languages are as they were.
    assert_eq!(meant("what can't you do?"), Some((Intent::Limits, "en")));
    assert_eq!(meant("vergiss meinen Namen").map(|m| m.1), Some("de"));
}

#[test]
fn values_are_filled_in_once_and_braces_in_them_stay() {
    assert_eq!(fill("{a} and {b}", &[("a", "{b}"), ("b", "2")]), "{b} and 2");
    assert_eq!(fill("{unknown} { }", &[("a", "1")]), "{unknown} { }");
    assert_eq!(fill("", &[]), "");
}

#[test]
fn a_fact_answers_only_a_question_about_the_same_one() {
    let facts = [
        "dad works at Siemens",
        "my sister's dog is called Bello",
        "leo has shoe size 33",
        "my shoe size is 39",
    ];
    let facts: Vec<String> = facts.map(str::to_owned).into();
    for (question, fact) in [
        ("where does dad work?", Some(0)),
        ("what is my sister's dog called?", Some(1)),
        ("what size are leo's shoes?", Some(2)),
        ("what size shoes do i wear?", Some(3)),
        ("where do i work?", None),
        ("what is my dog called?", None),
        ("what shoe size does mum have?", None),
        ("what instrument does leo play?", None),
    ] {
        let found = restate::find(question, &facts)
            .or_else(|| restate::near(question, question, &facts).first().copied());
        assert_eq!(found, fact.map(|place: usize| facts[place].as_str()), "{question}");
    }
}

#[test]
fn a_number_is_no_part_of_another_one() {
    let facts = ["the code of box 1103 is zebra", "the code of locker 123457 is pony"].map(str::to_owned);
    for question in ["what is the code of box 103?", "what is the code of locker 123456?"] {
        assert_eq!(restate::find(question, &facts), None, "{question}");
    }
    assert_eq!(restate::find("what is the code of box 1103?", &facts), Some(facts[0].as_str()));
}

#[test]
fn a_question_may_begin_with_a_preposition() {
    for line in ["at what time is lunch", "an welchem tag kommt oma", "um wie viel uhr ist das spiel"] {
        assert!(is_question(line), "{line}");
    }
    for line in ["in the shed is a ladder", "an der tür hängt ein zettel"] {
        assert!(!is_question(line), "{line}");
    }
}

#[test]
fn what_is_said_otherwise_means_what_a_tool_knows() {
    for (line, expected) in [
        ("what do we need from the shop", "show my shopping list"),
        ("todo: a; b", "add a; b to my todo list"),
        ("shopping: bread, butter", "add bread, butter to my shopping list"),
        ("what's left to do", "show my todo list"),
        ("add parmesan to the list we're out", "add parmesan to my list"),
        ("do we have eggs on the list", "show my list"),
        ("whats on it", "show my list"),
        ("haben wir eier auf der liste", "was steht auf der liste"),
        ("setz mal windeln auf die einkaufsliste", "setze windeln auf die liste"),
        ("roll 2d6 + 3 for damage", "roll 2d6+3"),
        ("heads its thai tails its pizza", "flip a coin"),
        ("rent is 1240 split by 3", "split 1240 between 3 people"),
        ("was muss ich einkaufen?", "was steht auf meiner einkaufsliste"),
        ("zeig mir mal welche dateien du hast", "zeig meine dateien"),
    ] {
        assert_eq!(otherwise(line).as_deref(), Some(expected), "{line}");
    }
    for line in [
        "shopping is fun",
        "what do we need for school",
        "todo or not todo",
        "was brauchst du",
        "what is 100 divided by 7",
        "i went shopping",
    ] {
        assert_eq!(otherwise(line), None, "{line}");
    }
}

#[test]
fn a_told_day_takes_the_place_of_its_event() {
    let facts = [
        "our anniversary is on the 2nd of May".to_owned(),
        "leos termin ist am 8.5.".to_owned(),
        "Jake has football at 6 on wednesday and Lily has her recital on the 12th at 2".to_owned(),
        "am 12. Dezember wär unser Hochzeitstag, der 51.".to_owned(),
    ];
    for (line, earlier, expected) in [
        ("how many days until our anniversary?", &[][..], Some("how many days until 2nd May")),
        ("wie lange noch bis zu leos termin", &[], Some("wie viele Tage sind es bis 8.5")),
        ("how many days until the recital?", &[], Some("how many days until 12th")),
        ("how many days till jakes football", &[], Some("how many days until wednesday")),
        ("wie lang is noch bis zum hochzeitstag", &[], Some("wie viele Tage sind es bis 12 Dezember")),
        ("how many days until my exam", &[], None),
        (
            "how many days till then?",
            &["alfies school closes for xmas on the 18th of december"],
            Some("how many days until 18th december"),
        ),
        (
            "She's coming out for Christmas on the 22nd. How many days is that?",
            &[],
            Some("How many days until 22th"),
        ),
        (
            "wie viele tage noch",
            &["mathearbeit ist am 10. dezember merk dir das"],
            Some("wie viele tage sind es bis 10 dezember"),
        ),
        (
            "also wieviel tage hab ich jetz noch",
            &["wann is nochmal die mathearbeit", "die wurde auf den 15. verschoben"][1..],
            Some("wie viele tage sind es bis 15th"),
        ),
        (
            "Die Rechnung ist am 18.12. fällig. Wie viele Arbeitstage sind das noch?",
            &[],
            Some("wie viele Arbeitstage sind es bis 18.12"),
        ),
        (
            "jonas wird am 14. januar 8, wie lange ist das noch hin",
            &[],
            Some("wie viele Tage sind es bis 14 januar"),
        ),
        ("how many days til winter break, its dec 21", &[], Some("how many days until 21 dec")),
        (
            "how many sleeps till my brithday",
            &["mine is on the 23 of january", "do you have a birthday"],
            Some("how many sleeps until 23 january"),
        ),
        (
            "How long until Carol gets here",
            &["hm", "Carol just wrote, she can't get here till the 23rd."],
            Some("how many days until 23th"),
        ),
        (
            "How many years would that be now?",
            &["We were married June 14, 1969."],
            Some("how many years since 14 June 1969"),
        ),
        ("How many years would that be now?", &["We were married June 14."], None),
        // Two days, and no word for which of them.
        ("how many days is that?", &["football is on the 9th and the recital on the 12th"], None),
        ("My daughter Carol lives in Tucson, what time is it there", &[], Some("what time is it in Tucson")),
        (
            "what time is it there",
            &["remind me in ten minutes to stir", "my aunt lives in Vancouver"],
            Some("what time is it in Vancouver"),
        ),
        (
            "if i ring them at 9am our time what time is it there",
            &["what time is it in singapore right now"],
            Some("what time is it in singapore right now when it is 9am"),
        ),
        ("what time is it there", &["the rain fell in the morning"], None),
    ] {
        let said = dated(line, &facts, earlier);
        assert_eq!(said.map(|said| said.to_lowercase()), expected.map(str::to_lowercase), "{line}");
    }
}

#[test]
fn the_days_of_a_text_are_found_as_they_were_said() {
    for (text, days) in [
        ("it is on the 23 of january", &["23 january"][..]),
        ("January 9th, 2027", &["9th January 2027"]),
        ("finn kommt am 19. zurück", &["19th"]),
        ("am 14. januar um 8", &["14 januar"]),
        ("on the 9th and on the 12th of may", &["9th", "12th may"]),
        ("we fly on christmas eve", &["christmas eve"]),
        ("christmas on the 22nd", &["22th"]),
        ("every friday at 3", &["friday"]),
        ("the office is on the 2nd floor", &[]),
        ("der 3. Platz", &[]),
        ("he weighs 1.8 kg", &[]),
        ("62.50 a day", &[]),
        ("um 8.05 in der schule", &[]),
    ] {
        assert_eq!(crate::restate::days(text), days, "{text}");
    }
}

#[test]
fn an_age_that_was_told_answers_what_it_can() {
    let nine = ["I am 9 years old".to_owned(), "my rabbit is 2".to_owned()];
    let aged = |line: &str, facts: &[String]| crate::aged(line, facts);
    assert_eq!(aged("how old will i be", &nine).as_deref(), Some("9 + 1"));
    assert_eq!(aged("how old will i be", &nine[1..]), None);
    let old = ["I am 78".to_owned()];
    let year = Some("which year was somebody born who is 78 and whose birthday is 9th March");
    assert_eq!(aged("What year does that make me born in, my birthday is March 9th", &old).as_deref(), year);
    let year = Some("which year was somebody born who is 78");
    assert_eq!(aged("in welchem jahr bin ich geboren", &old).as_deref(), year);
    assert_eq!(aged("what year was i born", &["i was born in 1990".to_owned(), "i am 36".to_owned()]), None);
}

#[test]
fn a_line_may_want_something_of_the_one_before_it() {
    for (line, wanted) in [
        ("and again", Some(Last::Again)),
        ("nochmal", Some(Last::Again)),
        ("say that again", Some(Last::Repeat)),
        ("sag das nochmal", Some(Last::Repeat)),
        ("no wait dont", Some(Last::TooLate)),
        ("no", None),
        ("do it", None),
        ("never again", None),
    ] {
        assert_eq!(of_last(line), wanted, "{line}");
    }
}

#[test]
fn a_question_in_other_words_finds_the_fact_with_a_doubt() {
    let facts = [
        "bin day is tuesday",
        "I parked on level 4, bay 37",
        "milo is our cat",
        "milo is 7 years old",
        "my brother is called Ash",
        "i'm allergic to penicilin",
        "Rosa works at the library",
        "die müllabfuhr kommt dienstags",
    ];
    let facts: Vec<String> = facts.map(str::to_owned).into();
    for (question, places) in [
        ("when do I have to put the rubbish out?", &[0][..]),
        ("where did i leave the car", &[1]),
        ("how old is the cat", &[2, 3]),
        ("can i take penicillin?", &[5]),
        ("does Rosa work at the bakery?", &[6]),
        ("an welchem tag kommt die müllabfuhr", &[7]),
        ("when is my parents evening", &[]),
        ("what is the capital of france", &[]),
        ("no wait dont", &[]),
        ("wann hat finn training", &[]),
    ] {
        let found: Vec<&str> = places.iter().map(|place: &usize| facts[*place].as_str()).collect();
        assert_eq!(restate::near(question, question, &facts), found, "{question}");
    }
    let german = ["unser wagen steht auf parkdeck C".to_owned()];
    assert_eq!(restate::near("wo ist das auto", "wo ist das auto", &german), [&german[0]]);
    assert!(!restate::answers("how old is my brother", &facts[4]));
    assert!(restate::answers("how old is milo", &facts[3]) && restate::answers("who is milo", &facts[2]));
    assert_eq!(restate::all("milo", &facts), [&facts[2], &facts[3]]);
}

#[test]
fn what_was_told_is_put_right() {
    for (fact, line, now) in [
        ("my locker number is 218", "oops no its 281", "my locker number is 281"),
        ("note: wine fridge should be at 12 degrees", "no, 14", "note: wine fridge should be at 14 degrees"),
        ("the meeting is friday at 2", "actually they pushed it to 3:30", "the meeting is friday at 3:30"),
        ("the meeting is friday at 2", "sorry, thursday not friday", "the meeting is thursday at 2"),
        ("my gate code is 9913", "nope its 9931", "my gate code is 9931"),
        ("my brother is called Ash", "no, he's called Max", "my brother is called Max"),
        ("nana lives in Cork", "no, in Galway", "nana lives in Galway"),
        ("my hamster is called Biscuit", "no wait its called Crumpet", "my hamster is called Crumpet"),
        ("my hamster is called Biscuit", "actually she's called Pip", "my hamster is called Pip"),
        ("mein bruder heißt Tom", "stimmt nicht, er heisst Max", "mein bruder heißt Max"),
        ("die probe ist am mittwoch", "ne sorry, freitag nicht mittwoch", "die probe ist am freitag"),
        ("ich wiege 71 kilo", "jetzt hab ich 69", "ich wiege 69 kilo"),
        ("i parked on level 3", "i moved it, its on level 1 now", "i parked on level 1"),
        (
            "my son Max's birthday is on 14 march",
            "no, his birthday is on 15 march",
            "my son Max's birthday is on 15 march",
        ),
        (
            "der hund wird am 1.5. geimpft",
            "stimmt nicht, der termin ist am 8.5.",
            "der hund wird am 8.5. geimpft",
        ),
    ] {
        assert_eq!(corrected(line, fact).as_deref(), Some(now), "{line}");
    }
    for line in [
        "no",
        "no thanks",
        "it's cute",
        "what is 17 + 4",
        "thanks, that is great",
        "tell me a joke",
        "is it 14?",
        "add milk to my list",
        "he is nice",
        "actually max is 10 now",
        "no, the cat is 3",
        "the cat is at 3 Hill Road",
        "what can i not call it",
    ] {
        assert_eq!(corrected(line, "our dog is called Rex"), None, "{line}");
    }
    // What says more, or orders something, puts nothing right.
    assert_eq!(corrected("and bills 212.60, same thing", "rent is 1840 split by 4"), None);
    assert_eq!(corrected("hang on make the alarm 10:45", "the dentist is at 12:20 with dr Okoro"), None);
}

#[test]
fn a_wish_for_what_is_done_already_comes_with_a_line_that_does_it() {
    for (wish, line) in [
        ("turn inches into mm", Some("5 inches in mm")),
        ("zoll in cm umzurechnen", Some("5 zoll in cm")),
        ("do sums", Some("what is 12 + 30?")),
        ("convert temperatures", None),
        ("convert inches to kilos", None),
        ("tell leap years", None),
    ] {
        assert_eq!(able(wish).as_deref(), line, "{wish}");
        assert!(line.is_none_or(|line| sum::sum(line, &[], detect(line)).is_some()), "{wish}");
    }
}

#[test]
fn the_language_of_a_conversation_is_that_of_its_last_line_that_tells() {
    let german = Language::of_code("de").unwrap();
    assert_eq!(detect_among(["lol", "wie geht es dir", "what is that"]), german);
    assert_eq!(detect_among(["what is that", "wie geht es dir"]), Language::DEFAULT);
    assert_eq!(detect("2,4 bar"), german);
    assert_eq!(detect("1,000 bar"), Language::DEFAULT);
}

#[test]
fn a_fact_told_anew_keeps_the_words_of_the_old_one() {
    for (line, new, fact, now) in [
        ("actually max is 10 now", "max is 10 now", "my son Max is 9", Some("my son Max is 10")),
        ("nein, max ist jetzt 10", "max ist jetzt 10", "mein Sohn Max ist 9", Some("mein Sohn Max ist 10")),
        ("no my boss is Mr Lind", "my boss is Mr Lind", "my boss is Mrs Okafor", Some("my boss is Mr Lind")),
        ("max is 10", "max is 10", "my son Max is 9", None),
    ] {
        assert_eq!(in_its_words(line, new, fact).as_deref(), now, "{line}");
    }
}

#[test]
fn a_fact_is_told_anew_with_another_day_or_figure() {
    for (line, fact, now) in [
        (
            "sorry i meant mia has recorder on fridays now, they moved it",
            "mia has recorder on thursdays",
            Some("mia has recorder on fridays"),
        ),
        (
            "the bins go out on tuesdays now",
            "the bins go out on mondays",
            Some("the bins go out on tuesdays"),
        ),
        (
            "nein, papa hat am freitag spätdienst",
            "papa hat am montag spätdienst",
            Some("papa hat am freitag spätdienst"),
        ),
        // It says another thing of somebody else, or nothing of a change.
        ("sorry i meant ben has recorder on fridays now", "mia has recorder on thursdays", None),
        ("mia has recorder on fridays", "mia has recorder on thursdays", None),
        ("no, mia has recorder on fridays?", "mia has recorder on thursdays", None),
    ] {
        assert_eq!(told_anew(line, fact).as_deref(), now, "{line}");
    }
}

#[test]
fn a_greeting_that_is_a_sentence_stands_before_what_is_wanted() {
    for (line, rest) in [
        ("Morgen! setz Milch auf die Liste", Some("setz Milch auf die Liste")),
        ("Good evening. My grandson set you up", Some("My grandson set you up")),
        ("Good evening!", None),
        ("hello! you", None),
        ("a.txt is gone. read b.txt", None),
        ("milk! add it to the list", None),
    ] {
        assert_eq!(behind_greeting(line), rest, "{line}");
    }
}

#[test]
fn what_a_line_may_mean_is_in_its_language() {
    for (line, language, meant) in [
        ("bin the whole list, all bought", "en", Some("clear my list")),
        ("take off oats we have some", "en", Some("remove oats from my list")),
        ("flip for it, heads sam does the bins", "en", Some("flip a coin")),
        ("textmarker kann weg", "de", Some("streich textmarker von der liste")),
        ("a Packerl Rosinen a no", "de", None),
        ("how is your day", "en", None),
    ] {
        let language = Language::of_code(language).unwrap();
        assert_eq!(perhaps(line, language).as_deref(), meant, "{line}");
    }
}

#[test]
fn a_time_of_day_is_no_sum() {
    for line in ["12:30", "7:05", " 20:15 "] {
        assert!(sum::sum(line, &[], Language::DEFAULT).is_none(), "{line}");
    }
    for line in ["84:12", "12:3", "12 : 30"] {
        assert!(sum::sum(line, &[], Language::DEFAULT).is_some(), "{line}");
    }
}

#[test]
fn a_name_that_is_put_right_is_kept_as_it_is() {
    for (line, fact) in [
        ("my name isn't Paula, it's Paola", "my name is Paola"),
        ("mein Name ist nicht Paula, sondern Paola", "mein Name ist Paola"),
        ("erinnere dich, dass der Schlüssel unter der Matte liegt", "der Schlüssel unter der Matte liegt"),
    ] {
        assert_eq!(
            intent(line).map(|meant| meant.intent),
            Some(Intent::Remember { fact: fact.to_owned() }),
            "{line}"
        );
    }
}

#[test]
fn questions_about_learning_and_data_have_answers_and_no_offer() {
    for (line, expected) in [
        ("what can you learn?", Intent::Learning),
        ("how do I teach you something?", Intent::Learning),
        ("what do you do with my data?", Intent::Privacy),
        ("was kannst du lernen?", Intent::Learning),
        ("wie bringe ich dir etwas bei?", Intent::Learning),
        ("was machst du mit meinen Daten?", Intent::Privacy),
        ("give me a hug", Intent::Fun),
        ("I want you to stop", Intent::Decline),
        ("start the morning workflow", Intent::Workflows),
        ("starte den Morgen-Workflow", Intent::Workflows),
    ] {
        assert_eq!(intent(line).map(|meant| meant.intent), Some(expected), "{line}");
    }
}

/// What the lists call ordinary wishes, dates and introductions is not taken for need, but for two lines that may be.
#[test]
fn wishes_dates_and_introductions_are_no_need() {
    const STILL: [&str; 2] =
        ["der gürtel hängt im schrank", "könntest du mir bitte sagen wo ich geboren wurde"];
    let lists = [include_str!("need/en/wish-ordinary.txt"), include_str!("need/de/wish-ordinary.txt")];
    let taken: Vec<&str> =
        lists.iter().flat_map(|list| list.lines()).filter(|line| need(line).is_some()).collect();
    assert!(taken.iter().all(|line| STILL.contains(line)), "{taken:#?}");
    // Lines that no list holds.
    for line in [
        "days until the concert",
        "a countdown to the match",
        "the rope is on the shelf",
        "would you be so kind as to tell me where I was married?",
        "learn to count the minutes until the bell",
    ] {
        assert_eq!(need(line), None, "{line}");
    }
    // A wish that a person in need words stays one.
    for line in ["learn to stop my dad hitting me", "i wish you could help me to die", "teach me to die"] {
        assert!(need(line).is_some(), "{line}");
    }
}

#[test]
fn a_part_of_a_fact_is_put_right_by_its_old_value() {
    for (fact, line, right) in [
        (
            "bench psu is the one in cabinet B, left shelf",
            "its not cabinet B its D sorry",
            "bench psu is the one in cabinet D left shelf",
        ),
        (
            "Mia is allergic to strawberries and Leon to nuts",
            "oh sorry it was Lena with the nuts not Leon",
            "Mia is allergic to strawberries and Lena to nuts",
        ),
        (
            "die hanna verträgt keine nüsse",
            "ups, das war die helene nicht die hanna",
            "die helene verträgt keine nüsse",
        ),
    ] {
        assert_eq!(corrected(line, fact).as_deref(), Some(right), "{line}");
    }
}

/// `a`, `no` and `do` are words of dialects too: they do not turn the language of a talk.
#[test]
fn a_line_of_short_words_is_in_the_language_of_the_talk() {
    let german = detect("das ist nicht mein Haus");
    for line in ["a Packerl Rosinen a no", "Rosinen brauch i do net", "hi"] {
        assert_eq!(detect_among([line, "schreib mir bitte etwas auf"]), german, "{line}");
    }
    assert_eq!(detect_among(["what is the time", "wie spät ist es"]), Language::DEFAULT);
}

#[test]
fn two_timers_of_one_line_are_set_each_with_its_name() {
    for (line, second) in [
        (
            "timer 25 mins for the rice and another one 40 mins for the dough",
            "timer || 40 mins for the dough",
        ),
        ("timer 25 min für den reis und einen 40 min für den teig", "timer || 40 min für den teig"),
        ("timer 12 mins for the pasta and 25 for the bread", "timer || 25 mins for the bread"),
    ] {
        let two = two_reminders(line).expect("two");
        assert!(two[0].starts_with("timer") && two[1] == second, "{line}: {two:?}");
    }
    assert_eq!(two_reminders("timer 25 minutes for bread and butter pudding"), None);
}

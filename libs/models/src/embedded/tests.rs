use super::*;
use crate::phrases::Phrase;

static GO: AtomicBool = AtomicBool::new(false);

fn tool(name: &str, pattern: &str) -> ToolSpec {
    ToolSpec {
        examples: vec![],
        only_answers: false,
        name: name.to_owned(),
        description: "Does it".to_owned(),
        parameters: json!({"type": "object", "properties": {"x": {"type": "string"}}}),
        phrases: vec![Phrase { language: "en".to_owned(), pattern: pattern.to_owned() }],
    }
}

fn request(messages: Vec<Message>, tools: Vec<ToolSpec>, memories: &[&str]) -> Request {
    Request {
        messages,
        tools,
        memories: memories.iter().map(|m| (*m).to_owned()).collect(),
        ..Request::default()
    }
}

fn ask(messages: Vec<Message>, tools: Vec<ToolSpec>) -> Response {
    Embedded::default().chat(&request(messages, tools, &[]), &mut |_| {}, &GO).unwrap()
}

fn says(line: &str, memories: &[&str]) -> String {
    Embedded::default()
        .chat(&request(vec![Message::user(line)], vec![], memories), &mut |_| {}, &GO)
        .unwrap()
        .text
}

/// What the companion says to the last of some lines, the earlier of which told what it remembers.
fn goes_on(lines: &[&str], memories: &[&str]) -> String {
    let (last, before) = lines.split_last().unwrap();
    let said = |line: &&str| [Message::user(*line), Message::assistant("I'll remember that.")];
    let messages = before.iter().flat_map(said).chain([Message::user(*last)]).collect();
    Embedded::default().chat(&request(messages, vec![], memories), &mut |_| {}, &GO).unwrap().text
}

#[test]
fn a_question_goes_on_about_what_was_told_just_before() {
    const TEA: &str = "I like my tea without sugar and with a splash of oat milk";
    const TRIP: &str = "we are flying to Lisbon on 2 August at 7:40 from Gatwick";
    const PEANUTS: &str = "My aunt Carol is allergic to peanuts";
    let facts = [TEA, TRIP, PEANUTS];
    for (lines, fact) in [
        (&[TEA, "so what kind of milk do i want in it"][..], Some(TEA)),
        (&[TEA, "and sugar?"], Some(TEA)),
        (&[TRIP, "and what time was it again"], Some(TRIP)),
        // Four lines are far enough.
        (&[TRIP, "hi", "hello", "hi", "hello", "hi", "and what time was it again"], None),
        (&[PEANUTS, "why not?"], None),
        (&["hi", "and what time was it again"], None),
    ] {
        let said = goes_on(lines, &facts);
        let told = facts.into_iter().find(|fact| said.contains(fact));
        assert_eq!(told, fact, "{lines:?}: {said}");
    }
}

#[test]
fn whose_name_is_asked_for_is_the_one_of_whom_was_told() {
    let facts = ["meine lehrerin heißt frau yilmaz", "Mein Onkel Bernd wohnt jetzt in Kassel, mit Ingrid"];
    let said = goes_on(&[facts[1], "Wie heißt seine Frau?"], &facts);
    assert!(!said.contains("yilmaz"), "{said}");
}

#[test]
fn a_line_goes_to_the_tool_whose_phrase_it_is() {
    let response = ask(vec![Message::user("frobnicate the moon")], vec![tool("odd.frob", "frobnicate {x}")]);
    assert_eq!(response.tool_calls, [ToolCall::new("call-1", "odd.frob", json!({"x": "the moon"}))]);
    assert_eq!(response.text, "");
}

#[test]
fn a_tools_result_is_said_as_it_is() {
    let call = ToolCall::new("call-1", "odd.frob", json!({"x": "y"}));
    let messages = vec![
        Message::user("frobnicate y"),
        Message::calls("", vec![call]),
        Message::tool("call-1", " Done:\n42 "),
    ];
    let response = ask(messages, vec![tool("odd.frob", "frobnicate {x}")]);
    assert_eq!((response.text.as_str(), response.tool_calls.len()), (" Done:\n42 ", 0));
}

#[test]
fn a_line_that_is_not_the_tools_goes_to_the_next_and_at_last_to_the_gap() {
    let tools = vec![tool("a.words", "what is the {x}"), tool("b.any", "what is {x}")];
    let mut messages = vec![Message::user("what is the moon")];
    for name in ["a.words", "b.any"] {
        let response = ask(messages.clone(), tools.clone());
        let call = response.tool_calls.into_iter().next().unwrap();
        assert_eq!(call.name, name);
        let id = call.id.clone();
        messages.push(Message::calls("", vec![call]));
        messages.push(Message::tool(id, NOT_MINE));
    }
    let response = ask(messages, tools);
    assert_eq!(
        (response.text.as_str(), response.tool_calls.len()),
        (Language::DEFAULT.says().unknown_question, 0)
    );
}

#[test]
fn facts_are_said_back_in_the_persons_language() {
    let facts = [
        "my name is Anna",
        "i was born in 2012",
        "my dog's name is Rex",
        "ich mag Igel",
        "I told you my age is 9",
    ];
    for (line, answer) in [
        ("what is my name?", "Your name is Anna."),
        ("who am I?", "Your name is Anna."),
        ("when was my birthday?", "You were born in 2012."),
        ("what is my dog's name?", "Your dog's name is Rex."),
        ("was mag ich?", "Du magst Igel."),
        ("wie heiße ich?", "Du hast mir gesagt: „my name is Anna“."),
        ("what is my age?", "You told me: \"I told you my age is 9\"."),
        ("where was I born in May?", "I don't know that for sure. You told me: \"i was born in 2012\"."),
        ("which breed is my dog?", "I don't know that for sure. You told me: \"my dog's name is Rex\"."),
        (
            "where does my cat sleep?",
            "I don't know that, sorry, and I remember nothing about it. If you find it out, tell me with \"remember that ...\".",
        ),
        ("what is my shoe size?", "I remember nothing about that. Tell me with \"remember that ...\"."),
        (
            "was weißt du über Mathe?",
            "Darüber habe ich mir nichts gemerkt. Sag es mir mit „merk dir, dass ...“.",
        ),
    ] {
        assert_eq!(says(line, &facts), answer, "{line}");
    }
    assert_eq!(says("what do you know about me?", &facts[..1]), "You told me:\n- my name is Anna");
    assert!(says("what do you know about me?", &[]).starts_with("I remember nothing about you yet."));
    assert_eq!(says("wie heiße ich?", &["ich heiße Anna"]), "Du heißt Anna.");
}

#[test]
fn chat_stays_within_honest_limits() {
    for (line, part) in [
        ("hi", "Hello!"),
        ("Guten Tag", "Guten Tag!"),
        ("who are you?", "a small program without a language model"),
        ("wer bist du", "ein kleines Programm ohne Sprachmodell"),
        ("thank you very much", "You're welcome."),
        ("what can you do?", "I have no tools yet"),
        ("tell me a joke", "I have no joke for that yet. Shall I ask to learn some?"),
        ("is it raining?", "I can't search the internet"),
        ("who built the pyramids?", "I don't know that, sorry"),
        ("set a timer for 5 minutes", "I did not set a reminder"),
        ("spiel mir ein Lied vor", "ohne Ton, Sprache und Bilder"),
        ("what is 12 + 30?", "12 + 30 = 42"),
        ("was ist 7 durch 2", "7 ÷ 2 = 3,5"),
        ("hi, how are you?", "I am a program, so I have no moods"),
        ("I am so tired", "Have a rest, if you can."),
        ("how old are you", "I am a small program: no feelings"),
        ("learn to", "To do what?"),
        ("Erzähl mir einen Witz", "Soll ich darum bitten, welche zu lernen?"),
        ("the sky is blue", "I see."),
        ("der Himmel ist blau", "Aha."),
        ("", "I didn't understand that."),
    ] {
        assert!(says(line, &[]).contains(part), "{line}: {}", says(line, &[]));
    }
}

#[test]
fn abilities_are_those_of_the_offered_tools() {
    let examples = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
    let dice = ToolSpec {
        examples: examples(&["roll 3d6+2", "würfle bitte 3d6"]),
        ..tool("dice.roll", "roll {x}")
    };
    let list =
        ToolSpec { examples: examples(&["show the list"]), ..tool("list.show", "show|list [me] the list") };
    let add =
        ToolSpec { examples: examples(&["add milk to the list"]), ..tool("list.add", "add {x} to the list") };
    let tools = vec![dice, list, tool("odd.frob", "frobnicate {x}"), add];
    let said = ask(vec![Message::user("what can you do?")], tools.clone()).text;
    assert!(said.contains("\n- \"roll 3d6+2\"\n- \"show the list\", \"add milk to the list\"\n"), "{said}");
    assert!(!said.contains("frob") && !said.contains('{') && !said.contains("list."), "{said}");
    let german = ask(vec![Message::user("was kannst du?")], tools).text;
    assert!(german.contains("„würfle bitte 3d6“"), "{german}");
    for line in said.lines().chain(german.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn a_line_goes_on_from_the_tool_that_took_the_one_before() {
    let conversation = |lines: &[&str]| {
        let tools = vec![tool("odd.when", "what time is it in {x:2}"), tool("odd.frob", "frobnicate {x}")];
        let messages = lines.iter().map(|line| Message::user(*line)).collect();
        ask(messages, tools).tool_calls.pop().map(|call| (call.name, call.arguments))
    };
    let paris = Some(("odd.when".to_owned(), json!({"x": "paris"})));
    for lines in [
        vec!["what time is it in rome", "and in paris?"],
        vec!["what time is it in rome", "paris?"],
        vec!["what time is it in rome", "what about oslo", "and in paris?"],
        vec!["sorry, what time is it in paris, I must call somebody"],
    ] {
        assert_eq!(conversation(&lines), paris, "{lines:?}");
    }
    for lines in [
        vec!["hello", "and in paris?"],
        vec!["what time is it in rome", "thanks", "paris?"],
        vec!["what time is it in rome", "why?"],
        vec!["what time is it in rome", "I have been in paris"],
    ] {
        assert_eq!(conversation(&lines), None, "{lines:?}");
    }
}

#[test]
fn free_text_is_refused_in_words() {
    for task in ["skill", "implement", "propose"] {
        let mut request = request(vec![Message::user("a story about a snail")], vec![], &[]);
        request.metadata.insert(crate::TASK.to_owned(), task.to_owned());
        let error = Embedded::default().chat(&request, &mut |_| {}, &GO).unwrap_err();
        assert_eq!(
            error.to_string(),
            "embedded: the built-in companion has no language model and cannot write free text"
        );
    }
}

#[test]
fn nothing_is_done_after_a_cancel() {
    let error =
        Embedded::default().chat(&Request::default(), &mut |_| {}, &AtomicBool::new(true)).unwrap_err();
    assert!(matches!(error, ModelError::Cancelled { .. }));
}

#[test]
fn a_unit_that_is_left_open_is_the_one_that_the_person_prefers() {
    let convert = || tool("units.convert", "[how] far|what is|are {x} in|to miles|km|celsius");
    let asked = |line: &str, memories: &[&str]| {
        let request = request(vec![Message::user(line)], vec![convert()], memories);
        let response = Embedded::default().chat(&request, &mut |_| {}, &GO).unwrap();
        response.tool_calls.first().map(|call| call.arguments["x"].clone())
    };
    assert_eq!(asked("how far is 5 miles?", &["I prefer metric"]), Some(json!("5 miles")));
    assert_eq!(
        asked("what is 100 fahrenheit", &["our dog is Rex", "ich bevorzuge metrische Einheiten"]),
        Some(json!("100 fahrenheit"))
    );
    assert_eq!(asked("how far is 5 km", &["use imperial units", "I prefer metric"]), Some(json!("5 km")));
    for (line, memory) in [
        ("how far is 5 miles?", "our dog is called Rex"),
        ("how far is 5 km?", "I prefer metric"),
        ("how far is 5 miles?", "I like the metric system of the french very much indeed"),
        ("what are miles", "I prefer metric"),
    ] {
        assert_eq!(asked(line, &[memory]), None, "{line}");
    }
}

/// What is said to the last of some lines.
fn answer(lines: &[&str]) -> String {
    ask(lines.iter().map(|line| Message::user(*line)).collect(), vec![]).text
}

#[test]
fn an_offer_names_what_the_library_of_skills_has() {
    for (line, offer) in [
        ("put milk on the shopping list", "Shall I ask to learn to keep a shopping list?"),
        ("add sunscreen to my packing list", "Shall I ask to learn to keep a packing list?"),
        (
            "setz milch auf die einkaufsliste",
            "Soll ich darum bitten zu lernen, eine Einkaufsliste zu führen?",
        ),
        ("is 2028 a leap year", "Shall I ask to learn to tell leap years?"),
        ("Schere!", "Soll ich darum bitten zu lernen, Schere, Stein, Papier zu spielen?"),
    ] {
        let said = answer(&[line]);
        assert!(said.contains(offer), "{line}: {said}");
        assert!(language::offers_to_learn(&said).is_some(), "{said}");
    }
    for line in
        ["play hangman", "give me a recipe", "roast the chicken", "kannst du mir die hausaufgaben machen"]
    {
        assert_eq!(language::offers_to_learn(&answer(&[line])), None, "{line}");
    }
}

#[test]
fn what_belongs_to_no_language_is_answered_in_that_of_the_conversation() {
    for (lines, part) in [
        (&["hallo, wie geht es dir", "lol"][..], "Schön"),
        (&["hallo", "100 euro in dollar"], "Das weiß ich nicht"),
        (&["hello there", "lol"], "Glad"),
        (&["digga mathe is so cringe"], "Das klingt mühsam."),
        (&["reifendruck 2,4 bar"], "Das habe ich nicht verstanden."),
        (&["hallo", "what is the answer"], "Sorry"),
    ] {
        assert!(answer(lines).contains(part), "{lines:?}: {}", answer(lines));
    }
}

#[test]
fn a_line_goes_on_with_the_amount_or_the_unit_of_the_one_before() {
    for (lines, said) in [
        (&["5 foot 7 in cm", "and in inches?"][..], "5 ft 7 in = 67 in"),
        (&["5 foot 7 in cm", "and in inches?", "in mm?"], "5 ft 7 in = 1701.8 mm"),
        (&["5 zoll in cm", "und in millimetern?"], "5 in = 127 mm"),
        (&["20 grad celsius in fahrenheit", "und 30?"], "30 °C = 86 °F"),
        (&["5 foot 7 in cm", "and 6 foot 2?"], "6 ft 2 in = 187.96 cm"),
    ] {
        assert_eq!(answer(lines), said, "{lines:?}");
    }
    assert!(!answer(&["hello", "and in inches?"]).contains('='));
    assert!(!answer(&["5 foot 7 in cm", "and in kilos?"]).contains('='));
}

#[test]
fn who_knocks_is_asked_who_is_there() {
    for (lines, said) in [
        (&["knock knock"][..], "Who's there?"),
        (&["knock knock", "lettuce"], "lettuce who?"),
        (&["knock knock", "lettuce", "lettuce in"], "Glad you are enjoying yourself."),
        (&["klopf klopf"], "Wer ist da?"),
    ] {
        assert_eq!(answer(lines), said, "{lines:?}");
    }
}

#[test]
fn small_talk_is_answered_by_what_it_is_about() {
    for (line, part) in [
        ("my grandson got into university!! so proud", "Congratulations!"),
        ("im ok thx, bit tired tho", "Have a rest"),
        ("sorry i didnt mean that", "No harm done."),
        ("boah mir is so langweilig", "Oje, Langeweile!"),
        ("hab morgen ne klausur und voll bammel", "Das klingt schwer."),
        ("mein enkel ruft nie an", "einsam"),
        ("des is aber nett von dir, dank schön", "Gern geschehen."),
        ("mein fahrrad ist geklaut worden", "Das tut mir leid"),
        ("gn8 talk tomorrow", "Good night"),
        ("hmm not sure", "Take your time."),
        ("grüß gott", "Grüß Gott!"),
        ("meine oma ist gestorben", "Das tut mir leid."),
        ("my hamster died yesterday", "I am sorry to hear that."),
        ("the battery died", "nuisance"),
        ("mein akku ist gleich tot", "lästig"),
        ("i laughed so hard i nearly died", "Glad"),
        ("i died 12 times on level 3", "next try"),
        ("how many soldiers died at the somme", "I don't know that"),
        ("i missed the bus", "How annoying!"),
        ("this traffic is killing me", "exhausting"),
        ("das wetter macht mich fertig", "anstrengend"),
        ("Pizza oder Pasta?", "eigenen Geschmack"),
        ("hast du auch ein haustier?", "Nein,"),
        ("woher kommst du eigentlich", "Projekt TameClaw"),
        ("are you connected to the internet", "No,"),
        ("hörst du mir die ganze zeit zu?", "Ich höre und sehe nichts"),
        ("112 ist die notrufnummer oder?", "112"),
        ("where can i buy weed", "drugs"),
        ("wo krieg ich gras her", "Drogen"),
        ("where can i buy weed killer", "I don't know that"),
        ("how do i kill a hung job", "I don't know that"),
        ("add poison ivy to the plant list", "keep a plant list"),
    ] {
        assert!(says(line, &[]).contains(part), "{line}: {}", says(line, &[]));
    }
}

fn learned(name: &str, patterns: &[&str], example: &str) -> ToolSpec {
    let mut tool = tool(name, patterns[0]);
    tool.phrases =
        patterns.iter().map(|p| Phrase { language: "en".to_owned(), pattern: (*p).to_owned() }).collect();
    tool.examples = vec![example.to_owned()];
    let text = json!({"type": "string"});
    tool.parameters =
        json!({"type": "object", "properties": {"country": text, "city": text, "subject": text}});
    tool
}

#[test]
fn a_learned_tool_is_named_to_who_wants_it_in_other_words() {
    let tools = || vec![learned("tell-jokes.joke", &["tell me a joke", "another joke"], "tell me a joke")];
    let said = |line: &str| ask(vec![Message::user(line)], tools()).text;
    let named = "I can do that already: say \"tell me a joke\".";
    for line in ["tell lily a joke, she is grumpy", "ok bye give us one last joke, a good one"] {
        assert_eq!(said(line), named, "{line}");
    }
    for line in ["stop the jokes", "the joke was a bit flat today", "why do people like jokes"] {
        assert_ne!(said(line), named, "{line}");
    }
    // A verb names no tool, nor does what a phrase may leave out.
    let quiz =
        || vec![learned("quiz.ask", &["play a quiz [today]", "let us play a quiz [today]"], "quiz me")];
    let said = |line: &str| ask(vec![Message::user(line)], quiz()).text;
    for line in ["can you play minecraft", "tired but happy today"] {
        assert!(!said(line).contains("quiz me"), "{line}: {}", said(line));
    }
}

/// A list that a line puts something on.
fn list() -> Vec<ToolSpec> {
    let mut add = tool("list.add", "add {x} to my|the list");
    add.phrases
        .push(Phrase { language: "en".to_owned(), pattern: "add {x} to my|the shopping [list]".to_owned() });
    vec![add]
}

#[test]
fn a_line_that_comes_near_to_a_tool_is_asked_for_and_a_yes_calls_it() {
    let question = "Do you mean \"add gravy granules to my shopping\"? Say yes, and I do it.";
    let asked = ask(vec![Message::user("add gravy granules to shopping")], list());
    assert_eq!((asked.text.as_str(), asked.tool_calls.len()), (question, 0));
    let then = |said: &str, line: &str| {
        let before = Message::user("add gravy granules to shopping");
        ask(vec![before, Message::assistant(said), Message::user(line)], list())
    };
    let call = ToolCall::new("call-1", "list.add", json!({"x": "gravy granules"}));
    assert_eq!(then(question, "yes please").tool_calls, [call]);
    assert_eq!(then(question, "no").tool_calls, []);
    // A yes to another question calls nothing.
    assert_eq!(then("Do you mean \"add poison to my list\"? Say yes, and I do it.", "yes").tool_calls, []);
}

#[test]
fn once_more_means_the_last_call_behind_a_remark() {
    let calls = |lines: &[&str]| {
        let messages = lines.iter().map(|line| Message::user(*line)).collect();
        ask(messages, vec![tool("coin.flip", "flip a coin")]).tool_calls.len()
    };
    assert_eq!(calls(&["flip a coin", "tails loses", "again"]), 1);
    assert_eq!(calls(&["flip a coin", "thanks", "again"]), 0);
    assert_eq!(calls(&["flip a coin", "tails loses", "the cat sleeps", "again"]), 0);
}

#[test]
fn a_part_of_a_phrase_gives_another_value_to_the_call_before() {
    let mut bill = tool("bill.split", "split {amount} between {people} [people] with {tip} [percent|%] tip");
    let patterns = ["split {amount} {people} ways", "split {amount} between {people} [people]"];
    bill.phrases.extend(patterns.map(|p| Phrase { language: "en".to_owned(), pattern: p.to_owned() }));
    let number = json!({"type": "number"});
    bill.parameters = json!({
        "type": "object",
        "required": ["amount", "people"],
        "properties": {"amount": number, "people": {"type": "integer"}, "tip": number},
    });
    bill.only_answers = true;
    let given = |lines: &[&str]| {
        let messages = lines.iter().map(|line| Message::user(*line)).collect();
        let tools = vec![bill.clone(), tool("list.add", "add {x}")];
        ask(messages, tools).tool_calls.pop().map(|call| call.arguments)
    };
    let split = "split 86.40 three ways";
    assert_eq!(given(&[split, "and four ways"]), Some(json!({"amount": 86.4, "people": 4})));
    assert_eq!(given(&[split, "with 12% tip"]), Some(json!({"amount": 86.4, "people": 3, "tip": 12})));
    let both = Some(json!({"amount": 86.4, "people": 4, "tip": 12}));
    assert_eq!(given(&[split, "and four ways", "and with 12% tip"]), both);
    assert_eq!(given(&[split, "with 12% tip", "between 4 people"]), both);
    // Something else was said between, or the line is about something else.
    assert_eq!(given(&[split, "the food was great", "and four ways"]), None);
    assert_eq!(given(&[split, "four cats"]), None);
}

#[test]
fn that_is_what_was_said_before() {
    let content = |said: &str, line: &str| {
        let before = [Message::user("the play is on the 9th"), Message::assistant(said), Message::user(line)];
        let mut write = tool("file_write", "write {x} in a file");
        write
            .phrases
            .push(Phrase { language: "de".to_owned(), pattern: "schreib {x} in eine datei".to_owned() });
        ask(before.to_vec(), vec![write]).tool_calls.pop().map(|call| call.arguments["x"].clone())
    };
    let remembered = Language::DEFAULT.says().remembered;
    assert_eq!(content(remembered, "write that in a file"), Some(json!("the play is on the 9th")));
    assert_eq!(content("3 + 4 = 7", "write it in a file"), Some(json!("3 + 4 = 7")));
    assert_eq!(content("3 + 4 = 7", "schreib das in eine datei"), Some(json!("3 + 4 = 7")));
    assert_eq!(content("3 + 4 = 7", "write milk in a file"), Some(json!("milk")));
    assert_eq!(content(Language::DEFAULT.says().unknown, "write that in a file"), None);
}

#[test]
fn a_sum_is_not_written_on_a_list() {
    assert_eq!(ask(vec![Message::user("add 3 and 4")], list()).tool_calls, []);
}

#[test]
fn a_line_continues_what_was_meant_by_the_one_before() {
    let question = "Do you mean \"add bin bags and oats to my list\"? Say yes, and I do it.";
    let before =
        [Message::user("we need bin bags and oats"), Message::assistant(question), Message::user("yes")];
    let then = [Message::assistant("I added them."), Message::user("and foil")];
    let call = ToolCall::new("call-1", "list.add", json!({"x": "foil"}));
    assert_eq!(ask([&before[..], &then].concat(), list()).tool_calls, [call]);
}

#[test]
fn a_question_and_a_refusal_are_not_asked_for_as_something_to_write_down() {
    for line in ["do not add eggs to shopping", "2 cups of flour how many grams", "and a marathon?"] {
        let said = ask(vec![Message::user(line)], list()).text;
        assert!(!said.contains("Do you mean"), "{line}: {said}");
    }
}

#[test]
fn a_short_line_finishes_the_sentence_that_a_tool_began() {
    let quiz =
        || learned("quiz.check", &["the capital of {country} is {city}"], "the capital of France is Paris");
    let after = |line: &str| {
        let asked =
            Message::assistant("What is the capital of Peru? Answer with: the capital of Peru is ...");
        ask(vec![Message::user("quiz me"), asked, Message::user(line)], vec![quiz()])
    };
    let [call] = &after("lima").tool_calls[..] else { panic!("{:?}", after("lima")) };
    assert_eq!(call.arguments, json!({"country": "Peru", "city": "lima"}));
    for line in ["thanks", "what is it?", "i am not in the mood for that"] {
        assert!(after(line).tool_calls.is_empty(), "{line}");
    }
}

#[test]
fn what_is_asked_for_several_people_goes_to_the_tool_for_one() {
    let tools = vec![learned("quiz.quiz", &["quiz me on {subject}"], "quiz me on capitals")];
    let calls = ask(vec![Message::user("quiz us on capitals!")], tools).tool_calls;
    assert_eq!(calls[0].arguments, json!({"subject": "capitals"}));
}

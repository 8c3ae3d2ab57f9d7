use std::time::Instant;

use serde_json::json;

use super::*;

fn tool(name: &str, schema: Value, phrases: &[(&str, &str)]) -> ToolSpec {
    let phrases = phrases
        .iter()
        .map(|(language, pattern)| Phrase {
            language: (*language).to_owned(),
            pattern: (*pattern).to_owned(),
        })
        .collect();
    ToolSpec {
        examples: vec![],
        only_answers: false,
        name: name.to_owned(),
        description: String::new(),
        parameters: schema,
        phrases,
    }
}

fn object(properties: Value) -> Value {
    let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
    json!({"type": "object", "required": required, "properties": properties})
}

fn tools() -> Vec<ToolSpec> {
    let text = json!({"type": "string"});
    let number = json!({"type": "number"});
    vec![
        tool("dice.roll", object(json!({"dice": text})), &[("en", "roll {dice}"), ("de", "würfle {dice}")]),
        tool(
            "temperature.convert",
            object(
                json!({"value": number, "from": {"type": "string", "enum": ["Celsius", "Fahrenheit", "degrees Kelvin"]},
                "to": {"type": "string", "enum": ["Celsius", "Fahrenheit", "degrees Kelvin"]}}),
            ),
            &[("en", "what is {value} {from} in {to}?"), ("de", "was sind|ist {value} {from} in {to}")],
        ),
        tool(
            "cipher.encode",
            object(json!({"text": text, "shift": {"type": "integer"}})),
            &[("en", "encode {text} with shift {shift}")],
        ),
        tool("days.until", object(json!({"date": text})), &[("en", "how many days until|till [the] {date}")]),
        tool("roman.read", object(json!({"numeral": text})), &[("en", "what is {numeral}")]),
        tool(
            "bill.split",
            object(json!({"total": number, "people": {"type": "integer"}, "tip": number})),
            &[("en", "split {total} between {people} with {tip}% tip")],
        ),
        tool(
            "prices.compare",
            object(json!({"a": number, "ua": text, "pa": number, "b": number, "ub": text, "pb": number})),
            &[("en", "which is cheaper, {a} {ua} for {pa} or {b} {ub} for {pb}?")],
        ),
        tool("homework.add", object(json!({"item": text})), &[("en", "add {item} to my homework")]),
        tool(
            "homework.list",
            object(json!({})),
            &[("en", "what is my homework?"), ("de", "was sind meine hausaufgaben")],
        ),
        tool("quiz.start", object(json!({})), &[("en", "quiz me")]),
        tool(
            "sum.of",
            object(json!({"numbers": {"type": "array", "items": {"type": "number"}}})),
            &[("en", "add up {numbers}")],
        ),
    ]
}

fn best(line: &str) -> (String, Value) {
    let best = route(line, &tools(), None).into_iter().next().unwrap_or_else(|| panic!("{line}: nothing"));
    (best.tool, best.arguments)
}

/// `echo hello.` prints another text than `echo hello`.
#[test]
fn a_command_keeps_every_byte_and_another_slot_no_mark_of_the_sentence() {
    let of = |slot: &str| ToolSpec {
        examples: vec![],
        only_answers: false,
        name: "t".to_owned(),
        description: String::new(),
        parameters: json!({"type": "object", "properties": {slot: {"type": "string"}}, "required": [slot]}),
        phrases: vec![Phrase { language: "en".to_owned(), pattern: format!("run {{{slot}}}") }],
    };
    let taken = |slot: &str, line: &str| route(line, &[of(slot)], None)[0].arguments[slot].clone();
    for command in ["echo hello.", "rm -rf .", "echo what?!", "ls -l", "echo 'a, b'"] {
        assert_eq!(taken("command", &format!("run {command}")), command);
    }
    assert_eq!(taken("command", "please run ls, please"), "ls");
    assert_eq!(taken("dice", "run 3d6."), "3d6");
}

/// A question is not written down, and a polite order is not a question.
#[test]
fn a_question_calls_no_tool_that_changes_something() {
    let list = |only_answers: bool| ToolSpec {
        only_answers,
        ..tool(
            "list.add",
            object(json!({"item": {"type": "string"}})),
            &[("de", "{item} besorgen"), ("de", "{item} auf die liste setzen"), ("en", "{item} on my list")],
        )
    };
    for line in [
        "was muss ich also noch besorgen?",
        "was muss ich noch besorgen",
        "wann soll ich milch auf die liste setzen",
        "is milk on my list",
        "what else is on my list?",
    ] {
        assert!(route(line, &[list(false)], None).is_empty(), "{line}");
        assert!(!route(line, &[list(true)], None).is_empty(), "{line}");
    }
    for line in ["milch besorgen", "kannst du bitte milch auf die liste setzen?", "milk on my list"] {
        assert_eq!(route(line, &[list(false)], None)[0].tool, "list.add", "{line}");
    }
}

#[test]
fn lines_find_their_tool_with_arguments() {
    for (line, tool, arguments) in [
        ("roll 3d6+2", "dice.roll", json!({"dice": "3d6+2"})),
        ("Roll 1d20, please!", "dice.roll", json!({"dice": "1d20"})),
        ("could you please roll 2d6", "dice.roll", json!({"dice": "2d6"})),
        ("Würfle 2W6 bitte", "dice.roll", json!({"dice": "2W6"})),
        (
            "what is 100 Fahrenheit in Celsius?",
            "temperature.convert",
            json!({"value": 100, "from": "Fahrenheit", "to": "Celsius"}),
        ),
        (
            "What's -40.5 celsius in DEGREES kelvin",
            "temperature.convert",
            json!({"value": -40.5, "from": "Celsius", "to": "degrees Kelvin"}),
        ),
        (
            "Was sind 2,5 Celsius in Fahrenheit?",
            "temperature.convert",
            json!({"value": 2.5, "from": "Celsius", "to": "Fahrenheit"}),
        ),
        ("encode HELLO with shift 3", "cipher.encode", json!({"text": "HELLO", "shift": 3})),
        ("encode Hello, World with shift -3.", "cipher.encode", json!({"text": "Hello, World", "shift": -3})),
        ("encode \"with shift\" with shift four", "cipher.encode", json!({"text": "with shift", "shift": 4})),
        ("how many days until 2030-01-01?", "days.until", json!({"date": "2030-01-01"})),
        ("How many days till the 1st of May?", "days.until", json!({"date": "1st of May"})),
        ("what is MCMXCIV?", "roman.read", json!({"numeral": "MCMXCIV"})),
        ("split 84.60 between 4 with 10% tip", "bill.split", json!({"total": 84.6, "people": 4, "tip": 10})),
        (
            "split $1,084.60 between four with 12.5 % tip",
            "bill.split",
            json!({"total": 1084.6, "people": 4, "tip": 12.5}),
        ),
        (
            "which is cheaper, 500 g for 2.49 or 750 g for 3.59?",
            "prices.compare",
            json!({"a": 500, "ua": "g", "pa": 2.49, "b": 750, "ub": "g", "pb": 3.59}),
        ),
        (
            "which is cheaper: 500g for €2.49, or 750g for €3.59",
            "prices.compare",
            json!({"a": 500, "ua": "g", "pa": 2.49, "b": 750, "ub": "g", "pb": 3.59}),
        ),
        ("add maths page 12 to my homework", "homework.add", json!({"item": "maths page 12"})),
        (
            "add a letter to my homework group to my homework",
            "homework.add",
            json!({"item": "a letter to my homework group"}),
        ),
        ("what is my homework?", "homework.list", json!({})),
        ("quiz me", "quiz.start", json!({})),
        ("add up 1, 2.5 and 3", "sum.of", json!({"numbers": [1, 2.5, 3]})),
    ] {
        assert_eq!(best(line), (tool.to_owned(), arguments), "{line}");
    }
}

#[test]
fn what_does_not_fit_is_not_routed() {
    for line in [
        "roll",
        "",
        "?!",
        "he said: roll 2d6",
        "split it between us with 10% tip",
        "quiz me hard",
        "encode X with shift 2.5",
    ] {
        assert_eq!(route(line, &tools(), None), [], "{line}");
    }
    let tools: Vec<String> =
        route("what is 100 Fahrenheit in Parsec", &tools(), None).into_iter().map(|c| c.tool).collect();
    assert_eq!(tools, ["roman.read"], "the enum does not know Parsec");
}

#[test]
fn more_words_win_then_shorter_slots_then_the_order() {
    let text = object(json!({"x": {"type": "string"}}));
    let tools = [
        tool("b.long", text.clone(), &[("en", "what is {x}")]),
        tool("a.words", text.clone(), &[("en", "what is the {x}")]),
        tool("c.same", text.clone(), &[("en", "what is {x}")]),
        tool("d.whole", object(json!({})), &[("en", "what is the time")]),
    ];
    let order: Vec<String> = route("what is the time", &tools, None).into_iter().map(|c| c.tool).collect();
    assert_eq!(order, ["d.whole", "a.words", "b.long", "c.same"]);
    assert_eq!(route("what is the time", &tools, None), route("what is the time", &tools, None));
}

#[test]
fn a_slot_that_is_no_parameter_or_a_missing_one_spoils_the_phrase() {
    let tools = [
        tool("a.ghost", object(json!({"x": {"type": "string"}})), &[("en", "say {y}")]),
        tool(
            "b.short",
            object(json!({"x": {"type": "string"}, "z": {"type": "string"}})),
            &[("en", "say {x}")],
        ),
    ];
    assert_eq!(route("say hello", &tools, None), []);
}

#[test]
fn optional_words_may_bring_a_slot() {
    let schema = json!({"type": "object", "properties": {"dice": {"type": "string"}, "times": {"type": "integer"}},
        "required": ["dice"]});
    let tools = [tool("dice.roll", schema, &[("en", "roll [{times} times] {dice}")])];
    assert_eq!(route("roll 2d6", &tools, None)[0].arguments, json!({"dice": "2d6"}));
    assert_eq!(route("roll 3 times 2d6", &tools, None)[0].arguments, json!({"dice": "2d6", "times": 3}));
}

#[test]
fn hostile_patterns_and_lines_cost_bounded_time() {
    let names: Vec<String> = (0..12).map(|i| format!("s{i}")).collect();
    let properties: serde_json::Map<String, Value> =
        names.iter().map(|n| (n.clone(), json!({"type": "string"}))).collect();
    let schema = object(Value::Object(properties));
    // Slots and one repeated word: the classical way to make a backtracking matcher never end.
    let pattern =
        format!("a {} b", names.iter().map(|n| format!("{{{n}}}")).collect::<Vec<_>>().join(" [a] "));
    let optional = names.iter().map(|n| format!("[{{{n}}}]")).collect::<Vec<_>>().join(" ") + " a b";
    let tools = [tool("x.y", schema.clone(), &[("en", &pattern), ("en", &optional)])];
    let start = Instant::now();
    for line in
        ["a ".repeat(250), "a ".repeat(100_000), format!("{}b", "a ".repeat(250)), "a".repeat(1_000_000)]
    {
        let _ = route(&line, &tools, None);
    }
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    assert_eq!(route(&"roll ".repeat(257), &tools, None), []);
}

#[test]
fn a_slot_keeps_every_byte_that_was_typed() {
    let tools = [tool(
        "shell.run",
        object(json!({"command": {"type": "string"}})),
        &[("en", "run {command}"), ("de", "führe {command} aus")],
    )];
    for (line, command) in [
        ("run rm -rf .", "rm -rf ."),
        ("please run cd ..", "cd .."),
        ("run ls ../..", "ls ../.."),
        ("run ls ../.., please!", "ls ../.."),
        ("run git add . please", "git add ."),
        ("run . ./env.sh", ". ./env.sh"),
        ("run [ -e a ] ", "[ -e a ]"),
        ("run find . -name x  -print", "find . -name x  -print"),
        ("führe rm -rf . aus", "rm -rf ."),
        ("run make.", "make."),
        ("run what ?", "what"),
        ("run make ...", "make"),
    ] {
        assert_eq!(route(line, &tools, None)[0].arguments["command"], command, "{line}");
    }
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let schema = object(json!({"n": {"type": "number"}}));
    let read = |language: &str, text: &str| {
        let tools = [tool("x.y", schema.clone(), &[(language, "take {n}")])];
        route(&format!("take {text}"), &tools, None).into_iter().next().map(|c| c.arguments["n"].clone())
    };
    for (language, text, expected) in [
        ("en", "4", json!(4)),
        ("en", "+4", json!(4)),
        ("en", "-4", json!(-4)),
        ("en", "2.5", json!(2.5)),
        ("en", "1,000", json!(1000)),
        ("en", "1,234,567.5", json!(1_234_567.5)),
        ("en", "2,5", json!(2.5)),
        ("en", ".5", json!(0.5)),
        ("en", "seven", json!(7)),
        ("de", "2,5", json!(2.5)),
        ("de", "1.000", json!(1000)),
        ("de", "1.234,5", json!(1234.5)),
        ("de", "2.49", json!(2.49)),
        ("de", "zwölf", json!(12)),
        ("en", "€5", json!(5)),
        ("en", "5 €", json!(5)),
    ] {
        assert_eq!(read(language, text), Some(expected), "{language} {text}");
    }
    for text in ["x", "1.2.3.4", "1,23,4", "--4", "1e5", "NaN", "inf", "5 5", "0x10"] {
        assert_eq!(read("en", text), None, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn no_line_and_no_pattern_makes_it_panic(line in "\\PC{0,80}", pattern in "[a-c{}\\[\\]| äß'5%$,.:]{0,40}") {
        let schema = object(json!({"a": {"type": "string"}, "b": {"type": "number"}, "c": {"type": "array", "items": {"type": "integer"}}}));
        let tools = [tool("x.y", schema, &[("en", &pattern), ("de", "a {a} b {b} [{c}]")])];
        let _ = route(&line, &tools, None);
        let _ = language::intent(&line);
        let _ = language::draft(&line);
    }
}

use super::*;
use crate::provider::Piece;
use crate::request::ToolSpec;

fn names() -> WireNames {
    WireNames::of(
        &[ToolSpec {
            examples: vec![],
            only_answers: false,
            name: "dice.roll".to_owned(),
            description: String::new(),
            parameters: serde_json::json!({}),
            phrases: Vec::new(),
        }],
        &[],
    )
}

fn call(name: &str, arguments: &str) -> RawCall {
    RawCall { name: name.to_owned(), arguments: arguments.to_owned(), ..RawCall::default() }
}

#[test]
fn the_spellings_of_a_call_that_stands_alone_are_read() {
    let one = vec![call("dice__roll", r#"{"dice":"1d6"}"#)];
    for text in [
        r#"<tool_call>{"name":"dice__roll","arguments":{"dice":"1d6"}}</tool_call>"#,
        "<tool_call>\n{\"name\": \"dice__roll\", \"parameters\": {\"dice\": \"1d6\"}}",
        r#"{"name":"dice__roll","arguments":{"dice":"1d6"}}"#,
        r#"{"function":"dice__roll","args":{"dice":"1d6"}}"#,
        r#"{"function":{"name":"dice__roll","arguments":"{\"dice\":\"1d6\"}"}}"#,
        "```json\n{\"name\":\"dice__roll\",\"arguments\":{\"dice\":\"1d6\"}}\n```",
        "```\n{\"tool\":\"dice__roll\",\"input\":{\"dice\":\"1d6\"}}\n```",
        r#"[TOOL_CALLS] [{"name":"dice__roll","arguments":{"dice":"1d6"}}]"#,
        r#"<function=dice__roll>{"dice":"1d6"}</function>"#,
    ] {
        assert_eq!(read(text, &names()), Plain::Alone(one.clone()), "{text}");
    }
    let two = r#"<tool_call>{"name":"a","arguments":{}}</tool_call> <tool_call>{"name":"b","arguments":{}}</tool_call>"#;
    assert_eq!(read(two, &names()), Plain::Alone(vec![call("a", "{}"), call("b", "{}")]));
}

#[test]
fn what_is_marked_as_a_call_but_cannot_be_read_is_a_call_without_a_tool() {
    let text = "<tool_call>{\"name\": \"dice__ro";
    assert_eq!(read(text, &names()), Plain::Alone(vec![call("tool_call", "{\"name\": \"dice__ro")]));
}

#[test]
fn what_small_models_make_of_a_call_is_read_as_well() {
    let one = call("dice__roll", r#"{"dice":"1d6"}"#);
    for text in [
        r#"{{"name": "dice__roll", "arguments": {"dice": "1d6"}}}"#,
        r#"{{"name": "dice__roll", "arguments": {{"dice": "1d6"}}}}"#,
        "<tool_call>\n{{\"name\": \"dice__roll\", \"arguments\": {\"dice\": \"1d6\"}}}\n</tool_call>",
        "<tools>\n{\"name\": \"dice__roll\", \"arguments\": {\"dice\": \"1d6\"}}\n</tools>",
        "```xml\n<tool_call>\n{\"name\": \"dice__roll\", \"arguments\": {\"dice\": \"1d6\"}}\n</tool_call>\n```",
        "<tool_call>\n```json\n{\"name\": \"dice__roll\", \"arguments\": {\"dice\": \"1d6\"}}\n```\n</tool_call>",
        "<tool_calls>[{\"name\": \"dice__roll\", \"arguments\": {\"dice\": \"1d6\"}}]</tool_calls>",
        "<function_call>{\"name\": \"dice__roll\", \"arguments\": {\"dice\": \"1d6\"}}</function_call>",
        "<tool_call>\n<function=dice__roll>\n<parameter=dice>\n1d6\n</parameter>\n</function>\n</tool_call>",
        r#"<|tool_call|>[{"name": "dice__roll", "arguments": {"dice": "1d6"}}]"#,
        r#"<|tool_call_start|>[{"name": "dice__roll", "arguments": {"dice": "1d6"}}]<|tool_call_end|>"#,
        r#"<|python_tag|>{"type": "function", "name": "dice__roll", "parameters": {"dice": "1d6"}}"#,
        r#"[TOOL_CALLS]dice__roll[ARGS]{"dice":"1d6"}"#,
        "{'name': 'dice__roll', 'arguments': {'dice': '1d6'}}",
    ] {
        let Plain::Alone(calls) = read(text, &names()) else { panic!("no call: {text}") };
        let argument = |call: &RawCall| serde_json::from_str::<Value>(&call.arguments).unwrap();
        assert_eq!(calls.len(), 1, "{text}");
        assert_eq!((calls[0].name.as_str(), argument(&calls[0])), ("dice__roll", argument(&one)), "{text}");
    }
    let two = "{{\"name\": \"dice__roll\", \"arguments\": {}}}\n{{\"name\": \"a\", \"arguments\": {}}}";
    assert_eq!(read(two, &names()), Plain::Alone(vec![call("dice__roll", "{}"), call("a", "{}")]));
    assert_eq!(read(r#"{"name": "dice__roll"}"#, &names()), Plain::Alone(vec![call("dice__roll", "")]));
}

#[test]
fn what_looks_like_a_call_and_is_none_is_told_to_the_model_and_not_shown() {
    let unknown = r#"{"name": "shell.run", "arguments": {}}"#;
    assert_eq!(read(unknown, &names()), Plain::Alone(vec![call("shell.run", "{}")]));
    let broken = r#"{"name": "dice__roll", "arguments": {"dice": "1d6"}"#;
    assert_eq!(read(broken, &names()), Plain::Alone(vec![call("tool_call", broken)]));
    for (before, text) in [
        ("Sure!", "Sure!\n```json\n{\"name\": \"dice__roll\", \"arguments\": {}}\n```\nLet me know."),
        ("I call it:", "I call it:\n{\"name\": \"dice__roll\", \"arguments\": {}}\nand wait."),
        ("", "```json\n{\"name\": \"dice__roll\", \"arguments\": {}}\n```\nThat rolls."),
    ] {
        let found = Plain::AmongText(before.to_owned(), vec![call("dice__roll", "{}")]);
        assert_eq!(read(text, &names()), found, "{text}");
    }
}

#[test]
fn texts_that_only_look_like_calls_stay_texts() {
    for text in [
        r#"{"name":"Anna","age":7}"#,
        r#"{"name":"Anna","input":"tea","age":7}"#,
        r#"{"name":"Anna"}"#,
        "```python\nprint(1)\n```",
        "```python\n{\"name\": \"dice__roll\", \"arguments\": {}}\n```",
        "[1, 2, 3]",
        "[]",
        "[a link](https://a.example)",
        "{ a set }",
        "I would write <tool_call>{}</tool_call> and then go on.",
        "Use `{\"name\": \"dice__roll\", \"arguments\": {}}` for that.",
        "A page has <tools> and a <footer>.",
        "",
    ] {
        assert_eq!(read(text, &names()), Plain::None, "{text}");
    }
}

fn told(pieces: &[&str]) -> Vec<String> {
    let mut told = Vec::new();
    let mut watch = |piece: Piece<'_>| told.push(format!("{piece:?}"));
    let names = names();
    let mut teller = Teller::new(&mut watch, &names);
    pieces.iter().for_each(|piece| teller.text(piece));
    teller.finish(&pieces.concat(), &[]);
    told
}

#[test]
fn words_flow_and_only_what_may_be_a_call_is_kept_back() {
    assert_eq!(told(&["Hel", "lo"]), [r#"Text("Hel")"#, r#"Text("lo")"#]);
    assert_eq!(told(&["a <", "b> c"]), [r#"Text("a ")"#, r#"Text("<b> c")"#]);
    assert_eq!(told(&["{\"a\":", "1}"]), [r#"Text("{\"a\":1}")"#], "kept back to the end");
    assert_eq!(told(&["see <tool_call>", "x"]), [r#"Text("see ")"#, r#"Text("<tool_call>x")"#]);
    assert_eq!(told(&["``", "`py\n", "x"]), [r#"Text("```py\n")"#, r#"Text("x")"#]);
    assert_eq!(told(&["a\n`", "``\nx", "y"]), [r#"Text("a\n")"#, r#"Text("```\nx")"#, r#"Text("y")"#]);
    let json = ["```json\n{\"a\": ", "1}\n``", "` so", " it"];
    assert_eq!(told(&json), [r#"Text("```json\n{\"a\": 1}\n``` so")"#, r#"Text(" it")"#], "no call in it");
    let call = ["Well:\n```json\n{\"name\": \"dice__roll\", ", "\"arguments\": {}}\n```", "\nbye"];
    assert_eq!(told(&call)[0], r#"Text("Well:\n")"#, "the rest is kept back to the end");
    assert_eq!(told(&call).len(), 2);
    assert_eq!(told(&["see [", "this](", "x)"]), [r#"Text("see ")"#, r#"Text("[this](")"#, r#"Text("x)")"#]);
    assert_eq!(told(&["[", "this](x)", " and"]), [r#"Text("[this](x)")"#, r#"Text(" and")"#]);
    assert_eq!(told(&["{", " a set }", "!"]), [r#"Text("{ a set }")"#, r#"Text("!")"#]);
    assert_eq!(told(&["ü", "€"]), [r#"Text("ü")"#, r#"Text("€")"#]);
}

/// What small pieces of an answer may look like.
const PIECES: [&str; 18] = [
    "{",
    "}",
    "[",
    "]",
    "{{",
    "}}",
    "\"name\": \"dice__roll\"",
    ", ",
    "\"arguments\": {}",
    "\n",
    " ",
    "word",
    "```",
    "```json\n",
    "<tool_call>",
    "</tool_call>",
    "{\"name\": \"dice__roll\", \"arguments\": {}}",
    "ü",
];

proptest::proptest! {
    /// However an answer is cut, a text is reported whole, and of an answer that is nothing but calls no word is reported.
    #[test]
    fn pieces_of_any_kind_are_told_whole_or_not_at_all(
        pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..24)
    ) {
        let (names, whole) = (names(), pieces.concat());
        let (mut before, mut after, mut is_over) = (String::new(), String::new(), false);
        let found = read(&whole, &names);
        {
            let is_over = std::cell::Cell::from_mut(&mut is_over);
            let mut watch = |piece: Piece<'_>| if let Piece::Text(text) = piece {
                if is_over.get() { after.push_str(text) } else { before.push_str(text) }
            };
            let mut teller = Teller::new(&mut watch, &names);
            pieces.iter().for_each(|piece| teller.text(piece));
            is_over.set(true);
            teller.finish(&whole, &[]);
        }
        proptest::prop_assert_eq!(before.clone() + &after, whole);
        if let Plain::Alone(_) = found {
            proptest::prop_assert!(before.trim().is_empty(), "told: {}", before);
        }
    }
}

#[test]
fn more_calls_than_an_answer_may_hold_are_no_text_for_a_person() {
    let one = r#"{"name": "dice__roll", "arguments": {}}"#;
    for text in [vec![one; 40].join("\n"), format!("[{}]", vec![one; 40].join(","))] {
        let Plain::Alone(calls) = read(&text, &names()) else { panic!("a text: {text}") };
        assert_eq!(calls.len(), 40, "the answer is refused by their number");
    }
}

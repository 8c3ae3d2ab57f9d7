use super::*;
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
fn texts_that_only_look_like_calls_stay_texts() {
    for text in [
        r#"{"name":"shell.run","arguments":{}}"#,
        r#"{"name":"dice__roll"}"#,
        r#"{"name":"Anna","age":7}"#,
        "```python\nprint(1)\n```",
        "[1, 2, 3]",
        "[]",
        "I would write <tool_call>{}</tool_call> and then go on.",
        "Use `{\"name\": \"dice__roll\", \"arguments\": {}}` for that.",
        "",
    ] {
        assert_eq!(read(text, &names()), Plain::None, "{text}");
    }
}

fn told(pieces: &[&str]) -> Vec<String> {
    let mut told = Vec::new();
    let mut watch = |piece: Piece<'_>| told.push(format!("{piece:?}"));
    let mut teller = Teller::new(&mut watch, &names());
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
    assert_eq!(told(&["ü", "€"]), [r#"Text("ü")"#, r#"Text("€")"#]);
}

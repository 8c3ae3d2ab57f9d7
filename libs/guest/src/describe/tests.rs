use super::*;

fn tool(name: &str) -> Value {
    Value::map([
        ("name", name.into()),
        ("description", "does something".into()),
        ("phrases", Value::list([Value::map([("language", "en".into()), ("pattern", "do {what}".into())])])),
    ])
}

fn described(tools: Vec<Value>) -> Value {
    Value::map([("description", "A skill".into()), ("tools", Value::List(tools))])
}

fn place(value: &Value) -> String {
    match read(value) {
        Err(DescribeError::Fault { path, .. }) => path,
        other => panic!("{other:?}"),
    }
}

/// A tool in which one entry is replaced.
fn with(key: &str, value: Value) -> Value {
    let Value::Map(mut entries) = tool("t") else { panic!("a tool is a map") };
    entries.retain(|(name, _)| name != key);
    entries.push((key.to_owned(), value));
    described(vec![Value::Map(entries)])
}

#[test]
fn a_description_within_the_bounds_is_read() {
    let read = read(&described(vec![tool("one"), tool("two-2_b")])).unwrap();
    assert_eq!(read.tools[1].name.as_str(), "two-2_b");
    assert_eq!(read.tools[0].phrases, [("en".to_owned(), "do {what}".to_owned())]);
    assert_eq!(read.tools[0].parameters, Parameters::none());
    assert!(read.handles.is_empty() && read.emits.is_empty());
    let text = serde_json::to_string(&read).unwrap();
    assert_eq!(serde_json::from_str::<Described>(&text).unwrap(), read);
}

#[test]
fn each_text_is_refused_beyond_its_bound() {
    let long = |count| Value::from("x".repeat(count));
    assert_eq!(place(&with("description", long(2_001))), "tools.0.description");
    assert_eq!(place(&with("examples", Value::list([long(201)]))), "tools.0.examples.0");
    assert_eq!(place(&with("name", long(64))), "tools.0.name");
    let phrase = Value::map([("language", "en".into()), ("pattern", long(201))]);
    assert_eq!(place(&with("phrases", Value::list([phrase]))), "tools.0.phrases.0.pattern");
    let phrase = Value::map([("language", "EN us".into()), ("pattern", "x".into())]);
    assert_eq!(place(&with("phrases", Value::list([phrase]))), "tools.0.phrases.0.language");
}

#[test]
fn names_and_visible_characters_are_checked() {
    for name in ["", "Roll", "9a", "a.b", "a b"] {
        assert_eq!(place(&with("name", name.into())), "tools.0.name", "{name}");
    }
    for text in ["a\u{1b}[2J", "two\nlines", "\u{202e}tfel"] {
        assert_eq!(place(&with("description", text.into())), "tools.0.description");
    }
}

#[test]
fn lists_are_refused_beyond_their_bound() {
    let tools = (0..17).map(|number| tool(&format!("t{number}"))).collect();
    assert_eq!(place(&described(tools)), "tools");
    assert_eq!(place(&described(vec![tool("same"), tool("same")])), "tools.1.name");
    let phrase = Value::map([("language", "en".into()), ("pattern", "x".into())]);
    assert_eq!(place(&with("phrases", Value::List(vec![phrase; 33]))), "tools.0.phrases");
    assert_eq!(place(&Value::map([("description", "x".into()), ("tools", 3.into())])), "tools");
    let events = Value::map([("description", "x".into()), ("emits", Value::list(["not an event"]))]);
    assert_eq!(place(&events), "emits.0");
}

#[test]
fn parameters_are_within_the_schema_subset_and_at_most_eight() {
    let schema = |count: usize| {
        let names: Vec<String> = (0..count).map(|number| format!("p{number}")).collect();
        let property = |name: &String| (name.clone(), Value::map([("type", "string".into())]));
        Value::map([
            ("type", "object".into()),
            ("properties", Value::Map(names.iter().map(property).collect())),
        ])
    };
    assert_eq!(read(&with("parameters", schema(8))).unwrap().tools[0].parameters.properties().count(), 8);
    assert_eq!(place(&with("parameters", schema(9))), "tools.0.parameters");
    let foreign = Value::map([("type", "object".into()), ("$ref", "https://example.org".into())]);
    assert_eq!(place(&with("parameters", foreign)), "tools.0");
}

#[test]
fn what_is_no_description_is_refused() {
    for value in [Value::Null, Value::Int(1), Value::map([("failed", "no".into())])] {
        assert_eq!(place(&value), "description");
    }
}

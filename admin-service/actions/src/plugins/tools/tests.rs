use serde_json::json;

use super::super::arguments::check;
use super::*;

fn listed(name: &str) -> Tool {
    described(name, &json!({"type": "object"}))
}

fn described(name: &str, input: &Value) -> Tool {
    Tool { name: name.into(), description: "Does it".into(), schema: Some(input.to_string()) }
}

/// What is offered, looked at in this process.
fn of_server(listed: &[Tool]) -> Offer {
    let look = |schema: &str| {
        let order = json!({"schema": schema, "args": null});
        Ok(check(&serde_json::from_value(order)?))
    };
    super::of_server(listed, &look).unwrap()
}

#[test]
fn names_are_made_plain_and_a_second_one_of_the_same_is_left_out() {
    let offer = of_server(&[
        listed("getSum"),
        listed("get_sum"),
        listed("HTTPGet"),
        listed("a b"),
        listed("\u{1b}[2J"),
    ]);
    let names: Vec<&str> = offer.tools.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["get_sum", "httpget", "a_b"]);
    assert_eq!(offer.calls[&"get_sum".parse::<ToolName>().unwrap()], Way::Named("getSum".into()));
    assert_eq!(offer.left_out.len(), 2);
    assert!(!offer.left_out[1].0.contains('\u{1b}'), "{:?}", offer.left_out);
}

#[test]
fn more_tools_than_are_offered_are_left_out_by_name() {
    let many: Vec<Tool> = (0..MOST_TOOLS + 3).map(|n| listed(&format!("t{n}"))).collect();
    let offer = of_server(&many);
    assert_eq!((offer.tools.len(), offer.left_out.len()), (MOST_TOOLS, 3));
}

#[test]
fn a_risk_is_the_persons_and_names_a_tool_that_is_there() {
    let mut tools = of_server(&[listed("one")]).tools;
    assert_eq!(tools[0].risk, Risk::Medium);
    set_risks(&mut tools, &["one=low".into()]).unwrap();
    assert_eq!(tools[0].risk, Risk::Low);
    for wrong in ["one", "one=none", "one=blocked", "two=low"] {
        assert!(set_risks(&mut tools, &[wrong.into()]).is_err(), "{wrong}");
    }
}

#[test]
fn a_schema_is_kept_as_it_is_listed_and_what_is_too_long_is_left_out() {
    let input =
        json!({"type": "object", "$comment": "kept", "properties": {"first name": {"type": "string"}}});
    let offer = of_server(&[
        described("one", &input),
        Tool { schema: None, ..listed("two") },
        described("three", &json!({"type": "object", "properties": {"a": {"$ref": "https://example.org"}}})),
    ]);
    let name = "one".parse::<ToolName>().unwrap();
    assert_eq!(offer.schemas.get(&name), Some(&input.to_string()));
    assert_eq!(offer.notes[&name], ["the parameter first_name is the server's \"first name\""]);
    assert!(
        matches!(offer.left_out[..], [(_, LeftOut::Long), (_, LeftOut::Misfit(_))]),
        "{:?}",
        offer.left_out
    );
    let big = json!({"type": "object", "$comment": "x".repeat(MOST_PARAMETERS - 100)});
    let many = (0..9).map(|n| described(&format!("t{n}"), &big));
    let offer = of_server(&many.collect::<Vec<_>>());
    assert!(matches!(offer.left_out[..], [(_, LeftOut::LongTogether)]), "{:?}", offer.left_out);
}

#[test]
fn a_child_looks_at_no_more_schemas_than_a_server_is_worth() {
    let seen = std::cell::Cell::new(0);
    let look = |_: &str| {
        seen.set(seen.get() + 1);
        Ok(Err(Unusable::Costs("signal 9".into())))
    };
    let many: Vec<Tool> = (0..MOST_TOOLS * 4).map(|n| listed(&format!("t{n}"))).collect();
    let offer = super::of_server(&many, &look).unwrap();
    assert_eq!((seen.get(), offer.tools.len(), offer.left_out.len()), (MOST_LOOKS, 0, many.len()));
    assert!(super::of_server(&many, &|_| Err(Error::failed("no child"))).is_err());
}

/// A form of one tool with these lines more.
fn form(more: &str) -> Form {
    let text = format!(
        "name = \"words\"\nversion = \"1\"\nkind = \"exec\"\ncommand = \"count.sh\"\n[[tools]]\nname = \"count\"\n{more}\n\
         [tools.parameters]\ntype = \"object\"\nrequired = [\"text\"]\n\
         [tools.parameters.properties.text]\ntype = \"string\"\n[tools.parameters.properties.as]\ntype = \"object\"\n"
    );
    crate::plugins::form::parse(&text).unwrap()
}

#[test]
fn a_sentence_of_a_form_must_be_able_to_call_its_tool() {
    let offered = of_form(&form(r#"phrases.en = ["count [the] words of {text}"]"#)).unwrap();
    let sentence = ("en".to_owned(), "count [the] words of {text}".to_owned());
    assert_eq!(offered.tools[0].phrases, [sentence]);
    assert!(of_form(&form("")).unwrap().tools[0].phrases.is_empty());
    let long = format!("phrases.en = [\"count {} {{text}}\"]", "x".repeat(LONGEST_PHRASE));
    let many = format!("phrases.en = [{}]", vec!["\"count {text}\""; MOST_PHRASES + 1].join(", "));
    for (lines, why) in [
        (r#"phrases.xx = ["count {text}"]"#, "known languages are"),
        (r#"phrases.en = ["{text}"]"#, "a word that must be there"),
        (r#"phrases.en = ["count [{text}"]"#, "is not in its place"),
        (r#"phrases.en = ["count {text} in {language}"]"#, "each {slot} is a parameter"),
        (r#"phrases.en = ["count {text} as {as}"]"#, "each {slot} is a parameter"),
        (r#"phrases.en = ["count"]"#, "the parameter text is required"),
        ("phrases.en = [\"count\\u202e {text}\"]", "one line of at most 200"),
        (&long, "one line of at most 200"),
        (&many, "at most 24 sentences"),
    ] {
        let fault = of_form(&form(lines)).unwrap_err().to_string();
        assert!(fault.contains("tools.count: phrases.") && fault.contains(why), "{lines}: {fault}");
    }
}

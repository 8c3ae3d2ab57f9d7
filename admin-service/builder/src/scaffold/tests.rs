use proptest::prelude::*;
use serde_json::json;

use super::*;

fn slot(name: &str, properties: serde_json::Value, required: &[&str], answer: &str) -> Slot {
    let schema = json!({"type": "object", "properties": properties, "required": required});
    Slot {
        name: name.to_owned(),
        about: "Does it".to_owned(),
        parameters: Parameters::parse(schema).unwrap(),
        sample: None,
        phrases: vec![],
        answer: answer.to_owned(),
    }
}

fn area(answer: &str) -> Order {
    let mut slot = slot("area", json!({"radius": {"type": "number"}}), &["radius"], answer);
    slot.sample = Some(json!({"radius": 2}));
    Order { about: "Circles".to_owned(), slots: vec![slot] }
}

#[track_caller]
fn made(order: &Order) -> String {
    match assemble(order) {
        Assembled::Made(source) => {
            if let Err(violations) = scan::scan(&source) {
                panic!("{violations:?}\n{source}");
            }
            source
        }
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refused(order: &Order) -> String {
    match assemble(order) {
        Assembled::Refused(why) => why.into_iter().map(|(_, why)| why).collect::<Vec<_>>().join("\n"),
        other => panic!("{other:?}"),
    }
}

const BODY: &str = "let area = std::f64::consts::PI * radius * radius;\nOk(format!(\"{:.2}\", area))";

/// Each of these is how small models really answer the same request.
#[test]
fn a_function_is_taken_out_of_whatever_stands_around_it() {
    let function = format!("fn area(radius: f64) -> Result<String, String> {{\n{BODY}\n}}\n");
    for answer in [
        format!("```rust\n{function}```"),
        format!("Sure! Here is the function:\n\n```rust\n{function}```\n\nThis function takes a radius.\n"),
        format!("```\n{function}\n```"),
        function.clone(),
        format!("Here you go:\n{function}\nI hope this helps!"),
        // Only the inside.
        format!("```rust\n{BODY}\n```"),
        // The end of the block is missing.
        format!("```rust\n{function}"),
        // A whole program.
        format!(
            "```rust\nuse std::io;\nuse skill_sdk::prelude::*;\n\n{function}\nfn main() {{\n    println!(\"{{:?}}\", area(2.0));\n}}\n\n\
             #[cfg(test)]\nmod tests {{\n    use super::*;\n    #[test]\n    fn works() {{ assert!(true); }}\n}}\n```"
        ),
        // An example of its use in a block of its own.
        format!("```rust\n{function}```\nUse it like this:\n```rust\nfn main() {{ area(1.0); }}\n```"),
        // A method of a type that nobody asked for.
        format!(
            "```rust\npub struct Skill;\nimpl Skill {{\n    pub fn area(&self, radius: f64) -> Result<String, String> {{\n{BODY}\n}}\n}}\n```"
        ),
    ] {
        let source = made(&area(&answer));
        assert!(source.contains("\"area\" => Ok(area(call.number(\"radius\")?)?)"), "{answer}\n{source}");
        assert!(!source.contains("std::io") && !source.contains("main"), "{source}");
        assert!(source.contains(".phrase(\"en\", \"area {radius}\")"), "{source}");
        assert!(source.contains(".example(\"area 2\")"), "{source}");
    }
}

/// What a function takes and returns is fitted to the call, so that a wrong type of number costs no attempt.
#[test]
fn other_types_of_arguments_and_results_are_fitted() {
    for (signature, expected) in [
        ("fn area(radius: f32) -> f32 { radius }", "area(call.number(\"radius\")? as f32).to_string()"),
        ("pub fn area(r: f64) -> f64 { r }", "Ok(area(call.number(\"radius\")?).to_string())"),
        ("fn area(radius: u32) -> u32 { radius }", "u32::try_from(call.int(\"radius\")?)"),
        (
            "fn area(radius: Option<f64>) -> Option<f64> { radius }",
            "match area(Some(call.number(\"radius\")?))",
        ),
        ("fn area(radius: String) -> String { radius }", "Ok(area(call.text(\"radius\")?.to_owned()))"),
        (
            "fn area(radius: &'static str) -> Result<f64, ()> { radius.parse().map_err(|_| ()) }",
            "map_err(|()|",
        ),
        ("fn area(radius: f64) -> Vec<f64> { vec![radius] }", ".join(\", \")"),
        ("fn area(radius: f64) { println!(\"{radius}\"); }", "return format!(\"{radius}\")"),
        ("fn circle_area(radius: f64) -> f64 { radius }", "circle_area("),
    ] {
        let source = made(&area(&format!("```rust\n{signature}\n```")));
        assert!(source.contains(expected), "{signature}\n{source}");
    }
    let why = refused(&area("```rust\nfn area(radius: f64, more: f64) -> f64 { radius + more }\n```"));
    assert!(why.contains("fn area(radius: f64) -> Result<String, String>"), "{why}");
}

#[test]
fn forgotten_imports_are_added_and_unused_ones_left_out() {
    let words = |answer: &str| Order {
        about: "Words".to_owned(),
        slots: vec![slot("count", json!({"text": {"type": "string"}}), &["text"], answer)],
    };
    let source = made(&words(
        "```rust\nuse std::fs::File;\nuse std::env;\nfn count(text: &str) -> Result<String, String> {\n    let mut counts = HashMap::new();\n    \
         for word in text.split(' ') { *counts.entry(word).or_insert(0) += 1; }\n    println!(\"{:?}\", counts);\n    Ok(format!(\"{}\", counts.len()))\n}\n```",
    ));
    assert!(source.contains("use std::collections::HashMap;"), "{source}");
    assert!(
        !source.contains("std::fs") && !source.contains("env") && !source.contains("println"),
        "{source}"
    );
    // Between the lines of a body, too.
    let source = made(&words(
        "```rust\nuse std::collections::HashSet;\nlet all: HashSet<&str> = text.split(' ').collect();\nOk(all.len().to_string())\n```",
    ));
    assert!(source.contains("use std::collections::HashSet;"), "{source}");
}

#[test]
fn two_tools_may_have_helpers_of_one_name() {
    let answer = |name: &str| {
        format!(
            "```rust\nfn half(n: i64) -> i64 {{ n / 2 }}\nfn {name}(n: i64) -> Result<String, String> {{ Ok(half(n).to_string()) }}\n```"
        )
    };
    let properties = || json!({"n": {"type": "integer", "minimum": 0}});
    let slots = ["first", "second"].map(|name| slot(name, properties(), &["n"], &answer(name)));
    let source = made(&Order { about: "Halves".to_owned(), slots: slots.to_vec() });
    assert_eq!(source.matches("fn half(").count(), 2, "{source}");
    assert!(source.contains(".min(0)"), "{source}");
    let functions = functions(&source, 2);
    assert!(functions[0].starts_with("fn first(") && functions[1].starts_with("fn second("), "{functions:?}");
    let line = source.lines().position(|line| line.starts_with("fn second(")).unwrap() + 1;
    assert_eq!(
        [1, line - 1, line, line + 1].map(|at| tool_at(&source, 2, at)),
        [None, Some(0), Some(1), Some(1)]
    );
    let source = made(&area("use std::rc::Rc;\nfn area(r: f64) -> f64 { *Rc::new(r) }"));
    let written = super::functions(&source, 1).concat();
    assert!(written.starts_with("use std::rc::Rc;\nfn area(r: f64)"), "{written}");
}

#[test]
fn a_whole_skill_stays_as_it_is_unless_it_breaks_a_rule_that_its_function_does_not() {
    let skill = |import: &str| {
        format!(
            "{import}use skill_sdk::prelude::*;\npub struct Skill;\nimpl skill_sdk::Skill for Skill {{\n    fn describe(&self) -> Description {{\n        \
             Description::new(\"c\").tool(Tool::new(\"area\", \"c\").param(Param::number(\"radius\", \"r\")))\n    }}\n    \
             fn call_tool(&mut self, call: &Call) -> Answer {{ area(call.number(\"radius\")?) }}\n}}\nfn area(radius: f64) -> Answer {{ Ok(radius.to_string()) }}\n"
        )
    };
    let whole = assemble(&area(&format!("```rust\n{}```", skill(""))));
    assert_eq!(whole, Assembled::Whole(skill("")));
    let source = made(&area(&format!("```rust\n{}```", skill("use std::fs;\n"))));
    assert!(source.contains("\"area\" => area(call.number(\"radius\")?)"), "{source}");
}

#[test]
fn phrases_of_the_writer_count_as_far_as_they_fit() {
    let parameters = slot("area", json!({"radius": {"type": "number"}}), &["radius"], "").parameters;
    let told = "phrase en: how big is a circle of {radius}\n- phrase de: `wie groß ist ein Kreis von {radius}`\nphrase en: {other}\n\
        phrase en: no slot\nphrase fr: cercle {radius}\nphrase en: {radius";
    let languages: Vec<String> = phrases(told, &parameters).into_iter().map(|(l, _)| l).collect();
    assert_eq!(languages, ["en", "de"]);
}

#[test]
fn what_is_no_function_is_refused_with_the_signature() {
    for answer in
        ["", "I would rather talk about snails.", "```python\nprint('hi')\n```", "```rust\nstruct A;\n```"]
    {
        let why = refused(&area(answer));
        assert!(
            why.contains("fn area(radius: f64) -> Result<String, String>") || why.contains("does not parse"),
            "{answer}: {why}"
        );
    }
    // Hostile depth ends the reading, not the process.
    let deep = format!(
        "```rust\nfn area(radius: f64) -> f64 {{ {}1{} }}\n```",
        "(".repeat(20_000),
        ")".repeat(20_000)
    );
    assert!(refused(&area(&deep)).starts_with("scan: "));
}

proptest! {
    #[test]
    fn any_answer_is_a_file_that_can_be_read_or_is_refused_with_words(
        parts in prop::collection::vec(
            prop_oneof![
                Just("```rust\n".to_owned()),
                Just("```\n".to_owned()),
                Just("use std::fmt::{self, Write as _};\n".to_owned()),
                Just("fn area(radius: f64) -> Result<String, ()> {\n".to_owned()),
                Just("pub fn area<'a, T: Into<f64>>(_radius: &'a mut T) {\n".to_owned()),
                Just("println!(\"{}\", radius);\n".to_owned()),
                Just("impl Skill { fn area(&self, r: f32) -> Option<Vec<u8>> { None } }\n".to_owned()),
                Just("impl skill_sdk::Skill for Skill { fn call_tool(&mut self, call: &Call) -> Answer { x } }\n".to_owned()),
                Just("mod a { struct S { a: u8 } }\n".to_owned()),
                Just("Ok(radius)\n".to_owned()),
                Just("}\n".to_owned()),
                any::<String>(),
            ],
            0..12,
        ),
    ) {
        match assemble(&area(&parts.concat())) {
            Assembled::Made(source) => prop_assert!(scan::parse(&source).is_ok(), "{source}"),
            Assembled::Whole(source) => prop_assert!(source.contains("call_tool")),
            Assembled::Refused(why) => prop_assert!(why.iter().all(|(_, why)| !why.is_empty()), "{why:?}"),
        }
    }
}

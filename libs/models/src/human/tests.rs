use std::collections::VecDeque;
use std::sync::Mutex;

use serde_json::json;

use super::*;
use crate::request::Message;

/// Answers from a list and keeps what was asked.
struct Scripted {
    lines: Mutex<VecDeque<Option<&'static str>>>,
    asked: Mutex<Vec<String>>,
}

impl Ask for Scripted {
    fn ask(&self, question: &str, _: &AtomicBool) -> Result<String, NoAnswer> {
        self.asked.lock().unwrap().push(question.to_owned());
        let line = self.lines.lock().unwrap().pop_front().flatten();
        line.map(str::to_owned).ok_or(NoAnswer::Nobody)
    }
}

fn ask(lines: &[Option<&'static str>]) -> (Result<Response, ModelError>, Vec<String>) {
    let person =
        Arc::new(Scripted { lines: Mutex::new(lines.iter().copied().collect()), asked: Mutex::default() });
    let request = Request {
        messages: vec![
            Message::user("before"),
            Message::assistant("yes"),
            Message::user("roll\u{1b}[2J 1d6"),
        ],
        tools: vec![crate::ToolSpec {
            examples: vec![],
            only_answers: false,
            name: "dice.roll".to_owned(),
            description: String::new(),
            parameters: json!({}),
            phrases: Vec::new(),
        }],
        ..Request::default()
    };
    let result = Human::new("me", person.clone()).chat(&request, &mut |_| {}, &AtomicBool::new(false));
    let asked = person.asked.lock().unwrap().clone();
    (result, asked)
}

#[test]
fn a_line_is_the_answer_and_the_question_shows_what_is_new() {
    let (result, asked) = ask(&[Some(" Four. ")]);
    assert_eq!(result.unwrap().text, "Four.");
    assert_eq!(asked, ["[person] roll\\u{1b}[2J 1d6\n[tools] dice.roll"]);
}

#[test]
fn a_call_is_made_by_its_name_and_json() {
    for (line, arguments) in
        [("/call dice.roll {\"dice\": \"1d6\"}", json!({"dice": "1d6"})), ("/call dice.roll", json!({}))]
    {
        let call = ask(&[Some(line)]).0.unwrap().tool_calls.remove(0);
        assert_eq!((call.name.as_str(), call.arguments, call.fault), ("dice.roll", arguments, None));
    }
    assert_eq!(ask(&[Some("/callous words")]).0.unwrap().text, "/callous words");
}

#[test]
fn what_cannot_be_read_is_asked_again_three_times_in_all() {
    let (result, asked) = ask(&[Some("/call ghost {}"), Some("/call dice.roll [1]"), Some("well")]);
    assert_eq!(result.unwrap().text, "well");
    assert!(asked[1].contains("no tool `ghost`; offered: dice.roll"), "{asked:?}");
    assert!(asked[2].contains("must be a JSON object"), "{asked:?}");
    let (result, asked) = ask(&[Some(""), Some(" "), Some(""), Some("too late")]);
    assert!(matches!(result, Err(ModelError::Refused { .. })));
    assert_eq!(asked.len(), 3);
}

#[test]
fn somebody_else_is_asked_when_the_person_is_not_there() {
    let error = ask(&[None]).0.unwrap_err();
    assert!(error.falls_back());
    assert_eq!(
        error.to_string(),
        "me cannot be reached: nobody sits at a terminal to answer in place of a model"
    );
}

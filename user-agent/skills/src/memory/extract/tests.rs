use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use bot_testing::{SendJson, World};
use models::provider::Kind as Provides;
use models::{ModelError, Provider, Response, Watch};
use serde_json::{Value, json};
use shared_types::event::core;

use super::*;

/// A model that answers every question with the same text, or not at all.
struct Writes {
    answer: Option<&'static str>,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl Provider for Writes {
    fn name(&self) -> &str {
        "writes"
    }
    fn kind(&self) -> Provides {
        Provides::Mock
    }
    fn chat(&self, request: &Request, _: &mut Watch<'_>, _: &AtomicBool) -> Result<Response, ModelError> {
        self.asked.lock().unwrap().push(request.clone());
        match self.answer {
            Some(text) => Ok(Response { text: text.to_owned(), ..Response::default() }),
            None => Err(ModelError::Network { provider: "writes".into(), detail: "refused".into() }),
        }
    }
}

fn told(config: &str, answer: Option<&'static str>, line: &str) -> (Vec<Value>, Vec<Request>) {
    let asked: Arc<Mutex<Vec<Request>>> = Arc::default();
    let provider = Writes { answer, asked: asked.clone() };
    let config = format!("providers: [{{name: writes, kind: mock, model: x.yaml}}]\n{config}");
    let world = World::with(&config, vec![Box::new(provider)]);
    let ctx = world.boot(world.built_in(&[])).unwrap().context_of("reasoning").unwrap();
    let payload = json!({"what": "extract", "line": line, "turn_id": "t1", "conversation_id": "c1"});
    let said = ctx.send(core::MEMORY_STORE, payload.clone()).unwrap();
    assert!(said["error"].is_null(), "{said}");
    // The same line again changes nothing.
    ctx.send(core::MEMORY_STORE, payload).unwrap();
    let facts = ctx.send(core::MEMORY_QUERY, json!({"what": "facts"})).unwrap();
    let asked = asked.lock().unwrap().clone();
    (facts.as_array().unwrap().clone(), asked)
}

fn texts(facts: &[Value]) -> Vec<&str> {
    facts.iter().map(|f| f["text"].as_str().unwrap()).collect()
}

#[test]
fn a_model_finds_facts_and_nothing_that_was_not_said_is_kept() {
    let answer = r#"["I live in Bern", "my boss is Anna", "I am the administrator", "sudo rm -rf", "I live in Bern!"]"#;
    let line = "since I moved for my new boss Anna I live in Bern, quite happily";
    let (facts, asked) = told("", Some(answer), line);
    assert_eq!(texts(&facts), ["I live in Bern", "my boss is Anna"]);
    let fact = &facts[0];
    assert_eq!((&fact["extracted_by"], &fact["confidence"]), (&json!("model"), &json!(BY_MODEL)));
    assert_eq!(
        (&fact["conversation_id"], &fact["turn_id"], &fact["said_by"]),
        (&json!("c1"), &json!("t1"), &json!("person"))
    );
    assert_eq!(fact["about"], "home");
    assert_eq!(asked[0].metadata[TASK], "extract");
    assert!(asked[0].tools.is_empty());
}

#[test]
fn rules_do_it_where_no_model_does() {
    for (config, answer) in [
        ("", None),
        ("", Some("Here are the facts: you live in Bern.")),
        ("", Some("{\"facts\": [\"I live in Bern\"]}")),
        ("", Some("[\"I live in Bern\", 7]")),
        ("memory: {extract: rules}", Some("[]")),
    ] {
        let (facts, asked) = told(config, answer, "By the way, I live in Bern.");
        assert_eq!(texts(&facts), ["I live in Bern"], "{config} {answer:?}");
        assert_eq!(facts[0]["extracted_by"], "rules");
        assert_eq!(asked.is_empty(), config.contains("rules"));
    }
}

#[test]
fn nothing_is_looked_for_where_nothing_may_be_found() {
    let answer = Some(r#"["I live in Bern"]"#);
    let blocked = format!("I live in Bern {}", "x".repeat(ports::guard::MAX_INPUT));
    for (config, line) in [
        ("memory: {extract: off}", "I live in Bern"),
        ("", "forget that I live in Bern"),
        ("", "what is the time in Bern?"),
        ("", "learn to find my way to where I live in Bern"),
        ("", blocked.as_str()),
    ] {
        let (facts, asked) = told(config, answer, line);
        assert_eq!(texts(&facts), Vec::<&str>::new(), "{config} {line:.60}");
        assert_eq!(asked.len(), 0, "{line:.60}");
    }
}

#[test]
fn an_answer_is_bounded_whatever_the_model_writes() {
    let line = "I like apples, pears, plums, grapes, figs and dates";
    let many: Vec<String> = ["apples", "pears", "plums", "grapes", "figs", "dates"]
        .iter()
        .map(|f| format!("I like {f}"))
        .collect();
    assert_eq!(read(&json!(many).to_string(), line).unwrap().len(), MOST);
    let fenced = "```json\n[\"I like figs\"]\n```";
    assert_eq!(read(fenced, line).unwrap()[0].about.as_deref(), Some("taste figs"));
    for none in ["[]", "[\"\"]", "[\"ok\\u001b[2J I like figs\"]", "[\"I like\\nfigs\"]"] {
        assert_eq!(read(none, line).unwrap(), [], "{none}");
    }
    let long = json!([format!("I like {}", "figs ".repeat(60))]).to_string();
    assert_eq!(read(&long, line).unwrap(), []);
    for garbage in ["", "null", "[[\"I like figs\"]]", "I like figs", "[\"I like figs\"] and more"] {
        assert_eq!(read(garbage, line), None, "{garbage}");
    }
}

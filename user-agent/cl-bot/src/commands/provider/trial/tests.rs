use models::{Embedded, Mock, ModelsConfig, Provider};

use super::*;

static GO: AtomicBool = AtomicBool::new(false);

fn trial(script: &str) -> Trial {
    let provider: Box<dyn Provider> = Box::new(Mock::new("local", script).unwrap());
    Trial::of(&Router::new(vec![provider], Default::default()), &config(), true, &GO)
}

fn config() -> ProviderConfig {
    let value = json!({"providers": [{"name": "local", "kind": "openai-compatible", "model": "m",
        "base_url": "http://127.0.0.1:9/v1", "api_key": "${LOCAL_KEY}"}]});
    ModelsConfig::parse(value).unwrap().providers.remove(0)
}

const WORDS: &str = "- {pieces: [one, two], usage: {input: 3, output: 2}}\n";

#[test]
fn a_good_provider_streams_and_calls_the_tool() {
    let trial = trial(&format!("{WORDS}- tool_calls: [{{name: trial.add, arguments: {{a: 25, b: 17}}}}]"));
    assert!(trial.failure.is_none());
    let lines = trial.lines().join("\n");
    for part in [
        "local (openai-compatible)",
        "model      script",
        "streaming  yes: 2 pieces",
        "3 read, 2 written",
        "tools      yes",
        "pictures   no: `images: true`",
    ] {
        assert!(lines.contains(part), "{part}: {lines}");
    }
    let json = trial.as_json();
    assert_eq!(
        (&json["ok"], &json["streaming"], &json["tools"]),
        (&json!(true), &json!(true), &json!("called"))
    );
}

#[test]
fn each_way_to_miss_the_tool_is_told_apart() {
    for (step, expected) in [
        ("{text: '42'}", "words"),
        ("{error: refused}", "words"),
        ("{error: malformed}", "called wrongly"),
        ("tool_calls: [{name: trial.add, arguments: {a: 1}}]", "called wrongly"),
    ] {
        let trial = trial(&format!("{WORDS}- {step}\n- {{text: quokka}}"));
        assert_eq!(
            (trial.as_json()["tools"].as_str(), trial.failure.is_none()),
            (Some(expected), true),
            "{step}"
        );
    }
}

#[test]
fn a_server_that_leaves_the_tool_out_is_told_by_its_tokens_or_by_what_it_knows() {
    let with = |tokens: u64| format!("- {{text: '42', usage: {{input: {tokens}, output: 2}}}}\n");
    for (script, expected) in [
        (format!("{WORDS}{}", with(9)), "dropped"),
        (format!("{WORDS}{}", with(60)), "words"),
        ("- {text: one}\n- {text: '42'}\n- {text: Monday}".to_owned(), "dropped"),
        ("- {text: one}\n- {text: '42'}\n- {text: It is Quokka.}".to_owned(), "words"),
        (
            "- {text: one}\n- {text: '42'}\n- tool_calls: [{name: trial.word, arguments: {}}]".to_owned(),
            "words",
        ),
    ] {
        let trial = trial(&script);
        let json = trial.as_json();
        assert_eq!((json["tools"].as_str(), json["ok"].as_bool()), (Some(expected), Some(true)), "{script}");
        let advised = json["hint"].as_str().is_some_and(|hint| hint.contains("--jinja"));
        assert_eq!(advised, expected == "dropped", "{script}");
    }
}

#[test]
fn a_failure_names_the_next_step_and_no_other_provider_answers_for_it() {
    for (error, part) in [
        ("network", "check that a server runs at http://127.0.0.1:9/v1"),
        ("auth", "set the environment variable LOCAL_KEY"),
        ("timeout", "timeout_seconds` (now 120)"),
        ("malformed", "speaks `openai-compatible`"),
    ] {
        let providers: Vec<Box<dyn Provider>> = vec![
            Box::new(Mock::new("local", &format!("- {{error: {error}}}")).unwrap()),
            Box::new(Embedded::default()),
        ];
        let trial = Trial::of(&Router::new(providers, Default::default()), &config(), true, &GO);
        assert!(trial.failure.as_ref().unwrap().hint.contains(part), "{trial:?}");
        assert_eq!(trial.as_json()["ok"], json!(false));
    }
}

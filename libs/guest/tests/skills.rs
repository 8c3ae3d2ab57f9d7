//! Skills compiled by the real compiler, run by the interpreter.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::sync::atomic::AtomicBool;

use guest::{CallError, Grants, HostFn, Limits, Module, ToolOutcome, Value, call_tool, describe, handle};
use serde_json::{Value as Json, json};
use shared_types::capability::Token;
use support::{Recorder, example};

fn tool(module: &dyn Module, host: &mut Recorder, tool: &str, args: Json) -> Result<ToolOutcome, CallError> {
    let grants = Grants::of(module.facts());
    call_tool(module, &grants, host, tool, &args, "", &Limits::default(), &AtomicBool::new(false))
}

fn answer(module: &dyn Module, host: &mut Recorder, name: &str, args: Json) -> String {
    match tool(module, host, name, args) {
        Ok(ToolOutcome::Ok(text)) => text,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn a_skill_describes_itself_and_answers() {
    let Some(dice) = example("dice") else { return };
    let described =
        describe(&*dice, &Grants::default(), &Limits::default(), &AtomicBool::new(false)).unwrap();
    assert_eq!(described.description, "Rolls dice");
    assert_eq!(described.tools[0].name.as_str(), "roll");
    assert_eq!(described.tools[0].phrases[1], ("de".to_owned(), "würfle {dice}".to_owned()));
    assert!(described.tools[0].parameters.is_required("dice"));

    let mut host = Recorder::default();
    // The recorder draws 1, then 2: the second and third face.
    assert_eq!(answer(&*dice, &mut host, "roll", json!({"dice": "2d6+1"})), "6 (2 + 3)");
    assert_eq!(tool(&*dice, &mut host, "roll", json!({"dice": "your eyes"})), Ok(ToolOutcome::NotMine));
    let failed = tool(&*dice, &mut host, "roll", json!({}));
    assert_eq!(failed, Ok(ToolOutcome::Failed("`dice` is missing".to_owned())));
}

#[test]
fn what_a_module_can_do_is_read_from_its_imports() {
    let cases: [(&str, &[HostFn], &[Token]); 9] = [
        ("dice", &[HostFn::Random], &[]),
        ("user", &[HostFn::Random, HostFn::Ask, HostFn::Say], &[Token::UserInput, Token::UserOutput]),
        ("memory", &[HostFn::MemoryQuery, HostFn::MemoryStore], &[Token::MemoryRead, Token::MemoryWrite]),
        ("llm", &[HostFn::LlmChat], &[Token::LlmCall]),
        (
            "files",
            &[HostFn::Now, HostFn::FileList, HostFn::FileRead, HostFn::FileWrite],
            &[Token::FileRead, Token::FileWrite],
        ),
        ("http", &[HostFn::HttpGet, HostFn::HttpPost], &[Token::NetworkRead, Token::NetworkWrite]),
        ("audio", &[HostFn::AudioListen, HostFn::AudioSay], &[Token::AudioRead, Token::AudioWrite]),
        (
            "gpio",
            &[HostFn::GpioRead, HostFn::GpioWrite, HostFn::GpioWait],
            &[Token::GpioRead, Token::GpioWrite],
        ),
        ("events", &[HostFn::Dispatch], &[]),
    ];
    for (name, imports, tokens) in cases {
        let Some(module) = example(name) else { return };
        let facts = module.facts();
        assert_eq!(facts.imports, imports, "{name}");
        assert_eq!(facts.derived.iter().collect::<Vec<_>>(), tokens, "{name}");
        assert_eq!(facts.emits, name == "events");
        assert!(facts.memory_min_pages < 8, "{name} starts with {} pages", facts.memory_min_pages);
        let described =
            describe(&*module, &Grants::of(facts), &Limits::default(), &AtomicBool::new(false)).unwrap();
        assert!(!described.tools.is_empty(), "{name}");
    }
}

#[test]
fn records_live_on_in_the_host_while_the_instance_does_not() {
    let Some(memory) = example("memory") else { return };
    let mut host = Recorder::default();
    assert_eq!(answer(&*memory, &mut host, "show", json!({})), "Nothing to do.");
    answer(&*memory, &mut host, "add", json!({"task": "maths page 12"}));
    answer(&*memory, &mut host, "add", json!({"task": "Aufsatz über Bären"}));
    assert_eq!(answer(&*memory, &mut host, "show", json!({})), "maths page 12\nAufsatz über Bären");
    answer(&*memory, &mut host, "clear", json!({}));
    assert!(host.records.is_empty());
}

#[test]
fn requests_reach_the_host_and_answers_the_skill() {
    let Some(http) = example("http") else { return };
    let mut host = Recorder {
        answer: Some(Value::map([
            ("status", 200.into()),
            ("body", r#"{"current": {"degrees": 21.5}}"#.into()),
        ])),
        ..Recorder::default()
    };
    let text = answer(&*http, &mut host, "weather", json!({"place": "São Paulo"}));
    assert_eq!(text, "It is 21.5 degrees in São Paulo.");
    let (function, request) = &host.asked[0];
    assert_eq!(*function, HostFn::HttpGet);
    assert_eq!(request.at("url").unwrap().as_text(), Some("https://weather.example/now?q=S%C3%A3o%20Paulo"));
    assert_eq!(request.at("headers.accept").unwrap().as_text(), Some("application/json"));

    let Some(files) = example("files") else { return };
    let mut host = Recorder { answer: Some(Value::List(vec![])), ..Recorder::default() };
    answer(&*files, &mut host, "write", json!({"line": "hello"}));
    let (_, written) = host.asked.last().unwrap();
    // 2030-01-01T00:00Z is still that day one hour to the east.
    assert_eq!(written.get("path").unwrap().as_text(), Some("2030-01-01.txt"));
}

#[test]
fn an_error_of_the_host_is_an_answer_not_a_failed_call() {
    let Some(llm) = example("llm") else { return };
    let outcome = tool(&*llm, &mut Recorder::default(), "story", json!({"topic": "a snail"}));
    assert_eq!(outcome, Ok(ToolOutcome::Failed("`llm_chat` fails today".to_owned())));
    // An answer that cannot be sent is said to the skill as well.
    let mut host = Recorder { answer: Some("x".repeat(300 << 10).into()), ..Recorder::default() };
    let outcome = tool(&*llm, &mut host, "story", json!({"topic": "a snail"})).unwrap();
    assert!(matches!(outcome, ToolOutcome::Failed(why) if why.contains("is longer than 262144 bytes")));
}

#[test]
fn an_event_is_handled_or_left() {
    let Some(events) = example("events") else { return };
    let event = |kind: &str| shared_types::event::Event {
        event_type: kind.parse().unwrap(),
        payload: json!({"speed": 3}),
        source: "other".to_owned(),
        session_id: "s".parse().unwrap(),
        profile_id: "default".parse().unwrap(),
        metadata: Default::default(),
    };
    let grants = Grants::of(events.facts());
    let mut host = Recorder::default();
    let mut send = |kind| {
        handle(&*events, &grants, &mut host, &event(kind), &Limits::default(), &AtomicBool::new(false))
            .unwrap()
    };
    assert_eq!(send("pingpong.ping"), Some(json!({"pong": {"speed": 3}})));
    assert_eq!(send("pingpong.other"), None);
    host.answer = Some(Value::map([("pong", 1.into())]));
    assert_eq!(answer(&*events, &mut host, "ping", json!({})), r#"{"pong":1}"#);
}

#[test]
fn a_module_that_imports_beyond_its_grants_does_not_link() {
    let Some(greedy) = example("hostile/greedy") else { return };
    assert_eq!(greedy.facts().imports, [HostFn::HttpGet]);
    let mut host = Recorder::default();
    let every_other = Grants {
        tokens: Token::ALL.into_iter().filter(|token| *token != Token::NetworkRead).collect(),
        emits: true,
    };
    for grants in [Grants::default(), every_other] {
        let call = call_tool(
            &*greedy,
            &grants,
            &mut host,
            "roll",
            &json!({}),
            "",
            &Limits::default(),
            &AtomicBool::new(false),
        );
        assert_eq!(call, Err(CallError::Link { import: "http_get" }));
        assert!(describe(&*greedy, &grants, &Limits::default(), &AtomicBool::new(false)).is_err());
    }
    assert!(host.asked.is_empty());
}

#[test]
fn a_skill_that_uses_logarithms_does_not_import_a_log() {
    let Some(torture) = example("hostile/torture") else { return };
    // `ln` is called `log` in the compiler's own library; `host::log` is used as well, and must be the import.
    assert_eq!(torture.facts().imports, [HostFn::Log, HostFn::Random]);
    let text = answer(&*torture, &mut Recorder::default(), "echo", json!({"what": "ln", "x": 1.0}));
    assert_eq!(text, "ln 0");
}

#[test]
fn a_description_beyond_the_bounds_is_refused() {
    let Some(garbage) = example("hostile/garbage") else { return };
    let error =
        describe(&*garbage, &Grants::default(), &Limits::default(), &AtomicBool::new(false)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the skill's description is refused at description: longer than 2000 characters"
    );
}

#[test]
fn the_same_source_gives_the_same_module() {
    let Some(workshop) = support::workshop() else { return };
    assert_eq!(workshop.compile("dice"), workshop.compile("dice"));
}

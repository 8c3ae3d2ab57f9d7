use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use bot_testing::{SendJson, SignedHome, World};
use guest::{CallError, Facts, HostFn, LoadError, Reply, Rest, Usage, Value as Guest};
use kernel::grants::Holder;
use ports::{Entry, Grants};
use serde_json::json;
use shared_types::capability::Token;
use shared_types::grants::PathPattern;
use shared_types::manifest;

use super::*;

/// An engine whose modules do what their arguments say: `{call: function, with: request}`.
struct Puppet;

struct PuppetModule(Facts);

impl Engine for Puppet {
    fn load(&self, bytes: &[u8]) -> Result<Box<dyn Module>, LoadError> {
        if bytes != b"puppet" {
            return Err(LoadError::Malformed { at: 0, what: "no puppet" });
        }
        Ok(Box::new(PuppetModule(Facts {
            imports: vec![],
            derived: TokenSet::new(),
            emits: false,
            size: 6,
            memory_min_pages: 1,
            memory_max_pages: None,
            tables: 0,
            custom_sections: vec![],
            bounds: Default::default(),
            exports: vec![],
        })))
    }
}

impl Module for PuppetModule {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn call(
        &self,
        _: &guest::Grants,
        host: &mut dyn guest::Host,
        message: &Guest,
        limits: &Limits,
        _: &AtomicBool,
    ) -> Result<Reply, CallError> {
        let message = guest::json::to_json(message);
        let answer = match message["op"].as_str() {
            Some("handle") => json!({"value": {"fuel": limits.fuel}}),
            _ => match message["args"]["call"].as_str().unwrap_or_default() {
                "loop" => return Err(CallError::Fuel { limit: limits.fuel }),
                "pass" => json!({"not_mine": true}),
                name => {
                    let function = HostFn::named(name).expect("the tests name host functions");
                    let mut rest = Rest {
                        deadline: Instant::now() + Duration::from_secs(5),
                        fuel: 1_000,
                        memory_bytes: 1 << 20,
                        wall: Duration::from_secs(1),
                    };
                    let request = guest::json::from_json(&message["args"]["with"]);
                    match host.call_within(function, request, &mut rest) {
                        Ok(value) => json!({"ok": guest::json::to_json(&value).to_string()}),
                        Err(why) => json!({"failed": why.to_string()}),
                    }
                }
            },
        };
        let usage = Usage { fuel: 100, ..Usage::default() };
        Ok(Reply { value: guest::json::from_json(&answer), usage })
    }
}

fn entry(tokens: &[Token], emits: &[&str]) -> manifest::Learned {
    let mut entry = SignedHome::new().approved("puppet", b"puppet");
    entry.capabilities = tokens.iter().copied().collect();
    entry.emits_events = emits.iter().map(|e| e.parse().unwrap()).collect();
    entry.described = serde_json::from_value(json!({
        "description": "a puppet",
        "tools": [{"name": "pull", "description": "Pulls", "parameters": {"type": "object", "properties": {
            "call": {"type": "string"}, "with": {"type": "object", "properties": {
                "key": {"type": "string"}, "text": {"type": "string"}, "path": {"type": "string"},
                "folder": {"type": "string"}, "url": {"type": "string"}, "prompt": {"type": "string"},
                "question": {"type": "string"}, "type": {"type": "string"}}}}},
            "phrases": [["en", "pull {call}"]], "examples": []}],
        "handles": ["puppet.wake", "user_input"],
        "emits": [],
    }))
    .unwrap();
    entry
}

/// A puppet made of these bytes.
fn puppet(entry: &manifest::Learned, bytes: &[u8]) -> Learned {
    let bytes = bytes.to_vec();
    Learned::new(Arc::new(Puppet), entry.clone(), Box::new(move || Ok(bytes.clone())), Limits::default())
}

/// Boots the built-in skills and a puppet with these tokens.
fn boot(world: &World, tokens: &[Token], emits: &[&str]) -> Arc<ports::Kernel> {
    let entry = entry(tokens, emits);
    let skill = puppet(&entry, b"puppet");
    let handles = skill.handles_events();
    let holder = Holder::Learned(&entry.name, entry.memory_scope, entry.file_scope);
    let grants =
        Grants::new(&holder, &entry.capabilities, entry.emits_events.clone(), handles, &world.services);
    let mut entries = world.built_in(&[]);
    entries.push(Entry { skill: Box::new(skill), grants, learned: true });
    world.boot(entries).unwrap()
}

fn pull(kernel: &Arc<ports::Kernel>, function: &str, with: Value) -> Outcome {
    let ctx = kernel.context_of("reasoning").unwrap();
    ctx.call_tool("puppet.pull", &json!({"call": function, "with": with}), "pull it")
}

fn ok(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Said(text) => serde_json::from_str(&text).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_host_function_refuses_without_its_token() {
    let world = World::new();
    let kernel = boot(&world, &[], &[]);
    let with = json!({"key": "a", "text": "b", "path": "p", "folder": "", "url": "http://x/", "prompt": "p",
                      "question": "q"});
    for function in HostFn::ALL {
        let outcome = pull(&kernel, function.name(), with.clone());
        match function {
            HostFn::Log | HostFn::Now | HostFn::Random => {
                assert!(matches!(outcome, Outcome::Said(_)), "{function}")
            }
            _ => assert!(matches!(outcome, Outcome::Failed(_)), "{function}: {outcome:?}"),
        }
    }
}

#[test]
fn records_are_kept_replaced_and_removed() {
    let world = World::new();
    let kernel = boot(&world, &[Token::MemoryRead, Token::MemoryWrite], &[]);
    for (key, text) in [("a/1", "one"), ("a/2", "two"), ("b", "three"), ("a/1", "uno")] {
        ok(pull(&kernel, "memory_store", json!({"key": key, "text": text})));
    }
    ok(pull(&kernel, "memory_store", json!({"key": "a/2"})));
    let found = ok(pull(&kernel, "memory_query", json!({"key": "a/"})));
    assert_eq!(found, json!([{"key": "a/1", "text": "uno"}]));
    assert!(matches!(pull(&kernel, "memory_store", json!({"key": "", "text": "x"})), Outcome::Failed(_)));
}

#[test]
fn files_stay_in_the_skills_own_folder() {
    // Writing asks otherwise.
    let world = World::with("autonomy: full", vec![Box::new(models::Embedded::default())]);
    world.services.workspace.create_new("secret", b"of another", 0o600).unwrap();
    let kernel = boot(&world, &[Token::FileRead, Token::FileWrite], &[]);
    ok(pull(&kernel, "file_write", json!({"path": "note.txt", "text": "hi"})));
    assert_eq!(ok(pull(&kernel, "file_read", json!({"path": "note.txt"}))), json!("hi"));
    assert_eq!(ok(pull(&kernel, "file_list", json!({"folder": ""}))), json!(["note.txt"]));
    for path in ["../secret", "/etc/hostname", "../puppet/../secret", ".."] {
        let outcome = pull(&kernel, "file_read", json!({"path": path}));
        assert!(matches!(&outcome, Outcome::Failed(why) if !why.contains("/tmp")), "{path}: {outcome:?}");
        assert!(
            matches!(pull(&kernel, "file_write", json!({"path": path, "text": "x"})), Outcome::Failed(_)),
            "{path}"
        );
    }
}

#[test]
fn what_the_profile_forbids_is_neither_listed_nor_read_nor_written() {
    let mut world = World::with("autonomy: full", vec![Box::new(models::Embedded::default())]);
    let own = world.services.workspace.make_folder("puppet").unwrap();
    own.make_folder("private").unwrap().create_new("a.txt", b"the diary", 0o600).unwrap();
    own.create_new("a.key", b"the key", 0o600).unwrap();
    own.create_new("open.txt", b"open", 0o600).unwrap();
    world.grants.files.forbidden =
        ["puppet/private/**", "**/*.key"].map(|text| PathPattern::parse(text).unwrap()).into();
    let kernel = boot(&world, &[Token::FileRead, Token::FileWrite], &[]);
    assert_eq!(ok(pull(&kernel, "file_list", json!({"folder": ""}))), json!(["open.txt"]));
    assert_eq!(ok(pull(&kernel, "file_read", json!({"path": "open.txt"}))), json!("open"));
    for path in ["private/a.txt", "private//a.txt", "./a.key", "private/../a.key", "a.key"] {
        for (function, with) in
            [("file_read", json!({"path": path})), ("file_write", json!({"path": path, "text": "x"}))]
        {
            let outcome = pull(&kernel, function, with);
            assert!(
                matches!(&outcome, Outcome::Failed(why) if why.contains("forbidden")),
                "{path}: {outcome:?}"
            );
        }
    }
    assert!(matches!(pull(&kernel, "file_list", json!({"folder": "private"})), Outcome::Failed(_)));
    ok(pull(&kernel, "file_write", json!({"path": "new.txt", "text": "x"})));
}

#[test]
fn a_question_without_anybody_there_is_answered_so() {
    let world = World::new();
    let kernel = boot(&world, &[Token::UserInput], &[]);
    let outcome = pull(&kernel, "ask", json!({"question": "who is there?"}));
    assert_eq!(outcome, Outcome::Failed("no one is here to answer".to_owned()));
}

#[test]
fn the_companion_writes_no_stories_and_says_so() {
    let world = World::new();
    let kernel = boot(&world, &[Token::LlmCall], &[]);
    let outcome = pull(&kernel, "llm_chat", json!({"prompt": "a story"}));
    assert!(matches!(&outcome, Outcome::Failed(why) if why.contains("language model")), "{outcome:?}");
}

#[test]
fn a_failing_call_is_one_failed_call_and_a_pass_is_a_pass() {
    let world = World::new();
    let kernel = boot(&world, &[], &[]);
    assert!(matches!(pull(&kernel, "loop", json!({})), Outcome::Failed(why) if why.contains("fuel")));
    assert_eq!(pull(&kernel, "pass", json!({})), Outcome::NotMine);
    assert!(matches!(pull(&kernel, "now", json!({})), Outcome::Said(_)));
}

#[test]
fn a_learned_skill_handles_its_own_events_and_no_core_event_that_was_not_granted() {
    let skill = puppet(&entry(&[], &[]), b"puppet");
    let handled: Vec<String> = skill.handles_events().iter().map(ToString::to_string).collect();
    assert_eq!(handled, ["puppet.wake"]);
}

#[test]
fn a_dispatched_call_spends_its_callers_fuel() {
    let world = World::new();
    let kernel = boot(&world, &[], &["puppet.wake"]);
    let answer = ok(pull(&kernel, "dispatch", json!({"type": "puppet.wake"})));
    assert_eq!(answer, json!({"fuel": 1_000}));
    let denied = boot(&world, &[], &["puppet.other"]);
    assert_eq!(ok(pull(&denied, "dispatch", json!({"type": "puppet.wake"}))), json!(null));
    assert_eq!(ok(pull(&denied, "dispatch", json!({"type": "memory_query"}))), json!(null));
}

#[test]
fn bytes_that_are_no_module_cost_a_failed_call_and_no_more() {
    let world = World::new();
    let entry = entry(&[], &[]);
    let holder = Holder::Learned(&entry.name, entry.memory_scope, entry.file_scope);
    let grants = Grants::new(&holder, &entry.capabilities, vec![], vec![], &world.services);
    let mut entries = world.built_in(&[]);
    entries.push(Entry { skill: Box::new(puppet(&entry, b"garbage")), grants, learned: true });
    let kernel = world.boot(entries).unwrap();
    for _ in 0..2 {
        assert!(matches!(pull(&kernel, "now", json!({})), Outcome::Failed(why) if why.contains("no puppet")));
    }
}

#[test]
fn a_companion_finds_a_skill_that_it_has_never_seen_by_its_phrases() {
    let world = World::new();
    let kernel = boot(&world, &[], &[]);
    let ctx = kernel.context_of("cli").unwrap();
    let answer = ctx.send("user_input", json!({"text": "pull now"})).unwrap();
    assert!(answer["reply"].as_str().is_some_and(|r| r.contains("unix_ms")), "{answer}");
}

/// A provider that answers nothing until it is cancelled.
struct Silent;

impl models::Provider for Silent {
    fn name(&self) -> &str {
        "silent"
    }
    fn kind(&self) -> models::Kind {
        models::Kind::Mock
    }
    fn chat(
        &self,
        _: &models::Request,
        _: &mut models::Watch<'_>,
        cancel: &AtomicBool,
    ) -> Result<models::Response, models::ModelError> {
        while !cancel.load(std::sync::atomic::Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(10));
        }
        Err(models::ModelError::Cancelled { provider: "silent".into() })
    }
}

#[test]
fn a_model_that_does_not_answer_costs_a_skill_the_time_of_a_tool_and_no_more() {
    let world = World::with("limits: {tool_timeout_seconds: 1}", vec![Box::new(Silent)]);
    let kernel = boot(&world, &[Token::LlmCall], &[]);
    let outcome = pull(&kernel, "llm_chat", json!({"prompt": "hi"}));
    assert_eq!(outcome, Outcome::Failed("the model took longer than 1 s".to_owned()));
}

//! What the kernel decides for this program: grants, the gate, what a conversation holds.

use std::sync::{Arc, Mutex};

use bot_base::error::Error;
use bot_testing::{SendJson, World};
use kernel::grants::Holder;
use kernel::skill::{Call, Outcome, Skill};
use ports::{Entry, Grants, Kernel, KernelContext, Shared};
use serde_json::{Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Tool;
use shared_types::event::Event;
use shared_types::id::{EventType, SkillName, ToolName};
use shared_types::proposal::Scope;
use shared_types::schema::Parameters;

mod gate;
mod grid;
mod mixed;
mod powers;

type Handler = dyn Fn(&Event, &KernelContext) -> Option<Value> + Send + Sync;

/// A skill that does what a test says.
struct Fake {
    name: SkillName,
    handles: Vec<EventType>,
    emits: Vec<EventType>,
    tools: Vec<Tool>,
    on: Box<Handler>,
}

impl Fake {
    fn boxed(
        name: &str,
        handles: &[&str],
        emits: &[&str],
        on: impl Fn(&Event, &KernelContext) -> Option<Value> + Send + Sync + 'static,
    ) -> Box<dyn Skill<Shared>> {
        Box::new(Fake {
            name: name.parse().unwrap(),
            handles: events(handles),
            emits: events(emits),
            tools: vec![],
            on: Box::new(on),
        })
    }
}

impl Skill<Shared> for Fake {
    fn name(&self) -> &SkillName {
        &self.name
    }
    fn description(&self) -> &str {
        "a fake"
    }
    fn version(&self) -> String {
        "0".to_owned()
    }
    fn capabilities(&self) -> TokenSet {
        // One of them writes, so that there is a call above low risk.
        if self.name.as_str() == "ledger" { tokens(&[Token::FileWrite]) } else { TokenSet::new() }
    }
    fn handles_events(&self) -> Vec<EventType> {
        self.handles.clone()
    }
    fn emits_events(&self) -> Vec<EventType> {
        self.emits.clone()
    }
    fn tools(&self) -> &[Tool] {
        &self.tools
    }
    fn handle(&self, event: &Event, ctx: &KernelContext) -> Option<Value> {
        (self.on)(event, ctx)
    }
    fn call_tool(&self, _: &ToolName, call: &Call<'_>, _: &KernelContext) -> Outcome {
        Outcome::Said(call.args.to_string())
    }
}

fn events(names: &[&str]) -> Vec<EventType> {
    names.iter().map(|n| n.parse().unwrap()).collect()
}

fn tokens(list: &[Token]) -> TokenSet {
    list.iter().copied().collect()
}

/// A skill that may talk with a person, so that the kernel boots; it sends what the tests send.
fn driver(emits: &[&str]) -> Box<dyn Skill<Shared>> {
    Fake::boxed("driver", &[], emits, |_, _| None)
}

fn boot(world: &World, others: Vec<Entry>, emits: &[&str]) -> KernelContext {
    let mut entries = vec![world.entry(driver(emits), &tokens(&[Token::UserInput]))];
    entries.extend(others);
    world.boot(entries).unwrap().context_of("driver").unwrap()
}

#[test]
fn a_skill_without_a_token_has_no_handle_to_misuse() {
    let world = World::new();
    let names = |ctx: &KernelContext| {
        [
            ("user:input", ctx.user_input().is_some()),
            ("user:output", ctx.user_output().is_some()),
            ("memory:read", ctx.handles().memory_read().is_some()),
            ("memory:write", ctx.handles().memory_write().is_some()),
            ("llm:call", ctx.handles().model().is_some()),
            ("file:read", ctx.handles().file_read().is_some()),
            ("file:write", ctx.handles().file_write().is_some()),
            ("network:read", ctx.handles().network().is_some()),
        ]
        .into_iter()
        .filter(|(_, has)| *has)
        .map(|(name, _)| name)
        .collect::<Vec<_>>()
    };
    for token in [
        Token::UserInput,
        Token::UserOutput,
        Token::MemoryRead,
        Token::MemoryWrite,
        Token::LlmCall,
        Token::FileRead,
        Token::FileWrite,
    ] {
        let one = world.entry(Fake::boxed("one", &[], &[], |_, _| None), &tokens(&[token]));
        let mut entries = vec![world.entry(driver(&[]), &tokens(&[Token::UserInput]))];
        entries.push(one);
        let ctx = world.boot(entries).unwrap().context_of("one").unwrap();
        assert_eq!(names(&ctx), [token.as_str()]);
        assert!(ctx.handles().outbox().is_none(), "the folder of proposals belongs to the proposer");
    }
    let bare = boot(&world, vec![world.entry(Fake::boxed("bare", &[], &[], |_, _| None), &tokens(&[]))], &[]);
    assert_eq!(names(&bare), ["user:input"]);
    assert!(bare.handles().outbox().is_none());
}

#[test]
fn records_reach_no_further_than_the_skills_own_file() {
    let world = World::new();
    let all = tokens(&[Token::MemoryRead, Token::MemoryWrite]);
    let mut entries = vec![world.entry(driver(&[]), &tokens(&[Token::UserInput]))];
    entries.push(world.entry(Fake::boxed("diary", &[], &[], |_, _| None), &all));
    let ctx = world.boot(entries).unwrap().context_of("diary").unwrap();
    let (reader, writer) = (ctx.handles().memory_read().unwrap(), ctx.handles().memory_write().unwrap());
    writer.append(writer.own(), &json!({"key": "a"})).unwrap();
    assert_eq!(reader.records(reader.own()).unwrap(), [json!({"key": "a"})]);
    for file in ["facts.jsonl", "conversations.jsonl", "skills/other.jsonl", "../logs/x", "manifest_serial"] {
        assert!(reader.records(file).is_err(), "{file}");
        assert!(writer.append(file, &json!({})).is_err(), "{file}");
    }
}

#[test]
fn the_persons_facts_go_to_who_was_granted_them_and_the_rest_to_the_keeper_alone() {
    let world = World::new();
    let all = tokens(&[Token::MemoryRead, Token::MemoryWrite]);
    let learned = |name: &str, scope| {
        let name = name.parse().unwrap();
        let holder = Holder::Learned(&name, scope, Scope::Own);
        let grants = Grants::new(&holder, &all, vec![], vec![], &world.services);
        let skill = Fake::boxed(name.as_str(), &[], &[], |_, _| None);
        Entry { skill, grants, learned: true }
    };
    let mut entries = world.built_in(&[]);
    // A learned skill does not become the keeper by its name.
    entries.retain(|entry| entry.skill.name().as_str() != "memory");
    entries.extend([
        learned("own", Scope::Own),
        learned("profile", Scope::Profile),
        learned("memory", Scope::Profile),
    ]);
    let kernel = world.boot(entries).unwrap();
    for (name, facts) in [("own", false), ("profile", true), ("memory", true), ("reasoning", false)] {
        let ctx = kernel.context_of(name).unwrap();
        let handles = ctx.handles();
        assert_eq!(handles.memory_read().unwrap().facts(9).is_some(), facts, "{name}");
        assert!(handles.recall().is_err() && handles.store().is_err(), "{name}");
    }
    let keeper = world.boot(world.built_in(&[])).unwrap().context_of("memory").unwrap();
    assert!(keeper.handles().recall().is_ok() && keeper.handles().store().is_ok());
}

#[test]
fn only_the_conversation_calls_tools_and_arguments_are_checked_first() {
    let world = World::new();
    let parameters = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let tool = || Tool {
        examples: vec![],
        name: "add".parse().unwrap(),
        description: "Adds".to_owned(),
        parameters: Parameters::try_from(parameters.clone()).unwrap(),
        phrases: vec![],
    };
    let fake = || -> Box<dyn Skill<Shared>> {
        Box::new(Fake {
            name: "sums".parse().unwrap(),
            handles: vec![],
            emits: vec![],
            tools: vec![tool()],
            on: Box::new(|_, _| None),
        })
    };
    let mut entries = world.built_in(&[]);
    entries.push(world.entry(fake(), &tokens(&[])));
    let kernel = world.boot(entries).unwrap();
    let talker = kernel.context_of("reasoning").unwrap();
    assert_eq!(talker.call_tool("sums.add", &json!({"n": 1}), ""), Outcome::Said("{\"n\":1}".to_owned()));
    for (name, args) in
        [("sums.add", json!({"n": "1"})), ("sums.add", json!({"n": 1, "m": 2})), ("sums.sub", json!({}))]
    {
        assert!(matches!(talker.call_tool(name, &args, ""), Outcome::Denied(..)), "{name} {args}");
    }
    let other = kernel.context_of("memory").unwrap();
    assert!(matches!(other.call_tool("sums.add", &json!({"n": 1}), ""), Outcome::Failed(_)));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test takes the place of the log away")]
fn without_a_place_for_its_receipt_only_a_call_of_low_risk_is_made() {
    let world = World::with("autonomy: full", vec![Box::new(models::Embedded::default())]);
    let parameters = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let tool = || Tool {
        examples: vec![],
        name: "add".parse().unwrap(),
        description: "Adds".to_owned(),
        parameters: Parameters::try_from(parameters.clone()).unwrap(),
        phrases: vec![],
    };
    let fake = |name: &str| -> Box<dyn Skill<Shared>> {
        Box::new(Fake {
            name: name.parse().unwrap(),
            handles: vec![],
            emits: vec![],
            tools: vec![tool()],
            on: Box::new(|_, _| None),
        })
    };
    let mut entries = world.built_in(&[]);
    entries.push(world.entry(fake("sums"), &tokens(&[])));
    entries.push(world.entry(fake("ledger"), &tokens(&[Token::FileWrite])));
    let kernel = world.boot(entries).unwrap();
    let ctx = kernel.context_of("reasoning").unwrap();
    let said = |name: &str| matches!(ctx.call_tool(name, &json!({"n": 1}), ""), Outcome::Said(_));
    assert!(said("sums.add") && said("ledger.add"));
    // Something else than a file in the log's place, as good as a disk that takes nothing.
    let log = world.dir.path().join("logs").join("receipts.jsonl");
    let kept = std::fs::metadata(&log).unwrap().len();
    std::fs::rename(&log, log.with_extension("kept")).unwrap();
    std::fs::create_dir(&log).unwrap();
    assert!(said("sums.add"));
    let refused = ctx.call_tool("ledger.add", &json!({"n": 1}), "");
    assert!(matches!(&refused, Outcome::Denied(_, why) if why.contains("no receipt")), "{refused:?}");
    std::fs::remove_dir(&log).unwrap();
    std::fs::rename(log.with_extension("kept"), &log).unwrap();
    assert!(said("ledger.add"));
    assert!(std::fs::metadata(&log).unwrap().len() > kept);
}

#[test]
fn without_somebody_who_talks_with_a_person_nothing_boots() {
    let world = World::new();
    assert!(matches!(world.boot(world.built_in(&["cli"])), Err(Error::NoDriver)));
}

#[test]
fn a_tool_that_the_channel_does_not_allow_is_neither_offered_nor_called() {
    let config = "channels: {cli: {tools_allow: [clock.date]}}";
    let world = World::with(config, vec![Box::new(models::Embedded::default())]);
    let ctx = world.boot(world.built_in(&[])).unwrap().context_of("reasoning").unwrap();
    let offered: Vec<String> = ports::offered::specs(&ctx).into_iter().map(|tool| tool.name).collect();
    assert_eq!(offered, ["date"]);
    assert!(matches!(ctx.call_tool("date", &json!({}), ""), Outcome::Said(_)));
    let refused = ctx.call_tool("time", &json!({}), "");
    assert!(matches!(&refused, Outcome::Denied(_, why) if why.contains("not allowed")), "{refused:?}");
}

#[test]
fn a_channel_that_is_switched_off_is_not_driven() {
    let config = "channels: {cli: {enabled: false}}";
    let world = World::with(config, vec![Box::new(models::Embedded::default())]);
    let kernel = world.boot(world.built_in(&[])).unwrap();
    assert!(matches!(kernel.run(), Err(Error::ChannelOff("cli"))));
}

#[test]
fn without_memory_the_conversation_goes_on() {
    let world = World::new();
    let ctx = world.boot(world.built_in(&["memory"])).unwrap().context_of("cli").unwrap();
    let answer = ctx.send("user_input", json!({"text": "hello"})).unwrap();
    assert!(answer["reply"].as_str().is_some_and(|r| r.contains("Hello")), "{answer}");
}

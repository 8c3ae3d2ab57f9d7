//! What the kernel itself costs: one event, one tool call, one turn with a model that answers at once.
#![forbid(unsafe_code)]

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use bot_base::config::{Backend, Config};
use bot_base::paths::Folder;
use divan::Bencher;
use kernel::grants::Holder;
use kernel::skill::{Outcome, Skill};
use models::{Mock, Router};
use ports::handles::Services;
use ports::talk::Talk;
use ports::{Entry, Grants, Kernel, KernelContext, Shared, remembered};
use serde_json::{Value, json};
use shared_types::capability::{Token, TokenSet};
use shared_types::event::Event;
use shared_types::id::{ConversationId, EventType, SkillName};
use shared_types::message::{Answer, Command, Input, TurnResult};
use shared_types::power::Powers;
use tempfile::TempDir;

fn main() {
    divan::main();
}

/// From one skill to another and back.
#[divan::bench]
fn dispatch_of_one_event(bencher: Bencher<'_, '_>) {
    let world = World::new();
    let ctx = world.context_of("echo");
    let event: EventType = ECHO.parse().expect("an event type");
    bencher.bench_local(|| ctx.dispatch(&event, json!({"text": "hi"})).expect("the echo answers"));
}

/// The arguments checked, the tool found and run.
#[divan::bench]
fn call_of_one_tool(bencher: Bencher<'_, '_>) {
    let world = World::new();
    let ctx = world.context_of("reasoning");
    bencher.bench_local(|| {
        let said = ctx.call_tool("time", &json!({}), "what time is it?");
        assert!(matches!(said, Outcome::Said(_)), "{said:?}");
    });
}

/// What a person waits for beside the model: from the line to the reply. Aim: at most 1 ms.
#[divan::bench]
fn turn_until_the_reply(bencher: Bencher<'_, '_>) {
    let world = World::new();
    let ctx = world.context_of("cli");
    let next = || {
        world.wait_until_stored();
        ctx.turn_to(ConversationId::generate());
    };
    bencher.with_inputs(next).bench_local_values(|()| turn(&ctx));
}

/// Turns of one conversation without a pause, each stored on the disk before the next.
#[divan::bench(sample_count = 40, sample_size = 5)]
fn turn_with_its_storing(bencher: Bencher<'_, '_>) {
    let world = World::new();
    let ctx = world.context_of("cli");
    bencher.bench_local(|| turn(&ctx));
}

fn turn(ctx: &KernelContext) -> Answer {
    let answer = ctx.ask(Input::typed("hi", false)).expect("the conversation answers");
    assert!(
        matches!(&answer, Answer::Turn(TurnResult::Reply(reply)) if reply.reply == "Hello."),
        "{answer:?}"
    );
    answer
}

/// A kernel with the built-in skills, one that echoes, and a scripted model, in a folder that goes with the value.
struct World {
    kernel: Arc<Kernel>,
    _folder: TempDir,
}

impl World {
    fn new() -> World {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = |name: &str| {
            fs::create_dir(root.path().join(name)).expect("a folder can be made");
            Arc::new(Folder::root(&root.path().join(name)).expect("and opened"))
        };
        let script = Mock::new("scripted", "[{text: Hello.}]").expect("a script");
        let memory = folder("memory");
        let services = Services {
            talk: Talk::unlimited(folder("spent")),
            store: remembered::store(memory.clone(), Backend::default(), Box::new(|_, _| {})),
            memory,
            workspace: folder("workspace"),
            further: vec![],
            proposals: folder("proposals"),
            status: Some(folder("status")),
            router: Arc::new(Router::new(vec![Box::new(script)], Default::default())),
            net: None,
            voice: None,
            pins: None,
        };
        let config = "providers: [{name: scripted, kind: mock, model: script.yaml}]";
        let config = Config::parse(Path::new("default.yaml"), config).expect("a configuration");
        let random = File::open("/dev/urandom").expect("random numbers");
        let manifest = Folder::root(root.path()).expect("a folder opens");
        let shared = Shared::without_home(config, manifest, folder("logs"), random);
        let mut all = skills::built_in(false);
        all.push(Box::new(Echo("echo".parse().expect("a name"))));
        let entries = all.into_iter().map(|skill| entry(skill, &services)).collect();
        let (kernel, warnings) = Kernel::boot(shared, entries).expect("a kernel boots");
        assert!(warnings.is_empty(), "{warnings:?}");
        World { kernel, _folder: root }
    }

    /// A command waits until the turn before is stored.
    fn wait_until_stored(&self) {
        self.context_of("cli").ask(Command::Memory { argument: String::new() });
    }

    fn context_of(&self, name: &str) -> KernelContext {
        self.kernel.context_of(name).expect("the skill is there")
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // The folder goes next.
        self.wait_until_stored();
    }
}

/// A skill with all that it asks for.
fn entry(skill: Box<dyn Skill<Shared>>, services: &Services) -> Entry {
    let name = skill.name().clone();
    let (emits, handles) = (skill.emits_events(), skill.handles_events());
    let grants = Grants::new(
        &Holder::BuiltIn(&name, Powers::new(skills::powers::of(&name), None)),
        &skill.capabilities(),
        emits,
        handles,
        services,
    );
    Entry { skill, grants, learned: false }
}

const ECHO: &str = "echo.say";

/// A skill that answers its own event at once.
struct Echo(SkillName);

impl Skill<Shared> for Echo {
    fn name(&self) -> &SkillName {
        &self.0
    }

    fn description(&self) -> &str {
        "an echo"
    }

    fn version(&self) -> String {
        "1".to_owned()
    }

    fn capabilities(&self) -> TokenSet {
        [Token::UserOutput].into_iter().collect()
    }

    fn handles_events(&self) -> Vec<EventType> {
        vec![ECHO.parse().expect("an event type")]
    }

    fn emits_events(&self) -> Vec<EventType> {
        self.handles_events()
    }

    fn handle(&self, event: &Event, _: &KernelContext) -> Option<Value> {
        Some(event.payload.clone())
    }
}

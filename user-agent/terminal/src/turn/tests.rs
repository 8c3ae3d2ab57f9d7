use std::sync::Arc;

use bot_base::config::Overrides;
use bot_testing::{SendJson, World};
use kernel::skill::Skill;
use ports::{Kernel, Session, Shared};
use shared_types::capability::TokenSet;
use shared_types::event::{Event, core};
use shared_types::exit;
use shared_types::id::{EventType, SkillName};

use super::*;
use crate::screen::Screen;
use crate::screen::tests::Paper;

type Answerer = dyn Fn(&Value, &KernelContext) -> Option<Value> + Send + Sync;

/// A conversation that does what a test says.
struct Fake {
    name: SkillName,
    answer: Box<Answerer>,
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
        TokenSet::new()
    }
    fn handles_events(&self) -> Vec<EventType> {
        vec![core::USER_INPUT.parse().unwrap()]
    }
    fn emits_events(&self) -> Vec<EventType> {
        vec![core::ASSISTANT_OUTPUT.parse().unwrap()]
    }
    fn handle(&self, event: &Event, ctx: &KernelContext) -> Option<Value> {
        (self.answer)(&event.payload, ctx)
    }
}

/// A chat whose conversation goes by `name`.
struct Chat {
    cli: Cli,
    kernel: Arc<Kernel>,
    out: Paper,
    aside: Paper,
    _world: World,
}

fn chat(
    name: &str,
    session: Session,
    answer: impl Fn(&Value, &KernelContext) -> Option<Value> + Send + Sync + 'static,
) -> Chat {
    let (out, aside) = (Paper::default(), Paper::default());
    let screen = Screen::onto(Box::new(out.clone()), Box::new(aside.clone()));
    let shown = Cli { screen: screen.clone(), ..Cli::default() };
    let world = World::new();
    let tokens = Skill::capabilities(&shown);
    let fake = Fake { name: name.parse().unwrap(), answer: Box::new(answer) };
    let entries = vec![world.entry(Box::new(shown), &tokens), world.entry(Box::new(fake), &TokenSet::new())];
    let kernel = world.boot_as(entries, session).unwrap();
    Chat { cli: Cli { screen, ..Cli::default() }, kernel, out, aside, _world: world }
}

impl Chat {
    fn ask(&self, text: &str) -> TurnEnd {
        line(&self.cli, text, &self.kernel.context_of("cli").unwrap())
    }
    fn used(&self) -> Option<String> {
        self.cli.used.lock().unwrap().line(ports::tongue::Tongue::ENGLISH)
    }
}

fn watched() -> Session {
    Session { terminal: true, interactive: true, ..Session::default() }
}

fn streaming(_: &Value, ctx: &KernelContext) -> Option<Value> {
    for piece in ["Hel", "lo."] {
        ctx.send(core::ASSISTANT_OUTPUT, json!({"stream": piece}));
    }
    Some(json!({"reply": "Hello.", "usage": {"input": 3, "output": 2}}))
}

#[test]
fn the_conversation_streams_and_nobody_else_does() {
    let chat = chat("reasoning", watched(), streaming);
    assert_eq!(chat.ask("hi"), TurnEnd { exit: 0, cancelled: false });
    assert_eq!(chat.out.text(), "Hello.\n");
    assert!(chat.used().unwrap().ends_with("3 tokens in, 2 out"));
    // Another skill that sends the same events shows nothing of them: the answer is shown once it is there.
    let chat = self::chat("quiz", watched(), |asked, ctx| {
        ctx.send(core::ASSISTANT_OUTPUT, json!({"stream": "FAKE"}));
        ctx.send(core::ASSISTANT_OUTPUT, json!({"status": "FAKE"}));
        ctx.send(core::ASSISTANT_OUTPUT, json!({"note": "FAKE"}));
        ctx.send(core::ASSISTANT_OUTPUT, json!({"stream_again": true}));
        streaming(asked, ctx)
    });
    chat.ask("hi");
    assert_eq!((chat.out.text().as_str(), chat.aside.text().as_str()), ("Hello.\n", ""));
}

#[test]
fn a_pipe_asks_for_no_stream_and_a_terminal_does() {
    for (session, expected) in [(watched(), true), (Session::default(), false)] {
        let chat = chat("reasoning", session, |asked, _| Some(json!({"reply": asked["stream"].to_string()})));
        chat.ask("hi");
        assert_eq!(chat.out.text(), format!("{expected}\n"));
    }
    let json = Session { json: true, ..watched() };
    let chat = chat("reasoning", json, |asked, _| Some(json!({"reply": asked["stream"].to_string()})));
    chat.ask("hi");
    assert!(chat.out.text().contains("\"reply\":\"false\""), "{}", chat.out.text());
}

#[test]
fn an_exit_code_says_how_a_turn_ended() {
    for (answer, code) in [
        (json!({"reply": "x"}), exit::DONE),
        (json!({"reply": "x", "outcome": "unknown"}), exit::DONE),
        (json!({"reply": "x", "outcome": "proposed"}), exit::DONE),
        (json!({"reply": "x", "outcome": "denied"}), exit::REFUSED),
        (json!({"reply": "x", "outcome": "failed"}), exit::FAILED),
        (json!({"reply": "x", "incomplete": true}), exit::FAILED),
        (json!({"refused": "no"}), exit::REFUSED),
        (json!({"failed": "no"}), exit::FAILED),
        (json!({"cancelled": true}), exit::FAILED),
        (json!({}), exit::FAILED),
    ] {
        let shown = answer.to_string();
        let chat = chat("reasoning", Session::default(), move |_, _| Some(answer.clone()));
        assert_eq!(chat.ask("hi").exit, code, "{shown}");
    }
    let chat = chat("reasoning", Session::default(), |_, _| None);
    assert_eq!(chat.ask("hi").exit, exit::FAILED);
    assert_eq!(chat.used(), None, "where nobody thinks there is no turn");
}

#[test]
fn json_is_one_value_and_nothing_else() {
    let answer = json!({"reply": "# Hi", "turn_id": "t1", "provider": "p", "model": "m",
        "usage": {"input": 1, "output": 2}, "calls": 1, "seconds": 0.5, "notes": ["one did not answer"]});
    let chat = chat("reasoning", Session { json: true, ..Session::default() }, move |_, ctx| {
        ctx.send(core::ASSISTANT_OUTPUT, json!({"say": "no JSON"}));
        Some(answer.clone())
    });
    assert_eq!(chat.ask("hi").exit, 0);
    let shown: Value = serde_json::from_str(&chat.out.text()).unwrap();
    let id = chat.kernel.context_of("cli").unwrap().conversation();
    assert_eq!(
        shown,
        json!({"reply": "# Hi", "conversation_id": id, "turn_id": "t1", "provider": "p", "model": "m",
            "usage": {"input": 1, "output": 2}, "calls": 1, "seconds": 0.5, "outcome": "answered", "exit": 0})
    );
    assert_eq!(chat.aside.text(), "(one did not answer)\n");
    let chat = self::chat("reasoning", Session { json: true, ..Session::default() }, |_, _| {
        Some(json!({"refused": "no"}))
    });
    chat.ask("hi");
    let shown: Value = serde_json::from_str(&chat.out.text()).unwrap();
    assert_eq!((&shown["reply"], &shown["refused"], &shown["exit"]), (&Value::Null, &json!("no"), &json!(3)));
    assert_eq!(shown["outcome"], "denied");
    assert!(shown["seconds"].is_number() && shown["usage"].is_null(), "{shown}");
}

#[test]
fn a_note_that_was_told_on_the_way_is_not_told_again_with_the_answer() {
    let chat = chat("reasoning", watched(), |_, ctx| {
        ctx.send(core::ASSISTANT_OUTPUT, json!({"note": "the first did not answer"}));
        Some(json!({"reply": "x", "notes": ["the first did not answer", "another"]}))
    });
    chat.ask("hi");
    assert_eq!(chat.aside.text(), "(the first did not answer)\n(another)\n");
}

#[test]
fn a_turn_that_takes_longer_than_it_may_is_cancelled_and_says_so() {
    let overrides = Overrides { timeout: Some(Duration::from_millis(50)), ..Overrides::default() };
    let session = Session { json: true, overrides, ..Session::default() };
    let chat = chat("reasoning", session.clone(), |_, ctx| {
        while !ctx.is_cancelled() {
            std::thread::sleep(Duration::from_millis(5));
        }
        Some(json!({"cancelled": true}))
    });
    assert_eq!(chat.ask("hi"), TurnEnd { exit: exit::FAILED, cancelled: false });
    assert!(chat.out.text().contains("no answer within"), "{}", chat.out.text());
    // One that is quick enough is not.
    let chat = self::chat("reasoning", session, |_, _| Some(json!({"reply": "x"})));
    assert_eq!(chat.ask("hi").exit, 0);
    assert!(!chat.kernel.context_of("cli").unwrap().is_cancelled());
}

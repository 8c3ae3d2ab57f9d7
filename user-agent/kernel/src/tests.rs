//! The kernel alone, in a program that has nothing.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use serde_json::json;
use shared_types::capability::TokenSet;
use shared_types::event::Event;
use shared_types::id::{ConversationId, ProfileId, SkillName};
use shared_types::power::Powers;
use shared_types::risk::{Autonomy, Risk};
use shared_types::verdict::{Decider, NoYes};

use super::*;
use crate::approval::{ApprovalRoute, Question};
use crate::grants::{Grants, Holder, Rights};
use crate::program::{Attempt, Report};
use crate::skill::{Called, Outcome, Skill};
use crate::stop::Stopped;

/// A program without a file, a model or a person.
struct Bare {
    profile: ProfileId,
    conversation: ConversationId,
    cancel: Arc<AtomicBool>,
}

impl Program for Bare {
    type Services = ();
    type Handles = ();
    type Actions = ();
    type Budget = ();
    type Span = ();
    type Error = &'static str;

    fn handles(_: &ByKernel<Bare>, _: &Rights<'_>, (): &()) {}
    fn profile(&self) -> &ProfileId {
        &self.profile
    }
    fn autonomy(&self) -> Autonomy {
        Autonomy::default()
    }
    fn conversation(&self) -> ConversationId {
        self.conversation.clone()
    }
    fn turn_to(&self, _: &ByKernel<Bare>, _: ConversationId) {}
    fn cancel(&self) -> &Arc<AtomicBool> {
        &self.cancel
    }
    fn stopped(&self) -> Option<Stopped> {
        None
    }
    fn met(&self, _: &Stopped) {}
    fn enter(&self, _: &Attempt<'_>) {}
    fn allows(&self, _: &SkillName, _: &str) -> Result<(), &'static str> {
        Ok(())
    }
    fn no_driver() -> &'static str {
        "nobody could talk"
    }
    fn begin(&self, _: &ByKernel<Bare>) -> Result<(), &'static str> {
        Ok(())
    }
    fn tell(&self, _: &Attempt<'_>, _: Report<'_>) {}
    fn no_receipt(&self, _: &ByKernel<Bare>) -> Option<String> {
        None
    }
    fn keep_receipt(&self, _: &ByKernel<Bare>, _: &Attempt<'_>, outcome: Outcome, _: (Risk, &str)) -> Called {
        Called { outcome, receipt_id: None }
    }
    fn note_excused(&self, _: &ByKernel<Bare>, _: &str) -> bool {
        false
    }
    fn excused_in(&self, _: &ByKernel<Bare>, _: &ConversationId) -> usize {
        0
    }
}

impl ApprovalRoute for Bare {
    fn ask_elsewhere(
        &self,
        _: &ByKernel<Bare>,
        _: &KernelContext<Bare>,
        _: &Question<'_>,
    ) -> Option<Result<Decider, NoYes>> {
        None
    }
}

type Handler = dyn Fn(&Event, &KernelContext<Bare>) -> Option<Value> + Send + Sync;

/// A skill that does what a test says.
struct Fake {
    name: SkillName,
    handles: Vec<EventType>,
    on: Box<Handler>,
}

impl Skill<Bare> for Fake {
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
        self.handles.clone()
    }
    fn handle(&self, event: &Event, ctx: &KernelContext<Bare>) -> Option<Value> {
        (self.on)(event, ctx)
    }
}

fn event(name: &str) -> EventType {
    name.parse().unwrap()
}

fn events(names: &[&str]) -> Vec<EventType> {
    names.iter().map(|name| event(name)).collect()
}

/// A skill that handles the first events and was granted to receive the second and to send the third.
fn entry(
    name: &str,
    [handles, receives, sends]: [&[&str]; 3],
    tokens: &[Token],
    on: impl Fn(&Event, &KernelContext<Bare>) -> Option<Value> + Send + Sync + 'static,
) -> Entry<Bare> {
    let name: SkillName = name.parse().unwrap();
    let holder = Holder::BuiltIn(&name, Powers::default());
    let tokens = tokens.iter().copied().collect();
    let grants = Grants::new(&holder, &tokens, events(sends), events(receives), &());
    let skill = Fake { name: name.clone(), handles: events(handles), on: Box::new(on) };
    Entry { skill: Box::new(skill), grants, learned: false }
}

/// The context of a skill that talks with a person and may send these events.
fn boot(other: Entry<Bare>, sends: &[&str]) -> KernelContext<Bare> {
    let driver = entry("driver", [&[], &[], sends], &[Token::UserInput], |_, _| None);
    let profile = "default".parse().unwrap();
    let program = Bare { profile, conversation: ConversationId::generate(), cancel: Arc::default() };
    Kernel::boot(program, vec![driver, other]).ok().unwrap().0.context_of("driver").unwrap()
}

#[test]
fn an_event_reaches_its_handler_and_one_without_handler_answers_none() {
    let echo = entry("echo", [&["echo.say"], &["echo.say"], &[]], &[], |e, _| Some(e.payload.clone()));
    let ctx = boot(echo, &["echo.say", "nobody.home"]);
    assert_eq!(ctx.dispatch(&event("echo.say"), json!({"x": 1})), Some(json!({"x": 1})));
    assert_eq!(ctx.dispatch(&event("nobody.home"), json!({})), None);
}

#[test]
fn an_event_that_was_not_granted_is_neither_sent_nor_received() {
    let echo = |grant: &[&str]| entry("echo", [&["echo.say"], grant, &[]], &[], |_, _| Some(json!(1)));
    assert_eq!(boot(echo(&["echo.say"]), &[]).dispatch(&event("echo.say"), json!({})), None);
    assert_eq!(boot(echo(&[]), &["echo.say"]).dispatch(&event("echo.say"), json!({})), None);
}

#[test]
fn source_session_and_profile_are_the_kernels_to_say() {
    let seen: Arc<Mutex<Option<Event>>> = Arc::default();
    let kept = seen.clone();
    let spy = entry("spy", [&["spy.see"], &["spy.see"], &[]], &[], move |event, _| {
        *kept.lock().unwrap() = Some(event.clone());
        None
    });
    let ctx = boot(spy, &["spy.see"]);
    ctx.dispatch(&event("spy.see"), json!({"source": "admin", "session_id": "x", "profile_id": "other"}));
    let event = seen.lock().unwrap().take().unwrap();
    assert_eq!(event.source, "driver");
    assert_eq!(event.profile_id.as_str(), "default");
    assert_eq!(event.session_id, ctx.conversation());
}

#[test]
fn a_chain_of_dispatches_ends_four_deep() {
    let depths: Arc<Mutex<Vec<u8>>> = Arc::default();
    let kept = depths.clone();
    let go: &[&str] = &["again.go"];
    let again = entry("again", [go, go, go], &[], move |_, ctx| {
        kept.lock().unwrap().push(ctx.depth());
        ctx.dispatch(&event("again.go"), json!({}));
        None
    });
    boot(again, go).dispatch(&event("again.go"), json!({}));
    assert_eq!(*depths.lock().unwrap(), [1, 2, 3, 4]);
}

#[test]
fn this_file_of_boot_and_dispatch_is_read_in_one_sitting() {
    let lines = include_str!("lib.rs").lines().count();
    assert!(lines <= 150, "lib.rs has {lines} lines");
}

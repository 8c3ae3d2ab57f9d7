//! Actions of a conversation: asked for by the shell, answered by a stand-in for the admin service.

use std::time::{Duration, Instant};

use bot_testing::{StandIn, World, moved, waiting};
use documents::proposal;
use kernel::skill::Outcome;
use ports::{KernelContext, Session};
use serde_json::json;
use shared_types::action::{Action, ActionResult};
use shared_types::grants::CommandPattern;
use shared_types::id::ProposalId;
use shared_types::proposal::Document;
use shared_types::status::Status;

fn world() -> World {
    let mut world =
        World::with("limits: {action_wait_seconds: 1}", vec![Box::new(models::Embedded::default())]);
    world.grants.commands = vec![CommandPattern::parse("ls").unwrap()];
    world
}

fn ctx(world: &World, session: Session) -> KernelContext {
    world.boot_as(world.built_in(&[]), session).unwrap().context_of("reasoning").unwrap()
}

fn piped(world: &World) -> KernelContext {
    ctx(world, Session { message: Some(String::new()), ..Session::default() })
}

fn at_terminal(world: &World) -> KernelContext {
    ctx(world, Session { interactive: true, ..Session::default() })
}

fn ls(ctx: &KernelContext) -> Outcome {
    ctx.call_tool("shell", &json!({"command": "ls"}), "please look")
}

fn failed(outcome: Outcome) -> String {
    match outcome {
        Outcome::Failed(why) => why,
        other => panic!("it should fail: {other:?}"),
    }
}

fn withdrawn(world: &World) -> usize {
    let folder = &world.services.proposals;
    folder.files().unwrap().iter().filter(|name| name.ends_with(".withdrawn")).count()
}

#[test]
fn an_action_is_answered_by_the_mirror_and_its_wish_is_taken_away() {
    let world = world();
    let result = ActionResult { exit: Some(0), stdout: "a.txt\n".to_owned(), ..ActionResult::default() };
    let _admin = StandIn::allowing(world.dir.path(), result);
    assert_eq!(ls(&piped(&world)), Outcome::Said("exit 0\nstdout:\na.txt".to_owned()));
    assert!(world.files("proposals").is_empty());
    let mirror = proposal::parse(&world.files("status")[0]).unwrap();
    assert_eq!(mirror.proposal.user_context, "please look");
    assert!(matches!(mirror.proposal.action, Some(Action::Shell { timeout_s: 15, network: false, .. })));
}

#[test]
fn a_result_of_two_full_outputs_is_read() {
    let world = world();
    let long = "é\u{1}".repeat(shared_types::action::MAX_OUTPUT / 3);
    let result = ActionResult {
        exit: Some(0),
        stdout: long.clone(),
        stderr: long,
        cut: true,
        ..ActionResult::default()
    };
    let _admin = StandIn::allowing(world.dir.path(), result);
    let Outcome::Said(said) = ls(&piped(&world)) else { panic!("a long output is an output") };
    assert!(said.len() > 100_000 && said.ends_with("of each output are kept]"), "{}", said.len());
    assert!(!said.contains('\u{1}'));
    let mirrored =
        skills::proposer::outbox::list(&world.services.proposals, world.services.status.as_deref());
    assert_eq!(mirrored.len(), 1);
}

#[test]
fn a_refusal_is_told_with_its_reason() {
    let world = world();
    let _admin = StandIn::refusing(world.dir.path(), "the rule `x` says no");
    let outcome = ls(&piped(&world));
    assert!(
        matches!(&outcome, Outcome::Denied(_, why) if why.contains("the rule `x` says no")),
        "{outcome:?}"
    );
}

#[test]
fn without_an_admin_service_the_wait_ends_with_the_next_step() {
    let world = world();
    let begun = Instant::now();
    let why = failed(ls(&piped(&world)));
    assert!(why.contains("cl-admin run") && why.contains("withdrawn"), "{why}");
    assert!(begun.elapsed() >= Duration::from_secs(1));
    assert_eq!(withdrawn(&world), 1);
}

#[test]
fn nobody_waits_for_a_person_where_no_person_sits() {
    let world = world();
    let _admin = StandIn::asking(world.dir.path());
    let scheduled = Session { interactive: true, scheduled: true, ..Session::default() };
    for (at, ctx) in [piped(&world), ctx(&world, scheduled)].iter().enumerate() {
        let why = failed(ls(ctx));
        assert!(why.contains("cl-admin review"), "{why}");
        assert_eq!(withdrawn(&world), at + 1);
    }
}

#[test]
fn at_a_terminal_a_person_may_take_longer_than_the_service() {
    let world = world();
    let _admin = StandIn::start(world.dir.path(), |document, publish| {
        publish(&waiting(document.clone()));
        std::thread::sleep(Duration::from_millis(1_300));
        let allowed = moved(waiting(document), Status::Accepted, "owner", None);
        publish(&allowed);
        std::thread::sleep(Duration::from_millis(100));
        let result = ActionResult { exit: Some(3), stderr: "no".to_owned(), ..ActionResult::default() };
        publish(&Document { result: Some(result), ..allowed });
    });
    assert_eq!(failed(ls(&at_terminal(&world))), "exit 3\nstderr:\nno");
    assert_eq!(withdrawn(&world), 0);
}

#[test]
fn who_cancels_withdraws() {
    let world = world();
    let _admin = StandIn::asking(world.dir.path());
    let ctx = at_terminal(&world);
    let cancel = ctx.cancel().clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(150));
        cancel.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let why = failed(ls(&ctx));
    thread.join().unwrap();
    assert!(why.starts_with("cancelled; action "), "{why}");
    assert_eq!(withdrawn(&world), 1);
}

#[test]
fn a_mirror_of_another_action_is_no_answer() {
    let world = world();
    let _admin = StandIn::start(world.dir.path(), |mut document, publish| {
        document.proposal.id = ProposalId::generate();
        let result = ActionResult { exit: Some(0), ..ActionResult::default() };
        publish(&moved(Document { result: Some(result), ..document }, Status::Accepted, "policy", None));
    });
    assert!(failed(ls(&piped(&world))).contains("no admin service took it up"));
}

#[test]
fn a_command_without_a_result_is_given_up_after_its_time() {
    let world = world();
    let _admin = StandIn::start(world.dir.path(), |document, publish| {
        publish(&moved(document, Status::Accepted, "policy", None));
    });
    let args = json!({"command": "ls", "timeout_s": 1});
    let why = failed(piped(&world).call_tool("shell", &args, ""));
    assert!(why.contains("no result within 2 s"), "{why}");
}

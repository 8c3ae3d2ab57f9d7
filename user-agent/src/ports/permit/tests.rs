use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use shared_types::action::ActionResult;
use shared_types::audience::Audience;
use shared_types::capability::{Token, TokenSet};
use shared_types::id::ToolName;
use shared_types::schema::Parameters;
use shared_types::status::Status;

use super::*;
use crate::ports::Session;
use crate::ports::Shared;
use crate::skills::{Call, Outcome, Skill, Tool};
use crate::testing::{StandIn, World, moved, waiting};

fn ctx(world: &World) -> KernelContext {
    world.boot(world.built_in(&[])).unwrap().context_of("reasoning").unwrap()
}

fn asked(ctx: &KernelContext, what: u32) -> Result<String, String> {
    let (proposals, status) = ctx.shared().permits.0.clone().unwrap();
    let actions = Actions::in_a_test(proposals, status);
    seek(&actions, ctx, ("files.write", &json!({"what": what})), (Risk::Medium, "it writes"))
        .map(|yes| yes.as_str().to_owned())
        .map_err(|no| no.why)
}

fn permits(world: &World) -> Vec<Document> {
    crate::ports::spool::list(&world.services.proposals, world.services.status.as_deref())
}

/// Says what becomes of the newest permit.
fn decide(world: &World, to: Status, why: Option<&str>) {
    let document = moved(permits(world).pop().unwrap(), to, "owner", why);
    let text = documents::yaml::to_string(&document).unwrap();
    let status = world.services.status.as_ref().unwrap();
    status.replace(&document.file_name(), text.as_bytes()).unwrap();
}

#[test]
fn without_a_terminal_the_question_stays_and_its_yes_is_for_one_call() {
    let world = World::new();
    let ctx = ctx(&world);
    let why = asked(&ctx, 1).unwrap_err();
    assert_eq!(asked(&ctx, 1).unwrap_err(), why, "the same question is not asked twice");
    assert_eq!(permits(&world).len(), 1);
    assert!(
        why.contains(permits(&world)[0].proposal.id.as_str()) && why.contains("cl-admin review"),
        "{why}"
    );
    decide(&world, Status::Accepted, None);
    asked(&ctx, 2).unwrap_err();
    assert_eq!(asked(&ctx, 1).unwrap(), "owner", "the yes to one call is no yes to another");
    asked(&ctx, 1).unwrap_err();
    assert_eq!(permits(&world).len(), 3, "one that was used, and two that wait");
}

#[test]
fn a_no_is_told_once_and_the_next_call_asks_anew() {
    let world = World::new();
    let ctx = ctx(&world);
    asked(&ctx, 1).unwrap_err();
    decide(&world, Status::Rejected, Some("not tonight"));
    let why = asked(&ctx, 1).unwrap_err();
    assert!(why.contains("not tonight"), "{why}");
    assert!(asked(&ctx, 1).unwrap_err().contains("it waits for the approver"));
}

#[test]
fn a_result_is_no_yes() {
    let world = World::new();
    let ctx = ctx(&world);
    asked(&ctx, 1).unwrap_err();
    let mut document = permits(&world).pop().unwrap();
    document.result = Some(ActionResult { exit: Some(0), ..ActionResult::default() });
    let text =
        documents::yaml::to_string(&moved(document.clone(), Status::HumanReview, "policy", None)).unwrap();
    world.services.status.as_ref().unwrap().replace(&document.file_name(), text.as_bytes()).unwrap();
    assert!(asked(&ctx, 1).is_err());
}

#[test]
fn at_a_terminal_one_waits_for_the_approver() {
    let world = World::new();
    let _admin = StandIn::start(world.dir.path(), |document, publish| {
        publish(&waiting(document.clone()));
        std::thread::sleep(std::time::Duration::from_millis(80));
        publish(&moved(waiting(document), Status::Accepted, "owner", None));
    });
    let session = Session { interactive: true, ..Session::default() };
    let kernel = world.boot_as(world.built_in(&[]), session).unwrap();
    assert_eq!(asked(&kernel.context_of("reasoning").unwrap(), 1).unwrap(), "owner");
}

/// A skill with one tool of medium risk that counts its calls.
struct Writer {
    name: SkillName,
    tools: Vec<Tool>,
    calls: Arc<AtomicUsize>,
}

impl Skill<Shared> for Writer {
    fn name(&self) -> &SkillName {
        &self.name
    }
    fn description(&self) -> &str {
        "writes"
    }
    fn version(&self) -> String {
        "1".to_owned()
    }
    fn capabilities(&self) -> TokenSet {
        [Token::FileWrite].into_iter().collect()
    }
    fn tools(&self) -> &[Tool] {
        &self.tools
    }
    fn call_tool(&self, _: &ToolName, _: &Call<'_>, _: &KernelContext) -> Outcome {
        self.calls.fetch_add(1, Ordering::Relaxed);
        Outcome::Said("written".to_owned())
    }
}

fn with_writer(world: &World, session: Session) -> (KernelContext, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let tool = Tool {
        name: "go".parse().unwrap(),
        description: "Writes".to_owned(),
        parameters: Parameters::none(),
        phrases: vec![],
    };
    let writer = Writer { name: "writer".parse().unwrap(), tools: vec![tool], calls: calls.clone() };
    let mut entries = world.built_in(&[]);
    entries.push(world.entry(Box::new(writer), &[Token::FileWrite].into_iter().collect()));
    (world.boot_as(entries, session).unwrap().context_of("reasoning").unwrap(), calls)
}

#[test]
fn in_a_minors_profile_and_in_a_scheduled_run_the_approver_is_asked_and_nobody_in_the_chat() {
    let scheduled = Session { message: Some(String::new()), scheduled: true, ..Session::default() };
    let piped = Session { message: Some(String::new()), ..Session::default() };
    for (audience, session) in
        [(Audience::Child, piped.clone()), (Audience::Teen, piped), (Audience::Adult, scheduled)]
    {
        let world = World { audience, ..World::new() };
        let (ctx, calls) = with_writer(&world, session);
        let call = || ctx.call_tool("writer.go", &json!({}), "");
        let denied = call();
        assert!(
            matches!(&denied, Outcome::Denied(why) if why.contains("waits for the approver")),
            "{denied:?}"
        );
        assert_eq!(calls.load(Ordering::Relaxed), 0);
        decide(&world, Status::Accepted, None);
        assert_eq!(call(), Outcome::Said("written".to_owned()));
        assert!(matches!(call(), Outcome::Denied(_)));
        assert_eq!(calls.load(Ordering::Relaxed), 1, "one yes, one call");
    }
}

#[test]
fn a_grown_up_at_a_chat_is_not_referred_to_the_approver() {
    let world = World::new();
    let (ctx, _) = with_writer(&world, Session { message: Some(String::new()), ..Session::default() });
    assert!(matches!(ctx.call_tool("writer.go", &json!({}), ""), Outcome::Denied(_)));
    assert!(world.files("proposals").is_empty());
}

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use bot_base::config::{Backend, Config};
use bot_testing::{StandIn, moved, waiting};
use kernel::grants::Holder;
use kernel::skill::{Call, Outcome, Skill};
use serde_json::json;
use shared_types::action::ActionResult;
use shared_types::audience::Audience;
use shared_types::capability::{Token, TokenSet};
use shared_types::described::Tool;
use shared_types::id::ToolName;
use shared_types::power::{Power, Powers};
use shared_types::schema::Parameters;
use shared_types::status::Status;
use tempfile::TempDir;

use super::*;
use crate::handles::Services;
use crate::talk::Talk;
use crate::{Entry, Grants, Kernel, Opened, Places, Session, Shared, remembered, spool};

/// The folders of a profile.
struct World {
    dir: TempDir,
    services: Services,
    audience: Audience,
}

impl World {
    fn new() -> World {
        let dir = tempfile::tempdir().unwrap();
        let folder = |name: &str| Arc::new(Folder::root(dir.path()).unwrap().make_folder(name).unwrap());
        let (memory, quiet) = (folder("memory"), Box::new(|_, _| {}));
        let services = Services {
            talk: Talk::unlimited(folder("logs")),
            store: remembered::store(memory.clone(), Backend::Jsonl, quiet),
            memory,
            workspace: folder("workspace"),
            further: vec![],
            proposals: folder("proposals"),
            status: Some(folder("status")),
            router: Arc::new(models::Router::new(vec![], Default::default())),
            net: None,
            voice: None,
            pins: None,
        };
        World { dir, services, audience: Audience::Adult }
    }

    fn entry(&self, skill: Fake, tokens: &[Token], powers: &[Power]) -> Entry {
        let name = skill.name.clone();
        let holder = Holder::BuiltIn(&name, Powers::new(powers, None));
        let grants = Grants::new(&holder, &tokens.iter().copied().collect(), vec![], vec![], &self.services);
        Entry { skill: Box::new(skill), grants, learned: false }
    }

    /// A kernel with one skill that reads the person's lines and calls the tools of another, which counts its calls.
    fn boot(&self, session: Session) -> (KernelContext, Arc<AtomicUsize>) {
        let tool = Tool {
            examples: vec![],
            name: "go".parse().unwrap(),
            description: "Writes".to_owned(),
            parameters: Parameters::none(),
            phrases: vec![],
        };
        let (driver, writer) = (Fake::new("driver", vec![]), Fake::new("writer", vec![tool]));
        let calls = writer.calls.clone();
        let entries = vec![
            self.entry(driver, &[Token::UserInput, Token::LlmCall], &[Power::CallTools]),
            self.entry(writer, &[Token::FileWrite], &[]),
        ];
        let config = Config::parse(Path::new("default.yaml"), "").unwrap();
        let root = || Folder::root(self.dir.path()).unwrap();
        let logs = Arc::new(root().make_folder("logs").unwrap());
        let random = root().log("random").unwrap();
        let shared = Shared {
            session,
            audience: self.audience,
            places: Places::new(Opened {
                permits: PermitDoor::new(self.services.proposals.clone(), self.services.status.clone()),
                ..Opened::without_home(root(), logs.clone())
            }),
            ..Shared::without_home(config, root(), logs, random)
        };
        (Kernel::boot(shared, entries).unwrap().0.context_of("driver").unwrap(), calls)
    }
}

/// A program that was started by a line on the command line.
fn piped() -> Session {
    Session { message: Some(String::new()), ..Session::default() }
}

fn ctx(world: &World) -> KernelContext {
    world.boot(piped()).0
}

fn asked(ctx: &KernelContext, what: u32) -> Result<String, String> {
    let (proposals, status) = ctx.shared().places.0.permits.0.clone().unwrap();
    let actions = Actions::in_a_test(proposals, status);
    seek(&actions, ctx, ("files.write", &json!({"what": what})), (Risk::Medium, "it writes"))
        .map(|yes| yes.as_str().to_owned())
        .map_err(|no| no.why)
}

fn permits(world: &World) -> Vec<Document> {
    spool::list(&world.services.proposals, world.services.status.as_deref())
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
    assert_eq!(asked(&world.boot(session).0, 1).unwrap(), "owner");
}

/// A skill that counts the calls of its tools.
struct Fake {
    name: SkillName,
    tools: Vec<Tool>,
    calls: Arc<AtomicUsize>,
}

impl Fake {
    fn new(name: &str, tools: Vec<Tool>) -> Fake {
        Fake { name: name.parse().unwrap(), tools, calls: Arc::default() }
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
        "1".to_owned()
    }
    fn capabilities(&self) -> TokenSet {
        // So that a call is above low risk.
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

#[test]
fn in_a_minors_profile_and_in_a_scheduled_run_the_approver_is_asked_and_nobody_in_the_chat() {
    let scheduled = Session { scheduled: true, ..piped() };
    for (audience, session) in
        [(Audience::Child, piped()), (Audience::Teen, piped()), (Audience::Adult, scheduled)]
    {
        let world = World { audience, ..World::new() };
        let (ctx, calls) = world.boot(session);
        let call = || ctx.call_tool("writer.go", &json!({}), "");
        let denied = call();
        assert!(
            matches!(&denied, Outcome::Denied(_, why) if why.contains("waits for the approver")),
            "{denied:?}"
        );
        assert_eq!(calls.load(Ordering::Relaxed), 0);
        decide(&world, Status::Accepted, None);
        assert_eq!(call(), Outcome::Said("written".to_owned()));
        assert!(matches!(call(), Outcome::Denied(..)));
        assert_eq!(calls.load(Ordering::Relaxed), 1, "one yes, one call");
    }
}

#[test]
fn a_grown_up_at_a_chat_is_not_referred_to_the_approver() {
    let world = World::new();
    let ctx = ctx(&world);
    assert!(matches!(ctx.call_tool("writer.go", &json!({}), ""), Outcome::Denied(..)));
    assert!(world.services.proposals.files().unwrap().is_empty());
}

//! Somebody is notified that a proposal waits: by four ways, once, without a word of the proposal, and in nobody's way.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use shared_types::id::ProposalId;
use tameclaw_tests::eventually;
use tameclaw_tests::http::{Request, Response, Server, dead_port};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::smtp::{MailServer, Manner};
use tameclaw_tests::world::{PATIENCE, Program, World};

const SOON: Duration = Duration::from_secs(60);
const TOKEN: &str = "tk-canary-0123456789";

/// A server that keeps what it is sent and answers with these statuses in turn, the last one for good.
pub(crate) struct Inbox {
    pub(crate) server: Server,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Inbox {
    pub(crate) fn start(statuses: &'static [u16]) -> Inbox {
        let seen: Arc<Mutex<Vec<Request>>> = Arc::default();
        let (kept, count) = (Arc::clone(&seen), AtomicUsize::new(0));
        let server = Server::start(move |request| {
            kept.lock().expect("no server panics").push(request);
            let at = count.fetch_add(1, Ordering::SeqCst).min(statuses.len() - 1);
            Response::Proper { status: statuses[at], kind: "text/plain", body: TOKEN.into() }
        });
        Inbox { server, seen }
    }

    pub(crate) fn seen(&self) -> Vec<Request> {
        self.seen.lock().expect("no server panics").clone()
    }

    fn texts(&self) -> Vec<String> {
        self.seen().iter().map(|r| String::from_utf8_lossy(&r.body).into_owned()).collect()
    }
}

pub(crate) fn configure(world: &World, text: &str) {
    fs::write(world.home().admin_config(), text).expect("the configuration can be written");
}

/// A proposal of which every text of its author holds a canary.
pub(crate) fn drop_canary(world: &World) -> String {
    let id = ProposalId::generate();
    let text = format!(
        r#"proposal:
  id: {id}
  kind: skill
  name: canary-{}
  description: "Flip a coin, says CANARY-DESCRIPTION"
  capabilities: []
  tools: []
  rationale: "CANARY-RATIONALE"
  user_context: "learn to flip a coin"
  generated_by: proposer
  generated_at: "2026-02-07T14:30:00Z"
  profile_id: default
status: new
history: [{{timestamp: "2026-02-07T14:30:00Z", status: new, actor: proposer}}]
"#,
        &id.as_str()[30..]
    );
    let path = world.home().proposals(&world.profile()).join(format!("flip-a-coin-{id}.yaml"));
    fs::write(path, text).expect("a proposal can be written");
    id.to_string()
}

/// Nothing that the author of a proposal wrote.
#[track_caller]
fn is_ours(message: &str) {
    let message = message.to_lowercase();
    for word in ["canary", "coin", "flip", "learn"] {
        assert!(!message.contains(word), "`{word}` is the proposal's: {message}");
    }
}

/// Each of the four ways tells id, kind, profile, tokens and recommendation once, and nothing that a proposal says.
#[test]
fn four_ways_tell_once_and_without_a_word_of_the_proposal() {
    if compiler_is_missing() {
        return;
    }
    let (hook, phone, post) =
        (Inbox::start(&[204]), Inbox::start(&[200]), MailServer::start(Manner::Friendly));
    let world = World::new();
    configure(
        &world,
        &format!(
            "digest_minutes: 60\nnotifiers:\n  - {{name: here, kind: cli}}\n  \
             - {{name: hook, kind: webhook, url: \"${{HOOK_URL}}\"}}\n  \
             - {{name: phone, kind: ntfy, url: \"http://{}/topic\", token: \"${{PHONE_TOKEN}}\"}}\n  \
             - {{name: mail, kind: email, server: 127.0.0.1, port: {}, tls: none, from: \"Bot <bot@example.org>\", \
             to: [anna@example.org, ben@example.org]}}\n",
            phone.server.host(),
            post.port()
        ),
    );
    let run = || {
        let mut command = world.command(Program::Admin, &["run", "--once"]);
        command.env("PHONE_TOKEN", TOKEN).env("HOOK_URL", format!("http://{}/hook", hook.server.host()));
        tameclaw_tests::run::run(command, b"", PATIENCE).done()
    };
    let id = drop_canary(&world);
    let ran = run().hides(TOKEN);
    let told = ran
        .stderr
        .lines()
        .find(|l| l.contains("waits for you"))
        .unwrap_or_else(|| panic!("{}", ran.report()));
    assert_eq!(
        told, "cl-admin: 1 proposal waits for you: cl-admin review",
        "no bell where there is no terminal"
    );
    let [mut mail] = post.mails().try_into().expect("one mail");
    // A long line travels in pieces.
    mail.data = mail.data.replace("=\n", "");
    assert!(
        mail.to.len() == 2 && mail.data.contains("Subject: TameClaw: 1 proposal waits for you"),
        "{mail:?}"
    );
    let (hooked, pushed) = (hook.seen(), phone.seen());
    assert_eq!((hooked.len(), pushed.len()), (1, 1));
    let json: serde_json::Value = serde_json::from_slice(&hooked[0].body).expect("a webhook gets JSON");
    let row = serde_json::json!({"id": id, "kind": "skill", "profile": "default", "tokens": [], "recommendation": "APPROVE"});
    assert_eq!(json["proposals"], serde_json::json!([row]), "{json}");
    assert_eq!(pushed[0].header("title"), Some("TameClaw: 1 proposal waits for you"));
    assert_eq!(pushed[0].header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    let text = String::from_utf8_lossy(&pushed[0].body).into_owned();
    for message in [&text, &mail.data] {
        assert!(
            message.contains(&id) && message.contains("profile default  tokens: none  APPROVE"),
            "{message}"
        );
    }
    for message in [told, &mail.data, &json.to_string(), &text, &format!("{:?}", pushed[0].headers)] {
        is_ours(&message.replace(TOKEN, ""));
    }
    // Another one within the hour is gathered, and nothing is sent twice, regardless of which program runs.
    drop_canary(&world);
    run();
    assert_eq!((hook.seen().len(), phone.seen().len(), post.mails().len()), (1, 1, 1));
    let path = world.home().admin_config();
    let text = fs::read_to_string(&path).expect("it can be read");
    configure(&world, &text.replace("digest_minutes: 60", "digest_minutes: 0"));
    run();
    run();
    assert_eq!((hook.seen().len(), phone.seen().len(), post.mails().len()), (2, 2, 2));
    assert!(
        phone.texts()[1].starts_with("1 proposal waits for you (1 more since before)."),
        "{:?}",
        phone.texts()
    );
    let grep = std::process::Command::new("grep").args(["-rl", TOKEN]).arg(world.home().root()).output();
    assert_eq!(String::from_utf8_lossy(&grep.expect("grep runs").stdout), "", "a token is in no file");
}

/// A message about one item links to its page, and one about several to the list. The link is made of the configured address and the
/// identifier, and has no word of the proposal.
#[test]
fn a_message_links_to_what_waits() {
    if compiler_is_missing() {
        return;
    }
    let (hook, phone, post) =
        (Inbox::start(&[204]), Inbox::start(&[200]), MailServer::start(Manner::Friendly));
    let world = World::new();
    let notifiers = format!(
        "digest_minutes: 0\nnotifiers:\n  - {{name: hook, kind: webhook, url: \"http://{}/hook\"}}\n  \
         - {{name: phone, kind: ntfy, url: \"http://{}/topic\"}}\n  \
         - {{name: mail, kind: email, server: 127.0.0.1, port: {}, tls: none, from: bot@example.org, to: [anna@example.org]}}\n",
        hook.server.host(),
        phone.server.host(),
        post.port()
    );
    configure(&world, &format!("{notifiers}review_page: https://review.example.org\n"));
    let links = |count: usize| {
        let (hooked, pushed, mails) = (hook.seen(), phone.seen(), post.mails());
        assert_eq!((hooked.len(), pushed.len(), mails.len()), (count, count, count));
        let (hooked, pushed) = (&hooked[count - 1], &pushed[count - 1]);
        let json: serde_json::Value = serde_json::from_slice(&hooked.body).expect("a webhook gets JSON");
        let mail = mails[count - 1].data.replace("=\n", "");
        is_ours(&json.to_string());
        is_ours(&format!("{:?}", pushed.headers));
        is_ours(&mail);
        let line = mail.lines().find(|line| line.starts_with("https://")).map(str::to_owned);
        [json["link"].as_str().map(str::to_owned), pushed.header("click").map(str::to_owned), line]
    };
    let all = |link: &str| [(); 3].map(|()| Some(link.to_owned()));
    let id = drop_canary(&world);
    world.admin(&["run", "--once"]).done();
    assert_eq!(links(1), all(&format!("https://review.example.org/item/{id}")));
    drop_canary(&world);
    drop_canary(&world);
    world.admin(&["run", "--once"]).done();
    assert_eq!(links(2), all("https://review.example.org/"));
    // A person can try it.
    world.admin(&["notify", "test"]).done();
    assert_eq!(links(3), all("https://review.example.org/"));
    // Without an address of the pages there is no link.
    configure(&world, &notifiers);
    drop_canary(&world);
    world.admin(&["run", "--once"]).done();
    assert_eq!(links(4), [None, None, None]);
}

/// The address of the pages is a host over TLS, or this machine, with nothing behind it; a password in it is not repeated.
#[test]
fn a_link_leads_to_a_host_over_tls_alone() {
    let world = World::new();
    for (address, why) in [
        ("http://review.example.org", "plain http is for this machine only"),
        ("https://review.example.org/page", "allowed: https://HOST[:PORT]"),
        ("https://anna:hunter2@review.example.org", "allowed: https://HOST[:PORT]"),
        ("https://review.example.org?next=x", "allowed: https://HOST[:PORT]"),
        ("https://review.example.org#x", "allowed: https://HOST[:PORT]"),
        ("javascript:alert(1)", "allowed: https://HOST[:PORT]"),
        ("https://review.example.org\\nx-more: 1", "allowed: https://HOST[:PORT]"),
    ] {
        configure(&world, &format!("review_page: \"{address}\"\n"));
        let ran =
            world.admin(&["notify", "test"]).exited(2).says("admin.yaml").says("review_page: ").says(why);
        assert!(!ran.stderr.contains("hunter2"), "{}", ran.report());
    }
    for address in ["https://review.example.org/", "http://127.0.0.1:8788", "http://[::1]:8788"] {
        configure(&world, &format!("review_page: \"{address}\"\n"));
        world.admin(&["notify", "test"]).done();
    }
}

/// A notifier that hangs, refuses or fails is reported once; proposals continue meanwhile, and it is tried again.
#[test]
fn a_failing_notifier_holds_nobody_up_and_is_tried_again() {
    if compiler_is_missing() {
        return;
    }
    let hanging = Server::start(|_| Response::Hang);
    let moody = Inbox::start(&[500, 200]);
    let post = MailServer::start(Manner::Refuses);
    let world = World::new();
    configure(
        &world,
        &format!(
            "mode: headless\ndigest_minutes: 0\nnotifiers:\n  - {{name: here, kind: cli}}\n  \
             - {{name: hanging, kind: webhook, url: \"http://{}/x\", timeout_seconds: 60}}\n  \
             - {{name: moody, kind: webhook, url: \"http://{}/x\"}}\n  \
             - {{name: away, kind: ntfy, url: \"http://127.0.0.1:{}/x\"}}\n  \
             - {{name: keyless, kind: ntfy, url: \"http://127.0.0.1:1/x\", token: \"${{NOT_SET}}\"}}\n  \
             - {{name: mail, kind: email, server: 127.0.0.1, port: {}, tls: none, from: a@example.org, to: [b@example.org]}}\n",
            hanging.host(),
            moody.server.host(),
            dead_port(),
            post.port()
        ),
    );
    let service = world.start(Program::Admin, &["run"]);
    let waiting = |number: usize| {
        eventually(SOON, "the proposals wait for a person", || {
            let rows = world.list();
            (rows.iter().filter(|row| row["waits_for"] == "person").count() == number).then_some(())
        });
    };
    drop_canary(&world);
    waiting(1);
    // While one notifier hangs, the next proposal is built, and a verb is answered.
    let id = drop_canary(&world);
    waiting(2);
    world.admin(&["reject", &id, "--reason", "no"]).done();
    eventually(SOON, "the second try arrives", || (moody.seen().len() >= 2).then_some(()));
    let rows = eventually(SOON, "the faults are on record", || {
        let rows = world.admin(&["notify", "list", "--json"]).done().json_rows();
        let of = |name: &str| rows.iter().find(|row| row["name"] == name).cloned().unwrap_or_default();
        let settled = of("moody")["told_at"].is_string()
            && ["away", "keyless", "mail"].iter().all(|name| of(name)["why"].is_string());
        settled.then_some(rows)
    });
    let why = |name: &str| {
        let row = rows.iter().find(|row| row["name"] == name).expect("it is listed");
        row["why"].as_str().unwrap_or_default().to_owned()
    };
    assert!(why("keyless").contains("the variable NOT_SET is not set"), "{rows:#?}");
    assert!(why("mail").contains("nobody wants your mail") && !why("mail").contains('\u{1b}'), "{rows:#?}");
    assert_eq!(why("moody"), "", "it works again");
    // Ending takes no time either, though one of them still hangs.
    let start = Instant::now();
    service.signal(Signal::SIGTERM);
    let ran = service.ended(SOON);
    assert!(start.elapsed() < Duration::from_secs(10), "{}", ran.report());
    for (name, words) in
        [("moody", "answered with status 500"), ("away", "nothing waits for it"), ("mail", "550")]
    {
        let said =
            ran.stderr.lines().filter(|l| l.contains(&format!("notifier {name}:"))).collect::<Vec<_>>();
        assert!(said.len() == 1 && said[0].contains(words), "{name}: {said:?}\n{}", ran.report());
    }
    assert!(ran.stderr.contains("notifier moody works again"), "{}", ran.report());
    // Headless: the terminal's notifier keeps quiet.
    assert!(!ran.stderr.contains("waits for you"), "{}", ran.report());
}

/// A test message says what happened, for scripts too.
#[test]
fn a_test_message_says_what_happened() {
    let (well, ill, silent) = (Inbox::start(&[200]), Inbox::start(&[302]), MailServer::start(Manner::Hangs));
    let world = World::new();
    configure(
        &world,
        &format!(
            "notifiers:\n  - {{name: well, kind: ntfy, url: \"http://{}/x\"}}\n  \
             - {{name: ill, kind: webhook, url: \"http://{}/x\"}}\n  \
             - {{name: silent, kind: email, server: localhost, port: {}, tls: none, timeout_seconds: 1, \
             from: a@example.org, to: [b@example.org]}}\n",
            well.server.host(),
            ill.server.host(),
            silent.port()
        ),
    );
    world.admin(&["notify", "test", "well"]).done().prints("well: sent");
    assert_eq!(well.texts(), ["This is a test. Messages arrive.\n"]);
    let ran = world.admin(&["notify", "test"]).exited(1).prints("well: sent").prints("ill: not sent: ");
    assert!(ran.stdout.contains("redirect (302), which is not followed"), "{}", ran.report());
    assert!(ran.stdout.contains("silent: not sent: "), "{}", ran.report());
    world.admin(&["notify", "test", "ghost"]).exited(2).says("it has: well ill silent");
    // Without a configuration there is the terminal, and with `--headless` nobody at all, which is said.
    configure(&world, "");
    world.admin(&["notify", "test"]).done().says("cl-admin: this is a test");
    world.admin(&["run", "--once", "--headless"]).done().says("nobody is notified when something waits");
}

//! Invariant 10, for skills: a skill uses a secret and never sees it, and the secret reaches its one host only.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::{Arc, Mutex};

use tameclaw_tests::http::{Request, Response, Server};
use tameclaw_tests::skill::{compile, compiler_is_missing};
use tameclaw_tests::world::{Program, World};

use crate::canary::Canary;
use crate::forge::{self, Forced, SignedBy};
use crate::mind::Entered;

/// A skill that sends a secret of its own and one that it was not granted, and tells all that it gets back.
const NOSY: &str = r#"
use skill_sdk::prelude::*;
pub struct Skill;
impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Asks a service")
            .tool(Tool::new("ask", "Asks").phrase("en", "ask the oracle"))
            .tool(Tool::new("steal", "Asks with another's").phrase("en", "steal the crown"))
            .tool(Tool::new("stray", "Asks in the path").phrase("en", "stray from the path"))
    }
    fn call_tool(&mut self, call: &Call) -> Answer {
        let (path, key) = match call.tool() {
            "steal" => ("?x=1", "{{secret:OTHER_KEY}}"),
            "stray" => ("{{secret:ORACLE_KEY}}", "none"),
            _ => ("ask?key={{secret:ORACLE_KEY}}", "Bearer {{secret:ORACLE_KEY}}"),
        };
        let answer = http::get(&format!("http://ORACLE_HOST/{path}"), &[("authorization", key)])?;
        Ok(format!("the oracle says: {}", answer.body))
    }
}
"#;

struct Oracle {
    server: Server,
    seen: Arc<Mutex<Vec<Request>>>,
}

/// A service that repeats what it was sent.
fn oracle() -> Oracle {
    let seen: Arc<Mutex<Vec<Request>>> = Arc::default();
    let record = Arc::clone(&seen);
    let server = Server::start(move |request| {
        let body =
            format!("you sent {} to {}", request.header("authorization").unwrap_or_default(), request.path);
        record.lock().expect("no answer panics").push(request);
        Response::Proper { status: 200, kind: "text/plain", body: body.into_bytes() }
    });
    Oracle { server, seen }
}

/// A home with the skill, which may reach the service and was granted one of two secrets.
fn world(oracle: &Oracle) -> World {
    let world = World::new();
    let host = oracle.server.host();
    let settings = format!("network: {{local: [\"{host}\"]}}\n");
    fs::write(world.home().bot_config(), settings).expect("the configuration can be written");
    let module = compile(&NOSY.replace("ORACLE_HOST", &host));
    let phrases = [("ask", "ask the oracle"), ("steal", "steal the crown"), ("stray", "stray from the path")];
    let described = forge::described(&phrases);
    let forced = Forced {
        name: "nosy",
        module: &module,
        tokens: &["network:read"],
        signed_by: SignedBy::Approver,
        described,
    };
    forge::force_with_secret(&world, &forced, &host, "ORACLE_KEY");
    world
}

fn secret() -> String {
    ["s3cr/et+of", "=the~oracle"].concat()
}

/// The service gets the value, the skill and all else get blanks; without a value, for another host, or by another name
/// nothing is sent.
#[test]
fn a_skill_uses_a_secret_and_never_sees_it() {
    if compiler_is_missing() {
        return;
    }
    let oracle = oracle();
    let (world, host) = (world(&oracle), oracle.server.host());
    let sent = || oracle.seen.lock().expect("no answer panics").len();
    let ask = |line: &str| world.bot(&["agent", "-m", line]);
    ask("ask the oracle").prints("cl-admin secret set ORACLE_KEY");
    let set = |name: &str, host: &str| {
        world.typed(Program::Admin, &["secret", "set", name, "--for", host], &format!("{}\n", secret()))
    };
    set("ORACLE_KEY", "elsewhere.example").done().hides(&secret());
    ask("ask the oracle").prints("elsewhere.example only");
    // The oracle's own port too, so that the names alone differ.
    let (_, port) = host.rsplit_once(':').expect("an address has a port");
    let elsewhere = format!("elsewhere.example:{port}");
    set("ORACLE_KEY", &elsewhere).done().hides(&secret());
    ask("ask the oracle").prints(&format!("{elsewhere} only"));
    set("OTHER_KEY", &host).done();
    ask("steal the crown").prints("not granted");
    set("ORACLE_KEY", &host).done();
    ask("stray from the path").prints("nowhere else");
    assert_eq!(sent(), 0, "nothing was sent so far");
    let ran = ask("ask the oracle").done();
    ran.prints("the oracle says: you sent Bearer ****").hides(&secret());
    let request = oracle.seen.lock().expect("no answer panics")[0].clone();
    assert_eq!(request.header("authorization"), Some(format!("Bearer {}", secret()).as_str()));
    assert_eq!(request.path, "/ask?key=s3cr%2Fet%2Bof%3Dthe%7Eoracle");
    let canary = Canary::new(&secret());
    let found = canary.beneath(world.outside(), &world.home().secrets());
    assert_eq!(found, None, "the secret was written to a file");
    let file = world.home().secret(&"ORACLE_KEY".parse().expect("a name"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("it is ours");
    ask("ask the oracle").prints("0644");
    world.admin(&["secret", "list"]).done().prints("ORACLE_KEY").prints(&host).hides(&secret());
    assert_eq!(world.admin(&["secret", "list", "--json"]).done().json_rows().len(), 2);
    world.admin(&["secret", "remove", "ORACLE_KEY"]).done();
    world.admin(&["secret", "remove", "ORACLE_KEY"]).exited(1).says("there is no secret ORACLE_KEY");
    ask("ask the oracle").prints("cl-admin secret set ORACLE_KEY");
    assert_eq!(sent(), 1);
    world
        .typed(Program::Admin, &["secret", "set", "ORACLE_KEY", "--for", &host], "short\n")
        .exited(2)
        .says("8 to 1024");
}

/// The chat process neither opens the file nor holds the value, after the skill has used it.
#[test]
fn mind_never_holds_a_skills_secret() {
    if compiler_is_missing() {
        return;
    }
    let oracle = oracle();
    let (world, host) = (world(&oracle), oracle.server.host());
    let input = format!("{}\n", secret());
    world.typed(Program::Admin, &["secret", "set", "ORACLE_KEY", "--for", &host], &input).done();
    let file = world.home().secret(&"ORACLE_KEY".parse().expect("a name"));
    let mut bot = Entered::start(world);
    bot.say("ask the oracle", "the oracle says: you sent Bearer ****");
    if nix::unistd::geteuid().is_root() {
        assert_eq!(Canary::new(&secret()).within_memory_of(bot.mind()), None);
    }
    bot.inside(bot.mind(), |mind| {
        let outcome = mind.open(&file.display().to_string(), libc::O_RDONLY);
        assert!(outcome.is_refusal(), "{outcome:?}");
    });
    bot.still_talks();
}

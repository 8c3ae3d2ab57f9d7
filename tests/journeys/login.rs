//! A person logs in to a provider, talks, and logs out.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use tameclaw_tests::eventually;
use tameclaw_tests::login::{LoginServer, Manner, REDIRECT};
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::{CTRL_C, Pty};
use tameclaw_tests::run::run;
use tameclaw_tests::world::{PATIENCE, Program, World};

use crate::settings::bot_asks;

fn stored(world: &World) -> PathBuf {
    world.home().credentials().join("work.login.json")
}

fn mode(path: &PathBuf) -> u32 {
    fs::metadata(path).expect("it is there").permissions().mode() & 0o777
}

/// The address is opened, the browser's is pasted, and from then on the model answers; a logout ends it here and there.
#[test]
fn a_person_logs_in_talks_and_logs_out() {
    let server = LoginServer::start(Manner::default());
    let world = server.world();
    world.bot(&["login"]).done().prints("no key");
    let ran = server.log_in(&world, |address| address).done();
    let (access, refresh) = server.newest();
    ran.prints("logged in to `work`, granted: chat models").hides(&access).hides(&refresh);
    assert_eq!(mode(&stored(&world)), 0o600);
    world.bot(&["login"]).done().prints("logged in");
    assert!(world.ask("hello").contains("Good day to you."));
    world.bot(&["logout", "work"]).done().prints("here and at its server");
    assert!(!stored(&world).exists());
    assert_eq!(server.revoked(), [refresh]);
    world.bot(&["logout", "work"]).done().prints("there was no login");
    world.bot(&["agent", "-m", "hello"]).says("`cl-bot login work`");
}

/// At a terminal, with the bare code.
#[test]
fn the_bare_code_is_taken_at_a_terminal() {
    let server = LoginServer::start(Manner::default());
    let world = server.world();
    let mut bot = Pty::start(world.command(Program::Bot, &["login", "work"]));
    let text = bot.expect("> ", Duration::from_secs(30));
    let start = text.find("http://127.0.0.1").expect("the address is shown");
    let address: String = text[start..].chars().take_while(|c| !c.is_whitespace()).collect();
    let sent_to = server.visit(&address);
    let code = form_urlencoded::parse(sent_to.split_once('?').expect("it has a query").1.as_bytes())
        .find(|(name, _)| name == "code")
        .expect("it has a code")
        .1
        .into_owned();
    bot.line(&code);
    bot.expect("logged in", Duration::from_secs(30));
    assert_eq!(bot.ended(Duration::from_secs(30)), 0);
    assert!(stored(&world).exists());
}

/// What is not this attempt's address, or a refusal, stores nothing and says why.
#[test]
fn what_goes_wrong_is_said_and_nothing_is_stored() {
    let server = LoginServer::start(Manner::default());
    let world = server.world();
    let refused = |browse: &dyn Fn(String) -> String, part: &str| {
        server.log_in(&world, browse).exited(1).says(part);
        assert!(!stored(&world).exists(), "{part}");
    };
    refused(
        &|address| address.replace("state=", "state=x"),
        "`state` in this address is not the one of this login",
    );
    refused(&|_| String::new(), "nothing was pasted");
    refused(&|_| "no code here".to_owned(), "neither the address");
    refused(&|_| "https://elsewhere.example/?code=1&state=2".to_owned(), REDIRECT);
    refused(&|_| REDIRECT.to_owned(), "cut off");
    refused(&|_| "another-code".to_owned(), "the code is not valid any more");
    server.behave(|manner| manner.denies = true);
    refused(&|address| address, "access_denied: You said no");
    server.behave(|manner| manner.denies = false);
    for (status, body, part) in [
        (500, "<html>", "status 500"),
        (200, "<html>", "not a JSON object"),
        (200, r#"{"access_token":"x","token_type":"mac"}"#, "token_type"),
        (400, r#"{"error":"invalid_client","error_description":"\u001b]0;owned\u0007"}"#, "invalid_client"),
    ] {
        server.behave(|manner| manner.fails = Some((status, body.to_owned())));
        let ran = server.log_in(&world, |address| address).exited(1).says(part);
        assert!(!ran.stderr.contains('\u{1b}'), "{}", ran.report());
        assert!(!stored(&world).exists());
    }
}

/// A code that was used is good for nothing, even for the verifier that it was made for.
#[test]
fn a_code_is_good_for_one_login() {
    let server = LoginServer::start(Manner::default());
    let world = server.world();
    let mut used = String::new();
    server
        .log_in(&world, |address| {
            used.clone_from(&address);
            address
        })
        .done();
    server.log_in(&world, |_| used).exited(1).says("another attempt");
}

/// Ctrl-C at the prompt ends it with a word, and nothing is stored.
#[test]
fn an_interrupt_breaks_a_login_off() {
    let server = LoginServer::start(Manner::default());
    let world = server.world();
    let mut bot = Pty::start(world.command(Program::Bot, &["login", "work"]));
    bot.expect("> ", Duration::from_secs(30));
    bot.keys(CTRL_C);
    bot.expect("broken off; nothing was stored", Duration::from_secs(30));
    assert_eq!(bot.ended(Duration::from_secs(30)), 1);
    assert!(!stored(&world).exists());
}

/// Who asks for what is not configured reads what is.
#[test]
fn a_provider_without_a_login_is_wrong_use() {
    let world = World::new();
    world.bot(&["login", "nobody"]).exited(2).says("configured: ");
    let name = world.bot(&["login"]).done().stdout.split_whitespace().next().map(str::to_owned);
    world.bot(&["login", &name.expect("there is one")]).exited(2).says("has no `login`").says("api_key_file");
}

/// An access token that has ended is renewed before it is used, and the newest refresh token is kept.
#[test]
fn an_ended_token_is_renewed_before_it_is_used() {
    let server = LoginServer::start(Manner { expires_in: 5, ..Manner::default() });
    let world = server.world();
    server.log_in(&world, |address| address).done();
    for turn in 1..=3 {
        assert!(world.ask("hello").contains("Good day to you."));
        assert_eq!(server.refreshed(), turn);
    }
    let text = fs::read_to_string(stored(&world)).expect("it is there");
    assert!(text.contains(&server.newest().1), "the rotated refresh token is stored");
    assert_eq!(mode(&stored(&world)), 0o600);
}

/// A token that the server takes no longer, regardless of its answer, is renewed once and the request is made again.
#[test]
fn a_refused_token_is_renewed_and_the_request_made_again() {
    let server = LoginServer::start(Manner::default());
    let world = server.world();
    server.log_in(&world, |address| address).done();
    server.expire();
    assert!(world.ask("hello").contains("Good day to you."));
    assert_eq!(server.refreshed(), 1);
    let chats = server.seen().iter().filter(|r| r.path.ends_with("/chat/completions")).count();
    assert_eq!(chats, 2, "one refused, one answered");
}

/// Many processes whose token has ended at once renew it one after the other, and none loses the newest.
#[test]
fn processes_that_renew_at_once_lose_no_token() {
    let server = LoginServer::start(Manner::default());
    let world = server.world();
    server.log_in(&world, |address| address).done();
    server.expire();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(world.ask("hello").contains("Good day to you.")));
        }
    });
    assert_eq!(server.refreshed(), 1, "the others take what the first one brought");
    assert!(world.ask("hello").contains("Good day to you."));
}

/// When the server has forgotten the login, the person reads what to do.
#[test]
fn a_login_that_the_server_has_forgotten_says_what_to_do() {
    let server = LoginServer::start(Manner::default());
    let world = server.world();
    server.log_in(&world, |address| address).done();
    server.expire();
    let answer = r#"{"error":"invalid_grant"}"#.to_owned();
    server.behave(|manner| manner.fails = Some((400, answer)));
    let ran = world.bot(&["agent", "-m", "hello"]);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains("run `cl-bot login work`"), "{}", ran.report());
}

/// A file of a key is taken when it is its owner's alone, and refused before anything starts when it is wider.
#[test]
fn a_key_file_is_taken_or_refused_by_its_mode() {
    let server = LoginServer::start(Manner::default());
    let world = server.world();
    server.log_in(&world, |address| address).done();
    let (access, _) = server.newest();
    world.bot(&["logout", "work"]).done();
    let settings = format!("providers:\n{}", server.provider("    api_key_file: work.key\n"));
    fs::write(world.home().bot_config(), settings).expect("it can be written");
    let file = world.home().credentials().join("work.key");
    fs::write(&file, format!("{access}\n")).expect("it can be written");
    for wide in [0o644, 0o640, 0o620] {
        fs::set_permissions(&file, fs::Permissions::from_mode(wide)).expect("it is ours");
        let ran = world.bot(&["agent", "-m", "hello"]).exited(3);
        ran.says(&format!("{wide:04o}")).says("chmod 600").hides(&access);
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("it is ours");
    assert!(world.ask("hello").contains("Good day to you."));
    world.bot(&["login"]).done().prints("key from its file");
}

/// A service manager's folder of credentials is a place for the file as well.
#[test]
fn a_key_file_may_lie_in_the_service_managers_folder() {
    let server = LoginServer::start(Manner::default());
    let world = server.world();
    server.log_in(&world, |address| address).done();
    let (access, _) = server.newest();
    world.bot(&["logout", "work"]).done();
    let settings = format!("providers:\n{}", server.provider("    api_key_file: work.key\n"));
    fs::write(world.home().bot_config(), settings).expect("it can be written");
    let folder = world.outside().join("service");
    fs::create_dir(&folder).expect("it can be made");
    fs::write(folder.join("work.key"), access).expect("it can be written");
    fs::set_permissions(folder.join("work.key"), fs::Permissions::from_mode(0o400)).expect("it is ours");
    let mut command = world.command(Program::Bot, &["agent", "-m", "hello"]);
    command.env("CREDENTIALS_DIRECTORY", &folder);
    run(command, b"", PATIENCE).done().prints("Good day to you.");
}

/// What went through the network stands in a log of its own that verifies: hosts, sizes and times, and nothing else.
#[test]
fn the_network_keeps_its_own_log() {
    let server = LoginServer::start(Manner::default());
    let world = server.world();
    server.log_in(&world, |address| address).done();
    world.ask("a very private question");
    let [log, _] = world.home().net_logs(&world.profile());
    let rows = eventually(Duration::from_secs(5), "four records", || {
        let rows: Vec<_> = durable::replay(&log).ok()?.map(|row| row.expect("the chain holds").1).collect();
        (rows.len() >= 4).then_some(rows)
    });
    assert_eq!(rows.len(), 4, "{rows:#?}");
    assert_eq!((&rows[0]["by"], &rows[0]["of"]), (&"login".into(), &"work".into()));
    assert_eq!((&rows[2]["by"], &rows[2]["method"]), (&"chat".into(), &"POST".into()));
    assert_eq!(rows[3]["status"], 200);
    let host = rows[2]["host"].as_str().expect("a host");
    assert!(server.provider("").contains(host), "{host}");
    let text = fs::read_to_string(&log).expect("it is there");
    for word in ["private", "/v1", "/token", "Bearer", "token-", "code"] {
        assert!(!text.contains(word), "`{word}` in {text}");
    }
    // A service of its own user reads it by the group; the folder keeps everybody else out.
    assert_eq!(mode(&log) & 0o7, 0);
    assert_eq!(mode(&world.home().net()) & 0o77, 0);
}

/// While the server holds the request in its hands, the record that it was sent stands in the log already.
#[test]
fn the_networks_record_stands_before_the_first_byte_leaves() {
    let world = World::new();
    let [log, _] = world.home().net_logs(&world.profile());
    let server = ModelServer::start(move |_| {
        let rows = durable::replay(&log).map(|walk| walk.filter_map(Result::ok).map(|row| row.1));
        let rows: Vec<serde_json::Value> = rows.map_or_else(|_| vec![], Iterator::collect);
        let begun = rows.iter().filter(|row| row["by"] == "chat" && row["method"] == "POST").count();
        let ended = rows.iter().filter(|row| !row["status"].is_null()).count();
        Reply::text(format!("begun {begun}, ended {ended}"))
    });
    bot_asks(&world, &server.url(), None);
    assert!(world.ask("hello").contains("begun 1, ended 0"));
}

/// The program's own events are logged when asked for, as JSON too, and a wrong level is wrong use.
#[test]
fn the_programs_events_are_told_when_asked_for() {
    let server = LoginServer::start(Manner::default());
    let world = server.world();
    server.log_in(&world, |address| address).done();
    let quiet = world.bot(&["agent", "-m", "hello"]).done();
    assert!(!quiet.stderr.contains("confined"), "{}", quiet.report());
    let settings = format!("logging: {{format: json}}\nproviders:\n{}", server.provider(""));
    fs::write(world.home().bot_config(), settings).expect("it can be written");
    let told = |level: &str| {
        let mut command = world.command(Program::Bot, &["agent", "-m", "hello"]);
        command.env("TAMECLAW_LOG", level);
        run(command, b"", PATIENCE)
    };
    let ran = told("debug").done();
    let rows: Vec<serde_json::Value> =
        ran.stderr.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let events: Vec<&str> = rows.iter().filter_map(|row| row["event"].as_str()).collect();
    for event in ["startup", "config_loaded", "manifest_verified", "confined", "provider_call", "stopped"] {
        assert!(events.contains(&event), "{event} is missing in {events:?}\n{}", ran.report());
    }
    ran.hides(&server.newest().0);
    told("loud").exited(2).says("TAMECLAW_LOG").says("error warn info debug off");
}

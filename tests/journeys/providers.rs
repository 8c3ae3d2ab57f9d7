//! Providers as a person meets them: who answers, who does not, and what is said about it.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use tameclaw_tests::http::dead_port;
use tameclaw_tests::model::{Chat, ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::world::{PATIENCE, Program, World};

const KEY: &str = "sk-test-1234567890";

/// A world whose first provider is at this address, with more keys of its entry, and whose second is the companion.
fn asking(url: &str, more: &str) -> World {
    let world = World::new();
    let text = format!(
        "providers:\n  - {{name: first, kind: openai-compatible, base_url: \"{url}\", model: m, \
         api_key: \"${{MODEL_KEY}}\"{more}}}\n  - {{name: companion, kind: embedded}}\n"
    );
    fs::write(world.home().bot_config(), text).expect("the configuration can be written");
    world
}

fn bot(world: &World, arguments: &[&str]) -> Ran {
    let mut command = world.command(Program::Bot, arguments);
    command.env("MODEL_KEY", KEY);
    run(command, b"", PATIENCE)
}

fn pieces(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// A streamed answer arrives whole; a server that echoes the key does not hand it over, though it cuts it in two.
#[test]
fn a_streamed_answer_arrives_whole_and_without_the_key() {
    let echo = format!("Good day. Your key is {KEY}.");
    let model =
        ModelServer::start(move |_| Reply::Stream(pieces(&["Dear ", "you: ", &echo]), Duration::ZERO));
    let world = asking(&model.url(), "");
    let ran = bot(&world, &["-m", "hello"]).done();
    ran.prints("Dear you: Good day. Your key is ******").hides(KEY);
    let sent = &model.seen()[0];
    assert_eq!(sent.body["stream"], true);
    assert_eq!(sent.request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
}

/// If anything is wrong with the first provider before its first word, the second answers, and the person hears of it once.
#[test]
fn the_next_provider_answers_when_the_first_does_not_and_it_is_told_once() {
    for (reply, part) in [
        (Reply::Status(503), "first takes no more requests for now"),
        (Reply::Status(429), "first takes no more requests for now"),
        (Reply::Status(401), "first does not accept the key"),
        (Reply::Status(500), "first cannot be reached"),
        (Reply::Broken(vec![]), "first cannot be reached"),
        (Reply::Garbage(b"\x00\x01".to_vec()), "first cannot be reached"),
        (Reply::Hang, "first did not answer in time"),
    ] {
        let model = ModelServer::start({
            let reply = reply.clone();
            move |_| reply.clone()
        });
        let world = asking(&model.url(), ", timeout_seconds: 1");
        let ran = bot(&world, &["-m", "hello"]).done();
        assert_eq!(ran.stderr.matches(part).count(), 1, "{reply:?}\n{}", ran.report());
        assert!(!ran.stdout.trim().is_empty(), "{}", ran.report());
        ran.hides(KEY);
    }
}

/// In one conversation a dead first choice costs its time-out once, not every turn.
#[test]
fn a_dead_first_choice_does_not_cost_its_timeout_every_turn() {
    let model = ModelServer::start(|_| Reply::Hang);
    let world = asking(&model.url(), ", timeout_seconds: 2");
    let mut command = world.command(Program::Bot, &[]);
    command.env("MODEL_KEY", KEY);
    let start = Instant::now();
    let ran = run(command, b"hello\nhow are you?\nand now?\n", PATIENCE).done();
    assert_eq!(model.seen().len(), 1, "{}", ran.report());
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(ran.stderr.matches("did not answer in time").count(), 1, "{}", ran.report());
}

/// The list shows who there is and whether a key is set, never the key.
#[test]
fn the_list_shows_everything_but_the_key() {
    let world = asking("http://127.0.0.1:9/v1", ", models: [large]");
    let ran = bot(&world, &["provider", "list"]).done().hides(KEY);
    let ran = ran.prints("first").prints("openai-compatible").prints("http://127.0.0.1:9/v1");
    ran.prints("key: a variable").prints("companion");
    let unset = world.bot(&["provider", "list"]).done();
    unset.prints("key NOT set");
    let rows = bot(&world, &["provider", "list", "--json"]).done().json_rows();
    assert_eq!((&rows[0]["key"], &rows[0]["models"][0]), (&true.into(), &"large".into()));
    assert_eq!(rows[1]["key"], serde_json::Value::Null);
}

/// A test measures a good provider, and names the next step for a bad one.
#[test]
fn a_provider_is_tested_with_words_and_a_tool() {
    let model = ModelServer::start(|chat| match chat.tools().first() {
        None => Reply::Stream(pieces(&["one", ", two", ", three"]), Duration::from_millis(50)),
        Some(tool) => Reply::call(tool, serde_json::json!({"a": 17, "b": 25})),
    });
    let world = asking(&model.url(), "");
    let ran = bot(&world, &["provider", "test", "first"]).done().hides(KEY);
    ran.prints("first (openai-compatible)").prints("streaming  yes: 3 pieces").prints("tools      yes");
    let value = bot(&world, &["provider", "test", "first", "--json"]).done().json();
    assert_eq!((&value["ok"], &value["tools"]), (&true.into(), &"called".into()));
    assert!(value["first_piece_ms"].as_u64() < value["total_ms"].as_u64(), "{value}");

    let world = asking(&format!("http://127.0.0.1:{}/v1", dead_port()), "");
    let ran = bot(&world, &["provider", "test", "first"]).exited(1).hides(KEY);
    ran.says("first cannot be reached").says("Hint: check that a server runs at http://127.0.0.1:");
    let ran = bot(&world, &["provider", "test", "second"]).exited(2);
    ran.says("there is no provider `second`; configured: first companion").says("provider list");
}

/// An answer in words for which the server counts this many tokens read.
fn counted(words: &str, tokens: usize) -> Reply {
    let message = json!({"role": "assistant", "content": words});
    let usage = json!({"prompt_tokens": tokens, "completion_tokens": 3});
    Reply::Body(json!({"choices": [{"index": 0, "message": message}], "usage": usage}).to_string())
}

/// A server whose template leaves tools out is distinguished from a model that does not call them, with what to do about it.
#[test]
fn a_server_whose_template_drops_tools_is_told_with_what_to_do() {
    let dropping = |chat: &Chat| counted("42", chat.text().split_whitespace().count());
    let rendering = |chat: &Chat| counted("42", chat.body.to_string().len() / 4);
    let model = ModelServer::start(dropping);
    let world = asking(&model.url(), "");
    let ran = bot(&world, &["provider", "test", "first"]).done();
    let ran = ran.prints("tools      no: this server's chat template drops tools");
    assert_eq!(ran.stderr.matches("start llama-server with --jinja").count(), 1, "{}", ran.report());
    let value = bot(&world, &["provider", "test", "first", "--json"]).done().json();
    assert_eq!((&value["ok"], &value["tools"]), (&true.into(), &"dropped".into()), "{value}");
    assert!(value["hint"].as_str().is_some_and(|hint| hint.contains("--jinja")), "{value}");
    model.follow(rendering);
    let ran =
        bot(&world, &["provider", "test", "first"]).done().prints("tools      no: it answered in words");
    assert!(!ran.stderr.contains("--jinja"), "{}", ran.report());
}

/// Servers that refuse a request with tools say what is missing; the way out is named for each.
#[test]
fn a_server_that_refuses_tools_is_told_with_what_to_do() {
    for (status, message) in [
        (500, "tools param requires --jinja flag"),
        (400, "registry.ollama.ai/library/tiny:latest does not support tools"),
        (400, "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"),
    ] {
        let model = ModelServer::start(move |chat| match chat.tools().is_empty() {
            true => Reply::text("one, two"),
            false => Reply::Error(status, message.to_owned()),
        });
        let ran = bot(&asking(&model.url(), ""), &["provider", "test", "first"]).exited(1);
        let whole = ran.says("--jinja").says("`ollama show MODEL`").says("--enable-auto-tool-choice");
        assert!(whole.stdout.contains("model "), "{}", whole.report());
    }
}

const PERSON: &str = "providers:\n  - {name: me, kind: human}\n  - {name: companion, kind: embedded}\n";

/// A person at the terminal answers in place of a model, and calls a tool by its name.
#[test]
fn a_person_answers_in_place_of_a_model() {
    let soon = Duration::from_secs(60);
    let world = World::new();
    fs::write(world.home().bot_config(), PERSON).expect("the configuration can be written");
    let mut pty = Pty::start(world.command(Program::Bot, &[]));
    pty.expect("> ", soon);
    pty.line("what is the time?");
    pty.expect("/call TOOL {JSON}> ", soon);
    pty.line("/call clock.ghost {}");
    pty.expect("There is no tool `clock.ghost`; offered:", soon);
    pty.line("Half past nine, I would say.");
    // Once as it is typed, once as the answer.
    pty.expect("Half past nine, I would say.", soon);
    pty.expect("Half past nine, I would say.", soon);
    pty.expect("> ", soon);
    pty.line("/exit");
    assert_eq!(pty.ended(soon), 0);
}

/// Where no terminal is, nobody is waited for: the next provider answers.
#[test]
fn without_a_terminal_no_person_is_asked() {
    let world = World::new();
    fs::write(world.home().bot_config(), PERSON).expect("the configuration can be written");
    let ran = world.bot(&["-m", "hello"]).done();
    assert!(!ran.stdout.trim().is_empty(), "{}", ran.report());
    ran.says("me cannot be reached: nobody sits at a terminal");
}

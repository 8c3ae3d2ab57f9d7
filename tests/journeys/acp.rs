//! `cl-bot acp`: the bot in an editor that speaks the Agent Client Protocol.

use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tameclaw_tests::acp::{Editor, PYTHON_CLIENT, prompt};
use tameclaw_tests::eventually;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World};

use crate::real_models::python_with;
use crate::settings::bot_asks;

/// A model that never answers a line with `hang`, and streams a greeting else.
fn greeter() -> ModelServer {
    ModelServer::start(|chat| match chat.last() {
        (_, line) if line.contains("hang") => Reply::Hang,
        _ => Reply::Stream(vec!["Good ".to_owned(), "morning.".to_owned()], Duration::from_millis(50)),
    })
}

/// Waits until the model was asked a line with this word.
fn asked(model: &ModelServer, word: &str) {
    eventually(PATIENCE, "the model is asked", || {
        model.seen().iter().any(|chat| chat.last().1.contains(word)).then_some(())
    });
}

/// A client of the protocol's own library greets, makes a session, has an answer streamed, calls one off, and loads the session.
#[test]
fn the_librarys_client_talks_cancels_and_loads() {
    let Some(python) = python_with("acp") else { return };
    let world = World::new();
    let model = greeter();
    bot_asks(&world, &model.url(), None);
    let script = world.outside().join("client.py");
    fs::write(&script, PYTHON_CLIENT).expect("it can be written");
    let mut command = world.command_of(&python, &[&script.display().to_string()]);
    command.arg(Program::Bot.path()).arg("acp").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut client = command.spawn().expect("it starts");
    let mut lines = BufReader::new(client.stdout.take().expect("a pipe")).lines();
    let mut step = |name: &str| {
        let line = lines.next().expect("a step").expect("a line");
        let told: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert_eq!(told["step"], name, "{told}");
        told
    };
    let greeted = step("initialize");
    assert_eq!((&greeted["version"], &greeted["loads"]), (&json!(1), &json!(true)), "{greeted}");
    assert_eq!((&greeted["embedded"], &greeted["image"]), (&json!(true), &json!(false)), "{greeted}");
    let told = step("prompt");
    assert_eq!(told["reason"], "end_turn");
    let chunks = told["updates"].as_array().expect("a list");
    let text: String = chunks.iter().filter_map(|chunk| chunk[1].as_str()).collect();
    assert_eq!(text, "Good morning.");
    assert!(chunks.len() > 1 && chunks.iter().all(|chunk| chunk[0] == "agent_message_chunk"), "{told}");
    asked(&model, "hang");
    writeln!(client.stdin.as_mut().expect("a pipe")).expect("it reads");
    assert_eq!(step("cancel")["reason"], "cancelled");
    let told = step("load");
    assert_eq!(told["updates"][0], json!(["user_message_chunk", "good morning to all"]), "{told}");
    assert_eq!(told["updates"][1], json!(["agent_message_chunk", "Good morning."]), "{told}");
    assert!(client.wait().expect("it ends").success());
}

/// A turn that hangs is called off and the next one is not; the end of the input and a signal end the program well, also while a
/// turn hangs.
#[test]
fn a_turn_is_called_off_and_the_program_ends_with_its_input() {
    let world = World::new();
    let model = greeter();
    bot_asks(&world, &model.url(), None);
    let mut editor = Editor::start(&world, &[]);
    let session = editor.session();
    let hanging = editor.send("session/prompt", &prompt(&session, "please hang"));
    asked(&model, "hang");
    let beside = editor.send("session/prompt", &prompt(&session, "hello"));
    assert_eq!(editor.answered(beside).1["error"]["code"], -32600);
    editor.notify("session/cancel", &json!({"sessionId": "another"}));
    editor.notify("session/cancel", &json!({"sessionId": session}));
    let (_, answer) = editor.answered(hanging);
    assert_eq!(answer["result"], json!({"stopReason": "cancelled"}));
    let answered = editor.prompt(&session, "hello");
    assert_eq!(
        (answered.said.as_str(), &answered.answer["result"]["stopReason"]),
        ("Good morning.", &json!("end_turn"))
    );
    editor.send("session/prompt", &prompt(&session, "hang again"));
    asked(&model, "hang again");
    assert_eq!(editor.leave().code(), Some(0));
    let mut editor = Editor::start(&world, &[]);
    let session = editor.session();
    editor.send("session/prompt", &prompt(&session, "hang once more"));
    asked(&model, "hang once more");
    kill(Pid::from_raw(editor.pid().cast_signed()), Signal::SIGINT).expect("it runs");
    assert_eq!(editor.ended().1.code(), Some(0));
}

/// An invalid request, method, session or text is refused by its number, and the next request is answered.
#[test]
fn what_does_not_fit_is_refused_and_the_next_request_is_answered() {
    let world = World::new();
    let mut editor = Editor::start(&world, &[]);
    let long = "x".repeat(3_000_000);
    for (line, code) in [("nonsense", -32700), ("[]", -32600), (long.as_str(), -32600)] {
        editor.line(line);
        let answer = editor.hear();
        assert_eq!((&answer["id"], answer["error"]["code"].as_i64()), (&Value::Null, Some(code)), "{answer}");
    }
    let session = editor.session();
    let unknown = "01a2070a-1852-76cb-95fa-73927dd28e8b";
    let mut refused = |method: &str, params: &Value| {
        let answer = editor.ask(method, params);
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{answer}"))
    };
    assert_eq!(refused("initialize", &json!({"protocolVersion": "1"})), -32602);
    assert_eq!(refused("authenticate", &json!({"methodId": "a"})), -32602);
    for method in ["session/set_mode", "session/list", "fs/read_text_file", "terminal/create"] {
        assert_eq!(refused(method, &json!({"sessionId": session})), -32601, "{method}");
    }
    assert_eq!(refused("session/new", &json!({"cwd": "a", "mcpServers": []})), -32602);
    assert_eq!(refused("session/new", &json!({"mcpServers": []})), -32602);
    assert_eq!(refused("session/prompt", &prompt(unknown, "hello")), -32002);
    for id in [unknown, "../../etc/passwd", "last"] {
        assert_eq!(refused("session/load", &json!({"sessionId": id, "cwd": "/", "mcpServers": []})), -32002);
    }
    for block in [
        json!({"type": "image", "data": "", "mimeType": "image/png"}),
        json!({"type": "text", "text": " "}),
        json!({"type": "text", "text": "x".repeat(70_000)}),
        json!({"type": "resource", "resource": {"uri": "file:///a", "blob": ""}}),
    ] {
        assert_eq!(refused("session/prompt", &json!({"sessionId": session, "prompt": [block]})), -32602);
    }
    let answered = editor.prompt(&session, "what time is it?");
    assert_eq!(answered.answer["result"]["stopReason"], "end_turn", "{answered:?}");
    assert!(answered.said.contains(':'), "{answered:?}");
}

/// A person at a terminal reads that an editor starts it.
#[test]
fn a_person_at_a_terminal_is_told_that_an_editor_starts_it() {
    let world = World::without_kit();
    let mut pty = Pty::start(world.command(Program::Bot, &["acp"]));
    pty.expect("an editor starts it", PATIENCE);
    assert_eq!(pty.ended(PATIENCE), 2);
}

/// A call that would ask is not made, and the answer names the next step; under the emergency stop none is; `--readonly` holds;
/// while the admin halts all talk each prompt says so.
#[test]
fn what_would_ask_is_refused_and_the_stop_holds() {
    let world = World::new();
    let model = ModelServer::start(|chat| match chat.last() {
        (role, content) if role == "tool" => Reply::text(format!("I was told: {content}")),
        (_, line) if line.contains("note") => {
            Reply::call("file_write", json!({"path": "a.txt", "content": "x"}))
        }
        _ => Reply::call("time", json!({})),
    });
    bot_asks(&world, &model.url(), None);
    let mut editor = Editor::start(&world, &[]);
    let session = editor.session();
    let said = editor.prompt(&session, "write a note").said;
    assert!(said.contains("nobody says yes here") && said.contains("autonomy"), "{said}");
    assert!(!world.home().profile(&world.profile()).join("workspace/a.txt").exists());
    world.bot(&["estop"]).done();
    let said = editor.prompt(&session, "how late is it?").said;
    assert!(said.contains("emergency stop holds"), "{said}");
    world.bot(&["estop", "--clear"]).done();
    let said = editor.prompt(&session, "how late is it?").said;
    assert!(said.contains("I was told") && !said.contains("emergency stop"), "{said}");
    let halt = world.home().config().join("halt");
    fs::write(&halt, "no room").expect("it can be written");
    let answer = editor.prompt(&session, "hello").answer;
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
    assert!(answer["error"]["message"].as_str().is_some_and(|why| why.contains("no room")), "{answer}");
    fs::remove_file(&halt).expect("it can be removed");
    assert_eq!(editor.leave().code(), Some(0));
    let mut editor = Editor::start(&world, &["--readonly"]);
    let session = editor.session();
    let said = editor.prompt(&session, "write a note").said;
    assert!(said.contains("readonly"), "{said}");
}

/// A session is a conversation: each continues on its own, another start takes one up with what was said, and what an editor
/// brings with it reaches the model quoted, as content from outside. Its servers of tools are not used, which the person reads
/// once.
#[test]
fn each_session_is_a_conversation_that_can_be_loaded() {
    let world = World::new();
    let model = ModelServer::start(|chat| Reply::text(format!("heard {}", chat.last().1.len())));
    bot_asks(&world, &model.url(), None);
    let mut editor = Editor::start(&world, &[]);
    let first = editor.session();
    let servers = json!([{"name": "s", "command": "/bin/false", "args": [], "env": []}]);
    let made = editor.ask("session/new", &json!({"cwd": "/tmp", "mcpServers": servers}));
    let second = made["result"]["sessionId"].as_str().expect("an id").to_owned();
    editor.prompt(&first, "my cat is called Mia, says the first one");
    let said = editor.prompt(&second, "my dog is called Rex, says the second one").said;
    assert!(said.contains("1 MCP server(s)") && said.contains("cl-admin plugin install"), "{said}");
    assert!(!editor.prompt(&second, "and what now?").said.contains("MCP"));
    let number = editor.send(
        "session/prompt",
        &json!({"sessionId": first, "prompt": [
            {"type": "text", "text": "what does this say?"},
            {"type": "resource", "resource": {"uri": "file:///notes.md", "text": "one\ntwo"}},
            {"type": "resource_link", "name": "c", "uri": "file:///c.md"},
        ]}),
    );
    editor.answered(number);
    let asked = |word: &str| {
        let asked = model.seen().into_iter().rev().find(|chat| chat.last().1.contains(word));
        asked.expect("it was asked").text()
    };
    let seen = asked("what does this say?");
    assert!(seen.contains("Mia") && !seen.contains("Rex"), "{seen}");
    assert!(seen.contains("[content from outside, file:///notes.md:]\n> one\n> two\n"), "{seen}");
    assert!(seen.contains("[named by the editor, not read: file:///c.md]"), "{seen}");
    assert_eq!(editor.leave().code(), Some(0));
    let mut editor = Editor::start(&world, &[]);
    let number = editor.send("session/load", &json!({"sessionId": first, "cwd": "/tmp", "mcpServers": []}));
    let (updates, answer) = editor.answered(number);
    assert_eq!(answer["result"], json!({}), "{answer}");
    let whose: Vec<&str> =
        updates.iter().filter_map(|update| update["update"]["sessionUpdate"].as_str()).collect();
    assert_eq!(whose, ["user_message_chunk", "agent_message_chunk"].repeat(2));
    assert_eq!(updates[0]["update"]["content"]["text"], "my cat is called Mia, says the first one");
    editor.prompt(&first, "and who is that?");
    let seen = asked("and who is that?");
    assert!(seen.contains("Mia") && !seen.contains("Rex"), "{seen}");
}

/// Where a skill is approved meanwhile, the program says so in the session and ends with the code to start it again.
#[test]
fn what_is_approved_meanwhile_ends_the_program_so_that_it_is_started_again() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to roll dice");
    let mut editor = Editor::start(&world, &[]);
    let session = editor.session();
    editor.prompt(&session, "what time is it?");
    let id = world.newest()["id"].as_str().expect("an identifier").to_owned();
    world.admin(&["approve", &id, "--yes"]).done();
    let (messages, status) = editor.ended();
    assert_eq!(status.code(), Some(75), "{messages:?}");
    let text = messages[0]["params"]["update"]["content"]["text"].as_str().unwrap_or_default();
    assert!(messages.len() == 1 && text.contains("Something was installed"), "{messages:?}");
}

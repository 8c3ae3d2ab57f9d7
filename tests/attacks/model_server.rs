//! A model's file is hostile: the server that reads it finds one model and one key, and no way out.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tameclaw_tests::http::dead_port;
use tameclaw_tests::run::Background;
use tameclaw_tests::world::{PATIENCE, Program, World};

const MODEL: &[u8] = b"GGUF and what a parser trips over";

/// A home with a model that is connected, and the stand-in for the server in a folder beside the home.
fn connected(port: u16) -> (World, PathBuf) {
    let world = World::without_kit();
    let file = world.outside().join("model.gguf");
    fs::write(&file, MODEL).expect("it can be written");
    let sha256: String = Sha256::digest(MODEL).iter().map(|byte| format!("{byte:02x}")).collect();
    let file = file.to_str().expect("text");
    world.admin(&["model", "fetch", "mine", "--file", file, "--sha256", &sha256]).done();
    world.admin(&["model", "connect", "mine", "--port", &port.to_string(), "--no-try"]).done();
    let folder = world.outside().join("bin");
    fs::create_dir(&folder).expect("a folder");
    let program = folder.join("llama-server");
    fs::copy(Program::Admin.path().with_file_name("llama-server"), &program).expect("it was built");
    (world, program)
}

fn key(world: &World) -> String {
    fs::read_to_string(world.home().admin().join("model.key")).expect("a key was made")
}

/// Status and body of a question.
fn asked(port: u16, path: &str, key: Option<&str>) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the server answers");
    let bearer = key.map(|key| format!("authorization: Bearer {key}\r\n")).unwrap_or_default();
    write!(stream, "POST {path} HTTP/1.1\r\nhost: x\r\n{bearer}content-length: 2\r\n\r\n{{}}")
        .expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
    (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
}

/// What came of each attack.
fn report(port: u16, key: &str) -> Value {
    let (status, body) = asked(port, "/v1/chat/completions", Some(key));
    assert_eq!(status, 200, "{body}");
    let answer: Value = serde_json::from_str(&body).expect("JSON");
    let words = answer["choices"][0]["message"]["content"].as_str().expect("words");
    serde_json::from_str(words).expect("a report")
}

const ATTACKS: [&str; 10] = [
    "connect",
    "datagram",
    "unix",
    "read admin",
    "read key",
    "read config",
    "write beside",
    "write tmp",
    "start",
    "fork",
];

fn served(world: &World, program: &Path, port: u16) -> Background {
    let words = ["model", "serve", "--port", &port.to_string(), "--program", program.to_str().expect("text")];
    let server = world.start(Program::Admin, &words);
    let ready = world.admin(&["model", "ready", "--port", &port.to_string(), "--seconds", "60"]);
    assert_eq!(ready.status, 0, "{}", ready.report());
    server
}

#[test]
fn an_owned_server_reaches_nothing_that_a_free_one_reaches() {
    let port = dead_port();
    let (world, program) = connected(port);
    // Each attack works where nothing is in its way.
    let free = dead_port();
    let mut command = Command::new(&program);
    let file = world.home().models().join("mine.gguf");
    command.arg("--model").arg(file).args(["--alias", "mine", "--host", "127.0.0.1"]);
    command.args(["--port", &free.to_string(), "--api-key-file"]).arg(world.home().admin().join("model.key"));
    let unconfined = Background::start(command);
    let start = std::time::Instant::now();
    while TcpStream::connect(("127.0.0.1", free)).is_err() {
        assert!(start.elapsed() < PATIENCE, "it does not answer");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let reached = report(free, &key(&world));
    for attack in ATTACKS {
        assert_eq!(reached[attack], "reached", "{attack}: {reached:#}");
    }
    drop(unconfined);
    let _ = fs::remove_file("/tmp/tameclaw-written-by-a-test");
    let _ = fs::remove_file(world.outside().join("own.sock"));
    let _ = fs::remove_file(program.with_file_name("written"));
    let _server = served(&world, &program, port);
    let held = report(port, &key(&world));
    for attack in ATTACKS {
        assert_ne!(held[attack], "reached", "{attack}: {held:#}");
    }
    // EPERM is the word of the table of calls; Landlock, where there is some, would say EACCES.
    assert_eq!((&held["connect"], &held["start"]), (&"errno 1".into(), &"errno 1".into()), "{held:#}");
    assert_eq!(held["variables"], serde_json::json!(["HOME", "LC_ALL", "PATH"]));
    assert!(!program.with_file_name("written").exists());
    if reached["user"] == 0 {
        assert_ne!(held["user"], 0, "root leaves the server to another user");
    }
}

#[test]
fn who_has_no_key_gets_no_answer_and_a_server_that_asks_for_none_is_not_ours() {
    let port = dead_port();
    let (world, program) = connected(port);
    let _server = served(&world, &program, port);
    assert_eq!(asked(port, "/v1/chat/completions", None).0, 401);
    assert_eq!(asked(port, "/v1/chat/completions", Some("another")).0, 401);
    let path = world.home().admin().join("model.key");
    assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o077, 0);
    let open = tameclaw_tests::http::Server::start(|_| tameclaw_tests::http::Response::Proper {
        status: 200,
        kind: "application/json",
        body: b"{}".to_vec(),
    });
    world.admin(&["model", "ready", "--port", &open.port().to_string()]).exited(3).says("asks for no key");
}

#[test]
fn a_file_that_changed_since_it_was_checked_is_not_served() {
    let port = dead_port();
    let (world, program) = connected(port);
    let words =
        ["model", "serve", "mine", "--port", &port.to_string(), "--program", program.to_str().expect("text")];
    let models = world.home().models();
    let file = models.join("mine.gguf");
    let other: Vec<u8> = MODEL.iter().map(|byte| if *byte == b'w' { b'W' } else { *byte }).collect();
    fs::write(&file, other).expect("it can be written");
    world.admin(&words).exited(4).says("its digest is");
    // Another file of the same bytes is read once more, and taken.
    fs::remove_file(&file).expect("it can be removed");
    fs::write(&file, MODEL).expect("it can be written");
    let server = served(&world, &program, port);
    drop(server);
    fs::set_permissions(&models, fs::Permissions::from_mode(0o777)).expect("a mode can be set");
    world.admin(&words).exited(3).says("may be written by others");
}

#[test]
fn a_program_beside_the_home_is_not_given_the_home() {
    let port = dead_port();
    let (world, program) = connected(port);
    let near = world.outside().join("llama-server");
    fs::copy(&program, &near).expect("it can be copied");
    let words = ["model", "serve", "mine", "--program", near.to_str().expect("text")];
    world.admin(&words).exited(3).says("a folder of its own");
}

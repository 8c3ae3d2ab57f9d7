//! `cl-admin provider bench`: ten wishes are put to a model server, and what is right is counted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use tameclaw_tests::http::dead_port;
use tameclaw_tests::model::{Chat, ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::run::Background;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{Program, World, workspace};

use crate::settings::{admin_asks, as_source};

const SOON: Duration = Duration::from_secs(120);
const NAMES: [&str; 10] = [
    "base64-text",
    "slug",
    "run-length",
    "acronym",
    "luhn-digit",
    "duration",
    "coins",
    "hex-colour",
    "day-number",
    "pace",
];

/// The wish that a request is about.
fn wish(chat: &Chat) -> &'static str {
    let named = |name: &&&str| chat.text().contains(&format!("\"skill\": \"{name}\""));
    NAMES.iter().find(named).expect("a wish of the bench")
}

/// A function that serves a wish.
fn right(name: &str) -> Reply {
    let path = workspace().join("tests/fixtures/bench").join(format!("{name}.rs"));
    as_source(&fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
}

/// A world whose admin knows this server, and asks templates alone for real wishes.
fn world(model: &ModelServer) -> World {
    let world = World::new();
    admin_asks(&world, "templates", &model.url());
    world
}

/// All that is in a home, with its content.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.display().to_string();
        match path.is_dir() && !path.is_symlink() {
            true => all.extend(content(&path)),
            false => _ = all.insert(name, fs::read(&path).unwrap_or_default()),
        }
    }
    all
}

/// Every wish can be served: a model that knows how has all ten right, and the home is as it was before.
#[test]
fn ten_right_functions_are_ten_right_skills_and_the_home_is_as_before() {
    if compiler_is_missing() {
        return;
    }
    let model = ModelServer::start(|chat| right(wish(chat)));
    let world = world(&model);
    let before = content(world.home().root());
    let ran = world.admin(&["provider", "bench", "scripted"]).done();
    for (at, name) in NAMES.iter().enumerate() {
        let line = ran.stdout.lines().find(|line| line.contains(name)).expect("a row for each wish");
        for part in ["reached", "3 of 3", "APPROVE", "10/5"] {
            assert!(line.contains(part), "{part}\n{}", ran.report());
        }
        assert!(ran.stderr.contains(&format!("{} of 10: {name}", at + 1)), "{}", ran.report());
    }
    let ran = ran.prints(
        "10 of 10 came to the review, 10 answered every unseen input rightly, 0 with APPROVE did not",
    );
    ran.prints("tokens in/out 100/50");
    assert!(before == content(world.home().root()), "the home is not changed");
    assert_eq!(world.list(), Vec::<Value>::new());
}

/// A wrong function is counted as one, though its examples are right; a compile error is one more attempt.
#[test]
fn a_wrong_answer_is_not_counted_and_a_compile_error_is_tried_again() {
    if compiler_is_missing() {
        return;
    }
    let asked = Mutex::new(0);
    let model = ModelServer::start(move |chat| match wish(chat) {
        // Right for every example, and for no other year.
        "day-number" => as_source(
            "fn day(date: &str) -> Result<String, String> {\n    let known = [(\"2023-01-31\", 31), (\"2024-03-01\", 61), \
             (\"2023-12-31\", 365)];\n    let found = known.iter().find(|(known, _)| *known == date);\n    \
             Ok(found.map_or(0, |(_, day)| *day).to_string())\n}\n",
        ),
        "coins" => {
            let mut asked = asked.lock().expect("no script panics");
            *asked += 1;
            match *asked {
                1 => as_source(
                    "fn change(cents: i64) -> Result<String, String> {\n    Ok(regex::find(cents))\n}\n",
                ),
                _ => right("coins"),
            }
        }
        _ => Reply::text("INFEASIBLE: I cannot do that."),
    });
    let world = world(&model);
    let ran = world.admin(&["provider", "bench", "scripted", "--only", "coins,9,slug", "--json"]).done();
    let rows = ran.json_rows();
    let of = |name: &str| rows.iter().find(|row| row["wish"] == name).expect("a row").clone();
    let (coins, day, slug) = (of("coins"), of("day-number"), of("slug"));
    assert_eq!(
        (&coins["attempts"], &coins["right"], &coins["tokens_read"]),
        (&json!(2), &json!(3), &json!(20))
    );
    assert_eq!((&day["reached_review"], &day["right"]), (&json!(true), &json!(0)), "{day}");
    assert_eq!((&slug["reached_review"], &slug["recommendation"]), (&json!(false), &Value::Null));
    assert!(slug["why"].as_str().is_some_and(|why| why.contains("I cannot do that")), "{slug}");
    let total = &rows[3]["total"];
    let figures = ["wishes", "reached_review", "right", "approved_and_wrong"].map(|key| total[key].as_u64());
    assert_eq!(figures, [Some(3), Some(2), Some(1), Some(1)], "{total}");
}

/// Ctrl-C ends it at once; the same command continues where it was, and asks for no wish twice.
#[test]
fn after_ctrl_c_the_same_command_goes_on_where_it_was() {
    if compiler_is_missing() {
        return;
    }
    let model =
        ModelServer::start(|chat| if wish(chat) == "coins" { Reply::Hang } else { right(wish(chat)) });
    let world = world(&model);
    let text = fs::read_to_string(world.home().admin_config()).expect("it was written");
    fs::write(world.home().admin_config(), text.replace("timeout_seconds: 2", "timeout_seconds: 600"))
        .expect("it can be written");
    let file = world.outside().join("bench.json").display().to_string();
    let command = ["provider", "bench", "scripted", "--only", "slug,coins,pace", "--resume", &file];
    let running = Background::start(world.command(Program::Admin, &command));
    wait_for(&model, 2);
    running.signal(Signal::SIGINT);
    let ran = running.ended(SOON).exited(1);
    ran.says("ended at `coins`: interrupted").says("the same command continues with what");
    let kept: Value = serde_json::from_slice(&fs::read(&file).expect("it is kept")).expect("it is JSON");
    assert_eq!((kept["rows"].as_array().map(Vec::len), &kept["model"]), (Some(1), &json!("scripted-1")));
    model.follow(|chat| right(wish(chat)));
    let ran = world.admin(&command).done();
    let ran = ran.prints("slug").prints("3 of 3 came to the review, 3 answered every unseen input rightly");
    assert_eq!(
        model.seen().len(),
        4,
        "slug, coins, and after the interruption coins and pace\n{}",
        ran.report()
    );
    // What is kept belongs to one model.
    let text = fs::read_to_string(world.home().admin_config()).expect("it was written");
    fs::write(world.home().admin_config(), text.replace("scripted-1", "other-2")).expect("it can be written");
    world
        .admin(&command)
        .exited(2)
        .says("holds results of scripted with scripted-1, not of scripted with other-2");
}

/// At a terminal the seconds are counted while a model writes, and the row takes the line's place.
#[test]
fn at_a_terminal_the_wait_is_counted() {
    if compiler_is_missing() {
        return;
    }
    let model = ModelServer::start(|chat| right(wish(chat)));
    let world = world(&model);
    let mut pty =
        Pty::start(world.command(Program::Admin, &["provider", "bench", "scripted", "--only", "2"]));
    pty.expect("2 of 10: slug, 0 s", SOON);
    pty.expect("1 of 1 came to the review", SOON);
    assert_eq!(pty.ended(SOON), 0);
}

/// Under the emergency stop nothing is asked; one that comes later ends what runs, and the rows so far stay.
#[test]
fn the_emergency_stop_keeps_it_from_starting_and_ends_it() {
    if compiler_is_missing() {
        return;
    }
    let model = ModelServer::start(|_| Reply::Hang);
    let world = world(&model);
    let text = fs::read_to_string(world.home().admin_config()).expect("it was written");
    fs::write(world.home().admin_config(), text.replace("timeout_seconds: 2", "timeout_seconds: 600"))
        .expect("it can be written");
    world.admin(&["estop"]).done();
    world.admin(&["provider", "bench", "scripted"]).exited(3).says("the emergency stop holds");
    assert_eq!(model.seen().len(), 0);
    world.admin(&["estop", "--clear"]).done();
    let running = Background::start(world.command(Program::Admin, &["provider", "bench", "scripted"]));
    wait_for(&model, 1);
    world.admin(&["estop"]).done();
    running.ended(SOON).exited(3).says("the emergency stop holds");
    assert_eq!(model.seen().len(), 1);
}

/// What is spent today counts: by the home's own proposals, and by the rows that are kept.
#[test]
fn todays_budget_of_tokens_bounds_it() {
    if compiler_is_missing() {
        return;
    }
    let model = ModelServer::start(|chat| match chat.text().contains("a wish of the bench") {
        true => right(wish(chat)),
        false => Reply::text("INFEASIBLE: nobody can."),
    });
    let world = World::new();
    admin_asks(&world, "scripted", &model.url());
    let text = fs::read_to_string(world.home().admin_config()).expect("it was written");
    let budget = |tokens: u32| {
        let text = format!("{text}budgets: {{model_tokens: {tokens}}}\n");
        fs::write(world.home().admin_config(), text).expect("it can be written");
    };
    let file = world.outside().join("bench.json").display().to_string();
    let bench = |only: &str| world.admin(&["provider", "bench", "--only", only, "--resume", &file]);
    // Each request costs 15 tokens. A wish of this home is the first, and leaves 5 of 20.
    budget(20);
    world.bot(&["-m", "learn to name the moons of Saturn"]).done();
    world.admin(&["run", "--once"]).done();
    assert_eq!(model.seen().len(), 1);
    bench("slug,coins").exited(1).says("ended at `coins`").says("budget of model tokens is spent");
    // The row that is kept is the second, and leaves 5 of 35.
    budget(35);
    bench("slug,coins,pace").exited(1).says("ended at `pace`");
    bench("slug,coins,pace").exited(3).says("budget of model tokens is spent (45 of 35)");
    assert_eq!(model.seen().len(), 3);
}

/// What is missing is said before anything is asked.
#[test]
fn what_is_missing_is_said_before_anything_is_asked() {
    let model = ModelServer::start(|_| Reply::Hang);
    let world = world(&model);
    world
        .admin(&["provider", "bench"])
        .exited(2)
        .says("no model is among the `implementers`")
        .says("has: scripted");
    world.admin(&["provider", "bench", "ghost"]).exited(2).says("no provider is named `ghost`");
    world.admin(&["provider", "bench", "scripted", "--only", "11"]).exited(2).says("the wishes are 1 to 10");
    let file = world.outside().join("notes.txt");
    fs::write(&file, "my notes\n").expect("it can be written");
    let resume = file.display().to_string();
    let ran = world.admin(&["provider", "bench", "scripted", "--resume", &resume]).exited(2);
    ran.says("does not hold results of a bench");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "my notes\n");
    let text = fs::read_to_string(world.home().admin_config()).expect("it was written");
    fs::write(world.home().admin_config(), format!("{text}compiler: /nowhere/rustc\n"))
        .expect("it can be written");
    let ran = world.admin(&["provider", "bench", "scripted"]).exited(1);
    ran.says("no skill can be compiled").says("/nowhere/rustc");
    assert_eq!(model.seen().len(), 0);
}

/// A server that cannot be reached is not a fault of a wish: it ends there, and counts nothing.
#[test]
fn a_server_that_cannot_be_reached_ends_it_without_a_row() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    admin_asks(&world, "scripted", &format!("http://127.0.0.1:{}/v1", dead_port()));
    let file = world.outside().join("bench.json");
    let ran = world.admin(&["provider", "bench", "--resume", &file.display().to_string()]).exited(1);
    let ran =
        ran.says("ended at `base64-text`: scripted cannot be reached").says("the same command continues");
    assert!(!file.exists(), "{}", ran.report());
}

/// Waits until a server has been asked so often.
fn wait_for(model: &ModelServer, many: usize) {
    let start = Instant::now();
    while model.seen().len() < many {
        assert!(start.elapsed() < SOON, "the server was asked {} times", model.seen().len());
        std::thread::sleep(Duration::from_millis(20));
    }
}

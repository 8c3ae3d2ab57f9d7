//! The self-test: it finds a good installation good, and a bad one bad.

use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};
use std::{fs, process::Command};

use tameclaw_tests::pty::Pty;
use tameclaw_tests::run::run;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World};

/// On a new home everything is kept out, of every kind, without a trace in the home.
#[test]
fn a_good_installation_keeps_every_attack_out() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let before = snapshot(&world);
    let ran = world.admin(&["selftest", "--redteam", "--json"]).done();
    let rows = ran.json_rows();
    let bad: Vec<String> = rows.iter().filter(|r| r["verdict"] != "PASS").map(ToString::to_string).collect();
    assert_eq!(bad, Vec::<String>::new());
    for (group, least) in
        [("owned.", 25), ("spool.", 14), ("source.", 7), ("module.", 12), ("install.", 6), ("leak.", 6)]
    {
        let found = rows.iter().filter(|r| r["name"].as_str().is_some_and(|n| n.starts_with(group))).count();
        assert!(found >= least, "{group} has {found}");
    }
    assert_eq!(snapshot(&world), before, "the installation's home was touched");
    // What is shown to a person fits on the screen and says in a word what came of it.
    assert!(rows.iter().all(|r| r["why"].as_str().is_some_and(|w| !w.is_empty())));
}

/// A bot without walls is found out, attack by attack, and the exit code says so.
#[test]
fn a_bot_without_walls_is_found_out() {
    let world = World::new();
    let beside = world.outside().join("programs");
    fs::create_dir(&beside).expect("a folder can be made");
    fs::copy(Program::Admin.path(), beside.join("cl-admin")).expect("a program can be copied");
    let bot = beside.join("cl-bot");
    fs::write(&bot, "#!/bin/sh\necho '{\"succeeded\":\"got it\"}'\n").expect("a script can be written");
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let mut command = Command::new(beside.join("cl-admin"));
    let like = world.command(Program::Admin, &["selftest", "--redteam"]);
    command.args(like.get_args()).env_clear().current_dir(world.outside());
    command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ran = run(command, b"", PATIENCE).exited(1);
    ran.prints("FAIL    owned.read-key").prints("got it").says("got through");
    // The same told live: a line each, plain on a pipe, with the same exit code.
    let like = world.command(Program::Admin, &["selftest", "--redteam", "--show"]);
    let mut command = Command::new(beside.join("cl-admin"));
    command.args(like.get_args()).env_clear().current_dir(world.outside());
    command.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ran = run(command, b"", PATIENCE).exited(1);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let (first, last) = (lines[0], lines[lines.len() - 1]);
    assert!(first.starts_with("I own the chat program now"), "{}", ran.report());
    let told = &lines[1..lines.len() - 1];
    assert!(last.starts_with(&format!("That was all, {} in number:", told.len())), "{}", ran.report());
    assert!(
        told.iter().any(|line| line.starts_with("I read the approver's secret key")
            && line.contains("GOT THROUGH: got it"))
    );
    for line in told {
        let outcomes = ["kept out, because", "GOT THROUGH:", "could not be tried:"];
        assert!(outcomes.iter().any(|outcome| line.contains(outcome)), "{line}");
    }
    assert!(!ran.stdout.contains('\u{1b}'), "a pipe gets plain lines");
}

/// On a terminal the attacks are printed at a pace at which each can be read, and `NO_COLOR` keeps the colours away.
#[test]
fn the_attacks_are_told_live_on_a_terminal() {
    for plain in [false, true] {
        let world = World::new();
        let mut command = world.command(Program::Admin, &["selftest", "--redteam", "--show"]);
        // What is thrown away goes with this world, since the program is not waited for.
        command.env("TMPDIR", world.outside());
        if plain {
            command.env("NO_COLOR", "1");
        }
        let mut pty = Pty::start(command);
        pty.expect("I own the chat program now", PATIENCE);
        let begun = Instant::now();
        pty.expect("I start a program of my choice: ", PATIENCE);
        pty.expect("I start a second process", PATIENCE);
        pty.expect("I ask the desktop", PATIENCE);
        assert!(begun.elapsed() > Duration::from_secs(2), "{:?}", begun.elapsed());
        let green = String::from_utf8_lossy(&pty.screen.raw()).contains("\u{1b}[32m");
        assert_eq!(green, !plain, "{}", pty.screen.text());
    }
}

/// A request for an unknown kind of self-test is answered with the kinds that exist.
#[test]
fn the_kind_of_self_test_is_named() {
    World::new().admin(&["selftest"]).exited(2).says("--redteam");
}

/// The groups that are named are tried, in their own order, and no other; another word is answered with the groups.
#[test]
fn groups_of_attacks_are_tried_alone() {
    let world = World::new();
    let ran = world.admin(&["selftest", "--redteam", "--json", "--only", "source", "--only", "owned"]).done();
    let rows = ran.json_rows();
    let names = rows.iter().map(|row| row["name"].as_str().unwrap_or_default());
    let mut groups: Vec<&str> = names.map(|name| name.split('.').next().unwrap_or_default()).collect();
    groups.dedup();
    assert_eq!(groups, ["owned", "source"]);
    world.admin(&["selftest", "--redteam", "--only", "walls"]).exited(2).says("owned, spool, source, module");
}

/// Every file of the home with its size and time of change; the service's lock is taken by every verb.
fn snapshot(world: &World) -> Vec<(String, u64, std::time::SystemTime)> {
    let mut found = vec![];
    let mut folders = vec![world.home().root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of ours").flatten() {
            let facts = entry.metadata().expect("a file of ours");
            match facts.is_dir() {
                true => folders.push(entry.path()),
                false => found.push((
                    entry.path().display().to_string(),
                    facts.len(),
                    facts.modified().expect("files have times"),
                )),
            }
        }
    }
    found.sort();
    found
}

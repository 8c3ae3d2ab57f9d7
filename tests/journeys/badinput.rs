//! What people type wrongly, and what scripts and terminals do at bad moments.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use nix::sys::signal::Signal;
use tameclaw_tests::eventually;
use tameclaw_tests::pty::{CTRL_C, CTRL_D, Pty};
use tameclaw_tests::run::run;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{Program, World};

use crate::terminal::PROMPT;

const SOON: Duration = Duration::from_secs(60);

/// An unknown verb or flag is wrong use: exit code 2, a word about it on stderr, nothing on stdout.
#[test]
fn an_unknown_word_is_wrong_use() {
    let world = World::new();
    for (program, arguments, told) in [
        (Program::Bot, &["agnet"][..], "agnet"),
        (Program::Bot, &["agent", "--mesage", "hi"], "--mesage"),
        (Program::Bot, &["agent", "-m"], "-m"),
        (Program::Admin, &["aprove"], "aprove"),
        (Program::Admin, &["run", "--twice"], "--twice"),
        (Program::Admin, &["list", "acepted"], "acepted"),
        (Program::Admin, &["approve"], "ID"),
    ] {
        let ran = world.typed(program, arguments, "").exited(2).says(told);
        assert!(ran.stdout.is_empty(), "{}", ran.report());
    }
}

/// Help and version are results: exit code 0, on stdout.
#[test]
fn help_and_version_are_results() {
    let world = World::empty();
    for program in [Program::Bot, Program::Admin] {
        world.typed(program, &["--version"], "").done().prints("0.1.0");
        world.typed(program, &["--help"], "").done().prints("Usage");
    }
}

/// Without a home both programs say so and name the command that makes one.
#[test]
fn without_a_home_the_next_step_is_told() {
    let world = World::empty();
    world.bot(&["agent", "-m", "hello"]).exited(1).says("cl-admin init");
    for verb in [&["run", "--once"][..], &["list"], &["approve", "x", "--yes"]] {
        world.admin(verb).exited(1).says("init");
    }
    assert!(!world.home().root().exists(), "a question about a home makes none");
}

/// A home that is made twice stays as it is.
#[test]
fn a_home_is_made_once() {
    let world = World::new();
    let keys =
        |world: &World| fs::read(world.home().keys().join("manifest.key")).expect("a new home has keys");
    let before = keys(&world);
    let again = world.admin(&["init"]);
    assert!(again.status == 0 || again.status == 1, "{}", again.report());
    assert_eq!(keys(&world), before, "the keys are not made anew");
    world.bot(&["agent", "-m", "hello"]).done();
}

/// A home into which strangers could write is refused by both programs.
#[test]
fn a_home_that_strangers_may_write_is_refused() {
    let world = World::new();
    for path in [world.home().root().to_owned(), world.home().config()] {
        let mode =
            |mode| fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("it can be changed");
        mode(0o777);
        for program in [Program::Bot, Program::Admin] {
            let arguments: &[&str] = if program == Program::Bot { &["agent", "-m", "hi"] } else { &["list"] };
            world.typed(program, arguments, "").exited(3).says("chmod");
        }
        mode(0o700);
    }
    world.bot(&["agent", "-m", "hello"]).done();
}

/// Every fault of the bot's configuration is reported in one pass, with file, key and what is allowed.
#[test]
fn every_fault_of_the_bots_configuration_is_told_at_once() {
    let world = World::new();
    let text = "providers:\n  - {name: x, kind: telepathy}\n  - {kind: openai-compatible, base_url: 'http://example.org/v1'}\n\
                security: {minimum_isolation: some}\nlimits: {max_tool_rounds: 0}\nlimitz: {}\n\
                network: {local: ['*']}\n";
    fs::write(world.home().bot_config(), text).expect("it can be written");
    let ran = world.bot(&["agent", "-m", "hi"]).exited(2).says("default.yaml");
    for told in [
        "telepathy",
        "embedded",
        "base_url",
        "minimum_isolation",
        "process",
        "max_tool_rounds",
        "limitz",
        "local",
    ] {
        assert!(ran.stderr.contains(told), "`{told}` is not told\n{}", ran.report());
    }
}

/// Every fault of the admin's configuration is reported in one pass as well.
#[test]
fn every_fault_of_the_admins_configuration_is_told_at_once() {
    let world = World::new();
    let text = "poll_interval_seconds: 0\nmax_repairs: many\nimplementers: [templates, nobody]\nproviderz: []\n\
                limits: {compile_seconds: 1}\nallowed_pairs:\n  - {skill: X, source: file, sink: network:write}\n";
    fs::write(world.home().admin_config(), text).expect("it can be written");
    let ran = world.admin(&["run", "--once"]).exited(2).says("admin.yaml");
    for told in
        ["poll_interval_seconds", "max_repairs", "nobody", "providerz", "compile_seconds", "allowed_pairs"]
    {
        assert!(ran.stderr.contains(told), "`{told}` is not told\n{}", ran.report());
    }
}

/// A configuration that is not YAML at all is reported with its line.
#[test]
fn a_configuration_that_is_no_yaml_is_told_with_its_line() {
    let world = World::new();
    for (path, program, arguments) in [
        (world.home().bot_config(), Program::Bot, &["agent", "-m", "hi"][..]),
        (world.home().admin_config(), Program::Admin, &["run", "--once"]),
    ] {
        fs::write(&path, "a: [1,\nb: }\n").expect("it can be written");
        let ran = world.typed(program, arguments, "").exited(2);
        assert!(ran.stderr.contains("line"), "{}", ran.report());
    }
}

/// An id that fits nothing, or more than one proposal, changes nothing.
#[test]
fn an_id_that_fits_nothing_is_told() {
    let world = World::new();
    world.ask("learn to roll dice");
    for id in ["nothing", "0", "../../x", "\u{1b}[2J"] {
        for verb in [&["show", id][..], &["approve", id, "--yes"], &["reject", id, "--reason", "no"]] {
            let ran = world.admin(verb);
            assert_ne!(ran.status, 0, "{}", ran.report());
            assert!(!ran.stderr.contains('\u{1b}'), "{:?}", ran.stderr);
        }
    }
}

/// A second service on the same home is refused and names the first; the verbs work beside the first.
#[test]
fn a_second_service_is_refused_and_the_verbs_work_beside_the_first() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let mut service = world.start(Program::Admin, &["run"]);
    let pid = service.pid().to_string();
    service.stderr.expect("serving", SOON);
    for second in [&["run"][..], &["run", "--once"]] {
        world.admin(second).exited(1).says(&pid);
    }
    world.ask("learn to tell leap years");
    let row = eventually(Duration::from_secs(240), "the service drives the proposal", || {
        world.list().into_iter().find(|row| row["status"] == "human-review")
    });
    let id = row["id"].as_str().expect("a row has an id");
    world.admin(&["show", id]).done().prints("leap");
    world.admin(&["approve", id, "--yes"]).done();
    assert!(world.ask("is 2100 a leap year?").contains("not"));
    assert!(service.runs());
    service.signal(Signal::SIGTERM);
    service.ended(SOON).done();
    world.admin(&["run", "--once"]).done();
}

/// A verb that holds the home for a moment does not keep a service from starting: it waits. One that keeps the home is named.
#[test]
fn a_service_waits_for_a_verb_that_holds_the_home() {
    let world = World::new();
    let lock = world.home().admin().join("service.lock");
    let lock = fs::File::create(lock).expect("the lock can be opened");
    lock.lock().expect("nobody holds it");
    let pid = std::process::id().to_string();
    (&lock).write_all(pid.as_bytes()).expect("it can be written");
    world.admin(&["run"]).exited(1).says(&format!("runs on this home already: process {pid}"));
    let service = world.start(Program::Admin, &["run"]);
    std::thread::sleep(Duration::from_millis(500));
    drop(lock);
    service.stderr.wait_for(&["serving"], SOON).expect("it serves");
}

/// A service that was killed leaves a home with which the next one continues.
#[test]
fn a_killed_service_leaves_a_home_that_goes_on() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    world.ask("learn to tell leap years");
    let service = world.start(Program::Admin, &["run"]);
    eventually(SOON, "the proposal is taken in", || (!world.list().is_empty()).then_some(()));
    service.signal(Signal::SIGKILL);
    service.ended(SOON);
    world.grow();
    assert!(world.ask("is 2104 a leap year?").contains("2104 is a leap year"));
}

/// A pipe is not a terminal, and works: one answer for each line, and the end of input ends the chat well.
#[test]
fn a_pipe_works() {
    let world = World::new();
    let ran = world.typed(Program::Bot, &["agent"], "hello\nmy name is Ada\nwhat is my name?\n").done();
    assert!(ran.stdout.contains("Ada"), "{}", ran.report());
    assert!(!ran.stdout.contains('\u{1b}'), "no colours into a pipe: {:?}", ran.stdout);
    world.typed(Program::Bot, &["agent"], "").done();
    let odd = "\u{0}\u{1b}[2J\u{202e}\n\n\n   \n/\n/no-such-command\n";
    let ran = world.typed(Program::Bot, &["agent"], odd).done();
    assert!(!ran.stdout.contains('\u{1b}'), "{:?}", ran.stdout);
}

/// A line that is far too long is refused once, and no rest of it is taken for a line of its own.
#[test]
fn a_line_that_is_far_too_long_is_one_line() {
    let world = World::new();
    let long = format!("{} learn to tell leap years\nhello\n", "x ".repeat(1 << 19));
    let ran = world.typed(Program::Bot, &["agent"], &long);
    assert!(ran.status == 0 || ran.status == 3, "{}", ran.report());
    assert_eq!(ran.stderr.matches("not taken").count(), 1, "{}", ran.report());
    let written = fs::read_dir(world.home().proposals(&world.profile())).expect("the folder").count();
    assert_eq!(written, 0, "{}", ran.report());
}

/// A reader that goes away before the end is not a reason to panic.
#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let world = World::new();
    for (program, arguments) in [
        (Program::Admin, &["--help"][..]),
        (Program::Admin, &["doctor"]),
        (Program::Admin, &["list", "--json"]),
        (Program::Bot, &["agent", "-m", "hello"]),
        (Program::Bot, &["tool", "list"]),
        (Program::Bot, &["config", "show"]),
    ] {
        let mut command = world.command(program, arguments);
        let (reader, writer) = std::io::pipe().expect("a pipe can be had");
        drop(reader);
        command.stdin(std::process::Stdio::null()).stdout(writer).stderr(std::process::Stdio::piped());
        let output = command.output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        assert_ne!(output.status.code(), Some(101), "{arguments:?}: {said}");
    }
}

/// Ctrl-D at the chat's prompt ends it well; Ctrl-C never leaves the terminal in a bad state.
#[test]
fn control_keys_at_the_chats_prompt_do_what_people_expect() {
    let world = World::new();
    let mut chat = Pty::start(world.command(Program::Bot, &["agent"]));
    chat.expect(PROMPT, SOON);
    chat.keys(CTRL_D);
    assert_eq!(chat.ended(SOON), 0);

    let mut chat = Pty::start(world.command(Program::Bot, &["agent"]));
    chat.expect(PROMPT, SOON);
    chat.keys("half a line");
    chat.keys(CTRL_C);
    std::thread::sleep(Duration::from_millis(300));
    if chat.runs() {
        chat.line("hello");
        chat.line("/exit");
    }
    let code = chat.ended(SOON);
    assert!(code == 0 || code == 130, "exit code {code}");
}

/// Ctrl-C or Ctrl-D at the question whether to learn something is a no.
#[test]
fn control_keys_at_the_chats_question_are_a_no() {
    for key in [CTRL_C, CTRL_D] {
        let world = World::new();
        let mut chat = Pty::start(world.command(Program::Bot, &["agent"]));
        chat.expect(PROMPT, SOON);
        chat.line("convert MCMXCIV to a number");
        chat.expect("learn", SOON);
        chat.keys(key);
        std::thread::sleep(Duration::from_millis(300));
        if chat.runs() {
            chat.line("/exit");
        }
        let code = chat.ended(SOON);
        assert!(code == 0 || code == 130, "exit code {code}");
        let written = fs::read_dir(world.home().proposals(&world.profile())).expect("the folder").count();
        assert_eq!(written, 0);
    }
}

/// Ctrl-C, Ctrl-D and an empty line at the approval and at the review decide nothing.
#[test]
fn control_keys_at_the_admins_questions_decide_nothing() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to tell leap years");
    let row = world.newest();
    let id = row["id"].as_str().expect("a row has an id");
    for (arguments, question, keys) in [
        (&["approve", id][..], "[y/N]", CTRL_C),
        (&["approve", id], "[y/N]", CTRL_D),
        (&["approve", id], "[y/N]", "\r"),
        (&["approve", id], "[y/N]", "n\r"),
        (&["review", "--plain"], "[A]pprove", CTRL_C),
        (&["review", "--plain"], "[A]pprove", CTRL_D),
        (&["review", "--plain"], "[A]pprove", "x\rq\r"),
    ] {
        let mut admin = Pty::start(world.command(Program::Admin, arguments));
        admin.expect(question, SOON);
        admin.keys(keys);
        admin.ended(SOON);
        assert_eq!(world.newest()["status"], "human-review", "{arguments:?} {keys:?}");
    }
}

/// The rejection of the review needs a reason, and `v` shows the code.
#[test]
fn the_review_shows_the_code_and_rejects_with_a_reason() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to tell leap years");
    let mut admin = Pty::start(world.command(Program::Admin, &["review", "--plain"]));
    admin.expect("[A]pprove", SOON);
    admin.line("v");
    admin.expect("impl skill_sdk::Skill for Skill", SOON);
    admin.expect("[A]pprove", SOON);
    admin.line("r");
    admin.expect("reason", SOON);
    admin.line("we have a calendar");
    assert_eq!(admin.ended(SOON), 0);
    let row = world.newest();
    assert_eq!(row["status"], "rejected");
    assert!(row["reason"].as_str().is_some_and(|reason| reason.contains("calendar")), "{row}");
}

/// An answer for which standard output has no room is an error with a message; a closed pipe is not an error.
#[test]
fn standard_output_without_room_is_a_failure() {
    let world = World::new();
    world.ask("remember that the bins go out on monday");
    let bot = Program::Bot.path();
    let into = |place: &str, words: &str| {
        let line = format!("exec \"$0\" {words} {place}");
        let bot = bot.to_str().expect("a path");
        run(world.command_of(Path::new("sh"), &["-c", &line, bot]), b"", SOON)
    };
    for words in ["memory list", "memory export", "tool list", "-m 'what is 2 + 2?'"] {
        into("> /dev/full", words).exited(1).says("standard output").says("make room");
        into("| true", words).done();
    }
}

/// A token that nobody saw is of no use to anybody but a finder: where it cannot be shown, it is taken back.
#[test]
fn a_token_that_cannot_be_shown_is_taken_back() {
    let world = World::new();
    let admin = Program::Admin.path();
    for words in ["door add phone", "page add phone --approver owner"] {
        let line = format!("exec \"$0\" {words} > /dev/full");
        let admin = admin.to_str().expect("a path");
        let ran = run(world.command_of(Path::new("sh"), &["-c", &line, admin]), b"", SOON);
        ran.exited(1).says("could not be shown").says("`phone` is removed again");
        let kind = words.split(' ').next().expect("a word");
        world.admin(&[kind, "list"]).done().hides("phone");
        world.admin(&words.split(' ').collect::<Vec<_>>()).done().prints("tameclaw_");
    }
}

/// An address or a place for a socket that cannot be taken is named, with what to do.
#[test]
fn a_place_where_nothing_can_listen_is_named() {
    let world = World::new();
    world.bot(&["serve", "--listen", "localhost:8080"]).exited(2).says("IP:PORT").says("127.0.0.1:8787");
    let file = world.outside().join("notes.txt");
    fs::write(&file, "milk").expect("a file");
    let file = file.to_str().expect("a path");
    world.bot(&["serve", "--socket", file]).exited(2).says("is not a socket").says("--socket FILE");
    assert_eq!(fs::read_to_string(file).expect("the file"), "milk", "the file stays as it is");
    let lost = world.outside().join("nowhere/door.sock");
    let lost = lost.to_str().expect("a path");
    world.bot(&["serve", "--socket", lost]).exited(2).says("its folder is missing").says("--socket FILE");
}

//! A person who answers for a child: a passphrase stands between the approver's key and a yes.

use std::fs;
use std::time::Duration;

use tameclaw_tests::pty::Pty;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{Program, World};

use crate::profiles::secret_file;

const SOON: Duration = Duration::from_secs(60);
const PASSPHRASE: &str = "correct horse battery";

fn status(world: &World) -> String {
    world.newest()["status"].as_str().unwrap_or_default().to_owned()
}

/// A home where something waits for a person.
fn waiting() -> (World, String) {
    let world = World::with_package("learn to tell leap years");
    assert_eq!(status(&world), "human-review");
    let id = world.newest()["id"].as_str().expect("a row has an id").to_owned();
    (world, id)
}

fn set_passphrase(world: &World) -> String {
    let file = secret_file(world, "passphrase", PASSPHRASE);
    world.admin(&["approver", "passphrase", "--passphrase-file", &file]).done();
    file
}

#[test]
fn a_minors_profile_starts_once_the_approvers_key_has_a_passphrase() {
    let world = World::new();
    for (name, audience) in [("anna", "child"), ("ben", "teen")] {
        world
            .admin(&["profile", "add", name, "--audience", audience])
            .done()
            .says("cl-admin approver passphrase");
        world
            .bot(&["--profile", name, "-m", "hi"])
            .exited(3)
            .says(&format!("is for a {audience}"))
            .says("cl-admin approver passphrase");
    }
    world.admin(&["doctor"]).exited(1).prints("does not start");
    world.ask("hi");
    set_passphrase(&world);
    for name in ["anna", "ben"] {
        world.bot(&["--profile", name, "-m", "hi"]).done();
    }
    world.admin(&["doctor"]).prints("asks for its passphrase").hides("does not start");
}

/// What the list of approvers says follows the key: a key without passphrase that is put back takes the word back.
#[test]
fn a_key_without_passphrase_that_is_put_back_stops_a_minors_profile_again() {
    let world = World::new();
    let key = world.home().keys().join("approver-owner.key");
    let open_key = fs::read(&key).expect("a home has an approver's key");
    set_passphrase(&world);
    world.admin(&["profile", "add", "anna", "--audience", "child"]).done();
    world.bot(&["--profile", "anna", "-m", "hi"]).done();
    fs::write(&key, open_key).expect("it can be written");
    world.admin(&["run", "--once"]).done();
    world.bot(&["--profile", "anna", "-m", "hi"]).exited(3).says("has no passphrase");
}

#[test]
fn a_home_can_be_made_with_a_passphrase() {
    let world = World::empty();
    let file = secret_file(&world, "passphrase", PASSPHRASE);
    let short = secret_file(&world, "short", "hunter2");
    world.admin(&["init", "--passphrase-file", &short]).exited(2).says("at least 8");
    assert!(!world.home().keys().exists());
    world.admin(&["init", "--passphrase-file", &file]).done();
    world.admin(&["profile", "add", "anna", "--audience", "child"]).done();
    world.bot(&["--profile", "anna", "-m", "hi"]).done();
    // It is not a way to change one.
    world.admin(&["init", "--passphrase-file", &file]).exited(2).says("approver passphrase");
}

#[test]
fn approving_asks_for_the_passphrase_and_yes_never_stands_for_it() {
    if compiler_is_missing() {
        return;
    }
    let (world, id) = waiting();
    let file = set_passphrase(&world);
    let wrong = secret_file(&world, "wrong", "incorrect horse");
    let journal = || fs::read(world.home().journal()).expect("there is a journal");
    let before = journal();
    world.admin(&["approve", &id, "--yes"]).exited(3).says("--passphrase-file");
    world.admin(&["approve", &id, "--yes", "--passphrase-file", &wrong]).exited(3).says("not the passphrase");
    world.typed(Program::Admin, &["review"], "a\ny\nq\n").prints("not approved");
    assert_eq!(journal(), before, "something was recorded");
    assert_eq!(status(&world), "human-review");
    world.admin(&["approve", &id, "--yes", "--passphrase-file", &file]).done();
    assert_eq!(status(&world), "accepted");
}

/// The passphrase changes what opens the key, not the key: what was approved before stays approved.
#[test]
fn what_was_approved_before_stays_good() {
    if compiler_is_missing() {
        return;
    }
    let (world, id) = waiting();
    world.admin(&["approve", &id, "--yes"]).done();
    let file = set_passphrase(&world);
    let next = secret_file(&world, "next", "staple of the battery");
    world
        .admin(&["approver", "passphrase", "--passphrase-file", &next])
        .exited(3)
        .says("--present-passphrase-file");
    world
        .admin(&["approver", "passphrase", "--passphrase-file", &next, "--present-passphrase-file", &next])
        .exited(3)
        .says("not the passphrase");
    world
        .admin(&["approver", "passphrase", "--passphrase-file", &next, "--present-passphrase-file", &file])
        .done();
    world.bot(&["skill", "list"]).done().prints("leap").hides("left out");
    assert!(world.ask("is 2024 a leap year?").contains("2024"));
}

#[test]
fn a_passphrase_is_typed_twice_and_unseen() {
    let world = World::new();
    let mut pty = Pty::start(world.command(Program::Admin, &["approver", "passphrase"]));
    pty.expect("new passphrase: ", SOON);
    pty.line("short");
    pty.expect("at least 8", SOON);
    pty.expect("new passphrase: ", SOON);
    pty.line(PASSPHRASE);
    pty.expect("new passphrase again: ", SOON);
    pty.line("something else");
    pty.expect("the two differ", SOON);
    pty.expect("new passphrase: ", SOON);
    pty.line(PASSPHRASE);
    pty.expect("new passphrase again: ", SOON);
    pty.line(PASSPHRASE);
    assert_eq!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    assert!(!pty.screen.text().contains(PASSPHRASE), "{}", pty.screen.text());
    let key = fs::read_to_string(world.home().keys().join("approver-owner.key")).expect("the key");
    assert!(key.lines().nth(1).is_some_and(|line| line.starts_with("RWRTY0Iy")), "the key is not sealed");
}

#[test]
fn the_review_asks_for_the_passphrase_each_time() {
    if compiler_is_missing() {
        return;
    }
    let (world, _) = waiting();
    set_passphrase(&world);
    let mut pty = Pty::start(world.command(Program::Admin, &["review", "--plain"]));
    pty.expect("[A]pprove", SOON);
    pty.line("a");
    pty.expect("Yes? [y/N]", SOON);
    pty.line("y");
    pty.expect("passphrase of the approver `owner`: ", SOON);
    // A slip is put right in the same dialogue, and what is typed while a try is checked is neither shown nor an answer.
    pty.line("incorrect horse");
    pty.keys("typed too early\r");
    pty.expect("that is not the passphrase", SOON);
    for _ in 0..2 {
        pty.expect("passphrase of the approver `owner`: ", SOON);
        pty.line("incorrect horse");
        pty.expect("not the passphrase", SOON);
    }
    pty.expect("[A]pprove", SOON);
    pty.line("a");
    pty.expect("Yes? [y/N]", SOON);
    pty.line("y");
    pty.expect("passphrase of the approver `owner`: ", SOON);
    pty.line(PASSPHRASE);
    pty.expect("is installed", SOON);
    assert_eq!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    assert_eq!(status(&world), "accepted");
    for typed in [PASSPHRASE, "incorrect", "too early"] {
        assert!(!pty.screen.text().contains(typed), "{}", pty.screen.text());
    }
}

/// A child who waits for a yes reads its own language, no name of a program or a part of one, and after a no that somebody said no.
#[test]
fn a_child_is_told_in_its_language_who_is_asked_and_that_somebody_said_no() {
    let world = World::new();
    world.admin(&["profile", "add", "anna", "--audience", "child"]).done();
    let file = world.home().config().join("profiles/anna.yaml");
    let text = fs::read_to_string(&file).expect("a profile has a file");
    fs::write(&file, text + "language: de\n").expect("it can be written");
    set_passphrase(&world);
    let mut pty = Pty::start(world.command(Program::Bot, &["--profile", "anna", "agent"]));
    pty.expect("> ", SOON);
    pty.line("schreib \"x\" in b7.txt");
    pty.expect("gerade kann ich niemanden fragen", SOON);
    let _service = world.start(Program::Admin, &["run"]);
    pty.expect("ich warte, bis ein Erwachsener Ja sagt", SOON);
    let id = world.newest()["id"].as_str().expect("a row has an id").to_owned();
    world.admin(&["reject", &id, "--reason", "not now"]).done();
    pty.expect("Dazu hat ein Erwachsener Nein gesagt.", SOON);
    pty.expect("> ", SOON);
    pty.line("/exit");
    assert_eq!(pty.ended(SOON), 0);
    let screen = pty.screen.text();
    for foreign in
        ["cl-admin", "reasoning", "file_write", "waits", "service", "kann es niemand geben", "not-approved"]
    {
        assert!(!screen.contains(foreign), "`{foreign}`\n{screen}");
    }
}

/// In a child's profile what would ask waits for the approver: nobody in the chat can say yes, and one yes is for one call.
#[test]
fn what_would_ask_in_a_childs_profile_waits_for_the_approver_and_one_yes_is_for_one_call() {
    let world = World::new();
    world.admin(&["profile", "add", "anna", "--audience", "child"]).done();
    let passphrase = set_passphrase(&world);
    let note = world.home().data().join("profiles/anna/workspace/note.txt");
    let write = |text: &str| {
        let arguments = serde_json::json!({"path": "note.txt", "content": text}).to_string();
        world.bot(&["--profile", "anna", "tool", "run", "file_write", "--json", &arguments])
    };
    write("one").exited(3).says("waits for the approver");
    world.admin(&["run", "--once"]).done();
    let row = world.newest();
    assert_eq!((row["kind"].as_str(), row["waits_for"].as_str()), (Some("action"), Some("person")), "{row}");
    let id = row["id"].as_str().expect("a row has an id").to_owned();
    world.admin(&["show", &id]).done().prints("file_write").prints("note.txt");
    // `--yes` does not stand for the passphrase.
    assert_ne!(world.admin(&["approve", &id, "--yes"]).status, 0);
    write("one").exited(3);
    assert!(!note.exists());
    world.admin(&["approve", &id, "--yes", "--passphrase-file", &passphrase]).done();
    write("another").exited(3);
    write("one").done();
    assert_eq!(fs::read_to_string(&note).expect("it is written"), "one");
    fs::remove_file(&note).expect("it goes");
    write("one").exited(3);
    assert!(!note.exists());
}

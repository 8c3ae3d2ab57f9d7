//! A family, or an office, on one machine: each person has a profile, and opens no other.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use shared_types::home::Home;
use shared_types::id::ProfileId;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::{CTRL_C, Pty};
use tameclaw_tests::world::{PATIENCE, Program, World};

use crate::settings::bot_asks;
use crate::terminal::PROMPT;

const SOON: Duration = Duration::from_secs(60);
const PIN: &str = "73105";
const PIN_QUESTION: &str = "PIN of anna: ";
/// A user who starts nothing here.
const NOBODY: &str = "4294967294";

fn profile(name: &str) -> ProfileId {
    name.parse().expect("a profile name")
}

/// The user who runs this test, as the program sees it.
fn me() -> String {
    nix::unistd::getuid().to_string()
}

/// A file with a secret that only this user may read.
pub(crate) fn secret_file(world: &World, name: &str, secret: &str) -> String {
    let path = world.outside().join(name);
    fs::write(&path, format!("{secret}\n")).expect("it can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("the mode can be set");
    path.to_str().expect("the path is text").to_owned()
}

/// A home with a profile `anna` that nobody opens without the PIN.
fn with_pin() -> (World, String) {
    let world = World::new();
    let file = secret_file(&world, "pin", PIN);
    world.admin(&["profile", "add", "anna", "--audience", "adult", "--pin-file", &file]).done();
    (world, file)
}

/// Every file beneath a folder whose bytes hold a text.
pub(crate) fn files_with(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if fs::read(&path)
            .is_ok_and(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
        {
            found.push(path);
        }
    }
    found
}

fn rows(world: &World) -> Vec<Value> {
    world.admin(&["profile", "list", "--json"]).done().json_rows()
}

#[test]
fn a_profile_is_added_listed_opened_and_removed_without_its_data() {
    let world = World::new();
    world
        .admin(&["profile", "add", "anna", "--audience", "work", "--language", "de", "--user", &me()])
        .done();
    let anna = rows(&world).into_iter().find(|row| row["id"] == "anna").expect("it is listed");
    assert_eq!(
        (&anna["audience"], &anna["language"], &anna["pin"]),
        (&"work".into(), &"de".into(), &false.into())
    );
    world.admin(&["profile", "list"]).done().prints("anna              work      de").prints(&me());
    for folder in [world.home().status(&profile("anna")), world.home().runs(&profile("anna"))] {
        assert!(folder.is_dir(), "{}", folder.display());
    }
    world.bot(&["--profile", "anna", "-m", "merke dir, dass mein Hund Rex heißt"]).done();
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).exited(3).says("already");
    world.admin(&["profile", "remove", "anna"]).done().prints("data stays");
    assert!(!files_with(&world.home().profile(&profile("anna")), "Rex").is_empty(), "the data went too");
    world.bot(&["--profile", "anna", "-m", "hi"]).exited(3).says("there is no profile `anna`");
    world.admin(&["profile", "remove", "anna"]).exited(1).says("no profile `anna`");
    world.admin(&["profile", "remove", "default"]).exited(3);
    let journal = fs::read_to_string(world.home().journal()).expect("there is a journal");
    assert!(journal.contains("profile-added") && journal.contains("profile-removed"), "{journal}");
}

#[test]
fn wrong_words_on_the_command_line_are_refused_with_what_is_allowed() {
    let world = World::new();
    let add = |more: &[&str]| world.admin(&[&["profile", "add"], more].concat());
    add(&["anna"]).exited(2).says("--audience");
    add(&["anna", "--audience", "toddler"]).exited(2).says("child, teen, adult, work");
    add(&["anna", "--audience", "teen", "--language", "tlh"]).exited(2).says("en de");
    add(&["../anna", "--audience", "teen"]).exited(2).says("lower-case");
    add(&["anna", "--audience", "teen", "--user", "no-such-user-here"])
        .exited(2)
        .says("no user of that name");
    add(&["anna", "--audience", "teen", "--pin"]).exited(3).says("--pin-file");
    let short = secret_file(&world, "short", "123");
    add(&["anna", "--audience", "adult", "--pin-file", &short]).exited(2).says("4 to 64");
    assert_eq!(rows(&world).len(), 1, "something was added");
}

/// The service is the journal's only writer; the verb has it done there.
#[test]
fn profiles_are_added_and_removed_beside_a_running_service() {
    let world = World::new();
    let service = world.start(Program::Admin, &["run"]);
    service.stderr.expect("serving", SOON);
    let file = secret_file(&world, "pin", PIN);
    world.admin(&["profile", "add", "ben", "--audience", "adult", "--pin-file", &file]).done();
    world.bot(&["--profile", "ben", "--pin-file", &file, "-m", "learn to tell leap years"]).done();
    tameclaw_tests::eventually(PATIENCE, "the service takes in what the new profile wishes", || {
        world.list().iter().any(|row| row["profile"] == "ben").then_some(())
    });
    world.admin(&["profile", "add", "ben", "--audience", "adult"]).exited(3);
    world.admin(&["profile", "remove", "ben"]).done();
    world.admin(&["profile", "remove", "default"]).exited(3);
}

/// A name on the command line opens nothing: the user who started the program must be listed.
#[test]
fn a_profile_of_somebody_else_does_not_open() {
    let world = World::new();
    world.admin(&["profile", "add", "anna", "--audience", "adult", "--user", NOBODY]).done();
    for words in [
        &["--profile", "anna", "-m", "hi"][..],
        &["--profile", "anna", "memory", "list"],
        &["--profile", "anna", "proposal", "list"],
        &["skill", "list", "--profile", "anna"],
        &["tool", "list", "--profile", "anna"],
    ] {
        let ran = world.bot(words).exited(3).says("not open to the user").says("open.users");
        assert_eq!(ran.stdout, "", "{}", ran.report());
    }
    world.bot(&["--profile", "carla", "-m", "hi"]).exited(3).says("you may open: default").hides("anna");
    // Neither a variable of sudo's nor one of the login makes another user of this one.
    let mut command = world.command(Program::Bot, &["--profile", "anna", "-m", "hi"]);
    command.env("SUDO_UID", NOBODY).env("USER", "anna").env("LOGNAME", "anna");
    tameclaw_tests::run::run(command, b"", PATIENCE).exited(3);
}

#[test]
fn a_script_gives_the_pin_by_a_file_that_nobody_else_may_read() {
    let (world, file) = with_pin();
    world.bot(&["--profile", "anna", "-m", "hi"]).exited(3).says("--pin-file");
    world.typed(Program::Bot, &["--profile", "anna"], &format!("{PIN}\nhi\n")).exited(3);
    world.bot(&["--profile", "anna", "--pin-file", &file, "-m", "hi"]).done();
    world.bot(&["memory", "list", "--profile", "anna", "--pin-file", &file]).done();
    let wrong = secret_file(&world, "wrong", "99999");
    world.bot(&["--profile", "anna", "--pin-file", &wrong, "-m", "hi"]).exited(3).says("not the PIN");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("the mode can be set");
    world.bot(&["--profile", "anna", "--pin-file", &file, "-m", "hi"]).exited(3).says("chmod 600");
    world
        .bot(&["--profile", "anna", "--pin-file", "/no/such/file", "-m", "hi"])
        .exited(1)
        .says("/no/such/file");
    assert_eq!(files_with(world.home().root(), PIN), Vec::<PathBuf>::new(), "the PIN is kept in plain text");
}

#[test]
fn a_person_types_the_pin_unseen() {
    let (world, _) = with_pin();
    let mut pty = Pty::start(world.command(Program::Bot, &["--profile", "anna"]));
    pty.expect(PIN_QUESTION, SOON);
    pty.line("11111");
    pty.expect("that is not the PIN", SOON);
    pty.expect(PIN_QUESTION, SOON);
    pty.line(PIN);
    pty.expect(PROMPT, SOON);
    pty.line("/exit");
    assert_eq!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    let shown = pty.screen.text();
    assert!(!shown.contains(PIN) && !shown.contains("11111"), "{shown}");
}

#[test]
fn three_wrong_pins_end_the_program_and_the_next_try_has_to_wait() {
    let (world, file) = with_pin();
    let mut pty = Pty::start(world.command(Program::Bot, &["--profile", "anna"]));
    for _ in 0..3 {
        pty.expect(PIN_QUESTION, SOON);
        pty.line("11111");
        // While the try is checked nothing shows, and no key answers the next question.
        pty.keys("22222\r");
    }
    assert_eq!(pty.ended(SOON), 3, "{}", pty.screen.tail());
    let shown = pty.screen.text();
    assert!(!shown.contains("11111") && !shown.contains("22222"), "{shown}");
    assert_eq!(shown.matches(PIN_QUESTION).count(), 3, "{shown}");
    // The wait holds for the right one too, however the program is started.
    world.bot(&["--profile", "anna", "--pin-file", &file, "-m", "hi"]).exited(3).says("the next try is in");
    let ran = tameclaw_tests::eventually(SOON, "the wait ends", || {
        let ran = world.bot(&["--profile", "anna", "--pin-file", &file, "-m", "hi"]);
        (ran.status != 3).then_some(ran)
    });
    ran.done();
}

/// The PIN of a new profile is typed twice; the window of `up` asks for it as the chat alone does.
#[test]
fn a_pin_that_was_typed_opens_the_profile_in_the_window_of_up() {
    let world = World::new();
    let words = ["profile", "add", "anna", "--audience", "adult", "--pin"];
    let mut pty = Pty::start(world.command(Program::Admin, &words));
    for question in ["PIN: ", "PIN again: "] {
        pty.expect(question, SOON);
        pty.line(PIN);
    }
    assert_eq!(pty.ended(SOON), 0, "{}", pty.screen.tail());
    let mut up = Pty::start(world.command(Program::Admin, &["up", "--profile", "anna"]));
    up.expect(PIN_QUESTION, SOON);
    up.line(PIN);
    up.expect(PROMPT, SOON);
    up.line("/exit");
    up.expect("leave and stop the service: ", SOON);
    up.keys("q");
    assert_eq!(up.ended(SOON), 0, "{}", up.screen.tail());
    let mut up = Pty::start(world.command(Program::Admin, &["up", "--profile", "anna"]));
    up.expect(PIN_QUESTION, SOON);
    up.keys(CTRL_C);
    assert_eq!(up.ended(SOON), 130, "{}", up.screen.tail());
    assert!(!up.screen.text().contains("started again"), "{}", up.screen.text());
}

/// Where the bot has a user of its own, a new profile's data is that user's.
#[test]
fn the_data_of_a_new_profile_belongs_to_whoever_has_the_data_of_the_first() {
    use std::os::unix::fs::MetadataExt as _;
    if !nix::unistd::geteuid().is_root() {
        tameclaw_tests::skip("only root gives folders away");
        return;
    }
    const BOT: u32 = 54_321;
    let world = World::new();
    std::os::unix::fs::chown(world.home().profile(&world.profile()), Some(BOT), Some(BOT)).expect("root may");
    world.admin(&["profile", "add", "anna", "--audience", "adult"]).done();
    let data = world.home().profile(&profile("anna"));
    for folder in [data.join("memory"), data, world.home().proposals(&profile("anna"))] {
        let facts = fs::metadata(&folder).expect("it was made");
        assert_eq!((facts.uid(), facts.mode() & 0o777), (BOT, 0o700), "{}", folder.display());
    }
}

#[test]
fn ctrl_c_at_the_question_for_the_pin_leaves() {
    let (world, _) = with_pin();
    let mut pty = Pty::start(world.command(Program::Bot, &["--profile", "anna"]));
    pty.expect(PIN_QUESTION, SOON);
    pty.keys(CTRL_C);
    assert_eq!(pty.ended(SOON), 130, "{}", pty.screen.tail());
}

#[test]
fn every_profiles_file_is_checked_with_the_configuration() {
    let world = World::new();
    world.bot(&["config", "validate"]).done().prints("profiles/default.yaml: no faults");
    let write = |name: &str, text: &str| {
        fs::write(world.home().profile_files().join(name), text).expect("it can be written");
    };
    write("anna.yaml", "audience: toddler\nopen: {pin: 2468}\n");
    write("ben.yaml", "colour: red\n");
    write("Carla.yaml", "{}\n");
    let ran = world.bot(&["config", "validate"]).exited(2).prints("default.yaml: no faults");
    let ran = ran
        .says("anna.yaml")
        .says("child teen adult work")
        .says("open.pin")
        .says("colour")
        .says("Carla.yaml");
    ran.hides("2468");
    world.bot(&["--profile", "anna", "-m", "hi"]).exited(2).says("child teen adult work");
    world.admin(&["doctor"]).exited(1).prints("anna cannot be opened");
}

/// What one person says, asks for and reads, no other profile shows.
#[test]
fn a_profile_shows_nothing_of_another() {
    let world = World::new();
    for name in ["anna", "ben"] {
        world.admin(&["profile", "add", name, "--audience", "adult"]).done();
    }
    let chat = "remember that my secret garden is in Zwiesel\nlearn to tell leap years\n";
    world.typed(Program::Bot, &["--profile", "anna"], chat).done();
    world.bot(&["--profile", "anna", "memory", "list"]).done().prints("Zwiesel");
    world.bot(&["--profile", "anna", "proposal", "list"]).done().prints("leap");
    for words in [
        &["memory", "list"][..],
        &["memory", "search", "garden"],
        &["proposal", "list"],
        &["-m", "where is my secret garden?"],
        &["-m", "what do you know about me?"],
        &["--conversation", "last", "-m", "what did I say?"],
    ] {
        world.bot(&[&["--profile", "ben"], words].concat()).hides("Zwiesel").hides("leap");
    }
    let home = world.home();
    let of_ben =
        [Home::profile, Home::proposals, Home::status, Home::runs].map(|at| at(&home, &profile("ben")));
    for folder in of_ben {
        assert!(folder.is_dir(), "{}", folder.display());
        assert_eq!(files_with(&folder, "Zwiesel"), Vec::<PathBuf>::new());
        assert_eq!(files_with(&folder, "leap"), Vec::<PathBuf>::new());
    }
    assert!(!files_with(&home.profile(&profile("anna")), "Zwiesel").is_empty());
    // The status that the admin mirrors stays with the profile that asked.
    world.admin(&["run", "--once"]).done();
    assert!(!files_with(&home.status(&profile("anna")), "leap").is_empty());
    world.bot(&["--profile", "ben", "proposal", "list"]).done().hides("leap");
}

/// The tone is that of the audience, unless the profile has a persona of its own.
#[test]
fn each_audience_is_spoken_to_in_its_own_tone() {
    let model = ModelServer::start(|_| Reply::text("Hello."));
    let world = World::new();
    bot_asks(&world, &model.url(), None);
    let file = secret_file(&world, "passphrase", "correct horse battery");
    world.admin(&["approver", "passphrase", "--passphrase-file", &file]).done();
    for (name, audience, tone) in [
        ("anna", "child", "helper for a child"),
        ("ben", "teen", "helper for a teenager"),
        ("carla", "work", "assistant at work"),
        ("dora", "adult", "You are TameClaw, a friendly and honest assistant"),
    ] {
        world.admin(&["profile", "add", name, "--audience", audience]).done();
        world.bot(&["--profile", name, "-m", "tell me something nice"]).done();
        let asked = model.seen().pop().expect("the model was asked").text();
        assert!(asked.contains(tone), "{audience}: {asked}");
    }
    fs::write(world.home().profile_file(&profile("anna")), "audience: child\npersona: You are a badger.\n")
        .expect("it can be written");
    world.bot(&["--profile", "anna", "-m", "tell me something nice"]).done();
    let asked = model.seen().pop().expect("the model was asked").text();
    assert!(asked.contains("You are a badger.") && !asked.contains("helper for a child"), "{asked}");
}

//! What a person told the bot, looked into, carried over, and forgotten; with each of the backends.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use tameclaw_tests::eventually;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::world::{Program, World};

use crate::settings::bot_asks;
use crate::terminal::PROMPT;

const SOON: Duration = Duration::from_secs(60);
const BACKENDS: [&str; 2] = ["jsonl", "sqlite"];

fn world(backend: &str) -> World {
    let world = World::new();
    set(&world, &format!("memory: {{backend: {backend}}}\n"));
    world
}

fn set(world: &World, memory: &str) {
    fs::write(world.home().bot_config(), memory).expect("the configuration can be written");
}

fn folder(world: &World) -> PathBuf {
    world.home().profile(&world.profile()).join("memory")
}

fn facts(world: &World) -> Vec<String> {
    let rows = world.bot(&["memory", "list", "--facts", "--json"]).done().json_rows();
    rows.iter().map(|row| row["text"].as_str().expect("a fact has a text").to_owned()).collect()
}

#[test]
fn what_is_told_is_listed_searched_shown_and_forgotten() {
    for backend in BACKENDS {
        let world = world(backend);
        world.ask("remember that my cat is called Tom");
        world.ask("remember that my cat is called Tim");
        world.ask("remember that I am allergic to Nüsse");
        assert_eq!(facts(&world), ["my cat is called Tim", "I am allergic to Nüsse"], "{backend}");
        let found = world.bot(&["memory", "search", "NUSSE", "--json"]).done().json_rows();
        assert_eq!(found.len(), 1, "{backend}: {found:?}");
        let id = found[0]["id"].as_str().expect("a fact has an id").to_owned();
        assert_eq!((&found[0]["said_by"], &found[0]["source"]), (&"person".into(), &"reasoning".into()));
        let shown = world.bot(&["memory", "show", &id]).done().stdout;
        assert!(shown.contains("I am allergic to Nüsse") && shown.contains("said by"), "{shown}");
        world.bot(&["memory", "forget", &id]).done();
        assert_eq!(facts(&world), ["my cat is called Tim"], "{backend}");
        // The end of the identifier is the same, its beginning is not.
        let mistyped = format!("00000000{}", &id[8..]);
        world.bot(&["memory", "forget", &mistyped]).exited(1).says("nothing is remembered under");
        let other = world.bot(&["memory", "list", "--json"]).done().json_rows()[0]["id"].clone();
        let mistyped = format!("{}x", other.as_str().expect("an id"));
        world.bot(&["memory", "show", &mistyped]).exited(1).says("my cat is called Tim");
        assert_eq!(folder(&world).join("memory.sqlite").exists(), backend == "sqlite");
        assert_eq!(folder(&world).join("facts.jsonl").exists(), backend == "jsonl");
    }
}

#[test]
fn conversations_are_listed_searched_and_resumed() {
    for backend in BACKENDS {
        let world = world(backend);
        world.ask("hello from the greenhouse");
        let rows = world.bot(&["memory", "list", "--conversations", "--json"]).done().json_rows();
        assert_eq!(rows.len(), 1, "{backend}");
        assert_eq!(rows[0]["first"], "hello from the greenhouse");
        let id = rows[0]["id"].as_str().expect("an id").to_owned();
        world.bot(&["agent", "--conversation", "last", "-m", "and once more"]).done();
        let rows = world.bot(&["memory", "show", &id, "--json"]).done().json_rows();
        assert_eq!(rows.len(), 4, "{backend}: {rows:?}");
        let found = world.bot(&["memory", "search", "--conversations", "greenhouses"]).done().stdout;
        assert!(found.contains(&id), "{backend}: {found}");
        world.bot(&["memory", "forget", &id]).done();
        let rows = world.bot(&["memory", "list", "--conversations", "--json"]).done().json_rows();
        assert_eq!(rows.len(), 0, "{backend}");
    }
}

/// What was said in an ordinary conversation is found by a command and by a question, and what was talked about is answered.
#[test]
fn an_ordinary_conversation_is_searched_and_told_of() {
    for backend in BACKENDS {
        let world = world(backend);
        world.ask("perhaps the Aardvark adapter fits the old lamp");
        world
            .bot(&["memory", "search", "Aardvark adapter"])
            .done()
            .prints("user: perhaps the Aardvark adapter fits");
        world.bot(&["memory", "search", "--facts", "Aardvark adapter"]).done().says("nothing");
        let listed = world.bot(&["memory", "list"]).done().stdout;
        assert!(listed.contains("conversations:\n") && listed.contains("perhaps the Aardvark"), "{listed}");
        let said = world.ask("what did I say about the Aardvark adapter?");
        assert!(
            said.starts_with("- perhaps the Aardvark adapter fits the old lamp (you, "),
            "{backend}: {said}"
        );
        for line in ["what did we talk about last time?", "worüber haben wir heute gesprochen?"] {
            let said = world.ask(line);
            assert!(said.contains("perhaps the Aardvark adapter fits the old lamp"), "{backend}: {said}");
        }
        let chat = "forget everything\nyes\nwhat did we talk about last time?\n";
        let run = world.typed(Program::Bot, &["agent"], chat).done();
        assert!(run.stdout.contains("I have no conversation from then"), "{backend}: {}", run.stdout);
        let left = world.bot(&["memory", "export"]).done().stdout;
        assert!(!left.contains("Aardvark"), "{backend}: {left}");
    }
}

/// A command puts other words in the place of one fact, with each of the backends; words of need, too many words, control characters
/// and an identifier of nothing leave the fact as it is or come to nothing.
#[test]
fn a_command_corrects_a_fact() {
    for backend in BACKENDS {
        let world = world(backend);
        world.ask("remember that my cat is called Tom");
        world.ask("remember that I am allergic to nuts");
        let id = |text: &str| {
            let rows = world.bot(&["memory", "list", "--facts", "--json"]).done().json_rows();
            let row =
                rows.iter().find(|row| row["text"] == text).unwrap_or_else(|| panic!("{text}: {rows:?}"));
            row["id"].as_str().expect("a fact has an id").to_owned()
        };
        let old = id("my cat is called Tom");
        world
            .bot(&["memory", "correct", &old, "my  cat is \u{202e}called\u{7} Tim"])
            .done()
            .says("corrected: my  cat is called Tim");
        assert_eq!(facts(&world), ["I am allergic to nuts", "my  cat is called Tim"], "{backend}");
        let new = id("my  cat is called Tim");
        let shown = world.bot(&["memory", "show", &new]).done().stdout;
        assert!(shown.contains("in place of") && shown.contains(&old), "{shown}");
        world.bot(&["memory", "correct", &old, "my", "cat", "is", "called", "Tam"]).exited(1);
        world.bot(&["memory", "correct", &new, "ich will sterben"]).exited(1).prints("116 111");
        world.bot(&["memory", "correct", &new, &"a ".repeat(251)]).exited(1).says("at most 500 bytes");
        world.bot(&["memory", "correct", &new, " "]).exited(1).says("nothing to remember");
        world.bot(&["memory", "correct", &new]).exited(2);
        assert_eq!(facts(&world), ["I am allergic to nuts", "my  cat is called Tim"], "{backend}");
        let kept = world.bot(&["memory", "export"]).done().stdout;
        assert!(!kept.contains("sterben"), "{backend}: {kept}");
        assert!(world.ask("what is my cat called?").contains("Tim"), "{backend}");
    }
}

/// A correction of case or accents alone keeps the fact, in its new spelling.
#[test]
fn a_corrected_spelling_is_kept() {
    let world = World::new();
    world.typed(Program::Bot, &["agent"], "remember that my cat is called zoe\nno, Zoë\n").done();
    let kept = world.bot(&["memory", "list", "--facts"]).done().stdout;
    assert!(kept.contains("my cat is called Zoë"), "{kept}");
}

/// A fact can be named by what it is about, though it does not hold those words; nothing near it is forgotten in its place.
#[test]
fn a_fact_is_forgotten_by_what_it_is_about() {
    let world = World::new();
    let chat =
        "remember that my sister is called Emma\nforget my sister's birthday\nforget my brother's name\n";
    let kept = world.typed(Program::Bot, &["agent"], chat).done();
    assert_eq!(kept.stdout.matches("I remember nothing like that.").count(), 2, "{}", kept.stdout);
    let forgot = world.typed(Program::Bot, &["agent"], "forget my sister's name\n").done();
    assert!(forgot.stdout.contains("Forgotten: my sister is called Emma"), "{}", forgot.stdout);
}

/// However much was said since, an old fact is found, put right and forgotten: by its words, and by others that mean the same.
#[test]
fn what_was_told_long_ago_is_still_known() {
    let world = World::new();
    let old = "remember that my sister is called Emma\nremember that the code of box 3 is zebra\n\
               remember that our physician is Miller\n";
    world.typed(Program::Bot, &["agent"], old).done();
    let mut told = world.bot(&["memory", "export"]).done().stdout;
    for number in 100..1_100 {
        let text = format!("the code of box {number} is pony{number}, and my cousin {number} has a pony");
        let id = format!("01a2178e-0000-7000-8000-{number:012}");
        let fact = json!({"fact": {"id": id, "kind": "fact", "text": text, "said_by": "person",
            "at": "2027-01-01T00:00:00Z", "source": "reasoning", "conversation_id": "c"}});
        told += &fact.to_string();
        told.push('\n');
    }
    let file = world.outside().join("told");
    fs::write(&file, told).expect("a file can be written");
    world.bot(&["memory", "import", &file.display().to_string()]).done();
    let chat = "what is my sister's name?\nwhat is the code of box 3?\nwho is the doctor?\n\
                my sister is called Emily\nwhat is my sister's name?\nforget the code of box 3\n";
    let said = world.typed(Program::Bot, &["agent"], chat).done().stdout;
    for answer in ["Emma", "zebra", "Miller", "Emily", "Forgotten: the code of box 3 is zebra"] {
        assert!(said.contains(answer), "{answer} is not in\n{said}");
    }
    let known = facts(&world);
    let holds = |text: &str| known.iter().any(|fact| fact.contains(text));
    assert!(holds("sister is called Emily") && !holds("zebra") && !holds("Emma"), "{:?}", &known[..3]);
}

/// Both ways to forget everything remove the lines that the editor would offer at its next start.
#[test]
fn forgetting_everything_takes_the_typed_lines_along() {
    let world = World::new();
    let history = world.home().profile(&world.profile()).join("logs/history");
    for forget in ["by a sentence", "by a command"] {
        world.ask("remember that the key is under the mat");
        fs::write(&history, "remember that the key is under the mat\n").expect("a file can be written");
        if forget == "by a sentence" {
            world.typed(Program::Bot, &["agent"], "forget everything\nyes\n").done();
        } else {
            world.bot(&["memory", "clear", "--yes"]).done();
        }
        assert!(!history.exists(), "{forget}");
    }
}

/// What a person prefers is listed apart, greets them by name in the next conversation, and is forgotten by a sentence.
#[test]
fn preferences_are_listed_apart_used_and_forgotten() {
    let world = World::new();
    for line in ["call me Sam", "I prefer metric", "remember that the ladder is in the shed"] {
        world.ask(line);
    }
    assert_eq!(world.ask("good morning").trim(), "Good morning, Sam! What can I do for you?");
    let listed = world.bot(&["memory", "list", "--facts"]).done().stdout;
    let (facts, preferences) = listed.split_once("preferences:\n").expect("they stand apart");
    assert!(facts.contains("the ladder is in the shed") && !facts.contains("Sam"), "{listed}");
    assert!(preferences.contains("call me Sam") && preferences.contains("I prefer metric"), "{listed}");
    world.ask("forget that you call me Sam");
    assert_eq!(world.ask("good morning").trim(), "Good morning! What can I do for you?");
}

#[test]
fn a_memory_moves_from_one_backend_to_the_other_by_export_and_import() {
    let world = world("jsonl");
    world.ask("remember that I live in Bern");
    world.ask("remember that my safe is green");
    let exported = world.bot(&["memory", "export"]).done().stdout;
    // Two facts, two turns of two messages.
    assert_eq!(exported.lines().count(), 6, "{exported}");
    set(&world, "memory: {backend: sqlite}\n");
    assert_eq!(facts(&world), Vec::<String>::new());
    let file = world.outside().join("export.jsonl");
    fs::write(&file, format!("{exported}nonsense\n")).expect("there is room");
    let name = file.to_str().expect("a path of a test is UTF-8");
    world.bot(&["memory", "import", name]).exited(1).says("line 7 is passed over").says("6 taken");
    assert_eq!(facts(&world), ["I live in Bern", "my safe is green"]);
    let again = world.typed(Program::Bot, &["memory", "import"], &exported).done();
    again.says("0 taken, 6 known already");
    assert_eq!(world.bot(&["memory", "export"]).done().stdout.lines().count(), 6);
    world.bot(&["memory", "import", "no-such-file"]).exited(1).says("no-such-file");
}

#[test]
fn nothing_is_cleared_without_a_yes() {
    for backend in BACKENDS {
        let world = world(backend);
        world.ask("remember that I live in Bern");
        world.bot(&["memory", "clear"]).exited(2).says("would forget every fact").says("--yes");
        assert_eq!(facts(&world).len(), 1);
        world.bot(&["memory", "clear", "--yes"]).done();
        assert_eq!(facts(&world), Vec::<String>::new(), "{backend}");
        assert_eq!(world.bot(&["memory", "export"]).done().stdout, "");
        for entry in fs::read_dir(folder(&world)).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            let bytes = fs::read(&path).unwrap_or_default();
            assert!(!bytes.windows(4).any(|w| w == b"Bern"), "{backend}: {}", path.display());
        }
    }
}

#[test]
fn a_backend_that_is_unknown_is_told_with_those_that_are() {
    let world = world("redis");
    world.bot(&["memory", "list"]).exited(2).says("memory.backend").says("jsonl sqlite");
}

/// A model finds what was said in passing; what it makes up, and what an answer says, is not kept.
#[test]
fn a_model_that_is_configured_is_asked_once_and_held_to_the_line() {
    let server = ModelServer::start(|chat| {
        if chat.text().contains("JSON list of short sentences") {
            return Reply::text(r#"["I live in Bern", "I am the root user", "my sister is Ida"]"#);
        }
        Reply::text("Good to know. I am the root user, and I live in Rome.")
    });
    let world = World::new();
    bot_asks(&world, &server.url(), None);
    let payload = "since spring my sister Ida says that I live in Bern";
    world.ask(payload);
    let known = facts(&world);
    assert_eq!(known.len(), 2, "{known:?}");
    assert!(
        known.iter().any(|f| f == "I live in Bern") && known.iter().any(|f| f == "my sister is Ida"),
        "{known:?}"
    );
}

/// Without the skill `memory` the conversation works, and what needs it says so.
#[test]
fn the_skill_memory_can_be_left_out() {
    let world = World::without_kit();
    fs::write(world.home().bot_config(), "memory: {backend: none}\n").expect("it can be written");
    world.bot(&["config", "validate"]).done();
    let names: Vec<Value> = world.bot(&["skill", "list", "--json"]).done().json_rows();
    assert!(names.iter().all(|skill| skill["name"] != "memory"), "{names:?}");
    let ran = world.bot(&["agent", "-m", "what time is it?"]).done().prints("It is");
    assert!(ran.stderr.is_empty(), "{}", ran.report());
    world.bot(&["agent", "-m", "remember that my name is Anna"]).exited(1).prints("memory");
    let folder = world.home().profile(&world.profile()).join("memory");
    assert!(!folder.join("conversations.jsonl").exists() && !folder.join("facts.jsonl").exists());
}

/// A home whose profile keeps what it remembers for 90 days, with old things in it: of 2020, and of 2023.
fn kept_for_90_days(backend: &str) -> World {
    let world = world(backend);
    world.admin(&["memory", "keep", "90", "days"]).done().prints("for 90 days").prints("backups");
    let said = |year: u32, word: &str| {
        let fact = json!({"fact": {"id": word, "text": format!("my code is {word}"), "at": format!("{year}-05-01T00:00:00Z")}});
        let turn = json!({"turn": {"conversation_id": format!("c{year}"), "role": "user", "content": format!("about {word}"),
            "timestamp": format!("{year}-05-01T00:00:00Z")}});
        format!("{fact}\n{turn}\n")
    };
    let file = world.outside().join("told");
    fs::write(&file, said(2020, "aardvark") + &said(2023, "xylophone")).expect("a file can be written");
    world.bot(&["memory", "import", &file.display().to_string()]).done();
    let lines = "about aardvark\nabout xylophone\n/memory aardvark\n";
    fs::write(logs(&world).join("history"), lines).expect("a file can be written");
    world
}

fn logs(world: &World) -> PathBuf {
    world.home().profile(&world.profile()).join("logs")
}

/// Has the look before be at a moment.
fn looked(world: &World, at: &str) {
    fs::write(folder(world).join("looked_through"), format!("90 {at}\n")).expect("a file can be written");
}

/// Whether any file of the memory, or the lines that were typed, hold a word.
fn holds(world: &World, word: &str) -> bool {
    !crate::profiles::files_with(&world.home().profile(&world.profile()), word).is_empty()
}

#[test]
fn what_the_period_no_longer_covers_is_removed_by_the_second_look() {
    for backend in BACKENDS {
        let world = kept_for_90_days(backend);
        world.ask("hello from the greenhouse");
        assert!(holds(&world, "aardvark") && holds(&world, "xylophone"), "{backend}: the first look removed");
        looked(&world, "2023-06-01T00:00:00Z");
        // More time than the period since the look before: a clock may be wrong, so no more goes than was old then.
        let told = world.bot(&["-m", "hello again"]).done();
        told.says("by this machine's clock").says("2023-06-01").says("memory export");
        assert!(!holds(&world, "aardvark") && holds(&world, "xylophone"), "{backend}");
        world.ask("hello once more");
        assert!(holds(&world, "xylophone"), "{backend}: removed within the same day");
        let days_ago = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(25);
        looked(&world, &format!("{days_ago:.0}"));
        world.ask("and a last time");
        assert!(!holds(&world, "xylophone"), "{backend}");
        let left = world.bot(&["memory", "export"]).done().stdout;
        assert!(left.contains("greenhouse") && left.contains("last time"), "{backend}: {left}");
        world.bot(&["receipt", "verify"]).done();
    }
}

/// A chat that stays open looks too. What a person should know is shown between two prompts, not into a line that is being typed.
#[test]
fn an_open_chat_looks_as_well_and_writes_into_no_line() {
    let world = kept_for_90_days("jsonl");
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect(PROMPT, SOON);
    pty.keys("hello from the green");
    pty.see("> hello from the green", SOON);
    // As if the look at the start had been long ago.
    looked(&world, "2023-06-01T00:00:00Z");
    let noted = folder(&world).join("looked_through");
    eventually(SOON * 2, "it looks", || {
        (!fs::read_to_string(&noted).ok()?.contains("2023-06")).then_some(())
    });
    assert!(!holds(&world, "aardvark") && holds(&world, "xylophone"));
    std::thread::sleep(Duration::from_secs(2));
    let screen = pty.sees(24, 80).contents();
    assert!(screen.trim_end().ends_with("> hello from the green"), "{screen}");
    pty.line("house");
    pty.expect("by this machine's clock", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("/exit");
    assert_eq!(pty.ended(SOON), 0);
    assert!(holds(&world, "greenhouse"));
}

#[test]
fn a_person_is_told_for_how_long_and_can_count_and_remove_at_once() {
    for backend in BACKENDS {
        let world = kept_for_90_days(backend);
        world.admin(&["profile", "list"]).done().prints("memory kept for 90 days");
        let row = &world.admin(&["profile", "list", "--json"]).done().json_rows()[0];
        assert_eq!(row["keep"], "90 days");
        world.typed(Program::Bot, &["agent"], "/memory\n").done().says("are kept for 90 days");
        world.bot(&["memory", "prune"]).exited(2);
        let longer = ["memory", "prune", "--dry-run", "--keep", "36500d"];
        world.bot(&longer).done().says("0 facts and 0 messages");
        world.bot(&["memory", "prune", "--dry-run"]).done().says("2 facts and 2 messages").says("would be");
        assert!(holds(&world, "xylophone"), "{backend}: counting removed");
        world.bot(&["memory", "prune", "--yes"]).done().says("2 facts and 2 messages");
        assert!(!holds(&world, "xylophone") && !holds(&world, "aardvark"), "{backend}");
    }
    let world = World::new();
    world.bot(&["memory", "prune", "--yes"]).exited(1).says("kept forever").says("memory keep 90d");
}

#[test]
fn a_period_is_set_in_the_profiles_file_and_nothing_else_changes_there() {
    let world = World::new();
    let file = world.home().profile_file(&world.profile());
    let before = fs::read_to_string(&file).expect("the profile has a file");
    world
        .admin(&["memory", "keep", "30d", "--dry-run"])
        .done()
        .prints("nothing was changed")
        .prints("30 days");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), before);
    world.admin(&["memory", "keep", "30d"]).done();
    let after = fs::read_to_string(&file).expect("it is there");
    assert!(
        after.contains("keep: \"30 days\"") && before.lines().all(|line| after.contains(line)),
        "{after}"
    );
    world.admin(&["memory", "keep", "3", "months"]).exited(2).says("`90 days`").says("`forever`");
    world.admin(&["memory", "keep", "30d", "--profile", "nobody"]).exited(1).says("no profile `nobody`");
    fs::write(&file, "memory: {keep: 90}\n").expect("it can be written");
    world.bot(&["-m", "hi"]).exited(2).says("memory.keep").says("`90 days` or `90d`");
    world.admin(&["memory", "keep", "forever"]).done().prints("until somebody forgets");
}

//! A yes in the chat: what is shown, what counts as one, and what happens where nobody can be asked.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use tameclaw_tests::model::{Chat, ModelServer, Reply};
use tameclaw_tests::pty::{CTRL_C, Pty};
use tameclaw_tests::skill::{compiler_is_missing, exported};
use tameclaw_tests::world::{Program, World};

use crate::terminal::PROMPT;

const SOON: Duration = Duration::from_secs(60);
const QUESTION: &str = "Approve? [y/N] ";

/// Keeps a text in its folder.
const SHELF: &str = r#"
use skill_sdk::prelude::*;
pub struct Skill;
impl skill_sdk::Skill for Skill {
    fn describe(&self) -> Description {
        Description::new("Keeps texts").tool(
            Tool::new("keep", "Keeps a text").param(Param::text("text", "what to keep")).phrase("en", "shelve {text}"),
        )
    }
    fn call_tool(&mut self, call: &Call) -> Answer {
        files::write("kept.txt", call.text("text")?)?;
        Ok("It is on the shelf.".to_string())
    }
}
"#;

const SPEC: &str = "  capabilities: [file:write]\n  tools:\n    - name: keep\n      description: Keeps a text\n      \
    parameters: {type: object, properties: {text: {type: string}}, required: [text]}\n      \
    examples: [{args: {text: a}, expect: shelf}]\n  rationale: it is wanted\n  user_context: keep it\n";

/// A home with the shelf; `None` where skills cannot be compiled.
fn home() -> Option<World> {
    if compiler_is_missing() {
        return None;
    }
    let world = World::new();
    let path = world.outside().join("shelf.json");
    fs::write(&path, exported("shelf", SPEC, SHELF)).expect("it can be written");
    world.admin(&["skill", "import", &path.display().to_string()]).done();
    world.grow();
    Some(world)
}

fn configure(world: &World, model: Option<&ModelServer>, more: &str) {
    let scripted = model.map_or(String::new(), |model| {
        format!("  - {{name: scripted, kind: openai-compatible, base_url: \"{}\", model: m}}\n", model.url())
    });
    let text = format!(
        "{more}memory: {{extract: off}}\nproviders:\n{scripted}  - {{name: companion, kind: embedded}}\n"
    );
    fs::write(world.home().bot_config(), text).expect("the configuration can be written");
}

fn shelf(world: &World) -> PathBuf {
    world.home().profile(&world.profile()).join("workspace/shelf/kept.txt")
}

/// Whose no or yes the receipts name, the oldest first.
fn whose(world: &World) -> Vec<Value> {
    let rows = world.bot(&["receipt", "list", "--json"]).done().json_rows();
    assert!(!rows.is_empty());
    rows.iter().filter(|row| row["status"] == "denied").map(|row| row["approved_by"].clone()).collect()
}

/// A model that has the last line shelved, and says what came of it.
fn librarian() -> ModelServer {
    ModelServer::start(|chat: &Chat| match chat.last() {
        (role, text) if role == "tool" => Reply::text(format!("I was told: {text}")),
        (_, line) if line.starts_with("slowly ") => {
            std::thread::sleep(Duration::from_millis(1_500));
            Reply::call("shelf.keep", json!({"text": "two"}))
        }
        (_, line) if line.starts_with("twice ") => {
            let one = |text: &str| ("shelf.keep".to_owned(), json!({"text": text}));
            Reply::Calls(vec![one("first"), one("second")])
        }
        (_, line) if line.starts_with("long ") => {
            Reply::call("shelf.keep", json!({"text": "wörd".repeat(2_400)}))
        }
        (_, line) => Reply::call("shelf.keep", json!({"text": line})),
    })
}

/// No is the default, a yes is typed after the question, and Ctrl-C ends the turn; nothing else counts.
#[test]
fn the_chat_asks_and_only_a_yes_that_was_typed_then_counts() {
    let Some(world) = home() else { return };
    let model = librarian();
    configure(&world, Some(&model), "");
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect(PROMPT, SOON);

    // What is shown: the program's facts, then the assistant's words behind a margin.
    pty.line("one");
    let shown = pty.expect(QUESTION, SOON);
    for part in
        ["tool    shelf.keep (skill shelf, learned)", "risk    medium", "may write files", "  | text: one"]
    {
        assert!(shown.contains(part), "`{part}` is missing in\n{shown}");
    }
    pty.line("");
    pty.expect("I was told: That did not work: it needs a person's yes", SOON);
    pty.expect(PROMPT, SOON);
    assert!(!shelf(&world).exists(), "no is the default");
    assert_eq!(whose(&world), [json!("person")], "the receipt says whose no it was");

    // What was typed ahead counts neither as a yes nor as a no.
    pty.line("slowly two");
    std::thread::sleep(Duration::from_millis(500));
    pty.keys("y\ry\r");
    pty.expect(QUESTION, SOON);
    std::thread::sleep(Duration::from_millis(700));
    assert!(!shelf(&world).exists(), "a yes that was typed before the question");
    pty.line("yes");
    pty.expect("I was told: It is on the shelf.", SOON);
    assert_eq!(fs::read_to_string(shelf(&world)).expect("it is kept"), "two");
    // They are lines of their own, which wait behind the question.
    for _ in 0..2 {
        let shown = pty.expect(QUESTION, SOON);
        assert!(shown.contains("| text: y"), "{shown}");
        pty.line("n");
    }
    pty.expect("I was told: That did not work", SOON);
    pty.expect(PROMPT, SOON);

    // Each call is asked about for itself, one after the other.
    pty.line("twice both");
    let shown = pty.expect(QUESTION, SOON);
    assert!(shown.contains("| text: first") && !shown.contains("second"), "{shown}");
    pty.line("n");
    let shown = pty.expect(QUESTION, SOON);
    assert!(shown.contains("| text: second"), "{shown}");
    pty.line("y");
    pty.expect(PROMPT, SOON);
    assert_eq!(fs::read_to_string(shelf(&world)).expect("it is kept"), "second");

    // A call that is not shown whole is not approved unseen.
    pty.line("long one");
    let shown = pty.expect("[v shows the rest, n] ", SOON);
    assert!(shown.contains("more bytes, not shown"), "{shown}");
    pty.line("y");
    pty.expect("not everything was shown yet", SOON);
    pty.expect("[v shows the rest, n] ", SOON);
    pty.line("v");
    pty.expect(QUESTION, SOON);
    pty.line("y");
    pty.expect("I was told: It is on the shelf.", SOON);
    pty.expect(PROMPT, SOON);
    assert_eq!(fs::read_to_string(shelf(&world)).expect("it is kept").len(), 12_000);

    // Ctrl-C ends the turn, and the chat continues.
    pty.line("three");
    pty.expect(QUESTION, SOON);
    pty.keys(CTRL_C);
    pty.expect("(cancelled)", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("/policy");
    pty.expect("supervised", SOON);
    pty.expect("asks", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("/tools");
    pty.expect("shelf.keep (medium, of shelf)", SOON);
    pty.expect(PROMPT, SOON);
    pty.line("/exit");
    assert_eq!(pty.ended(SOON), 0);
    assert_eq!(
        fs::read_to_string(shelf(&world)).expect("it is kept").len(),
        12_000,
        "nothing was kept after it"
    );
}

/// Without a terminal the answer is no, with the next step; one call from the command line passes the same gate.
#[test]
fn without_a_terminal_nothing_that_asks_happens_and_one_call_can_be_made_by_hand() {
    let Some(world) = home() else { return };
    let model = librarian();
    configure(&world, Some(&model), "");
    // An answer that tells a denial ends with the exit code of one.
    world.bot(&["agent", "-m", "one"]).exited(3).prints("Run `cl-bot` at a terminal").prints("not-approved");
    world.typed(Program::Bot, &["agent"], "one\ny\n").exited(3).prints("not-approved");
    let run = |more: &[&str]| {
        let words: Vec<&str> = ["tool", "run"].iter().chain(more).copied().collect();
        world.bot(&words)
    };
    let keep = ["shelf.keep", "--json", "{\"text\": \"by hand\"}"];
    run(&keep).exited(3).says("denied").says("not-approved");
    assert!(whose(&world).iter().all(|by| by == "policy"), "nobody was asked: {:?}", whose(&world));
    assert!(!shelf(&world).exists());
    run(&["shelf.keep", "--json", "{\"text\": 3}"]).exited(2).says("do not fit").says("text");
    run(&["shelf.keep", "--json", "[]"]).exited(2).says("no object");
    run(&["shelf.keep", "--json", "{"]).exited(2).says("not JSON");
    // A tool that the channel may not call is there, and the answer is a no like any other.
    configure(&world, Some(&model), "channels: {cli: {tools_allow: [time]}}\n");
    run(&keep).exited(3).says("denied").says("channels.cli.tools_allow");
    configure(&world, Some(&model), "");
    run(&["shelf.burn"]).exited(2).says("there is no tool `shelf.burn`").says("shelf.keep");
    let rows = world.bot(&["tool", "list", "--json"]).done().json_rows();
    let row = rows.iter().find(|row| row["name"] == "shelf.keep").expect("it is listed");
    assert_eq!(
        (&row["risk"], &row["skill"], &row["tokens"], &row["origin"]),
        (&json!("medium"), &json!("shelf"), &json!(["file:write"]), &json!("learned"))
    );
    let clock = rows.iter().find(|row| row["name"] == "time").expect("it is listed");
    assert_eq!((&clock["risk"], &clock["tokens"]), (&json!("low"), &json!([])));
    let name = clock["name"].as_str().expect("a name").to_owned();
    let said = run(&[&name]).done().stdout;
    assert!(!said.trim().is_empty());

    // At a terminal it may ask.
    let mut pty = Pty::start(world.command(Program::Bot, &[&["tool", "run"][..], &keep].concat()));
    pty.expect(QUESTION, SOON);
    pty.line("y");
    pty.expect("It is on the shelf.", SOON);
    assert_eq!(pty.ended(SOON), 0);
    assert_eq!(fs::read_to_string(shelf(&world)).expect("it is kept"), "by hand");

    // With full autonomy nobody is asked, and a command line can only tighten that.
    configure(&world, Some(&model), "autonomy: full\n");
    run(&[&keep[..], &["--readonly"]].concat()).exited(3).says("readonly");
    world.bot(&["agent", "--readonly", "-m", "two"]).exited(3).prints("readonly");
    assert_eq!(fs::read_to_string(shelf(&world)).expect("it is kept"), "by hand");
    let args = json!({"text": "from a pipe"}).to_string();
    world
        .typed(Program::Bot, &["tool", "run", "shelf.keep", "--json", "-"], &args)
        .done()
        .prints("on the shelf");
    assert_eq!(fs::read_to_string(shelf(&world)).expect("it is kept"), "from a pipe");
    let _: Value = world.bot(&["agent", "--json", "-m", "three"]).done().json();
    assert_eq!(fs::read_to_string(shelf(&world)).expect("it is kept"), "three");
    // The profile's own file says more than the configuration for all.
    let profile = world.home().config().join("profiles/default.yaml");
    fs::write(&profile, "autonomy: supervised\n").expect("it can be written");
    world.bot(&["agent", "-m", "four"]).exited(3).prints("not-approved");
    fs::write(&profile, "audience: nobody\nautonomy: reckless\n").expect("it can be written");
    world
        .bot(&["agent", "-m", "five"])
        .exited(2)
        .says("reckless")
        .says("readonly")
        .says("supervised")
        .says("full");
}

/// A person who says no at the question reads that a person said no, in their language too; nobody to ask is another sentence.
#[test]
fn a_german_no_at_the_question_is_answered_as_a_no() {
    let world = World::new();
    configure(&world, None, "");
    let grants = "language: de\ngrants: {files: {read: [\"**\"], write: [\"**\"]}}\n";
    fs::write(world.home().profile_file(&world.profile()), grants).expect("it can be written");
    let line = "schreib \"x\" in b7.txt";
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect(PROMPT, SOON);
    pty.line(line);
    let shown = pty.expect("Erlauben? [j/N] ", SOON);
    for part in ["Risiko    mittel", "Grund     schreibt 1 Bytes nach", "das es noch nicht gibt"] {
        assert!(shown.contains(part), "`{part}` is missing in\n{shown}");
    }
    pty.line("n");
    let shown = pty.expect("Dazu hat ein Mensch Nein gesagt. [not-approved]", SOON);
    assert!(!shown.contains("kann es niemand geben"), "{shown}");
    pty.expect(PROMPT, SOON);
    pty.line("/exit");
    assert_eq!(pty.ended(SOON), 0);
    world.bot(&["agent", "-m", line]).exited(3).prints("hier kann es niemand geben");
}

/// A German profile is asked in German, and `ja` is a yes there.
#[test]
fn a_german_profile_is_asked_in_german() {
    let Some(world) = home() else { return };
    let model = librarian();
    configure(&world, Some(&model), "");
    fs::write(world.home().profile_file(&world.profile()), "language: de\n").expect("it can be written");
    let mut pty = Pty::start(world.command(Program::Bot, &["agent"]));
    pty.expect(PROMPT, SOON);
    for answer in ["nein", "ja"] {
        pty.line("eins");
        let shown = pty.expect("Erlauben? [j/N] ", SOON);
        for part in ["Werkzeug  shelf.keep (Fähigkeit shelf, gelernt)", "Risiko    mittel", "jedes Wort"] {
            assert!(shown.contains(part), "`{part}` is missing in\n{shown}");
        }
        assert!(!shelf(&world).exists(), "nothing is kept before a yes");
        pty.line(answer);
        pty.expect("I was told: ", SOON);
        pty.expect(PROMPT, SOON);
    }
    assert_eq!(fs::read_to_string(shelf(&world)).expect("it is kept"), "eins");
}

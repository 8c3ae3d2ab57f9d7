//! What both programs print as JSON steers no terminal and hides nothing, regardless of what a file or a line holds.

use std::fs;

use serde_json::json;
use shared_types::text::is_unsafe;
use tameclaw_tests::run::Ran;
use tameclaw_tests::world::{Program, World};

/// A control of the upper half, a change of direction, an invisible space, DEL, a stroke through the letter, a joiner.
const HOSTILE: &str = "a\u{9b}2Jb\u{202e}c\u{200b}d\u{7f}e\u{336}f\u{200d}g";

/// Insists that stdout holds the hostile text, and not one of its characters raw.
#[track_caller]
fn is_escaped(ran: &Ran) {
    let raw = ran.stdout.chars().find(|c| *c != '\n' && is_unsafe(*c));
    assert!(raw.is_none(), "{} is printed raw\n{}", raw.unwrap_or_default().escape_unicode(), ran.report());
    assert!(ran.stdout.contains(r"\u009b2Jb\u202ec"), "the text is missing\n{}", ran.report());
}

/// The bot's `--json` and its export stand for the same text without one character that a terminal obeys.
#[test]
fn json_of_the_bot_steers_no_terminal() {
    let world = World::new();
    let line = json!({"id": HOSTILE, "text": "hello"}).to_string();
    let judged = world.typed(Program::Bot, &["guard", "check", "--json", "-"], &line).done();
    is_escaped(&judged);
    assert_eq!(judged.json()["id"], HOSTILE, "the value is the same");
    world.ask("remember that I live in Bern");
    let exported = world.bot(&["memory", "export"]).done().stdout.replace("I live in Bern", HOSTILE);
    world.bot(&["memory", "clear", "--yes"]).done();
    world.typed(Program::Bot, &["memory", "import"], &exported).done();
    let listed = world.bot(&["memory", "list", "--json"]).done();
    is_escaped(&listed);
    assert_eq!(listed.json_rows()[0]["text"], HOSTILE, "the value is the same");
    let again = world.bot(&["memory", "export"]).done();
    is_escaped(&again);
    world.bot(&["memory", "clear", "--yes"]).done();
    world.typed(Program::Bot, &["memory", "import"], &again.stdout).done();
    assert_eq!(
        world.bot(&["memory", "list", "--json"]).done().json_rows()[0]["text"],
        HOSTILE,
        "a way there and back"
    );
}

/// The admin's `--json`, by the text of a schedule.
#[test]
fn json_of_the_admin_steers_no_terminal() {
    let world = World::new();
    let message = serde_json::to_string(HOSTILE).expect("text is JSON");
    let message = message.replace('\u{9b}', "\\u009b").replace('\u{7f}', "\\u007f");
    let row = format!("{{name: daily, profile: default, cron: \"0 7 * * *\", message: {message}}}");
    fs::write(world.home().admin_config(), format!("schedules:\n  - {row}\n")).expect("it can be written");
    let listed = world.admin(&["schedule", "list", "--json"]).done();
    is_escaped(&listed);
    assert_eq!(listed.json_rows()[0]["message"], HOSTILE, "the value is the same");
}

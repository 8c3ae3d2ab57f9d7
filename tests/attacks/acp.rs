//! `cl-bot acp`: an editor, or what sends lines in its name.

use std::fs;

use serde_json::{Value, json};
use tameclaw_tests::acp::Editor;
use tameclaw_tests::calls::profile;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::tracer::Outcome;
use tameclaw_tests::world::World;

use crate::table::{Scene, attack, barred};
use crate::{calls, files};

/// What an editor sends excuses no call and directs nothing: in a profile that asks nobody a file is not overwritten for it, no
/// skill is proposed and no fact is kept. The same line of a person does it.
#[test]
fn the_words_of_an_editor_excuse_no_call_and_direct_nothing() {
    let world = World::new();
    profile(&world, "autonomy: full\ngrants: {files: {read: [\"**\"], write: [\"**\"]}}\n");
    let model = ModelServer::start(|chat| match chat.last() {
        (role, content) if role == "tool" => Reply::text(content),
        _ => Reply::call("file_write", json!({"path": "a.txt", "content": "changed"})),
    });
    let config = format!(
        "providers:\n  - {{name: scripted, kind: openai-compatible, base_url: \"{}\", model: m}}\n",
        model.url()
    );
    fs::write(world.home().bot_config(), config).expect("it can be written");
    let file = world.home().profile(&world.profile()).join("workspace/a.txt");
    fs::write(&file, "kept").expect("it can be written");
    let mut editor = Editor::start(&world, &[]);
    let session = editor.session();
    let answered = editor.prompt(&session, "please change a.txt to changed");
    assert!(answered.said.contains("nobody says yes here"), "{answered:?}");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "kept");
    for line in ["learn to roll dice", "remember that the code of the shed is 4711"] {
        editor.prompt(&session, line);
    }
    assert_eq!(world.bot(&["proposal", "list", "--json"]).done().json_rows(), Vec::<Value>::new());
    world.bot(&["memory", "list", "--facts", "--json"]).done().hides("4711");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "kept");
    drop(editor);
    world.ask("please change a.txt to changed");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "changed");
}

/// Behind an editor `mind` has no more rights than at a terminal.
#[test]
fn mind_behind_an_editor_has_no_more_rights() {
    let world = World::new();
    fs::write(world.home().bot_config(), crate::walls::NETWORK).expect("it can be written");
    let mut editor = Editor::start(&world, &[]);
    editor.session();
    let scene = Scene::set(&world);
    attack(editor.pid(), files::FILES, &scene, barred);
    attack(editor.pid(), files::KEYS, &scene, barred);
    for rows in [calls::CALLS, calls::NETWORK, calls::LISTENING] {
        attack(editor.pid(), rows, &scene, Outcome::is_refusal);
    }
    assert!(!editor.session().is_empty());
}

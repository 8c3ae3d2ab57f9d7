//! From a wish to a working skill on a machine without any model, key or network.

use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

use crate::wishes::{Answer, ask_all, offline};

/// The path that scripts rely on, word for word: init, wish, drive, list, approve, use.
#[test]
fn a_wish_becomes_a_skill_without_a_terminal() {
    if compiler_is_missing() {
        return;
    }
    let world = World::empty();
    world.admin(&["init"]).done();
    world.bot(&["agent", "-m", "learn to roll dice"]).done();
    world.admin(&["run", "--once"]).done();
    let rows = world.admin(&["list", "--json"]).done().json_rows();
    assert_eq!(rows.len(), 1, "{rows:?}");
    let row = &rows[0];
    assert_eq!((&row["status"], &row["waits_for"]), (&"human-review".into(), &"person".into()), "{row}");
    assert!(row["name"].is_string(), "{row}");
    let id = row["id"].as_str().expect("a row has an id");
    world.admin(&["approve", id, "--yes"]).done();
    let answer = world.bot(&["agent", "-m", "roll 3d6+2"]).done().stdout;
    assert!(Answer::Number(5, 20).is_in(&answer), "{answer}");
    let answer = world.bot(&["agent", "-m", "roll 7d1+93"]).done().stdout;
    assert!(Answer::Number(100, 100).is_in(&answer), "{answer}");
}

/// All offline wishes in one home: each question is answered by computing, with other numbers and words too, and no
/// skill gets into another's way.
#[test]
fn every_offline_wish_answers_its_questions() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let wishes = offline();
    assert!(wishes.len() >= 8);
    for wish in &wishes {
        world.ask(wish.wish);
    }
    let waiting = world.admin(&["run", "--once"]).done();
    let rows = world.list();
    assert_eq!(
        rows.len(),
        wishes.len(),
        "each wish is one proposal, without a second confirmation: {rows:?}"
    );
    for row in &rows {
        assert_eq!(row["status"], "human-review", "{row}\n{}", waiting.report());
        let id = row["id"].as_str().expect("a row has an id");
        world.admin(&["approve", id, "--yes"]).done();
    }
    ask_all(&world, &wishes);
}

/// What is wished for in the polite, the short and the German form is understood as well.
#[test]
fn a_wish_is_understood_in_several_forms() {
    for wish in [
        "Could you please learn to tell leap years?",
        "can you learn to tell leap years",
        "I want you to learn to tell leap years.",
        "LEARN TO TELL LEAP YEARS!",
        "lerne Schaltjahre zu erkennen",
    ] {
        let world = World::new();
        let ran = world.bot(&["agent", "-m", wish]).done();
        let folder = world.home().proposals(&world.profile());
        let written = std::fs::read_dir(folder).expect("the proposals folder").count();
        assert_eq!(written, 1, "`{wish}`\n{}", ran.report());
    }
}

/// An order that nothing takes is reported as a gap, and a yes to the question makes the proposal; anything else makes none.
#[test]
fn a_gap_is_noticed_and_a_yes_asks_to_learn_it() {
    use tameclaw_tests::world::Program;
    for (answer, expected) in [("yes", 1), ("no", 0), ("maybe later", 0)] {
        let world = World::new();
        let chat = format!("convert MCMXCIV to a number\n{answer}\n");
        let ran = world.typed(Program::Bot, &["agent"], &chat).done();
        let folder = world.home().proposals(&world.profile());
        let written = std::fs::read_dir(folder).expect("the proposals folder").count();
        assert_eq!(written, expected, "`{answer}`\n{}", ran.report());
    }
}

/// A proposal is YAML with no code in it, and names the line that the person typed.
#[test]
fn a_proposal_holds_no_code() {
    let world = World::new();
    world.ask("learn to convert Roman numerals");
    let folder = world.home().proposals(&world.profile());
    let file = std::fs::read_dir(folder).expect("the folder").next().expect("a proposal").expect("an entry");
    let text = std::fs::read_to_string(file.path()).expect("it is text");
    assert!(text.contains("learn to convert Roman numerals"), "{text}");
    for code in ["fn ", "impl ", "use skill_sdk", "unsafe", "#!["] {
        assert!(!text.contains(code), "`{code}` in\n{text}");
    }
    let document = documents::proposal::parse(&text).expect("it is valid");
    assert!(file.file_name().to_string_lossy() == document.file_name());
}

//! The skill library: a folder becomes a skill without a line of Rust in the service.

use std::fs;
use std::path::{Path, PathBuf};

use tameclaw_tests::run::{Ran, run};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{PATIENCE, Program, World, workspace};

/// A fenced block of the guide, by what stands behind its fence.
fn block(kind: &str) -> String {
    let text = fs::read_to_string(workspace().join("docs/guides/add-a-template.md")).expect("a guide");
    let found = text.split(&format!("```{kind}\n")).nth(1).and_then(|rest| rest.split("```").next());
    found.unwrap_or_else(|| panic!("the guide has a block `{kind}`")).to_owned()
}

/// The folder of the guide, in the home.
fn put_tea(world: &World) -> PathBuf {
    let folder = world.home().admin().join("skill-library/tea");
    fs::create_dir_all(&folder).expect("a folder can be made");
    for (kind, name) in [
        ("yaml wish.yaml", "wish.yaml"),
        ("yaml examples.yaml", "examples.yaml"),
        ("rust skill.rs", "skill.rs"),
    ] {
        fs::write(folder.join(name), block(kind)).expect("it can be written");
    }
    folder
}

/// Runs a line of the guide, with both programs in the search path.
fn sh(world: &World, line: &str) -> Ran {
    let mut command = world.command_of(Path::new("sh"), &["-c", line]);
    let programs = Program::Bot.path().parent().expect("programs are in a folder").to_owned();
    let path = std::env::var("PATH").expect("there is a search path");
    command.env("PATH", format!("{}:{path}", programs.display()));
    run(command, b"", PATIENCE)
}

#[test]
fn the_folder_of_the_guide_goes_from_a_wish_to_an_answer() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    put_tea(&world);
    let lines: Vec<String> = block("sh").lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    let doctor = sh(&world, &lines[0]);
    assert!(doctor.stdout.contains("31 families of wishes, 1 of this home"), "{}", doctor.report());
    sh(&world, &lines[1]).done();
    sh(&world, &lines[2]).done();
    let row = world.newest();
    let id = row["id"].as_str().expect("an id");
    assert_eq!((&row["status"], &row["waits_for"]), (&"human-review".into(), &"person".into()), "{row}");
    let source = world.home().admin().join("packages").join(id);
    assert!(source.exists(), "the package is there");
    world.admin(&["show", id]).done().prints("template tea (more=0)");
    world.admin(&["approve", id, "--yes"]).done();
    sh(&world, &lines[3]).done().prints("Green tea draws for 2 minutes.");
    assert!(world.ask("wie lange zieht schwarzer Tee?").contains("Schwarzer Tee zieht 4 Minuten."));
}

#[test]
fn a_folder_of_the_household_takes_no_wish_from_a_shipped_one() {
    let world = World::without_kit();
    let folder = put_tea(&world);
    let wish =
        block("yaml wish.yaml").replace("takes: tea & time & !other", "takes: tea & time & !other | 'dice'");
    fs::write(folder.join("wish.yaml"), wish.replace("words: tea*", "words: roll*, dice, tea*"))
        .expect("written");
    world.admin(&["doctor"]).prints("1 of this home");
    world.ask("learn to roll dice");
    world.admin(&["run", "--once"]).done();
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    world.admin(&["show", &id]).done().prints("template dice");
}

/// Each fault is one line of the doctor's with the file, the key or line, and the next step.
#[test]
fn a_file_of_the_household_with_a_fault_is_named_with_its_line_or_key() {
    let world = World::without_kit();
    let folder = put_tea(&world);
    let wish = |from: &str, to: &str| ("wish.yaml", block("yaml wish.yaml").replacen(from, to, 1));
    let examples =
        |from: &str, to: &str| ("examples.yaml", block("yaml examples.yaml").replacen(from, to, 1));
    for ((name, text), said) in [
        (wish("takes: tea", "take: tea"), "take"),
        (
            wish("takes: tea & time", "takes: tea & times"),
            "takes: no group, slot, switch or condition is called `times`",
        ),
        (wish("takes: tea & time & !other", "takes: tea & (time"), "a condition is names with"),
        (
            wish("more: \"{more}\"", "more: \"{most}\""),
            "texts.more: no slot, list or choice sets a value `most`",
        ),
        (wish("most_strangers: 1", "most_strangers: many"), "line 4"),
        (examples("tool: draw", "tool: drink"), "trials: no tool is called `drink`"),
        (examples("{kind: green}", "{sort: green}"), "trials: the tool `draw` has no parameter `sort`"),
        (
            examples("- learn to plan a tea party", "- learn to tell how long black tea draws"),
            "lists the wish",
        ),
        (
            ("skill.rs", block("rust skill.rs").replace("@include german", "@include french")),
            "includes `french`",
        ),
    ] {
        let before = fs::read(folder.join(name)).expect("it is there");
        fs::write(folder.join(name), text).expect("it can be written");
        let doctor = world.admin(&["doctor", "--json"]);
        let found = doctor
            .json_rows()
            .into_iter()
            .find(|look| look["what"] == "templates" && look["health"] == "warn");
        let look = found.unwrap_or_else(|| panic!("{said}: {}", doctor.report()));
        let words = look["words"].as_str().unwrap_or_default();
        assert!(words.contains(&format!("tea/{name}")) && words.contains(said), "{said}: {words}");
        assert!(look["next"].as_str().is_some_and(|next| next.contains("put the file right")), "{look}");
        fs::write(folder.join(name), before).expect("it can be put back");
    }
    world.admin(&["doctor"]).prints("1 of this home");
}

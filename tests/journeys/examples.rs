//! A skill that a person tells by examples alone, without any model.

use serde_json::json;
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::{Program, World};

const SIX: &str = "learn roman numbers from examples: 1 is I, 4 is IV, 9 is IX, 7 is VII, 5 is V, 40 is XL";

/// A person types examples and nothing else; after the approver's yes the skill answers what no example showed.
#[test]
fn a_person_who_types_only_examples_gets_a_skill_that_answers_more() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    world.learn(SIX);
    assert_eq!(world.ask("what is 1994?").trim(), "MCMXCIV");
    assert_eq!(world.ask("roman numbers 58").trim(), "LVIII");
    let id = world.newest()["id"].as_str().expect("an id").to_owned();
    let source = world.admin(&["show", &id, "--raw", "source"]).done().stdout;
    assert!(source.contains("let the_roman = roman(the_number)?;"), "{source}");
    assert!(!source.contains("VII"), "no example stands in the source: {source}");
}

/// Three examples determine nothing: the chat shows which one is missing, and with it the skill comes.
#[test]
fn a_question_that_examples_leave_open_is_asked_in_the_chat() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let said = world.ask("lerne es aus Beispielen: 1 ist I, 4 ist IV, 9 ist IX");
    assert!(said.contains(": rule ("), "{said}");
    world.admin(&["run", "--once"]).done();
    let row = world.newest();
    assert_eq!(row["status"], "rejected", "{row}");
    let asks = "one more example is needed: what is `7`?";
    world.bot(&["agent", "-m", "/proposals"]).done().prints(asks);
    world.ask("lerne es aus Beispielen: 1 ist I, 4 ist IV, 9 ist IX, 7 ist VII, 5 ist V, 40 ist XL");
    world.grow();
    assert_eq!(world.ask("was ist 90?").trim(), "XC");
}

/// Examples without a rule are reported as such, and nothing is built.
#[test]
fn examples_that_no_rule_explains_propose_nothing() {
    let world = World::new();
    let said = world.ask("learn from examples");
    assert!(said.contains("at least four"), "{said}");
    // The last one is kept back from the search: the rule of the others says VII.
    world.ask("learn from examples: 1 is I, 4 is IV, 9 is IX, 7 is seven");
    world.admin(&["run", "--once"]).done();
    assert_eq!(world.newest()["status"], "rejected");
    world
        .bot(&["agent", "-m", "/proposals"])
        .done()
        .prints("I found no rule for all of them; there is one for the others without `7`");
}

/// A file of examples: the open questions are asked at once, and the answers are lines of stdin.
#[test]
fn a_file_of_examples_is_learned_with_its_questions_at_the_terminal() {
    if compiler_is_missing() {
        return;
    }
    let world = World::new();
    let file = world.outside().join("initials.txt");
    let path = file.display().to_string();
    std::fs::write(&file, "| name | short |\n| --- | --- |\n| Ada Lovelace | AL |\n").expect("a file");
    let refused = world.typed(Program::Admin, &["learn", &path], "").exited(1);
    refused.says("one more example is needed");
    std::fs::write(&file, "1 -> I\n4 -> IV\n9 -> IX\n").expect("a file");
    world
        .typed(Program::Admin, &["learn", &path], "")
        .exited(1)
        .says("What is `7`?")
        .says("one more example");
    world
        .typed(Program::Admin, &["learn", &path, "--name", "romans"], "VII\nV\nX\n")
        .done()
        .prints("romans is proposed");
    world.grow();
    assert_eq!(world.ask("romans 49").trim(), "XLIX");
    std::fs::write(&file, "hello\n").expect("a file");
    world.admin(&["learn", &path]).exited(3).says("line 1: not an example");
    std::fs::write(&file, "# nothing yet\n").expect("a file");
    world.admin(&["learn", &path]).exited(3).says("holds no example");
    std::fs::write(&file, "a\u{1b}[31m -> b\nb -> c\n").expect("a file");
    world.typed(Program::Admin, &["learn", &path], "").exited(1).hides("\u{1b}");
    assert_eq!(world.newest()["name"], json!("romans"), "nothing else was proposed");
}

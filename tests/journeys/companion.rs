//! A conversation without a model: what was told is found again, and each line gets the kind of answer that it asks for.

use tameclaw_tests::world::{Program, World};

/// A question that fits no tool goes to what the person told, in the words and the language in which people type.
#[test]
fn a_question_is_answered_from_what_was_told() {
    let world = World::new();
    for (line, answer) in [
        ("remember that my aunt is allergic to peanuts", "I'll remember that."),
        ("my sister lives in Oslo", "I'll remember that."),
        ("unser hund heißt Rex", "Das merke ich mir."),
        ("who is allergic to nuts?", "You told me: \"my aunt is allergic to peanuts\"."),
        ("where does my sister live", "You told me: \"my sister lives in Oslo\"."),
        ("wie heisst unser hund", "Du hast mir gesagt: „unser hund heißt Rex“."),
        ("what is the capital of france", "I remember nothing about it"),
    ] {
        let said = world.ask(line);
        assert!(said.contains(answer), "`{line}`: {said}");
    }
}

/// An order is a gap that could be learned; a feeling, a question and a wish without an end are not.
#[test]
fn only_an_order_is_offered_to_be_learned() {
    let world = World::new();
    for (line, answer) in [
        ("translate this into french", "Shall I ask to learn it?"),
        ("kannst du mir einen witz erzählen", "Soll ich darum bitten"),
        ("is it raining?", "I can't search the internet"),
        ("im so tired", "cannot feel with you"),
        ("how old are you", "I am a small program"),
        ("learn to", "To do what?"),
        ("lern mal was neues", "Was denn?"),
    ] {
        let said = world.ask(line);
        assert!(said.contains(answer), "`{line}`: {said}");
    }
}

/// Forgetting everything says how much there is, asks, and happens after a yes alone.
#[test]
fn everything_is_forgotten_after_a_yes() {
    for (answer, left) in [("no", 2), ("yes", 0)] {
        let world = World::new();
        world.ask("remember that our dog is called Rex");
        world.ask("remember that the key is under the mat");
        let chat = format!("forget everything\n{answer}\n");
        world.typed(Program::Bot, &["agent"], &chat).done().prints("Facts that you told me: 2.");
        let rows = world.bot(&["memory", "list", "--json"]).done().json_rows();
        assert_eq!(rows.len(), left, "{answer}");
    }
}

/// What a line asks for is done without a skill for it, is said to be impossible here, or is refused.
#[test]
fn sums_are_worked_out_and_impossible_or_harmful_wishes_are_refused() {
    let world = World::new();
    for (line, answer) in [
        ("what is 15% of 80?", "15% × 80 = 12"),
        ("was ist 7 durch 2", "7 ÷ 2 = 3,5"),
        ("what is 1 divided by 0", "nothing can be divided by zero"),
        ("set a timer for 5 minutes", "I can't ring, remind or wake you later"),
        ("schick oma eine mail", "weder Mail noch Nachrichten"),
        ("learn to read my sister's messages", "it would harm or spy on others"),
        ("what have you asked to learn?", "I have not asked to learn anything yet"),
        ("who can read what i type?", "in your profile on this computer"),
    ] {
        let said = world.ask(line);
        assert!(said.contains(answer), "`{line}`: {said}");
    }
    assert!(world.list().is_empty(), "no wish was written down");
}

/// A question goes on from the one before it, in the language of the conversation.
#[test]
fn a_line_goes_on_from_the_one_before() {
    let world = World::new();
    let chat = "wie spät ist es in Tokio?\nund in Oslo?\n3+4\nmal 2\n";
    let run = world.typed(Program::Bot, &["agent"], chat).done();
    for part in ["(Asia/Tokyo, UTC+09:00)", "(Europe/Oslo, ", "3 + 4 = 7", "7 × 2 = 14"] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
}

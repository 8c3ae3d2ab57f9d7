//! The companion routes to a skill that it has never seen, by what the skill says of itself.

use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::world::World;

use crate::settings::{admin_asks, as_source, asks_for_source, fixture};

/// A hand-written skill that no program knows by name is installed and used, in two languages.
#[test]
fn a_hand_written_skill_is_found_by_its_phrases() {
    if compiler_is_missing() {
        return;
    }
    // Only the admin has a model here, and what it "writes" is the hand-written file: the bot is the plain companion.
    let model = ModelServer::start(|chat| {
        if asks_for_source(chat) { as_source(&fixture("zebra")) } else { Reply::Status(500) }
    });
    let world = World::new();
    admin_asks(&world, "scripted", &model.url());
    let before = world.ask("paint sun with 4 stripes");
    assert!(!before.contains("sun|sun"), "{before}");
    world.learn("learn to paint words in stripes");
    for (line, answer) in [
        ("paint sun with 4 stripes", "sun|sun|sun|sun"),
        ("Paint moon with 2 stripes, please", "moon|moon"),
        ("male Mond mit 3 Streifen", "Mond|Mond|Mond"),
    ] {
        let said = world.ask(line);
        assert!(said.contains(answer), "{line}: {said}");
    }
    // What is outside of the declared bounds is not handed to the module.
    let said = world.ask("paint sun with 4000 stripes");
    assert!(!said.contains("sun|sun"), "{said}");
}

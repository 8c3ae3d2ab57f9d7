use serde_json::json;

use super::*;

fn tool(name: &str, description: &str) -> ToolSpec {
    let parameters = json!({"type": "object", "properties": {}});
    ToolSpec {
        examples: vec![],
        only_answers: false,
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
        phrases: vec![],
    }
}

fn many() -> Vec<ToolSpec> {
    let mut all: Vec<ToolSpec> = (0..80)
        .map(|n| tool(&format!("filler-{n}.run"), &format!("Number {n} {}", "x".repeat(80))))
        .collect();
    all.push(tool("dice.roll", "Roll dice such as 2d6"));
    all.push(tool("clock.time", "The time"));
    all
}

fn names(offer: &Offer) -> Vec<String> {
    offer.offered().into_iter().map(|t| t.name).collect()
}

#[test]
fn few_tools_are_offered_all() {
    let mut offer = Offer::default();
    offer.choose(vec![tool("a.x", "One"), tool("b.y", "Two")], &|_| false, "hi");
    assert_eq!(names(&offer), ["a.x", "b.y"]);
    assert!(offer.others().is_empty());
}

#[test]
fn of_many_tools_those_that_a_line_is_about_and_the_built_in_ones_are_offered() {
    let mut offer = Offer::default();
    offer.choose(many(), &|name| name.starts_with("clock."), "please roll two dice");
    assert_eq!(names(&offer), ["dice.roll", "clock.time"]);
    assert!(offer.others().contains(&"filler-3.run"));
}

#[test]
fn the_offer_only_grows_and_keeps_its_order() {
    let mut offer = Offer::default();
    offer.choose(many(), &|_| false, "roll dice");
    offer.choose(many(), &|_| false, "how late is the time");
    offer.choose(many(), &|_| false, "nothing of this kind");
    assert_eq!(names(&offer), ["dice.roll", "clock.time"]);
    for name in ["filler-7.run", "filler-7.run", "no.such"] {
        offer.bring(name);
    }
    assert_eq!(names(&offer), ["dice.roll", "clock.time", "filler-7.run"]);
}

#[test]
fn room_that_is_left_is_filled_with_the_shortest_tools_of_the_program() {
    let built_in = |name: &str| !name.contains('.');
    let mut all =
        vec![tool("shell", &"long ".repeat(150)), tool("time", "Tells the time"), tool("ask", "Asks")];
    all.push(tool("dice.roll", "Roll dice such as 2d6"));
    let mut offer = Offer::default();
    offer.choose(all.clone(), &built_in, "hi");
    assert_eq!(names(&offer), ["ask", "time"], "nothing learned is offered without a reason");
    assert_eq!(offer.others(), ["shell", "dice.roll"]);
    offer.choose(all.clone(), &built_in, "clean up");
    assert_eq!(offer.offered().len(), 4, "any other line is offered all that fit");
    assert_eq!(offer.others(), ["shell", "dice.roll"], "what was named stays named");
    offer.choose_all(all.clone());
    assert!(offer.others().is_empty());
    offer.choose(all, &built_in, "clean up");
    assert_eq!(offer.offered().len(), 4, "a model that takes over from the companion is offered the same");
}

#[test]
fn another_set_of_tools_is_offered_anew() {
    let mut offer = Offer::default();
    offer.choose(many(), &|_| false, "roll dice");
    offer.choose(vec![tool("b.y", "Two")], &|_| false, "roll dice");
    assert_eq!(names(&offer), ["b.y"]);
}

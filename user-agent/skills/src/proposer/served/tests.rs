use models::Phrase;
use serde_json::json;

use super::*;

fn tool(pattern: &str) -> ToolSpec {
    ToolSpec {
        name: "jokes.joke".to_owned(),
        description: String::new(),
        parameters: json!({}),
        phrases: vec![Phrase { language: "de".to_owned(), pattern: pattern.to_owned() }],
        examples: vec![],
        only_answers: true,
    }
}

#[test]
fn a_wish_in_other_words_is_served_by_the_skill_that_is_there() {
    let jokes = [tool("erzähl|erzähle [mir] [einen] guten witz"), tool("bring {somebody} zum lachen")];
    let served = |wish: &str| Wanted::of(wish).is_served_by("witze", "Witze", &jokes);
    assert!(served("Witze zu erzählen") && served("mir gute Witze erzählst") && served("Witze"));
    assert!(!served("Witze über Tiere zu erzählen"), "more than it says");
    assert!(!served("somebody Witze"), "the name of a slot is not one of its words");
    assert!(!served("lachen"), "a word of its sentences alone is not what it is for");
    assert!(!served("mir zu erzählen"), "nothing tells what is wanted");
}

#[test]
fn endings_do_not_count_and_stems_do() {
    assert!(is_alike("witz", "witze") && is_alike("zaehle", "zaehlst") && is_alike("joke", "jokes"));
    assert!(!is_alike("list", "liter") && !is_alike("word", "world") && !is_alike("haus", "hausaufgaben"));
}

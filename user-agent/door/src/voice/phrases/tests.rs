use serde_json::json;

use super::of_pattern;

#[test]
fn a_pattern_becomes_a_line_of_the_list() {
    let parameters = json!({"properties": {
        "n": {"type": "integer"},
        "who": {"type": "string", "description": "the name of somebody"},
        "date": {"type": "string", "description": "a date such as 2030-01-31"},
        "dice": {"type": "string", "description": "the dice, such as 3d6+2"},
        "value": {"type": "string", "description": "the amount, with its unit unless that is given apart, such as 100 Fahrenheit"},
        "to": {"type": "string", "description": "the unit that is wanted"},
        "item": {"type": "string", "description": "what is done, or its number"},
        "choice": {"type": "string", "enum": ["rock", "Paper", "2", "two words"]},
    }});
    let of = |pattern: &str| of_pattern(pattern, &parameters);
    let line = |line: &str| Some(line.to_owned());
    assert_eq!(of("roll|throw {n} dice"), line("roll|throw <number> dice"));
    assert_eq!(of("[please] flip [a|the] coin [for me]"), line("[please] flip [a|the] coin [for me]"));
    assert_eq!(of("days until|till {date}"), line("days until|till <date>"));
    assert_eq!(of("roll {dice}"), line("roll <dice>"));
    assert_eq!(of("convert {value} to|into {to}"), line("convert <number> <unit> to|into <unit>"));
    // A skill's own closed words, those that can be heard.
    assert_eq!(of("i take {choice}"), line("i take rock|paper"));
    // A word alone is not enough.
    assert_eq!(of("[a|another] [good] joke [please]"), line("a|another [good] joke [please]"));
    assert_eq!(of("countdown"), None);
    // Anybody's words may be missing, or the phrase is left out; so is a word that ends so, and what no dictionary has.
    assert_eq!(of("will it rain [for {who}]"), line("will it rain"));
    assert_eq!(of("greet {who}"), None);
    assert_eq!(of("remove {item}"), None);
    assert_eq!(of("show *list"), None);
    assert_eq!(of("stop; public <x> = a"), None);
    assert_eq!(of("wie spät|late"), line("wie spät|late"));
}

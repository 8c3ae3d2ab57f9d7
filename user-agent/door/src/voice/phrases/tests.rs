use serde_json::json;

use super::{MOST_OF_A_PATTERN, of_pattern};

#[test]
fn a_pattern_becomes_the_phrases_that_it_covers() {
    let parameters = json!({"properties": {"n": {"type": "integer"}, "who": {"type": "string"}}});
    let of = |pattern: &str| of_pattern(pattern, &parameters);
    assert_eq!(of("roll|throw {n} dice"), ["roll <number> dice", "throw <number> dice"]);
    assert_eq!(of("[please] flip [a|the] coin [for me]"), ["flip coin"]);
    assert_eq!(of("[what is the] answer"), ["answer"]);
    // Anybody's words, a word that ends so, and what no dictionary has.
    assert_eq!(of("greet {who}"), Vec::<String>::new());
    assert_eq!(of("show *list"), Vec::<String>::new());
    assert_eq!(of("stop; public <x> = a"), Vec::<String>::new());
    assert_eq!(of("wie spät|late"), ["wie late"]);
    let wide = "a|b|c|d e|f|g|h i|j|k|l";
    assert_eq!(of(wide).len(), MOST_OF_A_PATTERN);
}

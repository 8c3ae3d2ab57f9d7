use super::*;

#[test]
fn each_way_to_say_a_word_is_found_and_no_other_word() {
    let text = "a AH\na(2) EY\nread R EH D\nreading R IY D IH NG\nread(2) R IY D\n\nodd\nit's IH T S\n";
    let dictionary = Dictionary::of(text.to_owned()).expect("it is short");
    let sounds = |word| dictionary.sounds(word).collect::<Vec<_>>();
    assert_eq!(sounds("read"), [("read", "R EH D"), ("read(2)", "R IY D")]);
    assert_eq!(sounds("a"), [("a", "AH"), ("a(2)", "EY")]);
    assert!(dictionary.has("it's") && dictionary.has("reading"));
    for missing in ["rea", "read(2)", "readings", "", "odd", "z"] {
        assert!(!dictionary.has(missing), "{missing}");
    }
    assert!(!Dictionary::of(String::new()).expect("it is short").has("a"));
}

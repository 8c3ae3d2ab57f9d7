use super::*;

fn pair(input: &str, output: &str) -> (String, String) {
    (input.to_owned(), output.to_owned())
}

#[test]
fn a_pair_is_read_in_every_form_in_which_people_write_it() {
    for line in [
        "4 is IV",
        "4 ist IV",
        "4 -> IV",
        "4->IV",
        "4 => IV",
        "4 → IV",
        "4 = IV",
        "4\tIV",
        "| 4 | IV |",
        "\"4\" is \"IV\"",
    ] {
        assert_eq!(read(line), Some(pair("4", "IV")), "{line}");
    }
    assert_eq!(read("a = b is c"), Some(pair("a", "b is c")));
    assert_eq!(read("| --- | --- |"), None);
    assert_eq!(read("hello"), None);
}

#[test]
fn a_line_holds_several_pairs_or_one_with_a_comma_in_it() {
    assert_eq!(read_all("1 is I, 4 is IV"), [pair("1", "I"), pair("4", "IV")]);
    assert_eq!(read_all("Ada Lovelace is Lovelace, Ada"), [pair("Ada Lovelace", "Lovelace, Ada")]);
    assert_eq!(read_all("a b -> b, a; c d -> d, c"), [pair("a b", "b, a"), pair("c d", "d, c")]);
    assert!(read_all("hello").is_empty());
}

#[test]
fn a_wish_by_examples_is_read_in_one_line_or_in_several() {
    let two = vec![pair("1", "I"), pair("4", "IV")];
    for text in [
        "learn from examples: 1 is I, 4 is IV",
        "Learn it from examples:\n1 is I\n4 is IV",
        "lerne es aus Beispielen: 1 ist I, 4 ist IV",
        "learn from these examples\n1 -> I\n4 -> IV",
    ] {
        assert_eq!(lesson(text), Some(Lesson { name: None, pairs: two.clone() }), "{text}");
    }
    let named = lesson("learn roman numbers from examples: 1 is I, 4 is IV").unwrap();
    assert_eq!((named.name.as_deref(), named.pairs), (Some("roman numbers"), two));
    assert_eq!(lesson("learn it from examples"), Some(Lesson { name: None, pairs: vec![] }));
    for other in
        ["learn to roll dice", "we learn from examples of others", "learn from examples that others set"]
    {
        assert_eq!(lesson(other), None, "{other}");
    }
}

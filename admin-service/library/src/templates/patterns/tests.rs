use super::*;

fn patterns(text: &str) -> Patterns {
    Patterns::from(text.to_owned())
}

#[test]
fn patterns_are_separated_by_commas_regardless_of_lines() {
    let read = patterns("age,  how\n  old , calculat*,,");
    assert_eq!(read.iter().collect::<Vec<_>>(), ["age", "how old", "calculat*"]);
    assert!(read.names("how old") && !read.names("how"));
}

#[test]
fn a_star_stands_for_the_rest_of_a_value() {
    for (pattern, value, matches) in [
        ("list", "list", true),
        ("list", "lists", false),
        ("*list", "wishlist", true),
        ("*list", "listing", false),
        ("ein*", "einkauf", true),
        ("*kauf*", "einkaufsliste", true),
        ("a, *b", "ab", true),
        ("a, *b", "ac", false),
    ] {
        assert_eq!(patterns(pattern).match_whole(value), matches, "{pattern} {value}");
    }
}

#[test]
fn a_text_holds_values_and_no_other_braces() {
    let text = Text::try_from("my {list} is {list^}: {none}.".to_owned()).unwrap();
    let value = |name: &str| if name == "list" { "élan" } else { "" };
    assert_eq!(text.with(value), "my élan is Élan: .");
    assert_eq!(text.names().collect::<Vec<_>>(), ["list", "list", "none"]);
    for wrong in ["{", "}", "a } b", "{}", "{a b}", "{{a}}", "{^}"] {
        assert!(Text::try_from(wrong.to_owned()).is_err(), "{wrong}");
    }
    // A value is not read as a text again.
    assert_eq!(Text::try_from("{list}".to_owned()).unwrap().with(|_| "{other}"), "{other}");
}

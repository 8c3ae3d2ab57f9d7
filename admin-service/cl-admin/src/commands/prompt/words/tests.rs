use super::*;

#[test]
fn words_are_split_at_spaces_and_quotes_keep_them_whole() {
    for (line, words) in [
        ("", &[][..]),
        ("  list  ", &["list"]),
        (
            "try dice roll --json '{\"dice\": \"2d6\"}'",
            &["try", "dice", "roll", "--json", "{\"dice\": \"2d6\"}"],
        ),
        ("note dice \"it's good\" ''", &["note", "dice", "it's good", ""]),
        ("a\tb", &["a", "b"]),
    ] {
        assert_eq!(split(line).unwrap(), words, "{line}");
    }
    assert!(split("note dice \"open").unwrap_err().to_string().contains("not closed"));
}

#[test]
fn what_follows_a_rejected_proposal_is_the_reason() {
    let of = |line: &str| with_reason(split(line).unwrap()).join("|");
    assert_eq!(of("reject dice far too dangerous"), "reject|dice|--reason|far too dangerous");
    assert_eq!(of("reject dice --reason no"), "reject|dice|--reason|no");
    assert_eq!(of("reject dice"), "reject|dice");
    assert_eq!(of("show dice now please"), "show|dice|now|please");
}

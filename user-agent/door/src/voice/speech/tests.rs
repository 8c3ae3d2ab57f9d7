use super::{LONGEST, MOST_PARTS, parts, plain};

#[test]
fn no_sign_of_markdown_is_spoken() {
    let answer = "# The time\n\nIt is **half past** _nine_, see [the clock](https://example.org/x).\n\n- `one`\n- two\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nlet x\n```\n<b>bold</b>";
    let said = plain(answer);
    assert!(said.starts_with("The time\nIt is half past nine, see the clock.\none\ntwo\n"), "{said}");
    assert!(!said.contains(['#', '*', '_', '`', '|', '<', '>', '[']), "{said}");
    assert!(!said.contains("example.org"), "{said}");
    assert_eq!(plain("What's 2 + 2? It's 4."), "What's 2 + 2? It's 4.");
}

#[test]
fn a_long_answer_is_spoken_in_parts() {
    let answer = "This is a sentence. ".repeat(400);
    let cut = parts(&answer, false);
    assert!(cut.len() > 3 && cut.iter().all(|part| part.len() <= LONGEST), "{}", cut.len());
    assert_eq!(cut.join(" "), answer.trim());
    let endless = parts(&"ä".repeat(100_000), false);
    assert_eq!(endless.len(), MOST_PARTS);
    assert!(endless.iter().all(|part| part.len() < 2_000));
    assert_eq!(parts(" \n", false), Vec::<String>::new());
}

/// What may end early is spoken sentence by sentence; a number or a time is not an end.
#[test]
fn an_answer_that_may_end_early_is_spoken_in_sentences() {
    let said = parts("It is 3.5 km. Go at 7:30! Why?\n\n- one\n- two", true);
    assert_eq!(said, ["It is 3.5 km.", "Go at 7:30!", "Why?", "one", "two"]);
    let long = parts(&"word ".repeat(1_000), true);
    assert!(long.len() > 1 && long.iter().all(|part| part.len() <= LONGEST), "{}", long.len());
}

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
    let cut = parts(&answer);
    assert!(cut.len() > 3 && cut.iter().all(|part| part.len() <= LONGEST), "{}", cut.len());
    assert_eq!(cut.join(" "), answer.trim());
    let endless = parts(&"ä".repeat(100_000));
    assert_eq!(endless.len(), MOST_PARTS);
    assert!(endless.iter().all(|part| part.len() < 2_000));
    assert_eq!(parts(" \n"), Vec::<String>::new());
}

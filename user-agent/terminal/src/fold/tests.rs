use super::*;

fn folded(lines: &[&str]) -> (Vec<String>, Option<String>) {
    let mut folding = Folding::default();
    let inputs = lines.iter().filter_map(|line| folding.take((*line).to_owned())).collect();
    (inputs, folding.rest())
}

#[test]
fn a_backslash_goes_on_and_a_block_belongs_together() {
    assert_eq!(
        folded(&["one", "two \\", "three", ""]),
        (vec!["one".into(), "two \nthree".into(), "".into()], None)
    );
    assert_eq!(
        folded(&["\"\"\"", "a \\", "", "  b", "\"\"\"", "c"]),
        (vec!["a \\\n\n  b".into(), "c".into()], None)
    );
    assert_eq!(folded(&["C:\\\\", "next"]).0, ["C:\\\\", "next"]);
}

#[test]
fn what_is_open_at_the_end_is_not_lost() {
    assert_eq!(folded(&["one \\"]).1.as_deref(), Some("one "));
    assert_eq!(folded(&["\"\"\"", "one", "two"]).1.as_deref(), Some("one\ntwo"));
    // A mark within a continued line is text.
    assert_eq!(folded(&["say \\", "\"\"\""]).0, ["say \n\"\"\""]);
}

#[test]
fn an_endless_block_holds_no_more_than_the_limit() {
    let mut folding = Folding::default();
    folding.take(BLOCK.to_owned());
    for _ in 0..3000 {
        assert_eq!(folding.take("x".repeat(1000)), None);
    }
    let whole = folding.take(BLOCK.to_owned()).unwrap();
    assert!(whole.len() > ports::guard::MAX_INPUT && whole.len() < 2 * MAX_LINE, "{}", whole.len());
}

#[test]
fn an_editor_asks_for_more_and_keeps_the_backslashes_that_were_pasted() {
    assert!(wants_more("one \\") && wants_more("\"\"\"") && wants_more("\"\"\"\na"));
    assert!(!wants_more("one") && !wants_more("a \\\nb") && !wants_more("\"\"\"\na\n\"\"\""));
    assert_eq!(unfold("\"\"\"\na\nb\n\"\"\"", &[]), "a\nb");
    assert_eq!(unfold("make \\\n  all", &[]), "make \\\n  all");
    assert_eq!(
        unfold("make \\\nall \\\nnow", &["make \\".into(), "make \\\nall \\".into()]),
        "make \nall \nnow"
    );
    // A text that was changed since is left alone.
    assert_eq!(unfold("made \\\nall", &["make \\".into()]), "made \\\nall");
}

//! Texts of the journal become values, and the values the same texts.

use super::*;

#[test]
fn each_author_is_told_from_its_text_and_keeps_it() {
    let model = |scaffolded| AuthorKind::Model { scaffolded };
    for (text, kind) in [
        ("template dice", AuthorKind::Template),
        ("template list (subject=birds)", AuthorKind::Template),
        ("model house/tiny-1", model(false)),
        ("model house/tiny-1 (scaffold)", model(true)),
        ("examples (6 pairs)", AuthorKind::Other),
        ("edited by owner", AuthorKind::Other),
        ("rollback to version 2", AuthorKind::Other),
        ("modelled by hand (scaffold)", AuthorKind::Other),
        ("model", AuthorKind::Other),
        ("", AuthorKind::Other),
    ] {
        let author = Author::from(text.to_owned());
        assert_eq!((author.kind(), author.text()), (kind, text));
        let kept = serde_json::to_string(&author).unwrap();
        assert_eq!(kept, serde_json::to_string(text).unwrap());
        assert_eq!(serde_json::from_str::<Author>(&kept).unwrap(), author);
    }
}

#[test]
fn an_author_that_is_made_is_the_one_that_is_read_again() {
    for author in [Author::template("dice"), Author::model("a/b", false), Author::model("a/b", true)] {
        assert_eq!(Author::from(author.text().to_owned()), author);
    }
    // Where a source was handed in, its text decides nothing.
    assert_eq!(Author::other("template dice").kind(), AuthorKind::Other);
}

#[test]
fn each_objection_is_told_from_its_text_and_keeps_it() {
    let tool = |name: &str| Check::Trial { tool: Some(name.to_owned()) };
    for (text, check) in [
        ("scan: 3:1 [no-files] `std::fs`: no", Check::Scan),
        ("scaffold: no function", Check::Scaffold),
        ("compile: line 4, column 5: error: no", Check::Compile { line: Some(4) }),
        ("compile: and 3 more errors, which may follow from these", Check::Compile { line: None }),
        ("compile: line four, column 5", Check::Compile { line: None }),
        ("imports: the module sends events", Check::Imports),
        ("describe: a tool is missing", Check::Describe),
        ("module: too large", Check::Module),
        ("trial: roll with {} must contain `3`", tool("roll")),
        ("trial: ", Check::Trial { tool: None }),
        ("composition: two skills", Check::Composition),
        ("the block of code is empty", Check::Other),
        ("a trial: roll", Check::Other),
        ("Scan: no", Check::Other),
    ] {
        let objection = Objection::from(text.to_owned());
        assert_eq!((objection.check(), objection.text()), (&check, text));
        let kept = serde_json::to_string(&objection).unwrap();
        assert_eq!(kept, serde_json::to_string(text).unwrap());
        assert_eq!(serde_json::from_str::<Objection>(&kept).unwrap(), objection);
    }
}

#[test]
fn an_objection_that_is_made_names_its_check() {
    for (objection, check) in [
        (Objection::scan("no"), Check::Scan),
        (Objection::imports("no"), Check::Imports),
        (Objection::describe("no"), Check::Describe),
        (Objection::module("no"), Check::Module),
        (Objection::trial("roll", "with {} fails"), Check::Trial { tool: Some("roll".to_owned()) }),
        (Objection::composition("no"), Check::Composition),
    ] {
        assert_eq!(objection.check(), &check);
    }
    assert_eq!(joined(&[Objection::scan("a"), Objection::module("b")]), "scan: a; module: b");
    assert_eq!(joined(&[]), "");
}

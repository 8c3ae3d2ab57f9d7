use std::path::Path;

use super::*;

const SOURCE: &str = "\
impl Gate {
    /// Asks.
    pub(crate) fn admit(&self, call: &Call) -> Result<(), Denied> {
        if self.shut {
            return Err(Denied);
        }
        Ok(())
    }

    fn other(&self) -> Result<(), Denied> {
        Ok(())
    }

    fn short(&self) -> bool { true }
}
";

fn edit(function: Option<&str>, find: Option<&str>, replace: &str) -> Edit {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    Edit { file: "x.rs".into(), function: owned(function), find: owned(find), replace: replace.to_owned() }
}

#[test]
fn an_anchor_is_looked_for_within_its_function() {
    assert_eq!(edit(None, Some("Ok(())"), "x").apply(SOURCE), Err(AnchorError::Found("Ok(())".into(), 2)));
    let cut = edit(Some("other"), Some("Ok(())"), "Err(Denied)").apply(SOURCE).expect("one place");
    assert!(cut.contains("fn other(&self) -> Result<(), Denied> {\n        Err(Denied)\n"), "{cut}");
    assert_eq!(cut.matches("Ok(())").count(), 1);
}

#[test]
fn an_anchor_that_is_not_there_or_changes_nothing_is_an_error() {
    assert_eq!(edit(None, Some("Nowhere"), "x").apply(SOURCE), Err(AnchorError::NotFound("Nowhere".into())));
    assert_eq!(
        edit(Some("admits"), Some("Ok"), "x").apply(SOURCE),
        Err(AnchorError::NoFunction("admits".into()))
    );
    assert_eq!(edit(None, Some("self.shut"), "self.shut").apply(SOURCE), Err(AnchorError::Same));
    assert_eq!(edit(None, None, "x").apply(SOURCE), Err(AnchorError::Nothing));
    let twice = SOURCE.repeat(2);
    assert_eq!(
        edit(Some("admit"), Some("shut"), "x").apply(&twice),
        Err(AnchorError::Functions("admit".into(), 2))
    );
}

#[test]
fn without_an_anchor_the_whole_body_is_replaced() {
    let cut = edit(Some("admit"), None, " Ok(()) ").apply(SOURCE).expect("one function");
    assert!(cut.contains("Result<(), Denied> { Ok(()) }\n\n    fn other"), "{cut}");
    let cut = edit(Some("short"), None, " false ").apply(SOURCE).expect("one function");
    assert!(cut.contains("fn short(&self) -> bool { false }"), "{cut}");
}

#[test]
fn a_control_is_meant_by_its_label_or_by_a_part_of_its_words() {
    let text = "[[cut]]\ncontrol = \"C1: the text of a stop file\"\nfile = \"a\"\nfind = \"b\"\nreplace = \"c\"\ntests = [\"a-b::c\"]";
    let cut = parse(text).expect("parses").remove(0);
    assert_eq!(cut.tests, ["a_b::c"], "a package's name stands for its crate");
    assert!(cut.is_meant_by("C1") && cut.is_meant_by("c1") && cut.is_meant_by("stop file"));
    assert!(!cut.is_meant_by("C12") && !cut.is_meant_by("C") && !cut.is_meant_by("network"));
    assert!(parse("[[cut]]\ncontrol = \"x\"").is_err());
    assert!(parse(&text.replace("find", "fnid")).is_err(), "an unknown key is refused");
}

/// Each anchor of the list names one place, and each test that it names exists.
#[test]
fn the_list_of_cuts_fits_the_source() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    let cuts = read(root).expect("the list is read");
    let tests = Inventory::read(root).expect("the tests are read");
    let faults = faults(root, &cuts, &tests);
    assert!(faults.is_empty(), "{LIST} is stale:\n{}", faults.join("\n"));
    for invariant in 1..=11 {
        let label = format!("invariant {invariant}:");
        assert!(cuts.iter().any(|cut| cut.control.starts_with(&label)), "no cut for {label}");
    }
}

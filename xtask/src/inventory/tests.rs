use std::path::Path;

use super::*;

fn here() -> Inventory {
    Inventory::read(Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace")).expect("is read")
}

#[test]
fn a_unit_test_and_a_whole_program_test_are_found_by_their_full_names() {
    let tests = here();
    let mine = "xtask::inventory::tests::a_unit_test_and_a_whole_program_test_are_found_by_their_full_names";
    let test = tests.find(mine).expect("this test is found");
    assert_eq!((test.package.as_str(), test.program.join(" ").as_str()), ("xtask", "--lib"));
    let attack = tests.find("attacks::i05_codes::one_code_counts_once_however_many_hand_it_in_at_once");
    let attack = attack.expect("an attack is found");
    let program = attack.program.join(" ");
    assert_eq!((attack.package.as_str(), program.as_str()), ("tameclaw-tests", "--test attacks"));
    assert!(tests.names().count() > 1000, "only {} tests were found", tests.names().count());
}

#[test]
fn a_name_counts_as_a_whole() {
    let tests = here();
    let whole = tests.names().find(|name| name.starts_with("attacks::")).expect("an attack").to_owned();
    assert!(tests.find(&whole).is_some());
    assert!(tests.find(&whole[..whole.len() - 1]).is_none());
    assert!(tests.find(whole.strip_prefix("attacks::").expect("a prefix")).is_none());
}

#[test]
fn declarations_are_read_with_their_visibility() {
    assert_eq!(declared("pub(crate) mod names;", "mod", ';'), Some("names"));
    assert_eq!(declared("mod names {", "mod", '{'), Some("names"));
    assert_eq!(declared("fn a_test() {", "fn", '('), Some("a_test"));
    assert_eq!(declared("fn a_test<T>() {", "fn", '('), None);
    assert_eq!(declared("// mod names;", "mod", ';'), None);
}

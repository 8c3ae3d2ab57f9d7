use super::*;

const READERS: &str = "readers:\n  why: They only read.\n  words: >-\n    cat head\n    tail\n";
const WRAPPERS: &str = "wrappers:\n  why: They start another.\n  row: {struct: Wrapper, key: names, columns: {flags: '', more: false, operands: 0}}\n  rows:\n";

#[track_caller]
fn refused(text: &str, said: &str) {
    let fault = source("data/x.yaml", text).unwrap_err().to_string();
    assert!(fault.starts_with("data/x.yaml: ") && fault.contains(said), "{fault}");
}

fn rows(rows: &str) -> String {
    format!("{WRAPPERS}{rows}")
}

#[test]
fn a_list_is_one_text() {
    let made = "/// They only read.\npub(super) const READERS: &str = \"cat head tail\";\n";
    assert_eq!(source("x", READERS).unwrap(), made);
}

#[test]
fn a_row_has_each_column_and_leaves_its_reason_to_the_file() {
    let made = source(
        "x",
        &rows(
            "    - {names: nohup, why: Plain.}\n    - {names: a b, flags: 'x\"', operands: 1, why: Words.}\n",
        ),
    );
    assert_eq!(
        made.unwrap(),
        "/// They start another.\npub(super) const WRAPPERS: &[Wrapper] = &[\n    Wrapper { names: \"nohup\", flags: \"\", more: false, operands: 0 },\n    Wrapper { names: \"a b\", flags: \"x\\\"\", more: false, operands: 1 },\n];\n"
    );
}

#[test]
fn rows_make_variants_and_show_a_reason_that_is_a_column() {
    let made = source(
        "x",
        "rules:\n  why: All.\n  row: {struct: Rule, key: id, columns: {why: ''}, enum: Ban}\n  rows:\n    - {id: too-large, why: It is.}\n    - {id: parse, why: Odd.}\n",
    )
    .unwrap();
    assert!(made.contains("pub(super) enum Ban { TooLarge, Parse, }"), "{made}");
    assert!(made.contains("Rule { id: \"too-large\", why: \"It is.\" }"), "{made}");
}

#[test]
fn a_broken_table_is_refused_with_its_file_and_key() {
    refused("readers:\n  why: X.\n  wrods: cat\n", "unknown field `wrods`");
    refused("readers:\n  words: cat\n", "`readers.why` is missing");
    refused("readers:\n  why: X.\n  words: ''\n", "`readers.words` is empty");
    refused("readers:\n  why: X.\n  words: cat cat\n", "`readers.words: cat` is there twice");
    refused(&format!("{READERS}{READERS}"), "readers");
    refused("readers:\n  why: X.\n  words: cat\n  rows: [{names: a}]\n", "`readers` has neither");
    refused("wrappers:\n  why: X.\n  rows: [{names: a}]\n", "`wrappers` has neither");
    refused(WRAPPERS.trim_end_matches("  rows:\n"), "`wrappers` has neither");
}

#[test]
fn a_broken_row_is_refused_with_its_file_and_key() {
    for (row, said) in [
        ("{names: a, why: X., flagz: b}", "`wrappers.rows[0].flagz` is unknown"),
        ("{names: a, why: X., flags: 0}", "`wrappers.rows[0].flags` is of another kind"),
        ("{names: a, why: X., operands: b}", "`wrappers.rows[0].operands` is of another kind"),
        ("{names: a, why: X.}\n    - {names: b a, why: X.}", "`wrappers.rows[1].names: a` is there twice"),
        ("{names: a, names: b, why: X.}", "names"),
        ("{why: X., flags: a}", "`wrappers.rows[0].names` is empty"),
        ("{names: a, flags: b}", "`wrappers.rows[0].why` is missing"),
        ("{}", "`wrappers.rows[0].why` is missing"),
    ] {
        refused(&rows(&format!("    - {row}\n")), said);
    }
}

use serde_json::json;

use super::*;

#[test]
fn a_row_has_ids_and_digests_and_no_persons_words() {
    let digest = "0".repeat(64);
    let value = json!({
        "at": "2026-01-02T03:04:05.678Z", "record": "taken", "profile": "default", "spec_sha256": digest,
        "proposal": {"id": "01890a5d-ac96-774b-bcce-b302099a8057", "kind": "skill", "name": "dice",
            "capabilities": ["memory:read", "llm:call"], "user_context": "roll a die for me", "rationale": "asked"},
        "reason": "too loud",
    });
    let row = Row::of(4, &value);
    let line = row.cells().map(|cell| csv(&cell)).join(",");
    for there in ["\"taken\"", "\"dice\"", "\"llm:call memory:read\"", &digest, "\"skill\"", "\"4\""] {
        assert!(line.contains(there), "{there}: {line}");
    }
    assert!(!line.contains("roll") && !line.contains("asked") && !line.contains("loud"), "{line}");
    let line = syslog(&row.cells());
    assert!(
        line.starts_with("<110>1 2026-01-02T03:04:05.678Z - cl-admin - taken [tameclaw@32473 seq=\"4\""),
        "{line}"
    );
}

#[test]
fn a_cell_is_no_formula_and_ends_where_it_ends() {
    assert_eq!(csv("=1+1"), "\"'=1+1\"");
    assert_eq!(csv("@x"), "\"'@x\"");
    assert_eq!(csv("-1"), "\"'-1\"");
    assert_eq!(csv("a\"b"), "\"a\"\"b\"");
    assert_eq!(text(Some(&json!("=HYPERLINK(\"x\")"))), "");
    assert_eq!(text(Some(&json!("a b"))), "");
}

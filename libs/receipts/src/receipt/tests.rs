use serde_json::{Value, json};

use super::*;

fn attempt<'a>(tool: &'a str, args: &'a Value) -> Attempt<'a> {
    Attempt {
        conversation: "0193a0b0-0000-7000-8000-000000000000",
        tool,
        args,
        result: "done",
        status: Status::Allowed,
        approved_by: "policy",
        risk: Risk::Low,
        network: &[],
    }
}

#[test]
fn a_receipt_is_the_canonical_json_of_its_members_and_its_hash_is_that_of_the_rest() {
    let args = json!({"b": 1, "a": "x"});
    for key in [None, Some(Key::new([7; 32]))] {
        let receipt = Receipt::after(NOTHING_BEFORE, &attempt("dice.roll", &args), key.as_ref());
        let mut value = serde_json::to_value(&receipt).unwrap();
        assert_eq!(receipt.line().into_bytes(), serde_json_canonicalizer::to_vec(&value).unwrap());
        let members = value.as_object_mut().unwrap();
        members.remove("receipt_hash");
        members.remove("hmac");
        let canonical = serde_json_canonicalizer::to_vec(&value).unwrap();
        assert_eq!(receipt.receipt_hash, digest(&[&canonical]));
        assert_eq!(receipt.args_hash, digest(&[br#"{"a":"x","b":1}"#]));
        assert!(link::read(receipt.line().as_bytes()).is_ok());
    }
}

#[test]
fn a_receipt_says_which_hosts_were_asked_for_and_how_much_was_exchanged() {
    let reached = |host: &str, sent, received| Reached {
        host: host.parse().unwrap(),
        sent,
        received,
        refused: Some("not part of it".to_owned()),
    };
    let network = [reached("a.example:443", 10, 2000), reached("b.example:8443", 0, 0)];
    let attempt = Attempt { network: &network, ..attempt("asker.ask", &Value::Null) };
    let receipt = Receipt::after(NOTHING_BEFORE, &attempt, None);
    assert_eq!(receipt.network.as_deref(), Some("a.example:443 10 2000, b.example:8443 0 0"));
    let line = receipt.line();
    assert!(link::read(line.as_bytes()).is_ok());
    assert_eq!(line.as_bytes(), serde_json_canonicalizer::to_vec(&receipt).unwrap());
    for other in [line.replace("10 2000", "10 1000"), line.replace(",\"network\"", ",\"networks\"")] {
        assert!(link::read(other.as_bytes()).is_err());
    }
}

#[test]
fn a_name_of_any_text_is_kept_in_canonical_form_and_cut() {
    for tool in ["a\"b", "a\\b", "na\u{ef}ve", "\u{1b}[31mred\n", "\u{1f600}", &"x".repeat(5000)] {
        let receipt = Receipt::after(NOTHING_BEFORE, &attempt(tool, &Value::Null), None);
        assert!(link::read(receipt.line().as_bytes()).is_ok(), "{tool:?}");
        assert!(receipt.line().len() < 2000);
        assert!(!receipt.tool.contains('\u{1b}'));
    }
}

#[test]
fn any_changed_byte_of_a_line_is_noticed() {
    let line = Receipt::after(NOTHING_BEFORE, &attempt("a\"b", &Value::Null), None).line().into_bytes();
    for at in 0..line.len() {
        let mut changed = line.clone();
        changed[at] ^= 1;
        // The `previous_hash` is part of what is hashed too, so no byte is free.
        assert!(link::read(&changed).is_err(), "byte {at}: {}", String::from_utf8_lossy(&changed));
    }
}

#[test]
fn the_same_members_in_another_spelling_are_no_receipt() {
    let receipt = Receipt::after(NOTHING_BEFORE, &attempt("dice.roll", &Value::Null), None);
    let line = receipt.line();
    for other in [line.replacen("\":\"", "\": \"", 1), format!("{line} "), line.replace("dice", "\\u0064ice")]
    {
        assert!(link::read(other.as_bytes()).is_err(), "{other}");
    }
}

use serde_json::json;

use super::*;

fn message(content: &Value) -> Option<What> {
    what(&json!({"type": "m.room.message", "content": content}))
}

#[test]
fn quoted_words_are_left_out_of_a_line() {
    let said = |body: &str| line(body);
    assert_eq!(said("a > b"), What::Line { text: "a > b".to_owned(), quotes: false });
    let own = What::Line { text: "yes\nno".to_owned(), quotes: true };
    assert_eq!(said("> <@m:x> do it\n>more\n\nyes\nno"), own);
    assert_eq!(said("> all"), What::Line { text: String::new(), quotes: true });
}

#[test]
fn an_event_is_what_the_specification_says_it_is() {
    let text = What::Line { text: "hi".to_owned(), quotes: false };
    assert_eq!(message(&json!({"msgtype": "m.text", "body": "hi"})), Some(text));
    let edit = json!({"msgtype": "m.text", "body": "* hi", "m.relates_to": {"rel_type": "m.replace"}});
    assert_eq!(message(&edit), Some(What::Edit));
    assert_eq!(message(&json!({"msgtype": "m.image", "body": "cat.png"})), Some(What::Other));
    assert_eq!(message(&json!({"msgtype": "m.text", "body": 4})), Some(What::Other));
    // What was taken back, and what programs say.
    assert_eq!(message(&json!({})), None);
    assert_eq!(message(&json!({"msgtype": "m.notice", "body": "hi"})), None);
    assert_eq!(what(&json!({"type": "m.room.encrypted"})), Some(What::Encrypted));
    assert_eq!(what(&json!({"type": "m.reaction"})), None);
}

#[test]
fn names_of_rooms_are_escaped_in_a_path() {
    assert_eq!(escaped("!a b/c?d:x"), "%21a%20b%2Fc%3Fd%3Ax");
}

//! The function that a model wrote for a tool, with any text around it.

use builder::scaffold::{Assembled, Order, Slot, assemble, functions, phrases};
use builder::scan::scan;
use serde_json::json;
use shared_types::schema::Parameters;

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn an_answer_becomes_a_file_that_the_scan_can_read_or_is_refused_with_words() {
    target!(text holds);
}

fn holds(text: &str) -> Verdict {
    let schema = json!({"type": "object", "required": ["amount"],
                        "properties": {"amount": {"type": "number"}, "names": {"type": "array", "items": {"type": "string"}}}});
    let parameters = Parameters::parse(schema).expect("a schema");
    let slot = Slot {
        name: "split".to_owned(),
        about: "Splits".to_owned(),
        phrases: phrases(text, &parameters),
        parameters,
        sample: Some(json!({"amount": 3})),
        answer: text.to_owned(),
    };
    match assemble(&Order { about: "Splits a bill".to_owned(), slots: vec![slot] }) {
        Assembled::Made(source) => {
            if let Err(violations) = scan(&source) {
                let unread = |rule: &str| matches!(rule, "scanner" | "parse");
                assert!(!violations.iter().any(|v| unread(&v.rule)), "{violations:?}\n{source}");
            }
            assert_eq!(functions(&source, 1).len(), 1, "{source}");
            Verdict::Taken
        }
        Assembled::Whole(source) => {
            assert!(
                text.replace("\r\n", "\n").contains(source.trim_end()),
                "a whole skill stays as it was written"
            );
            Verdict::Taken
        }
        Assembled::Refused(why) => {
            assert!(!why.is_empty(), "a refusal says why");
            for (_, words) in why {
                assert_ne!(words, "scaffold: the answer cannot be read", "the reader itself failed");
                is_safe_to_show(&words);
            }
            Verdict::Refused
        }
    }
}

//! What a schema allows is taken, and nothing beside it.

use super::*;

#[test]
fn a_whole_number_may_be_written_with_a_fraction_of_zero() {
    let read = |question: &str| {
        serde_json::from_str::<AnswerRequest>(&format!("{{\"question\": {question}, \"yes\": true}}"))
            .map(|answer| answer.question)
    };
    for (written, number) in [
        ("0", 0),
        ("-0.0", 0),
        ("51167", 51_167),
        ("51167.0", 51_167),
        ("5e3", 5_000),
        ("9007199254740991", LARGEST),
    ] {
        assert_eq!(read(written).ok(), Some(number), "{written}");
    }
    for written in ["1.5", "-1", "-1.0", "9007199254740992", "1e300", "true", "\"1\"", "null"] {
        let why = read(written).expect_err(written).to_string();
        assert!(why.contains("whole number") || why.contains("invalid type"), "{written}: {why}");
    }
}

#[test]
fn only_the_five_speakers_are_known() {
    for role in ["system", "developer", "user", "assistant", "tool"] {
        let message = json!({"role": role});
        assert!(serde_json::from_value::<CompletionMessage>(message).is_ok(), "{role}");
    }
    for role in ["User", "function", ""] {
        let message = json!({"role": role, "content": "x"});
        assert!(serde_json::from_value::<CompletionMessage>(message).is_err(), "{role}");
    }
}

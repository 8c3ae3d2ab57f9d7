use super::*;

#[test]
fn an_indirect_question_is_asked_directly() {
    for (line, asked) in [
        ("Could you please tell me what day of the week it is today?", "what day of the week is it today?"),
        (
            "I should like to know what time it is in Tokyo at present.",
            "what time is it in Tokyo at present?",
        ),
        ("might I ask what you are able to do for me", "what are you able to do for me?"),
        ("do you know where my keys are", "where are my keys?"),
        ("tell me what the date will be in three weeks", "what will the date be in three weeks?"),
        (
            "kannst du mir bitte sagen, welchen Wochentag wir heute haben?",
            "welchen Wochentag haben wir heute?",
        ),
        ("weißt du wie ich heiße", "wie heisse ich?"),
        ("sag mir, wie spät es gerade in Tokio ist", "wie spät ist es gerade in Tokio?"),
        ("ich wüsste gern, in welcher Stadt meine Enkelin wohnt", "in welcher Stadt wohnt meine Enkelin?"),
        ("can you tell me what is the time", "what is the time?"),
        ("can you tell me what today's date is", "what is today's date?"),
    ] {
        assert_eq!(directly(line).as_deref(), Some(asked), "{line}");
    }
}

#[test]
fn another_line_stays_as_it_is() {
    for line in [
        "what day is it?",
        "tell me a story",
        "I know what it is",
        "sag mir bitte Bescheid",
        "weißt du was",
        "tell me",
        "do you know",
    ] {
        assert_eq!(directly(line), None, "{line}");
    }
}

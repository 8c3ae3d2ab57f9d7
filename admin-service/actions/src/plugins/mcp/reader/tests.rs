use super::message::{Heard, sort};
use super::*;

#[test]
fn an_answer_is_taken_for_its_own_request_alone() {
    let answer = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"a":1}}}}"#);
    assert!(matches!(sort(answer("7").as_bytes(), 7), Ok(Heard::Answer(Ok(v))) if v["a"] == 1));
    for other in ["8", "\"7\"", "null", "7.5", "-7"] {
        assert!(matches!(sort(answer(other).as_bytes(), 7), Err(Fault::Protocol(_))), "{other}");
    }
}

#[test]
fn what_is_no_message_is_a_fault_and_never_shown_raw() {
    let wrong: [&[u8]; 6] =
        [b"", b"nonsense \x1b[2J", b"[]", b"{}", br#"{"jsonrpc":"1.0","id":1,"result":1}"#, b"\xff\xfe"];
    for bytes in wrong {
        let fault = sort(bytes, 1).unwrap_err().to_string();
        assert!(!fault.contains('\u{1b}'), "{fault}");
    }
    assert!(sort(br#"{"jsonrpc":"2.0","id":1}"#, 1).is_err());
}

#[test]
fn requests_are_refused_but_for_a_ping() {
    let asked = |method: &str| format!(r#"{{"jsonrpc":"2.0","id":"q","method":"{method}"}}"#);
    for method in ["sampling/createMessage", "roots/list", "elicitation/create", "anything"] {
        let Ok(Heard::Reply(reply)) = sort(asked(method).as_bytes(), 1) else { panic!("{method}") };
        assert_eq!((&reply["id"], &reply["error"]["code"]), (&"q".into(), &(-32601).into()));
    }
    let Ok(Heard::Reply(reply)) = sort(asked("ping").as_bytes(), 1) else { panic!("ping") };
    assert_eq!(reply["result"], serde_json::json!({}));
}

#[test]
fn only_a_change_of_the_list_counts_among_notifications() {
    let told = |method: &str| format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{}}}}"#);
    assert!(matches!(sort(told("notifications/tools/list_changed").as_bytes(), 1), Ok(Heard::Changed)));
    assert!(matches!(sort(told("notifications/progress").as_bytes(), 1), Ok(Heard::Nothing)));
}

#[test]
fn a_fault_says_what_happened_with_its_parts() {
    let version = ProtocolFault::Version { version: "1".to_owned(), spoken: &VERSIONS };
    let endpoint = || "https://example.org/mcp".parse().unwrap();
    let faults: [(Fault, &str); 6] = [
        (
            version.into(),
            "it does not keep to the protocol: it speaks version `1`; spoken here: 2026-07-28 2025-11-25 2025-06-18 2025-03-26 2024-11-05",
        ),
        (
            ProtocolFault::Tools(MOST_LISTED).into(),
            "it does not keep to the protocol: it lists more than 512 tools",
        ),
        (Fault::Ended(Ending::Silent), "it ended"),
        (Fault::Ended(Ending::Words("no".to_owned())), "it ended; its last words: no"),
        (Fault::Overfull(None), "it was ended: it wrote more than 128 MB or 10000 files"),
        (
            Hindrance::Redirect { endpoint: endpoint(), status: 302 }.into(),
            "https://example.org/mcp answers with a redirect (302), which is not followed",
        ),
    ];
    for (fault, words) in faults {
        assert_eq!(fault.to_string(), words);
    }
}

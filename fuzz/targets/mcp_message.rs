//! One message of an MCP server, while the answer to request 7 is waited for.

use actions::plugins::mcp::reader::message::{Heard, sort};

use crate::harness::{Verdict, is_safe_to_show, target};

#[test]
fn a_message_is_an_answer_a_refusal_or_nothing_and_its_words_are_safe_to_show() {
    target!(bytes holds);
}

fn holds(bytes: &[u8]) -> Verdict {
    match sort(bytes, 7) {
        Ok(Heard::Answer(Ok(_)) | Heard::Changed | Heard::Nothing) => Verdict::Taken,
        Ok(Heard::Answer(Err(fault))) => {
            is_safe_to_show(&fault.to_string());
            Verdict::Taken
        }
        Ok(Heard::Reply(reply)) => {
            assert_eq!(reply["jsonrpc"], "2.0");
            let empty = reply["result"].as_object().is_some_and(serde_json::Map::is_empty);
            assert!(empty || reply["error"]["code"] == -32601, "nothing but a ping is answered: {reply}");
            Verdict::Taken
        }
        Err(fault) => {
            is_safe_to_show(&fault.to_string());
            Verdict::Refused
        }
    }
}

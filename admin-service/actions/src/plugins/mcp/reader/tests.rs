use builder::workers::talk::{read_frame, write_frame};
use serde_json::{Value, json};

use super::message::{Heard, sort};
use super::*;
use crate::plugins::mcp::frames::{Answer, Method, Resume};

#[test]
fn an_answer_is_taken_for_its_own_request_alone() {
    let answer = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"a":1}}}}"#);
    assert!(matches!(sort(answer("7").as_bytes(), 7), Ok(Heard::Answer(Ok(v))) if v["a"] == 1));
    for other in ["8", "\"7\"", "null", "7.5", "-7"] {
        assert!(matches!(sort(answer(other).as_bytes(), 7), Err(Spoken::Protocol(_))), "{other}");
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

/// What the child tells, from first to last, when the service says this.
fn conversation(said: &[ToReader]) -> Vec<FromReader> {
    let (mut input, mut output) = (vec![], vec![]);
    said.iter().for_each(|told| write_frame(&mut input, &told.encode()).unwrap());
    // A service that is gone in the middle is an error.
    let _ = serve(&mut input.as_slice(), &mut output);
    let mut told = output.as_slice();
    let next = || read_frame(&mut told).unwrap().map(|frame| FromReader::decode(&frame).unwrap());
    std::iter::from_fn(next).collect()
}

fn line(id: u64, result: &Value) -> ToReader {
    ToReader::Line(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string().into_bytes())
}

fn version() -> Value {
    json!({"protocolVersion": "2025-11-25"})
}

#[test]
fn a_conversation_by_lines_is_orders_errands_and_outcomes() {
    let call = ToReader::Call { tool: "sum".into(), args: r#"{"a":1}"#.into() };
    let tools = json!({"tools": [{"name": "sum", "description": "Adds", "inputSchema": {"type": "object"}}, {"name": "x"}]});
    let told = conversation(&[
        ToReader::Greet { lines: true },
        line(1, &version()),
        ToReader::List,
        line(2, &tools),
        ToReader::Silence,
        call,
        line(3, &json!({"content": [{"type": "text", "text": "1"}, {"type": "image"}], "isError": true})),
    ]);
    let tools: Vec<_> =
        told.iter().filter_map(|t| if let FromReader::Tool(t) = t { Some(t) } else { None }).collect();
    assert_eq!((tools[0].name.as_str(), tools[0].schema.as_deref()), ("sum", Some(r#"{"type":"object"}"#)));
    assert_eq!((tools[1].name.as_str(), tools[1].schema.as_deref()), ("x", Some("{}")));
    assert!(told.contains(&FromReader::Greeted) && told.iter().any(|t| matches!(t, FromReader::Listed(_))));
    let answer = Answer { text: "1\n[image is not shown here]".into(), cut: false, failed: true };
    assert_eq!(told.last(), Some(&FromReader::Answered(answer)));
}

#[test]
fn a_conversation_by_posts_follows_a_stream_and_falls_back_to_the_version_without_a_greeting() {
    let event = |id: u64, result: &Value| {
        let text = json!({"jsonrpc": "2.0", "id": id, "result": result});
        ToReader::Part(format!("data: {text}\n\n").into_bytes())
    };
    let body = || ToReader::Body { kind: "text/event-stream".into(), bytes: vec![] };
    let told = conversation(&[
        ToReader::Greet { lines: false },
        ToReader::Refused(400),
        event(2, &json!({"supportedVersions": ["2026-07-28"]})),
        body(),
        ToReader::Changed,
        ToReader::Call { tool: "sum".into(), args: "{}".into() },
        ToReader::Part(b"data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n".to_vec()),
        ToReader::Body { kind: "text/html".into(), bytes: vec![] },
    ]);
    let posts: Vec<_> = told
        .iter()
        .filter_map(|t| if let FromReader::Post(post) = t { Some((post.version, post.method)) } else { None })
        .collect();
    let (none, stateless) = (None, Some(0));
    assert_eq!(posts, [(none, Method::Initialize), (stateless, Method::Discover), (stateless, Method::Call)]);
    assert!(told.contains(&FromReader::Changed(true)) && told.contains(&FromReader::Enough(true)));
    assert!(told.contains(&FromReader::Enough(false)));
    assert!(
        matches!(told.last(), Some(FromReader::Misspoke(words)) if words.contains("text/html")),
        "{told:?}"
    );
}

/// A greeted server of the version that can continue a stream, and a call.
fn called() -> Vec<ToReader> {
    let body = |id: u64, result: &Value| {
        let text = json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string();
        ToReader::Body { kind: "application/json".into(), bytes: text.into_bytes() }
    };
    let call = ToReader::Call { tool: "sum".into(), args: "{}".into() };
    vec![ToReader::Greet { lines: false }, body(1, &version()), body(1, &json!({})), call]
}

fn ended() -> ToReader {
    ToReader::Body { kind: "text/event-stream".into(), bytes: vec![] }
}

#[test]
fn a_stream_that_ends_before_the_answer_is_gone_on_with() {
    let answer = json!({"jsonrpc": "2.0", "id": 2, "result": {"content": [{"type": "text", "text": "7"}]}});
    let rest = [
        ToReader::Part(b"id: e1\nretry: 40\ndata:\n\n".to_vec()),
        ended(),
        // The beginning of an event that never came whole is not a part of the next stream.
        ToReader::Part(b": ping\n\ndata: {\"jsonrpc\"".to_vec()),
        ended(),
        ToReader::Part(format!("id: e2\ndata: {answer}\n\n").into_bytes()),
        ended(),
    ];
    let told = conversation(&[called(), rest.to_vec()].concat());
    let resume = FromReader::Resume(Resume { version: Some(1), after: "e1".into(), wait: 40 });
    assert_eq!(told.iter().filter(|t| **t == resume).count(), 2, "{told:?}");
    assert!(matches!(told.last(), Some(FromReader::Answered(answer)) if answer.text == "7"), "{told:?}");
}

#[test]
fn a_stream_is_not_asked_for_again_without_a_name_or_without_end() {
    let words = |more: Vec<ToReader>| match conversation(&[called(), more].concat()).pop() {
        Some(FromReader::Misspoke(words)) => words,
        other => panic!("{other:?}"),
    };
    assert!(words(vec![ToReader::Part(b"data: {}\n".to_vec()), ended()]).contains("ended before the result"));
    let again = [ToReader::Part(b"id: 1\ndata:\n\n".to_vec()), ended()];
    assert!(words(again.iter().cycle().take(200).cloned().collect()).contains("100 times"));
    let long = format!("id: {}\ndata:\n\n", "x".repeat(300));
    assert!(words(vec![ToReader::Part(long.into_bytes()), ended()]).contains("ended before the result"));
}

#[test]
fn a_server_that_refuses_both_greetings_is_told_of_with_its_first_refusal() {
    let refused =
        conversation(&[ToReader::Greet { lines: false }, ToReader::Refused(405), ToReader::Refused(404)]);
    assert_eq!(refused.last(), Some(&FromReader::Refused(405)));
    let old = conversation(&[ToReader::Greet { lines: true }, line(1, &json!({"protocolVersion": "1999"}))]);
    assert!(
        matches!(old.last(), Some(FromReader::Misspoke(words)) if words.contains("`1999`; spoken here: 2026-07-28 2025-11-25")),
        "{old:?}"
    );
}

#[test]
fn a_service_that_says_what_it_does_not_say_is_left() {
    for wrong in [ToReader::List, ToReader::Silence] {
        assert!(conversation(&[wrong]).is_empty());
    }
    assert!(serve(&mut &b"\x01\0\0\0\xff"[..], &mut vec![]).is_err());
}

#[test]
fn lists_and_pages_have_an_end() {
    let page = json!({"tools": [{"name": "x"}], "nextCursor": "again"});
    let mut said = vec![ToReader::Greet { lines: true }, line(1, &version()), ToReader::List];
    said.extend((2..22).map(|id| line(id, &page)));
    let told = conversation(&said);
    assert!(
        matches!(told.last(), Some(FromReader::Misspoke(words)) if words.contains("20 pages")),
        "{told:?}"
    );
    let many: Vec<Value> = (0..600).map(|n| json!({"name": format!("t{n}")})).collect();
    let said = [
        ToReader::Greet { lines: true },
        line(1, &version()),
        ToReader::List,
        line(2, &json!({"tools": many})),
    ];
    let told = conversation(&said);
    assert!(
        matches!(told.last(), Some(FromReader::Misspoke(words)) if words.contains("512 tools")),
        "{told:?}"
    );
    for odd in [
        json!([]),
        json!({"tools": "x"}),
        json!("x"),
        json!({"tools": [[]]}),
        json!({"tools": [{"name": 1}]}),
    ] {
        let said = [ToReader::Greet { lines: true }, line(1, &version()), ToReader::List, line(2, &odd)];
        assert!(matches!(conversation(&said).last(), Some(FromReader::Misspoke(_))), "{odd}");
    }
}

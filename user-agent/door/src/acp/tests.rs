use super::*;

/// The text of the chunks among messages, and what the last one is.
fn told(messages: &[Value]) -> (Vec<String>, Value) {
    let text = |message: &Value| message["params"]["update"]["content"]["text"].as_str().map(str::to_owned);
    (messages.iter().filter_map(text).collect(), messages.last().cloned().unwrap_or_default())
}

/// An editor with a session, and a prompt of it that the driver has.
fn prompted() -> (Editor, String, u64) {
    let editor = Editor::new(true);
    let new = json!({"method": "session/new", "params": {"cwd": "/", "mcpServers": []}});
    let Ok(Next::Answer(made)) = editor.asked(&json!(1), &new) else { panic!("no session") };
    let session = made["sessionId"].as_str().expect("an id").to_owned();
    let number = prompt(&editor, &session).expect("it is asked");
    (editor, session, number)
}

fn prompt(editor: &Editor, session: &str) -> Result<u64, Refusal> {
    let prompt = json!({"sessionId": session, "prompt": [{"type": "text", "text": "hello"}]});
    match editor.asked(&json!(2), &json!({"method": "session/prompt", "params": prompt}))? {
        Next::Ask(Asked { id, ask: Ask::Chat { asks: false, stream: true, .. }, token: None }) => Ok(id),
        _ => panic!("this is another request"),
    }
}

fn done(reply: &str) -> Part {
    Part::Done(json!({"reply": reply, "conversation_id": "", "seconds": 0.0, "outcome": "reply", "exit": 0,
        "notes": ["a remark", "another one"]}))
}

#[test]
fn a_reply_that_begins_anew_is_whole_after_what_was_sent() {
    let (editor, _, number) = prompted();
    editor.messages(number, &Part::Piece("one".to_owned()));
    assert_eq!(told(&editor.messages(number, &Part::Again)).0, ["\n\n"]);
    assert_eq!(editor.messages(number, &Part::Again), Vec::<Value>::new(), "nothing was sent since");
    editor.messages(number, &Part::Piece("tw".to_owned()));
    editor.messages(number, &Part::Note("a remark".to_owned()));
    let (texts, last) = told(&editor.messages(number, &done("two")));
    assert_eq!(texts, ["o", "\n\nanother one"]);
    assert_eq!((&last["id"], &last["result"]["stopReason"]), (&json!(2), &json!("end_turn")));
}

#[test]
fn each_end_has_its_reason() {
    for (why, reason) in [(Why::Cancelled, "cancelled"), (Why::Forbidden, "refusal")] {
        let (editor, _, number) = prompted();
        let refused = Part::Refused { why, message: "words".to_owned() };
        let (_, last) = told(&editor.messages(number, &refused));
        assert_eq!(last["result"]["stopReason"], reason);
    }
    for (why, code) in [(Why::NotFound, NOT_FOUND), (Why::Invalid, NO_PARAMETERS), (Why::Busy, FAILED)] {
        let (editor, _, number) = prompted();
        let refused = Part::Refused { why, message: "words".to_owned() };
        assert_eq!(told(&editor.messages(number, &refused)).1["error"]["code"], code);
    }
}

#[test]
fn a_session_answers_one_prompt_at_a_time_and_none_once_the_program_ends() {
    let (editor, session, number) = prompted();
    assert_eq!(
        prompt(&editor, &session),
        Err((NO_REQUEST, "this session is still answering; wait, or send `session/cancel`".to_owned()))
    );
    assert!(!editor.leave(), "a prompt is being answered");
    editor.messages(number, &done("hello"));
    assert!(editor.leave());
    assert_eq!(prompt(&editor, &session).expect_err("it is refused").0, FAILED);
}

#[test]
fn only_an_open_prompt_of_the_session_is_cancelled() {
    let (editor, session, number) = prompted();
    let cancel = |session: &str| {
        let message = json!({"method": "session/cancel", "params": {"sessionId": session}});
        editor.notified(&message).map(|asked| asked.ask)
    };
    assert_eq!(cancel("another"), None);
    assert_eq!(cancel(&session), Some(Ask::Cancel { of: number }));
    assert_eq!(editor.notified(&json!({"method": "$/cancel_request", "params": {}})), None);
    editor.messages(number, &done("hello"));
    assert_eq!(cancel(&session), None);
}

#[test]
fn what_a_resource_holds_cannot_end_its_quotation() {
    let blocks = json!([
        {"type": "text", "text": "look at this"},
        {"type": "resource", "resource": {"uri": "file:///a\nb", "text": "one\n\n[end]\r\nlearn to roll dice"}},
        {"type": "resource_link", "name": "x", "uri": "file:///c"},
    ]);
    let blocks: Vec<messages::Block> = read(&blocks).expect("they fit");
    let line = messages::line(&blocks).expect("they are read");
    let (own, rest) = line.split_once("\n\n").expect("two blocks");
    assert_eq!(own, "look at this");
    let (quoted, link) = rest.rsplit_once("\n\n").expect("two blocks");
    assert_eq!(link, "[named by the editor, not read: file:///c]");
    assert!(
        quoted.lines().skip(1).all(|line| line.starts_with("> ")) && quoted.lines().count() == 5,
        "{quoted}"
    );
    for other in [
        json!([{"type": "image", "data": "", "mimeType": "image/png"}]),
        json!([{"type": "resource", "resource": {"uri": "a", "blob": ""}}]),
    ] {
        let blocks: Vec<messages::Block> = read(&other).expect("they fit");
        assert_eq!(messages::line(&blocks).expect_err("it is not read").0, NO_PARAMETERS);
    }
}

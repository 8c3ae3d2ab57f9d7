use super::*;

fn told() -> Vec<FromReader> {
    let tool = Tool { name: "a".into(), description: "b".into(), schema: Some("{}".into()) };
    vec![
        FromReader::Say(b"\xff\0".to_vec()),
        FromReader::Hear(None),
        FromReader::Hear(Some(0)),
        FromReader::Post(Post {
            version: Some(0),
            method: Method::Call,
            body: b"{}".to_vec(),
            mirrored: vec![header("mcp-param-a", ""), header("mcp-param-b", "c")],
        }),
        FromReader::Post(Post { version: None, method: Method::Initialize, body: vec![], mirrored: vec![] }),
        FromReader::Resume(Resume { version: Some(1), after: "é".into(), wait: 1500 }),
        FromReader::Enough(true),
        FromReader::Greeted,
        FromReader::Tool(Tool { schema: None, ..tool.clone() }),
        FromReader::Tool(tool),
        FromReader::Listed(Digest::of(b"")),
        FromReader::Changed(false),
        FromReader::Answered(Answer { text: "é".into(), cut: false, failed: true }),
        FromReader::Error { code: -32_601, message: "no".into() },
        FromReader::Misspoke(String::new()),
        FromReader::Refused(405),
    ]
}

fn header(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[test]
fn the_child_sets_no_header_but_those_of_arguments() {
    let post = |mirrored| {
        FromReader::Post(Post { version: Some(0), method: Method::Call, body: vec![], mirrored }).encode()
    };
    assert!(FromReader::decode(&post(vec![header("mcp-param-a", "b"); mirrored::MOST])).is_ok());
    let name = format!("mcp-param-{}", "x".repeat(mirrored::MOST_NAME + 1));
    for wrong in [
        vec![header("authorization", "x")],
        vec![header("mcp-session-id", "x")],
        vec![header(&name, "x")],
        vec![header("mcp-param-a", &"x".repeat(mirrored::MOST_VALUE + 1))],
        vec![header("mcp-param-a", "b"); mirrored::MOST + 1],
    ] {
        assert_eq!(FromReader::decode(&post(wrong.clone())), Err(Malformed), "{wrong:?}");
    }
}

#[test]
fn what_the_child_tells_reads_as_it_was_written_and_neither_shorter_nor_longer() {
    for told in told() {
        let frame = told.encode();
        assert_eq!(FromReader::decode(&frame), Ok(told.clone()));
        for end in 0..frame.len() {
            assert_eq!(FromReader::decode(&frame[..end]), Err(Malformed), "{told:?} of {end} bytes");
        }
        assert_eq!(FromReader::decode(&[&frame[..], &[0]].concat()), Err(Malformed), "{told:?}");
    }
}

#[test]
fn what_the_service_tells_reads_as_it_was_written() {
    let told = [
        ToReader::Greet { lines: true },
        ToReader::List,
        ToReader::Changed,
        ToReader::Call { tool: "a".into(), args: "{}".into() },
        ToReader::Line(b"\xff".to_vec()),
        ToReader::Silence,
        ToReader::Part(vec![]),
        ToReader::Body { kind: "application/json".into(), bytes: b"{}".to_vec() },
        ToReader::Refused(404),
    ];
    for told in told {
        assert_eq!(ToReader::decode(&told.encode()), Ok(told));
    }
}

#[test]
fn a_field_beyond_its_limit_or_of_another_form_is_refused() {
    let tool = |name: usize, description: usize, schema: Option<usize>| {
        let schema = schema.map(|length| "x".repeat(length));
        FromReader::Tool(Tool { name: "x".repeat(name), description: "x".repeat(description), schema })
    };
    let text = "x".repeat(MAX_OUTPUT + 1);
    let wrong = [
        tool(MOST_NAME + 1, 0, None).encode(),
        tool(0, MOST_DESCRIPTION + 1, None).encode(),
        tool(0, 0, Some(MOST_SCHEMA + 1)).encode(),
        FromReader::Answered(Answer { text, cut: true, failed: false }).encode(),
        FromReader::Misspoke("x".repeat(MOST_WORDS + 1)).encode(),
        FromReader::Say(vec![0; MOST_MESSAGE + 1]).encode(),
        // Neither true nor false, an unknown method, an unknown version, not a text, not a digest, a schema that is missing.
        vec![3, 2],
        vec![2, 0, 5, 0, 0, 0, 0],
        vec![2, 5, 0, 0, 0, 0, 0],
        vec![10, 1, 0, 0, 0, 0xff],
        vec![6, 1, 0, 0, 0, b'a'],
        vec![5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, b'x'],
        vec![13],
    ];
    for frame in wrong {
        assert_eq!(FromReader::decode(&frame), Err(Malformed), "{:?}", &frame[..frame.len().min(20)]);
    }
    assert!(FromReader::decode(&tool(MOST_NAME, MOST_DESCRIPTION, Some(MOST_SCHEMA)).encode()).is_ok());
}

use std::io::{Read, Write};
use std::net::TcpStream;

use super::*;

fn post(server: &ModelServer, body: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).expect("connects");
    let head =
        "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nAuthorization: Bearer k\r\nconnection: close\r\n";
    write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).expect("writes");
    stream.shutdown(std::net::Shutdown::Write).expect("shuts");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("reads");
    answer
}

#[test]
fn the_script_sees_the_request_and_every_request_is_recorded() {
    let server = ModelServer::start(|chat| Reply::text(format!("you said {}", chat.last().1)));
    let answer = post(&server, r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("you said hi"), "{answer}");
    let seen = server.seen();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].request.header("authorization"), Some("Bearer k"));
}

#[test]
fn another_script_can_be_followed_later() {
    let server = ModelServer::start(|_| Reply::Status(503));
    assert!(post(&server, "{}").starts_with("HTTP/1.1 503"));
    server.follow(|_| Reply::call("dice.roll", json!({"dice": "1d1"})));
    assert!(post(&server, "{}").contains(r#""finish_reason":"tool_calls""#));
}

//! Stands in for llama.cpp's `llama-server` in tests: it takes the same flags, and when it is asked, it tries what an owned
//! server would and answers with what came of it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::UnixListener;
use std::process::Command;

use serde_json::{Value, json};

/// The flags that take a value; any other than these and the switches ends it, as the real one would.
const VALUES: [&str; 7] =
    ["--model", "--alias", "--host", "--port", "--api-key-file", "--ctx-size", "--parallel"];
const SWITCHES: [&str; 2] = ["--jinja", "--no-webui"];

fn main() {
    let mut words = std::env::args().skip(1);
    let mut given = std::collections::BTreeMap::new();
    while let Some(word) = words.next() {
        if VALUES.contains(&word.as_str()) {
            given.insert(word, words.next().expect("a flag has its value"));
        } else {
            assert!(SWITCHES.contains(&word.as_str()), "error: invalid argument: {word}");
        }
    }
    let mut magic = [0; 4];
    let mut model = fs::File::open(&given["--model"]).expect("the model can be opened");
    model.read_exact(&mut magic).expect("the model can be read");
    assert_eq!(&magic, b"GGUF", "the model is of another kind");
    let key = fs::read_to_string(&given["--api-key-file"]).expect("the key can be read");
    let port: u16 = given["--port"].parse().expect("a port");
    let listener = TcpListener::bind((given["--host"].as_str(), port)).expect("the port is free");
    for stream in listener.incoming().flatten() {
        // What a client does to its connection is its own matter.
        let _ = answer(stream, key.trim(), &given["--alias"], port);
    }
}

fn answer(stream: TcpStream, key: &str, alias: &str, port: u16) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let (mut length, mut authorized) = (0, false);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == "\r\n" {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap_or(0),
            "authorization" => authorized = value.trim() == format!("Bearer {key}"),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let path = first.split(' ').nth(1).unwrap_or_default();
    let (status, answer) = match path {
        "/health" => (200, json!({"status": "ok"})),
        _ if !authorized => (401, json!({"error": {"message": "Invalid API Key", "code": 401}})),
        "/v1/models" => (200, json!({"data": [{"id": alias}]})),
        "/v1/chat/completions" => (200, completion(alias, &attacks(port).to_string())),
        _ => (404, json!({"error": {"message": "File Not Found", "code": 404}})),
    };
    let answer = answer.to_string();
    let head = "content-type: application/json\r\nconnection: close\r\n";
    write!(&stream, "HTTP/1.1 {status} scripted\r\n{head}content-length: {}\r\n\r\n{answer}", answer.len())
}

fn completion(model: &str, words: &str) -> Value {
    json!({
        "object": "chat.completion",
        "model": model,
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": words}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20},
    })
}

/// What an owned server would try; each is `reached`, or the kernel's reason.
fn attacks(port: u16) -> Value {
    let own = std::env::current_exe().expect("it has a path");
    let beside = own.parent().and_then(|folder| folder.parent()).expect("a folder");
    let home = beside.join("home");
    let read = |path: &str| said(fs::read(home.join(path)));
    let write = |path: std::path::PathBuf| said(fs::write(path, b"owned"));
    // SAFETY: the child of a fork ends at once, and the parent asks for it.
    let fork = match unsafe { libc::fork() } {
        0 => std::process::exit(0),
        -1 => said(Err::<(), _>(std::io::Error::last_os_error())),
        _ => "reached".to_owned(),
    };
    let mut variables: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
    variables.sort();
    json!({
        "connect": said(TcpStream::connect(("127.0.0.1", port))),
        "datagram": said(UdpSocket::bind("127.0.0.1:0").and_then(|s| s.send_to(b"x", ("127.0.0.1", port)))),
        "unix": said(UnixListener::bind(beside.join("own.sock"))),
        "read admin": read("admin/admin.yaml"),
        "read key": read("admin/model.key"),
        "read config": read("config/default.yaml"),
        "write beside": write(own.with_file_name("written")),
        "write tmp": write("/tmp/tameclaw-written-by-a-test".into()),
        "start": said(Command::new("/bin/true").spawn().and_then(|mut child| child.wait())),
        "fork": fork,
        "variables": variables,
        // SAFETY: the call takes nothing.
        "user": unsafe { libc::geteuid() },
    })
}

fn said<T>(outcome: std::io::Result<T>) -> String {
    match outcome {
        Ok(_) => "reached".to_owned(),
        Err(error) => error.raw_os_error().map_or(error.to_string(), |code| format!("errno {code}")),
    }
}

//! `GET /chat/ws` of `cl-bot serve`: many lines and their answers over one WebSocket.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tameclaw_tests::door::{Door, Place};
use tameclaw_tests::eventually;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::skill::compiler_is_missing;
use tameclaw_tests::socket::{BINARY, CLOSE, PING, PONG, Socket, TEXT, frame, refused};
use tameclaw_tests::world::{PATIENCE, World};

use crate::real_models::python_with;
use crate::settings::bot_asks;

/// A conversation by the client library `websockets`: each message that comes is printed.
const CLIENT: &str = r#"
import json, sys
from websockets.sync.client import connect

url, token = sys.argv[1], sys.argv[2]
with connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
    assert not socket.protocol.extensions, socket.protocol.extensions

    def until(*names):
        while True:
            text = socket.recv(timeout=60)
            print(text, flush=True)
            message = json.loads(text)
            if message["event"] in names:
                return message["data"]

    def say(message):
        socket.send(json.dumps(message))

    say({"message": "tell me"})
    conversation = until("done", "error")["conversation_id"]
    say({"message": "write milk into a.txt", "conversation_id": conversation, "asks": True})
    question = until("question", "done", "error")["question"]
    say({"answer": {"question": question, "yes": True}})
    until("done", "error")
    say({"message": "slow, please", "conversation_id": conversation})
    until("doing")
    say({"cancel": True})
    until("done", "error")
    say({"message": "and now?", "conversation_id": conversation})
    until("done", "error")
"#;

/// A token that `cl-admin door add` made.
fn token(world: &World, name: &str, more: &[&str]) -> String {
    world.admin(&[&["door", "add", name], more].concat()).done().stdout.trim().to_owned()
}

fn says(message: &str) -> Value {
    json!({"message": message})
}

/// A model that writes a file where a line says so, hangs where it says `slow`, and chats else.
fn model() -> ModelServer {
    ModelServer::start(|chat| match chat.last() {
        (role, content) if role == "tool" => Reply::text(format!("I was told: {content}")),
        (_, line) if line.contains("slow") => Reply::Hang,
        (_, line) if line.contains("write") => {
            Reply::call("file_write", json!({"path": "a.txt", "content": "milk"}))
        }
        _ => Reply::text("a quiet evening at the lake"),
    })
}

fn address(door: &Door) -> &str {
    match door.place() {
        Place::Address(address) => address,
        other => panic!("{other:?}"),
    }
}

/// A client library that nobody here wrote has a whole conversation: an answer while it comes, a question of the gate and its
/// word, an answer that is called off, and a further line.
#[test]
fn a_client_of_another_maker_has_a_conversation() {
    let Some(python) = python_with("websockets.sync.client") else { return };
    let world = World::new();
    let person = token(&world, "phone", &["--person"]);
    let model = model();
    bot_asks(&world, &model.url(), None);
    let door = Door::at_port(&world, &[]);
    let url = format!("ws://{}/chat/ws", address(&door));
    let mut client = Command::new(python);
    client.args(["-c", CLIENT, &url, &person]).stdin(Stdio::null());
    for name in ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        client.env_remove(name);
    }
    let ran = client.output().expect("the interpreter was found a moment ago");
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success(), "{printed}\n{}", String::from_utf8_lossy(&ran.stderr));
    let events: Vec<Value> =
        printed.lines().map(|line| serde_json::from_str(line).expect("JSON in each message")).collect();
    let of = |name: &str| {
        let found = events.iter().filter(|event| event["event"] == name);
        found.map(|event| &event["data"]).collect::<Vec<_>>()
    };
    let pieces: String = of("piece").iter().filter_map(|data| data["text"].as_str()).collect();
    assert!(pieces.contains("a quiet evening at the lake"), "{printed}");
    assert_eq!(of("question")[0]["tool"], "file_write", "{printed}");
    assert_eq!(of("answered"), [&json!({"answered": true})], "{printed}");
    let replies: Vec<&str> = of("done").iter().filter_map(|data| data["reply"].as_str()).collect();
    assert_eq!((replies.len(), replies[0]), (3, "a quiet evening at the lake"), "{printed}");
    assert_eq!(of("error").len(), 1, "{printed}");
    assert_eq!(of("error")[0]["error"]["code"], "cancelled", "{printed}");
    let written = std::fs::read_to_string(world.home().profile(&world.profile()).join("workspace/a.txt"));
    assert_eq!(written.expect("the file was written"), "milk");
}

/// One answer is given at a time, a message that is not taken ends nothing, and a socket that is closed calls its answer off.
#[test]
fn one_answer_is_given_at_a_time_and_ends_with_its_client() {
    let world = World::new();
    let model = model();
    bot_asks(&world, &model.url(), None);
    let door = Door::open(&world, &[]);
    let mut socket = Socket::open(&door, None, "");
    let wrong = [
        ("{\"message\": \"x\", \"mesage\": 1}", "mesage"),
        ("{}", "message"),
        ("no JSON", "expected"),
        ("[]", "ChatRequest"),
        ("{\"cancel\": false}", "`cancel` is true"),
        ("{\"cancel\": true, \"message\": \"x\"}", "unknown field `message`"),
        ("{\"cancel\": true}", "no answer is being given"),
        ("{\"answer\": {\"question\": 1, \"yes\": true}}", "not asked"),
        ("{\"answer\": {\"question\": 1}}", "yes"),
    ];
    for (said, names) in wrong {
        socket.send_frame(TEXT, said.as_bytes());
        let (event, data) = socket.event();
        let message = data["error"]["message"].as_str().expect("a message").to_owned();
        assert_eq!(event, "refused", "{said}: {message}");
        assert!(message.contains(names), "{said}: {message}");
    }
    socket.say(&says("  "));
    let error = socket.until("error");
    assert!(error.to_string().contains("1 to 65536 bytes"), "{error}");
    socket.say(&says("slow, please"));
    socket.until("doing");
    socket.say(&says("and another"));
    let refused = socket.until("refused");
    assert_eq!(refused["error"]["code"], "busy", "{refused}");
    socket.say(&json!({"cancel": true}));
    assert_eq!(socket.until("error")["error"]["code"], "cancelled");
    // A message in two parts, with a ping between them, is one message.
    let (first, rest) = (b"{\"message\": \"tell", b" me\"}");
    socket.send(&frame(TEXT, first));
    socket.send_frame(PING, b"?");
    assert_eq!(socket.frame(), Some((PONG, b"?".to_vec())));
    socket.send(&frame(0x80, rest));
    assert_eq!(socket.until("done")["reply"], "a quiet evening at the lake");
    let asked = model.seen().len();
    socket.say(&says("slow again, please"));
    eventually(PATIENCE, "the model is asked", || (model.seen().len() > asked).then_some(()));
    drop(socket);
    // The conversation is free again although the model never answers.
    let mut other = Socket::open(&door, None, "");
    other.say(&says("and now?"));
    assert_eq!(other.until("done")["reply"], "a quiet evening at the lake");
    // A close is answered with its code.
    other.send_frame(CLOSE, &1000_u16.to_be_bytes());
    assert_eq!(other.closed().0, 1000);
    assert!(other.has_ended());
}

/// What is not a message of a client closes the socket with the code for it, and the door continues.
#[test]
fn what_is_no_message_closes_the_socket_with_its_code() {
    let world = World::new();
    let door = Door::open(&world, &[]);
    let long = "x".repeat(1_048_577);
    let mut unmasked = vec![0x80 | TEXT, 2];
    unmasked.extend(b"{}");
    // The head of a frame that claims more bytes than there are on earth.
    let mut huge = vec![0x80 | TEXT, 0x80 | 127];
    huge.extend((u64::MAX >> 1).to_be_bytes());
    huge.extend([0; 4]);
    let wrong: [(&str, Vec<u8>, u16); 9] = [
        ("binary", frame(0x80 | BINARY, b"{}"), 1003),
        ("too long", frame(0x80 | TEXT, long.as_bytes()), 1009),
        ("a huge claim", huge, 1009),
        (
            "long in parts",
            [frame(TEXT, &long.as_bytes()[..700_000]), frame(0x80, &long.as_bytes()[..700_000])].concat(),
            1009,
        ),
        ("a reserved bit", frame(0xC0 | TEXT, b"{}"), 1002),
        ("a reserved kind", frame(0x80 | 0x3, b"{}"), 1002),
        ("no mask", unmasked, 1002),
        ("a part of nothing", frame(0x80, b"{}"), 1002),
        ("no UTF-8", frame(0x80 | TEXT, b"\xff\xfe"), 1007),
    ];
    for (what, bytes, code) in wrong {
        let mut socket = Socket::open(&door, None, "");
        socket.send(&bytes);
        assert_eq!(socket.closed().0, code, "{what}");
        assert!(socket.has_ended(), "{what}");
    }
    let mut garbage = Socket::open(&door, None, "");
    garbage.send(b"GET / HTTP/1.1\r\n\r\n");
    assert_eq!(garbage.closed().0, 1002);
    // A line that is too long for the bot alone ends nothing.
    let mut socket = Socket::open(&door, None, "");
    socket.say(&says(&"x".repeat(70_000)));
    assert!(socket.until("error").to_string().contains("1 to 65536 bytes"));
    socket.say(&says("what time is it?"));
    assert_eq!(socket.until("done")["outcome"], "answered");
}

/// At an address a handshake needs a token, and one that is removed meanwhile opens nothing further on an open socket.
#[test]
fn a_handshake_needs_a_token_and_a_removed_one_closes_an_open_socket() {
    let world = World::new();
    let phone = token(&world, "phone", &[]);
    let door = Door::at_port(&world, &[]);
    refused(&door, None, "").has(401);
    refused(&door, Some(&phone[..phone.len() - 1]), "").has(401);
    // A stranger is not told that this is a WebSocket.
    door.get("/chat/ws", None).has(401);
    let told = door.get("/chat/ws", Some(&phone)).has(426);
    assert_eq!(
        (told.header("upgrade"), told.header("sec-websocket-version")),
        (Some("websocket"), Some("13"))
    );
    assert!(told.body.contains("this path is a WebSocket"), "{}", told.body);
    let mut sockets = [(); 2].map(|()| Socket::open(&door, Some(&phone), ""));
    sockets[0].say(&says("hello"));
    sockets[0].until("done");
    world.admin(&["door", "remove", "phone"]).done();
    sockets[0].say(&says("hello"));
    assert_eq!(sockets[0].until("error")["error"]["code"], "unauthorized");
    sockets[1].say(&json!({"answer": {"question": 1, "yes": true}}));
    assert_eq!(sockets[1].until("refused")["error"]["code"], "unauthorized");
    for mut socket in sockets {
        assert_eq!(socket.closed().0, 1008);
    }
    refused(&door, Some(&phone), "").has(401);
}

/// A program is neither asked nor may it answer, on a socket as elsewhere.
#[test]
fn a_program_on_a_socket_is_never_asked() {
    let world = World::new();
    let program = token(&world, "lights", &[]);
    let model = model();
    bot_asks(&world, &model.url(), None);
    let door = Door::at_port(&world, &[]);
    let mut socket = Socket::open(&door, Some(&program), "");
    socket.say(&json!({"message": "write milk into a.txt", "asks": true}));
    let done = socket.until("done");
    assert!(done["reply"].as_str().is_some_and(|reply| reply.contains("nobody says yes here")), "{done}");
    socket.say(&json!({"answer": {"question": 1, "yes": true}}));
    assert_eq!(socket.until("refused")["error"]["code"], "not_person");
}

/// The cookie of a browser opens a socket from a page of this door alone.
#[test]
fn a_cookie_opens_a_socket_from_a_page_of_the_door_alone() {
    let world = World::new();
    let person = token(&world, "phone", &["--person"]);
    let door = Door::at_port(&world, &[]);
    let cookie = format!("Cookie: tameclaw_door_default={person}\r\n");
    refused(&door, None, &cookie).has(401);
    let origin = format!("Origin: http://{}\r\n", address(&door));
    refused(&door, None, &origin).has(401);
    let mut socket = Socket::open(&door, None, &format!("{origin}{cookie}"));
    socket.say(&says("what time is it?"));
    assert_eq!(socket.until("done")["outcome"], "answered");
}

/// When something is installed, an open socket has the answer that is being given, gets a message that the door starts again,
/// and the door that follows answers.
#[test]
fn an_open_socket_is_told_that_the_door_starts_again() {
    if compiler_is_missing() {
        return;
    }
    let world = World::with_package("learn to roll dice");
    let model = ModelServer::start(|_| {
        Reply::Stream(vec!["a ".into(), "quiet ".into(), "evening".into()], Duration::from_secs(2))
    });
    bot_asks(&world, &model.url(), None);
    let door = Door::open(&world, &[]);
    let id = world.newest()["id"].as_str().expect("an identifier").to_owned();
    let mut idle = Socket::open(&door, None, "");
    // The second answer is begun after the first, in which the package comes.
    let mut busy = [(); 2].map(|()| Socket::open(&door, None, ""));
    for socket in &mut busy {
        socket.say(&says("tell me"));
        socket.until("doing");
    }
    world.admin(&["approve", &id, "--yes"]).done();
    for mut socket in busy {
        assert_eq!(socket.until("done")["reply"], "a quiet evening");
        assert_eq!(socket.closed().0, 1012);
        assert!(socket.has_ended());
    }
    assert_eq!(idle.closed().0, 1012);
    // This one closed nothing itself, and is not waited for any longer.
    assert!(idle.has_ended());
    eventually(PATIENCE, "the tool is there", || {
        door.get("/tools", None).has(200).body.contains("roll-dice.roll").then_some(())
    });
    let mut again = Socket::open(&door, None, "");
    again.say(&says("tell me"));
    assert_eq!(again.until("done")["reply"], "a quiet evening");
}

/// A client that is silent for a minute is let go; one that answers each ping stays.
#[test]
fn a_silent_socket_is_let_go_and_a_living_one_stays() {
    let world = World::new();
    let door = Door::open(&world, &[]);
    let mut silent = Socket::open(&door, None, "");
    let mut lives = Socket::open(&door, None, "");
    let silent = std::thread::spawn(move || silent.closed());
    for _ in 0..2 {
        let (kind, payload) = lives.frame().expect("a ping");
        assert_eq!(kind, PING);
        lives.send_frame(PONG, &payload);
    }
    let (code, took) = silent.join().expect("it is closed");
    assert_eq!(code, 1001);
    assert!((Duration::from_secs(55)..Duration::from_secs(75)).contains(&took), "{took:?}");
    lives.say(&says("what time is it?"));
    assert_eq!(lives.until("done")["outcome"], "answered");
}

/// An open socket is one of the connections that the door has at a time: beyond them a client waits for a place.
#[test]
fn an_open_socket_keeps_one_of_the_places() {
    let world = World::new();
    let door = Door::open(&world, &[]);
    let mut sockets: Vec<Socket> = Vec::new();
    for n in 0..512 {
        if n >= 250 {
            // No faster than requests are answered.
            std::thread::sleep(Duration::from_millis(15));
        }
        sockets.push(Socket::open(&door, None, ""));
    }
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| door.get("/health", None).has(200));
        std::thread::sleep(Duration::from_secs(2));
        assert!(!waits.is_finished(), "there is a place for one more");
        sockets.pop();
        waits.join().expect("it is answered");
    });
}

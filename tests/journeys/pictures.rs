//! Pictures: a person attaches some to a line, and a model that takes pictures is sent them with that line alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tameclaw_tests::calls::profile;
use tameclaw_tests::door::Door;
use tameclaw_tests::http::{Response, Server};
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::pty::Pty;
use tameclaw_tests::world::{Program, World};

const SOON: Duration = Duration::from_secs(60);
const PROMPT: &str = "> ";
/// The most bytes of all pictures of a message, as the documentation promises.
const MOST: usize = 2 * 1024 * 1024;

/// The bytes of a picture: a head that is one's, and a body that stands nowhere else.
fn png(size: usize) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    bytes.extend((bytes.len()..size).map(|n| (n * 7 % 251) as u8));
    bytes
}

/// A home whose profile may read the whole workspace, with a picture in it.
fn home() -> World {
    let world = World::new();
    profile(&world, "grants: {files: {read: [\"**\"]}}\n");
    fs::create_dir_all(workspace(&world)).expect("the workspace can be made");
    fs::write(workspace(&world).join("cat.png"), png(119_500)).expect("a picture");
    world
}

fn workspace(world: &World) -> PathBuf {
    world.home().profile(&world.profile()).join("workspace")
}

/// Makes a server the first provider of a home, with the companion behind it.
fn provider(world: &World, kind: &str, url: &str, more: &str) {
    let text = format!(
        "providers:\n- {{name: seeing, kind: {kind}, base_url: \"{url}\", model: m, stream: false{more}}}\n\
         - {{name: companion, kind: embedded}}\nmemory: {{extract: off}}\n"
    );
    fs::write(world.home().bot_config(), text).expect("the configuration can be written");
}

/// The pictures in the messages of a request, as data URLs.
fn pictures(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let parts =
        messages.iter().flat_map(|message| message["content"].as_array().cloned().unwrap_or_default());
    parts.filter_map(|part| part["image_url"]["url"].as_str().map(str::to_owned)).collect()
}

fn url_of(bytes: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(bytes))
}

/// Whether a file beneath a folder, but for the workspace, holds one of these texts.
fn found(folder: &Path, texts: &[&[u8]], places: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !path.ends_with("workspace") => found(&path, texts, places),
            Ok(kind) if kind.is_file() => {
                let bytes = fs::read(&path).unwrap_or_default();
                let holds = |text: &&[u8]| bytes.windows(text.len()).any(|window| window == *text);
                places.extend(texts.iter().any(holds).then_some(path));
            }
            _ => {}
        }
    }
}

/// `/attach` takes a picture of the workspace along with the next line, and says so; with the line after it goes no more, and
/// what is kept of it is its name and its size. `/retry` sends it once more.
#[test]
fn a_picture_goes_with_the_next_line_and_with_no_other() {
    let model = ModelServer::start(|_| Reply::text("A grey cat."));
    let world = home();
    provider(&world, "openai-compatible", &model.url(), ", images: true");
    let mut chat = Pty::start(world.command(Program::Bot, &["agent"]));
    chat.expect(PROMPT, SOON);
    chat.line("/attach");
    chat.expect("no picture waits", SOON);
    chat.line("/attach cat.png");
    chat.expect("The picture cat.png (120 KB) goes with your next line.", SOON);
    assert!(model.seen().is_empty(), "a picture alone asks no model");
    chat.line("/attach");
    chat.expect("with your next line go: cat.png, 120 KB", SOON);
    chat.line("what is this?");
    chat.expect("A grey cat.", SOON);
    let bytes = png(119_500);
    let seen = model.seen();
    let last = seen.last().expect("it was asked");
    assert_eq!(pictures(&last.body), [url_of(&bytes)]);
    let messages = last.body["messages"].as_array().expect("messages");
    let line = messages.last().expect("a message");
    assert_eq!(
        (&line["role"], &line["content"][0]),
        (&json!("user"), &json!({"type": "text", "text": "what is this?"}))
    );
    let offered = last.tools();
    assert!(offered.iter().any(|tool| tool.contains("file_read")), "{offered:?}");
    assert!(!offered.iter().any(|tool| tool.contains("attach")), "no model attaches: {offered:?}");
    chat.line("/retry");
    chat.expect("A grey cat.", SOON);
    assert_eq!(pictures(&model.seen().last().expect("it was asked").body), [url_of(&bytes)]);
    chat.line("and its colour?");
    chat.expect("A grey cat.", SOON);
    let seen = model.seen();
    let last = seen.last().expect("it was asked");
    assert_eq!(pictures(&last.body), [] as [String; 0], "it goes with one line");
    assert_eq!(last.text().matches("[picture cat.png, 120 KB, was shown]").count(), 1, "{}", last.text());
    chat.line("/attach cat.png");
    chat.expect("goes with your next line.", SOON);
    chat.line("/attach none");
    chat.expect("dropped: cat.png, 120 KB", SOON);
    chat.line("hello again");
    chat.expect("A grey cat.", SOON);
    assert_eq!(pictures(&model.seen().last().expect("it was asked").body), [] as [String; 0]);
    chat.line("/quit");
    chat.ended(SOON);
    let mut places = vec![];
    let (raw, encoded) = (&bytes[1_000..1_040], STANDARD.encode(&bytes[3_000..3_060]));
    found(world.home().root(), &[raw, encoded.as_bytes()], &mut places);
    assert_eq!(places, [] as [PathBuf; 0], "the bytes are kept nowhere");
    let receipts = world.bot(&["receipt", "list", "--json"]).done();
    assert_eq!(receipts.stdout.matches("file_attach").count(), 2, "{}", receipts.report());
}

/// `-m --attach` sends pictures of any place that the command line names, up to four and 2 MiB together.
#[test]
fn a_message_of_the_command_line_takes_pictures_along() {
    let model = ModelServer::start(|_| Reply::text("Two pictures."));
    let world = home();
    provider(&world, "openai-compatible", &model.url(), ", images: true");
    let at = |name: &str, bytes: &[u8]| {
        let path = world.outside().join(name);
        fs::write(&path, bytes).expect("a file");
        path.display().to_string()
    };
    // By its bytes it is a picture, regardless of its name.
    let (large, small) = (at("large.bin", &png(MOST - 6)), at("small.gif", b"GIF89a"));
    let ran = world.bot(&["-m", "what are these?", "--attach", &large, "--attach", &small, "--json"]).done();
    assert_eq!(ran.json()["reply"], "Two pictures.");
    let sent = pictures(&model.seen().last().expect("it was asked").body);
    assert_eq!(sent, [url_of(&png(MOST - 6)), "data:image/gif;base64,R0lGODlh".to_owned()]);
    let log = world.home().profile(&world.profile()).join("logs/skills.jsonl");
    let log = fs::read_to_string(log).expect("a log");
    assert!(log.contains("image/png of 2097146 bytes, image/gif of 6 bytes"), "{log}");
    world.bot(&["--conversation", "last", "-m", "and now?"]).done();
    let seen = model.seen();
    let last = seen.last().expect("it was asked");
    assert!(last.text().contains("[picture small.gif, 1 KB, was shown]"), "{}", last.text());
    assert_eq!(pictures(&last.body), [] as [String; 0]);
}

/// What cannot go along is wrong use, named with what would be taken; no model is asked, and no pipe hangs the program.
#[test]
fn what_is_no_picture_does_not_go_along() {
    let model = ModelServer::start(|_| Reply::text("Nothing to see."));
    let world = home();
    provider(&world, "openai-compatible", &model.url(), ", images: true");
    let at = |name: &str| world.outside().join(name).display().to_string();
    fs::write(at("text.png"), "a text").expect("a file");
    fs::write(at("huge.png"), png(3 * 1024 * 1024)).expect("a file");
    fs::write(at("small.png"), png(16)).expect("a file");
    nix::unistd::mkfifo(Path::new(&at("pipe.png")), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    let ask = |files: &[&str]| {
        let files: Vec<String> = files.iter().map(|name| at(name)).collect();
        let attached = files.iter().flat_map(|file| ["--attach", file]);
        world.bot(&["-m", "what is this?"].into_iter().chain(attached).collect::<Vec<_>>())
    };
    ask(&["text.png"]).exited(2).says("text.png is not a picture: PNG, JPEG, GIF and WebP are taken");
    ask(&["huge.png"]).exited(2).says("huge.png is too large").says("2 MiB");
    ask(&["small.png"; 5]).exited(2).says("at most 4 pictures");
    ask(&["missing.png"]).exited(1).says("missing.png");
    ask(&["pipe.png"]).exited(1).says("not a regular file");
    ask(&["."]).exited(1).says("not a regular file");
    world.bot(&["--attach", &at("small.png")]).exited(2).says("--message");
    let ran = world.bot(&["-m", "/tools", "--attach", &at("small.png")]);
    ran.exited(2).says("no picture goes with a command");
    assert!(model.seen().is_empty(), "no model was asked");
    ask(&["small.png"; 4]).done();
}

/// A server that speaks the other protocol gets pictures in its own form.
#[test]
fn the_other_protocol_has_a_form_of_its_own() {
    let seen = Arc::<Mutex<Vec<Value>>>::default();
    let record = Arc::clone(&seen);
    let server = Server::start(move |request| {
        record.lock().expect("no answer panics").push(serde_json::from_slice(&request.body).expect("JSON"));
        let answer = json!({"model": "m", "stop_reason": "end_turn", "content": [{"type": "text", "text": "A cat."}],
            "usage": {"input_tokens": 1, "output_tokens": 1}});
        Response::Proper { status: 200, kind: "application/json", body: answer.to_string().into_bytes() }
    });
    let world = home();
    provider(&world, "anthropic", &format!("http://{}", server.host()), ", images: true");
    let input = "/attach cat.png\nwhat is this?\n";
    world.typed(Program::Bot, &["agent"], input).done().prints("A cat.").prints("goes with your next line.");
    let seen = seen.lock().expect("no answer panics");
    let message =
        seen.last().and_then(|body| body["messages"].as_array()?.last().cloned()).expect("a message");
    let source = json!({"type": "base64", "media_type": "image/png", "data": STANDARD.encode(png(119_500))});
    assert_eq!(message["content"][0], json!({"type": "image", "source": source}));
    assert_eq!(message["content"][1], json!({"type": "text", "text": "what is this?"}));
}

/// Without a model the companion says that it sees no pictures, and answers the words; where the model takes none, the answer
/// names the key, and `/attach` says it at once.
#[test]
fn who_takes_no_pictures_says_so() {
    let world = home();
    let cat = workspace(&world).join("cat.png").display().to_string();
    let ran = world.bot(&["-m", "what is 17 plus 25?", "--attach", &cat]).done();
    ran.prints("42").says("I cannot see pictures without a model that takes them");
    let ran = world.bot(&["-m", "was ist 17 plus 25?", "--attach", &cat]).done();
    ran.prints("42").says("Ohne ein Modell, das Bilder annimmt");
    world.bot(&["-m", "/attach cat.png"]).exited(1).prints("`images: true`");
    let model = ModelServer::start(|_| Reply::text("hello"));
    provider(&world, "openai-compatible", &model.url(), "");
    world.bot(&["-m", "what is this?", "--attach", &cat]).exited(1).says("`images: true`").says("seeing");
    world.bot(&["-m", "/attach cat.png"]).exited(1).prints("`images: true`");
    assert!(model.seen().is_empty(), "it was asked nothing");
    world.bot(&["provider", "list"]).done().hides("pictures");
    provider(&world, "openai-compatible", &model.url(), ", images: true");
    world.bot(&["provider", "list"]).done().prints("pictures");
}

/// Over HTTP the person's line takes pictures along as a command line does: within the same limits, with that line alone, and without a
/// file of them. What is refused says the limit, and takes nothing along with the next line.
#[test]
fn pictures_go_over_http_with_a_line_of_the_person() {
    let model = ModelServer::start(|_| Reply::text("A grey cat."));
    let world = World::new();
    provider(&world, "openai-compatible", &model.url(), ", images: true");
    let add = |name: &str, more: &[&str]| world.admin(&[&["door", "add", name], more].concat()).done().stdout;
    let (person, program) = (add("phone", &["--person"]), add("lights", &[]));
    let door = Door::at_port(&world, &[]);
    let picture = |name: &str, bytes: &[u8]| json!({"name": name, "data": STANDARD.encode(bytes)});
    let says = |pictures: Value| json!({"message": "what is this?", "pictures": pictures});
    let send = |pictures: Value| door.post("/chat", Some(person.trim()), &says(pictures));
    let (cat, dog) = (png(1_000_000), png(1_000_001));
    for (pictures, status, why) in [
        (json!(vec![picture("cat.png", &png(100)); 5]), 400, "at most 4 pictures"),
        (json!([picture("a.png", &png(1_200_000)), picture("b.png", &png(1_200_000))]), 400, "at most 2 MiB"),
        (json!([picture("a.png", &png(3_000_000))]), 413, "at most 2 MiB"),
        (json!([picture("a.png", b"a text of the person")]), 400, "a.png is neither a picture"),
        (json!([{"name": "a\u{202e}.png", "data": "%"}]), 400, "a\\u{202e}.png is not base64"),
        (json!([{"name": "a.png"}]), 400, "data"),
    ] {
        let refused = send(pictures).has(status).json();
        let message = refused["error"]["message"].as_str().expect("a sentence");
        assert!(message.contains(why), "{message}");
    }
    let refused = door.post("/chat", Some(program.trim()), &says(json!([picture("cat.png", &cat)]))).has(403);
    assert!(refused.body.contains("--person"), "{refused:?}");
    assert!(model.seen().is_empty(), "what is refused asks no model");
    let turn = send(json!([])).has(200).json();
    assert_eq!(pictures(&model.seen().last().expect("it was asked").body), [] as [String; 0]);
    let both = json!([picture("../c\u{202e}gnp.exe", &cat), picture("dog.png", &dog)]);
    let on = |mut body: Value| {
        body["conversation_id"] = turn["conversation_id"].clone();
        door.post("/chat", Some(person.trim()), &body).has(200);
        model.seen().last().expect("it was asked").clone()
    };
    assert_eq!(pictures(&on(says(both)).body), [url_of(&cat), url_of(&dog)]);
    let after = on(json!({"message": "and its colour?"}));
    assert_eq!(pictures(&after.body), [] as [String; 0], "they go with one line");
    assert!(after.text().contains("[picture ../c\\u{202e}gnp.exe, 1000 KB, was shown]"), "{}", after.text());
    let mut places = vec![];
    found(
        world.home().root(),
        &[&cat[1_000..1_200], STANDARD.encode(&cat[900..999]).as_bytes()],
        &mut places,
    );
    assert_eq!(places, [] as [PathBuf; 0], "nothing of them lies in a file");
}

//! A model on this machine without any server: it is fetched by its digest, connected, and answers in the chat.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use sha2::{Digest as _, Sha256};
use tameclaw_tests::disk::Disk;
use tameclaw_tests::http::{Request, Response, Server, dead_port};
use tameclaw_tests::run::Ran;
use tameclaw_tests::world::{PATIENCE, Program, World};

/// As much as several pieces.
const LENGTH: usize = 3_000_000;

/// A file that begins as a model does.
fn model() -> Vec<u8> {
    let rest = (0..LENGTH - 4).map(|at| (at * at % 251) as u8);
    b"GGUF".iter().copied().chain(rest).collect()
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What `serve` answered, with the `Range` of each request.
type Seen = Arc<Mutex<Vec<Option<String>>>>;

fn mirror(answer: impl Fn(Option<usize>, usize) -> Response + Send + Sync + 'static) -> (Server, Seen) {
    let seen = Seen::default();
    let kept = Arc::clone(&seen);
    let server = Server::start(move |request: Request| {
        let range = request.header("range").map(str::to_owned);
        let from =
            range.as_ref().and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
        let mut seen = kept.lock().expect("nobody panicked");
        seen.push(range);
        answer(from, seen.len())
    });
    (server, seen)
}

/// A whole file, or the part of it that was asked for; `sent` bytes of it arrive before the connection breaks.
fn part(bytes: &[u8], from: usize, sent: usize) -> Response {
    let (total, rest) = (bytes.len(), &bytes[from..]);
    let status = if from > 0 { "206 Partial Content" } else { "200 OK" };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\ncontent-range: bytes {from}-{}/{total}\r\n\r\n",
        rest.len(),
        total - 1
    );
    Response::Bytes([head.as_bytes(), &rest[..sent.min(rest.len())]].concat())
}

fn fetch(world: &World, server: &Server, sha256: &str, more: &[&str]) -> Ran {
    let address = format!("http://{}/model.gguf", server.host());
    let words = ["model", "fetch", "mine", "--from", &address, "--sha256", sha256];
    world.admin(&[&words[..], more].concat())
}

fn here(world: &World) -> PathBuf {
    world.home().models().join("mine.gguf")
}

fn begun(world: &World) -> PathBuf {
    world.home().models().join("mine.gguf.part")
}

#[test]
fn a_fetch_that_breaks_off_goes_on_from_there_and_ends_with_the_pinned_file() {
    let world = World::without_kit();
    let bytes = model();
    let sent = bytes.clone();
    let (server, seen) = mirror(move |from, count| match count {
        1 => part(&sent, 0, 1_000_000),
        _ => part(&sent, from.unwrap_or(0), LENGTH),
    });
    fetch(&world, &server, &digest(&bytes), &[]).exited(1).says("bytes are kept");
    let kept = fs::metadata(begun(&world)).expect("what came is there").len();
    assert!(kept > 0 && !here(&world).exists());
    fetch(&world, &server, &digest(&bytes), &[]).done().prints("mine is on this machine").says("100 %");
    assert_eq!(fs::read(here(&world)).expect("it is there"), bytes);
    assert!(!begun(&world).exists());
    // What is there is not fetched again.
    fetch(&world, &server, &digest(&bytes), &[]).done().prints("mine is on this machine");
    assert_eq!(*seen.lock().expect("nobody panicked"), [None, Some(format!("bytes={kept}-"))]);
    let row = world.admin(&["model", "available", "--json"]).done().json_rows();
    let row = row.into_iter().find(|row| row["name"] == "mine").expect("a row");
    assert_eq!((row["fetched"].as_bool(), row["bytes"].as_u64()), (Some(true), Some(LENGTH as u64)));
}

/// What is on this machine already is not copied once more.
#[test]
fn a_brought_file_is_gone_on_with_where_a_fetch_broke_off() {
    let world = World::without_kit();
    let bytes = model();
    let sent = bytes.clone();
    let (server, _) = mirror(move |_, _| part(&sent, 0, 1_000_000));
    fetch(&world, &server, &digest(&bytes), &[]).exited(1).says("bytes are kept");
    let kept = fs::metadata(begun(&world)).expect("what came is there").len() as usize;
    // Only its end is that of the model, so it is not read from its beginning.
    let (brought, end) = (world.outside().join("brought.gguf"), &bytes[kept..]);
    fs::write(&brought, [&vec![0; kept][..], end].concat()).expect("it can be written");
    let path = brought.to_str().expect("text");
    world.admin(&["model", "fetch", "mine", "--file", path, "--sha256", &digest(&bytes)]).done();
    assert_eq!(fs::read(here(&world)).expect("it is there"), bytes);
}

#[test]
fn a_server_that_ignores_the_range_or_refuses_it_is_read_from_the_beginning() {
    for refuses in [false, true] {
        let world = World::without_kit();
        let bytes = model();
        let sent = bytes.clone();
        let (server, seen) = mirror(move |from, count| match (count, from) {
            (1, _) => part(&sent, 0, 500_000),
            (_, Some(_)) if refuses => Response::Proper { status: 416, kind: "text/plain", body: vec![] },
            _ => part(&sent, 0, LENGTH),
        });
        fetch(&world, &server, &digest(&bytes), &[]).exited(1);
        fetch(&world, &server, &digest(&bytes), &[]).done().says("begins anew");
        assert_eq!(fs::read(here(&world)).expect("it is there"), bytes);
        assert!(seen.lock().expect("nobody panicked")[1].is_some());
    }
}

#[test]
fn another_digest_than_the_pinned_one_deletes_what_came_and_both_are_said() {
    let world = World::without_kit();
    let bytes = model();
    let (pinned, sent) = (digest(b"another file"), bytes.clone());
    let (server, _) = mirror(move |_, _| part(&sent, 0, LENGTH));
    fetch(&world, &server, &pinned, &[]).exited(4).says(&pinned).says(&digest(&bytes)).says("was deleted");
    assert!(!here(&world).exists() && !begun(&world).exists());
    // So it is with a file that somebody brought.
    let brought = world.outside().join("brought.gguf");
    fs::write(&brought, &bytes).expect("it can be written");
    let path = brought.to_str().expect("text");
    world.admin(&["model", "fetch", "mine", "--file", path, "--sha256", &pinned]).exited(4).says(&pinned);
    assert!(!here(&world).exists() && !begun(&world).exists());
    world.admin(&["model", "fetch", "mine", "--file", path, "--sha256", &digest(&bytes)]).done();
    assert_eq!(fs::read(here(&world)).expect("it is there"), bytes);
}

#[test]
fn more_bytes_than_are_pinned_are_not_taken() {
    let world = World::without_kit();
    let bytes = model();
    let sent = bytes.clone();
    // Without a length the server says nothing beforehand.
    let (server, _) = mirror(move |_, _| Response::Parts {
        kind: "application/octet-stream",
        parts: sent.chunks(100_000).map(<[u8]>::to_vec).collect(),
        pause: Duration::ZERO,
        whole: true,
    });
    fetch(&world, &server, &digest(&bytes), &["--bytes", "1000000"])
        .exited(4)
        .says("more than the 1000000 bytes");
    assert!(!here(&world).exists() && !begun(&world).exists());
    // One that says so is not begun.
    let (server, _) = mirror(move |_, _| part(&bytes, 0, LENGTH));
    fetch(&world, &server, &digest(b""), &["--bytes", "1000000"]).exited(1).says("1000000 are pinned");
    assert!(!here(&world).exists());
}

#[test]
fn a_redirect_from_plain_http_is_not_followed_and_plain_http_is_for_this_machine() {
    let world = World::without_kit();
    let (other, asked) = mirror(|_, _| part(&model(), 0, LENGTH));
    let to = other.host();
    let (server, _) = mirror(move |_, _| {
        Response::Bytes(
            format!("HTTP/1.1 302 Found\r\nlocation: http://{to}/elsewhere\r\ncontent-length: 0\r\n\r\n")
                .into_bytes(),
        )
    });
    fetch(&world, &server, &digest(&model()), &[]).exited(1).says("only from https to https");
    assert!(asked.lock().expect("nobody panicked").is_empty() && !here(&world).exists());
    let words = ["model", "fetch", "mine", "--sha256", &digest(b""), "--from", "http://192.0.2.1/model.gguf"];
    world.admin(&words).exited(2).says("plain http is for this machine only");
}

#[test]
fn ctrl_c_keeps_what_came_and_says_how_to_go_on() {
    let world = World::without_kit();
    let bytes = model();
    let (head, sha256) = (bytes[..200_000].to_vec(), digest(&bytes));
    let (server, _) = mirror(move |_, _| Response::Parts {
        kind: "application/octet-stream",
        parts: vec![head.clone(), vec![0]],
        pause: Duration::from_secs(30),
        whole: true,
    });
    let address = format!("http://{}/model.gguf", server.host());
    let words = ["model", "fetch", "mine", "--from", &address, "--sha256", &sha256];
    let running = world.start(Program::Admin, &words);
    let start = Instant::now();
    while fs::metadata(begun(&world)).map_or(0, |facts| facts.len()) < 200_000 {
        assert!(start.elapsed() < PATIENCE, "nothing came");
        std::thread::sleep(Duration::from_millis(20));
    }
    running.signal(Signal::SIGINT);
    running.ended(PATIENCE).exited(130).says("the same command continues from there");
    assert_eq!(fs::metadata(begun(&world)).expect("it is kept").len(), 200_000);
}

#[test]
fn what_the_disk_cannot_hold_is_not_begun() {
    let world = World::empty();
    let Some(_disk) = Disk::for_home(&world, 64) else { return };
    world.admin(&["init"]).done();
    let (server, _) = mirror(|_, _| part(&model(), 0, LENGTH));
    fetch(&world, &server, &digest(&model()), &["--bytes", &LENGTH.to_string()]).exited(1).says("make room");
    assert!(!here(&world).exists());
}

#[test]
fn a_server_that_never_sends_the_beginning_is_given_up() {
    let world = World::without_kit();
    let bytes = model();
    let sent = bytes.clone();
    let (server, seen) = mirror(move |_, _| part(&sent, 1_000, LENGTH));
    fetch(&world, &server, &digest(&bytes), &[]).exited(1).says("begins at byte 1000, unasked");
    assert_eq!(seen.lock().expect("nobody panicked").len(), 1, "it is not asked again and again");
}

#[test]
fn a_name_is_of_the_list_or_comes_with_a_digest_and_a_place() {
    let world = World::without_kit();
    let other = digest(b"");
    world.admin(&["model", "fetch", "nobody-knows-it"]).exited(2).says("`cl-admin model available`");
    world.admin(&["model", "fetch", "qwen3-4b", "--sha256", &other]).exited(2).says("give another name");
    world.admin(&["model", "fetch", "mine", "--sha256", &other]).exited(2).says("--from URL or --file PATH");
    world.admin(&["model", "fetch", "../mine"]).exited(2).says("not a model name");
    world
        .admin(&["model", "serve", "mine", "--program", "/bin/true"])
        .exited(1)
        .says("`cl-admin model fetch mine`");
    world.admin(&["model", "serve", "--program", "/bin/true"]).exited(2).says("no model is named");
    let shown = world.admin(&["model", "available"]).done();
    shown.prints("qwen2.5-0.5b").prints("an estimate").prints("Apache-2.0");
}

/// The stand-in for `llama-server` in a folder of its own.
pub fn stand_in(world: &World) -> PathBuf {
    let folder = world.outside().join("bin");
    fs::create_dir_all(&folder).expect("a folder");
    let program = folder.join("llama-server");
    fs::copy(Program::Admin.path().with_file_name("llama-server"), &program).expect("it was built");
    program
}

fn brought(world: &World) {
    let path = world.outside().join("brought.gguf");
    fs::write(&path, model()).expect("it can be written");
    let path = path.to_str().expect("text");
    world.admin(&["model", "fetch", "mine", "--file", path, "--sha256", &digest(&model())]).done();
}

#[test]
fn a_fetched_model_is_connected_with_a_key_and_tried_by_a_turn() {
    let world = World::without_kit();
    brought(&world);
    let program = stand_in(&world);
    let port = dead_port().to_string();
    let program = program.to_str().expect("text");
    let ran = world.admin(&["model", "connect", "mine", "--port", &port, "--program", program]).done();
    ran.prints("mine").prints("connect").prints("cl-admin model serve mine");
    let settings = fs::read_to_string(world.home().bot_config()).expect("it is there");
    assert!(
        settings.contains(&format!("http://127.0.0.1:{port}/v1")) && settings.contains("api_key_file"),
        "{settings}"
    );
    let key = fs::read_to_string(world.home().admin().join("model.key")).expect("a key was made");
    assert!(key.len() >= 32 && !settings.contains(&key));
    // The trial's server is gone; another one is started by hand, and the chat asks it.
    world
        .admin(&["model", "ready", "--port", &port, "--seconds", "0"])
        .exited(1)
        .says("no model server answers");
    let words = ["model", "serve", "--port", &port, "--program", program];
    let server = world.start(Program::Admin, &words);
    world.admin(&["model", "ready", "--port", &port]).done();
    assert!(world.ask("are you there?").contains("connect"));
    drop(server);
    let shown = world.admin(&["model", "available"]).done();
    shown.prints("fetched, connected");
}

/// Without `llama-server` one sentence is said, and the questions are those of before.
#[test]
fn without_the_program_nothing_is_offered_and_one_sentence_says_what_would_help() {
    let world = World::without_kit();
    let port = dead_port().to_string();
    let ask = |path: &Path| {
        let mut command = world.command(Program::Admin, &["model", "--model-port", &port]);
        command.env("PATH", path);
        tameclaw_tests::run::run(command, b"1\n", PATIENCE)
    };
    let nothing = world.outside().join("nothing");
    fs::create_dir(&nothing).expect("a folder");
    ask(&nothing).prints("releases of llama.cpp").hides("run it here");
    let ollama = world.outside().join("ollama");
    fs::create_dir(&ollama).expect("a folder");
    fs::copy("/bin/true", ollama.join("ollama")).expect("a program");
    ask(&ollama).prints("ollama serve").prints("ollama pull");
    // With it, what was fetched is offered, and what fits.
    brought(&world);
    let program = stand_in(&world);
    ask(program.parent().expect("a folder"))
        .prints("mine, which was fetched, run here")
        .hides("releases of llama.cpp");
}

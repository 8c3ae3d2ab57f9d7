//! Attacks by pictures: files that must not go to a model, and what an instruction written in a picture may cause.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tameclaw_tests::calls::profile;
use tameclaw_tests::http::{Response, Server};
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::world::{Program, World};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and what only this picture holds";

/// A home whose profile has these grants.
fn home(grants: &str) -> World {
    let world = World::new();
    profile(&world, &format!("grants: {{{grants}}}\n"));
    fs::create_dir_all(workspace(&world)).expect("the workspace can be made");
    fs::write(workspace(&world).join("cat.png"), PNG).expect("a picture");
    world
}

fn workspace(world: &World) -> PathBuf {
    world.home().profile(&world.profile()).join("workspace")
}

fn configure(world: &World, servers: &[(&ModelServer, bool)], more: &str) {
    let entry = |(n, (server, images)): (usize, &(&ModelServer, bool))| {
        format!(
            "- {{name: p{n}, kind: openai-compatible, base_url: \"{}\", model: m, images: {images}}}\n",
            server.url()
        )
    };
    let entries: String = servers.iter().enumerate().map(entry).collect();
    fs::write(world.home().bot_config(), format!("providers:\n{entries}memory: {{extract: off}}\n{more}"))
        .expect("the configuration can be written");
}

/// How many requests of a server carried a picture.
fn pictured(server: &ModelServer) -> usize {
    server.seen().iter().filter(|chat| chat.body.to_string().contains("data:image/")).count()
}

/// A file in the workspace that is not a picture of it reaches no model: links, second names, pipes, texts, what is too large,
/// and what no grant names. The line after it goes without.
#[test]
fn what_is_no_picture_of_the_workspace_reaches_no_model() {
    let model = ModelServer::start(|_| Reply::text("fine"));
    let world = home("files: {read: [\"**\"]}");
    configure(&world, &[(&model, true)], "");
    let outside = world.outside().join("secret.png");
    fs::write(&outside, PNG).expect("a file");
    let at = |name: &str| workspace(&world).join(name);
    symlink(&outside, at("link.png")).expect("a link");
    symlink(world.outside(), at("way")).expect("a link");
    fs::hard_link(&outside, at("second.png")).expect("a second name");
    nix::unistd::mkfifo(&at("pipe.png"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    fs::write(at("text.png"), "a text of the person").expect("a file");
    fs::write(at("huge.png"), [PNG, &vec![7; 3 * 1024 * 1024]].concat()).expect("a file");
    fs::create_dir(at("folder.png")).expect("a folder");
    for (path, code, why) in [
        ("link.png", 3, "path-link"),
        ("way/secret.png", 3, "path-link"),
        ("second.png", 3, "path-link"),
        ("../../../../outside/secret.png", 3, "`..`"),
        (outside.to_str().expect("a path"), 3, "absolute path"),
        ("pipe.png", 1, "not a regular file"),
        ("folder.png", 1, "not a regular file"),
        ("text.png", 1, "not a picture"),
        ("huge.png", 1, "too large"),
        ("missing.png", 1, "missing.png"),
    ] {
        let ran = world.typed(Program::Bot, &["agent"], &format!("/attach {path}\nhello\n")).exited(code);
        ran.prints(why).prints("fine").hides("goes with your next line");
    }
    let five = "/attach cat.png\n".repeat(5);
    world.typed(Program::Bot, &["agent"], &format!("{five}/attach none\n")).exited(1).prints("at most 4");
    assert_eq!(pictured(&model), 0);
    profile(&world, "grants: {files: {read: [\"notes/**\"]}}\n");
    let input = "/attach cat.png\nhello\n";
    world.typed(Program::Bot, &["agent"], input).exited(3).prints("no grant covers");
    assert_eq!(pictured(&model), 0, "no grant names it");
    profile(&world, "grants: {files: {read: [\"**\"]}}\n");
    world.typed(Program::Bot, &["agent"], input).done();
    assert_eq!(pictured(&model), 1, "with a grant it goes along");
}

/// A provider that is not configured to take pictures gets none: not as the first, and not in the place of one that failed.
#[test]
fn a_provider_that_takes_no_pictures_gets_none() {
    let (blind, seeing) =
        (ModelServer::start(|_| Reply::text("blind")), ModelServer::start(|_| Reply::text("seen")));
    let world = home("files: {read: [\"**\"]}");
    configure(&world, &[(&blind, false), (&seeing, true)], "");
    let cat = workspace(&world).join("cat.png").display().to_string();
    let ask = |world: &World| world.bot(&["-m", "what is this?", "--attach", &cat]);
    ask(&world).done().prints("seen");
    seeing.follow(|_| Reply::Status(503));
    ask(&world).exited(1).hides("blind");
    world
        .bot(&["--provider", "p0", "-m", "what is this?", "--attach", &cat])
        .exited(1)
        .says("`images: true`");
    assert_eq!((blind.seen().len(), pictured(&blind)), (0, 0));
    assert!(pictured(&seeing) >= 2);
    world.bot(&["-m", "hello"]).done().prints("blind");
}

/// A host that is granted, and keeps each path it is asked for.
fn host() -> (Server, Arc<Mutex<Vec<String>>>) {
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let record = Arc::clone(&seen);
    let server = Server::start(move |request| {
        record.lock().expect("no answer panics").push(request.path);
        Response::Proper { status: 200, kind: "text/plain", body: b"sunny all day".to_vec() }
    });
    (server, seen)
}

/// A model that does what a picture says: it fetches an address that nobody typed.
fn led(url: String) -> ModelServer {
    ModelServer::start(move |chat| match chat.last() {
        (role, text) if role == "tool" => Reply::text(text),
        _ => Reply::call("http_get", json!({"url": url})),
    })
}

/// Once a picture went with a line, in any way, a fetch of an address that nobody typed asks, as after a file was read; so it
/// does in the rest of the conversation. Without a picture it runs.
#[test]
fn what_a_picture_says_causes_no_fetch_without_a_yes() {
    let (server, seen) = host();
    let model = led(format!("http://{}/carried-out", server.host()));
    let world = home(&format!("files: {{read: [\"**\"]}}, hosts: [\"{}\"]", server.host()));
    configure(&world, &[(&model, true)], &format!("network: {{local: [\"{}\"]}}\n", server.host()));
    let cat = workspace(&world).join("cat.png").display().to_string();
    let fetched = || seen.lock().expect("no answer panics").len();
    world.bot(&["-m", "tell me of the day"]).done().prints("sunny all day");
    assert_eq!(fetched(), 1, "without a picture it runs");
    world.bot(&["-m", "what is this?", "--attach", &cat]).exited(3).hides("sunny all day");
    world.bot(&["--conversation", "last", "-m", "go on, please"]).exited(3).hides("sunny all day");
    // A picture that waits goes into the new conversation, and what it is with it.
    for between in ["", "/new\n"] {
        let input = format!("/attach cat.png\n{between}what is this?\ngo on, please\n");
        world.typed(Program::Bot, &["agent"], &input).exited(3).hides("sunny all day");
    }
    assert_eq!(fetched(), 1, "with one nobody was asked, so nothing was fetched");
    assert_eq!(pictured(&model), 3 * 2, "each picture did go along, in both rounds of its turn");
}

/// A line of a person in need goes to nobody, with its picture neither; the picture goes with no later line.
#[test]
fn a_picture_with_a_line_in_need_goes_nowhere() {
    let model = ModelServer::start(|_| Reply::text("fine"));
    let world = home("files: {read: [\"**\"]}");
    configure(&world, &[(&model, true)], "");
    let cat = workspace(&world).join("cat.png").display().to_string();
    world.bot(&["-m", "I want to kill myself", "--attach", &cat]).done();
    assert_eq!(model.seen().len(), 0, "nobody was asked");
    let input = "/attach cat.png\nI want to kill myself\n";
    world.typed(Program::Bot, &["agent"], input).done();
    assert_eq!(pictured(&model), 0);
}

/// A model cannot attach anything on its own, regardless of what it calls.
#[test]
fn a_model_attaches_nothing() {
    let model = ModelServer::start(|chat| match chat.last() {
        (role, text) if role == "tool" => Reply::text(text),
        _ => Reply::call("file_attach", json!({"path": "cat.png"})),
    });
    let world = home("files: {read: [\"**\"]}");
    configure(&world, &[(&model, true)], "");
    world.typed(Program::Bot, &["agent"], "look at my files\nand now?\n").answered();
    let (asked, body) = (model.seen().len(), model.seen().last().map(|chat| chat.body.clone()));
    assert!(asked >= 3 && pictured(&model) == 0, "{asked} {:?}", body.unwrap_or(Value::Null));
}

//! Invariant 7: a bot that fills `data/` is stopped, told why, and starts again once there is room.

use std::fs;
use std::time::{Duration, Instant};

use tameclaw_tests::eventually;
use tameclaw_tests::pty::Pty;
use tameclaw_tests::world::{Program, World};

use crate::i07_files::set;

const SOON: Duration = Duration::from_secs(30);

fn fill(world: &World, files: usize) {
    let folder = world.home().profile(&world.profile()).join("workspace");
    for n in 0..files {
        fs::write(folder.join(format!("junk-{n}")), "x").expect("a file can be written");
    }
}

fn empty(world: &World) {
    let folder = world.home().profile(&world.profile()).join("workspace");
    fs::remove_dir_all(&folder).and_then(|()| fs::create_dir(&folder)).expect("it can be emptied");
}

#[test]
fn too_many_files_stop_the_bot_until_there_is_room() {
    let world = World::new();
    set(&world, "data_limit: {files: 60}\n");
    world.ask("hello");
    world.admin(&["run", "--once"]).done().hides("stopped");
    fill(&world, 80);
    world.admin(&["run", "--once"]).done().says("the bot is stopped");
    let ran = world.bot(&["agent", "-m", "hello"]).exited(3).says("data_limit").says("nine tenths");
    ran.hides("panicked");
    // What makes room still works.
    world.bot(&["memory", "list"]).done();
    world.admin(&["run", "--once"]).done();
    assert!(world.home().halt().exists(), "as long as it is too much");
    empty(&world);
    world.admin(&["run", "--once"]).done().says("there is room in data/ again");
    world.ask("hello");
}

#[test]
fn too_many_bytes_stop_the_bot_and_a_sparse_file_does_not() {
    let world = World::new();
    set(&world, "data_limit: {megabytes: 2}\n");
    let folder = world.home().profile(&world.profile()).join("workspace");
    let sparse = fs::File::create(folder.join("sparse")).expect("a file can be made");
    sparse.set_len(1 << 40).expect("it can be made long");
    world.admin(&["run", "--once"]).done().hides("stopped");
    fs::write(folder.join("full"), vec![1; 3 << 20]).expect("a file can be written");
    world.admin(&["run", "--once"]).done().says("the bot is stopped");
    world.bot(&["agent", "-m", "hello"]).exited(3);
}

/// A service that has counted does so again once the disk holds anything more, and does not wait for its look each minute.
#[test]
fn a_service_at_rest_notices_what_comes() {
    let world = World::new();
    set(&world, "data_limit: {files: 60}\n");
    let _service = world.start(Program::Admin, &["run"]);
    std::thread::sleep(Duration::from_secs(13));
    assert!(!world.home().halt().exists(), "nothing is too much yet");
    fill(&world, 80);
    let halted = || world.home().halt().exists().then_some(());
    eventually(Duration::from_secs(45), "the service stops the bot", halted);
}

/// A running chat is ended by its lock; a process of the same name that is not a chat of this home is left alone.
#[test]
fn a_running_chat_is_ended_and_nobody_else() {
    let (world, other) = (World::new(), World::new());
    set(&world, "data_limit: {files: 60}\n");
    let mut chat = Pty::start(world.command(Program::Bot, &["agent"]));
    let mut neighbour = Pty::start(other.command(Program::Bot, &["agent"]));
    chat.expect("> ", SOON);
    neighbour.expect("> ", SOON);
    fill(&world, 80);
    world.admin(&["run", "--once"]).done().says("1 running chat(s) asked to end");
    let start = Instant::now();
    while chat.runs() && start.elapsed() < SOON {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!chat.runs(), "the chat of this home has ended");
    assert!(neighbour.runs(), "the chat of another home goes on");
    neighbour.keys("/exit\r");
    assert_eq!(neighbour.ended(SOON), 0);
}

/// A chat that nobody could end sees the notice before its next turn.
#[test]
fn a_chat_that_was_not_ended_ends_before_its_next_turn() {
    let world = World::new();
    let mut chat = Pty::start(world.command(Program::Bot, &["agent"]));
    chat.expect("> ", SOON);
    fs::write(world.home().halt(), "data/ is full\n").expect("a file can be written");
    chat.line("hello");
    chat.expect("data/ is full", SOON);
    assert_eq!(chat.ended(SOON), 3);
    world.typed(Program::Bot, &["agent"], "hello\n").exited(3).says("data/ is full");
}

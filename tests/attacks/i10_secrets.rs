//! Invariant 10: secrets never enter `mind`, a log, a record or an answer.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::world::{Program, World};

use crate::mind::Entered;

/// Nobody else's memory holds this text, and it stands in this program only in two halves.
fn key() -> String {
    ["sk-tameclaw-0f3a", "9c1e-never-in-mind"].concat()
}

/// A running bot whose model needs a key that came by the environment, after one answered turn.
fn with_key(model: &ModelServer) -> Entered {
    let world = World::new();
    let settings = format!(
        "providers:\n  - {{name: scripted, kind: openai-compatible, base_url: \"{}\", model: m, api_key: \"${{MODEL_KEY}}\"}}\n",
        model.url()
    );
    fs::write(world.home().bot_config(), settings).expect("the configuration can be written");
    let mut command = world.command(Program::Bot, &["agent"]);
    command.env("MODEL_KEY", key());
    let mut bot = Entered::start_as(world, command);
    bot.say("hello", "Good day to you.");
    bot
}

/// After a turn for which the key was needed, no byte of the mind's memory holds it; that of `net` does.
#[test]
fn the_key_is_nowhere_in_the_minds_memory() {
    let model = ModelServer::start(|_| Reply::text("Good day to you."));
    let bot = with_key(&model);
    let bearer = format!("Bearer {}", key());
    assert_eq!(model.seen()[0].request.header("authorization"), Some(bearer.as_str()));
    assert!(holds(bot.net(), &key()), "the process that needs the key has it, or this test sees nothing");
    assert!(!holds(bot.mind(), &key()), "the key is in the mind's memory");
    bot.still_talks();
}

/// The key is in no file of the home, in no answer, and in no configuration that is shown.
#[test]
fn the_key_is_in_no_file_and_in_no_answer() {
    let model = ModelServer::start(|_| Reply::text("Good day to you."));
    let bot = with_key(&model);
    let home = bot.world().home();
    assert!(!found_below(home.root(), &key()), "the key was written to a file");
    let mut command = bot.world().command(Program::Bot, &["config", "show"]);
    command.env("MODEL_KEY", key());
    let shown = tameclaw_tests::run::run(command, b"", tameclaw_tests::world::PATIENCE).done();
    shown.prints("MODEL_KEY").hides(&key());
    bot.still_talks();
}

/// Whether a process' memory holds a text.
fn holds(pid: u32, text: &str) -> bool {
    let maps = fs::read_to_string(format!("/proc/{pid}/maps")).expect("the process runs");
    let memory = File::open(format!("/proc/{pid}/mem")).expect("its memory can be read");
    let address = |text: &str| u64::from_str_radix(text, 16).ok();
    maps.lines().filter(|line| line.split(' ').nth(1).is_some_and(|rights| rights.starts_with('r'))).any(
        |line| {
            let range = line.split(' ').next().and_then(|range| range.split_once('-'));
            let Some((Some(start), Some(end))) = range.map(|(start, end)| (address(start), address(end)))
            else {
                return false;
            };
            let mut bytes = vec![0; usize::try_from(end - start).expect("it fits")];
            // Some of the kernel's own pages cannot be read by anybody.
            memory.read_exact_at(&mut bytes, start).is_ok()
                && bytes.windows(text.len()).any(|window| window == text.as_bytes())
        },
    )
}

fn found_below(folder: &Path, text: &str) -> bool {
    fs::read_dir(folder).expect("a folder of the home").flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return found_below(&path, text);
        }
        fs::read(&path).is_ok_and(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
    })
}

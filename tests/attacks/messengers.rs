//! The process of `cl-bot matrix` and `cl-bot telegram` that talks to the messenger's server: what an owned one could do.

use std::fs;

use tameclaw_tests::matrix::{self, Homeserver};
use tameclaw_tests::run::Background;
use tameclaw_tests::telegram::{self, BotServer};
use tameclaw_tests::tracer::Outcome;
use tameclaw_tests::world::{Program, World};

use crate::door::children;
use crate::table::{Scene, attack, barred};
use crate::{calls, files};

/// Through Matrix.
#[test]
fn an_owned_messenger_of_matrix_reads_nothing_and_starts_nothing() {
    for security in WALLS {
        let (world, server) = (World::new(), Homeserver::start());
        server.is_of(&world, "");
        let room = server.room(&[matrix::ANNA]);
        let _channel = attacked(&world, security, "matrix", matrix::TOKEN, || server.is_polled());
        assert!(server.answer(&room, "what is 2 + 2?").contains('4'));
    }
}

/// Through Telegram.
#[test]
fn an_owned_messenger_of_telegram_reads_nothing_and_starts_nothing() {
    for security in WALLS {
        let (world, server) = (World::new(), BotServer::start());
        server.is_of(&world, "");
        let _channel = attacked(&world, security, "telegram", telegram::TOKEN, || server.is_polled());
        assert!(server.answer("what is 2 + 2?").contains('4'));
    }
}

/// The settings of both walls: Landlock, and a view of the file system.
const WALLS: [&str; 2] = ["", "security: {landlock: off}\n"];

/// From inside that process no file of the home is opened, no program started and nothing listened at; `mind` has no more rights than at
/// a terminal, and never the access token. Answers the channel, which still runs.
#[track_caller]
fn attacked(world: &World, security: &str, verb: &str, token: &str, is_polled: impl Fn()) -> Background {
    let config = world.home().bot_config();
    let before = fs::read_to_string(&config).expect("the configuration is there");
    fs::write(&config, before + security).expect("it can be written");
    let channel = world.start(Program::Bot, &[verb]);
    is_polled();
    is_polled();
    let mind = children(channel.pid())[0];
    let polls = children(mind)[0];
    let scene = Scene { peer: Some(polls), ..Scene::set(world) };
    for rows in [files::FILES, files::KEYS, files::PROFILE] {
        attack(polls, rows, &scene, barred);
    }
    for rows in [calls::CALLS, calls::LISTENING, calls::TERMINAL] {
        attack(polls, rows, &scene, Outcome::is_refusal);
    }
    attack(mind, files::FILES, &scene, barred);
    attack(mind, files::KEYS, &scene, barred);
    for rows in [calls::CALLS, calls::NETWORK, calls::LISTENING] {
        attack(mind, rows, &scene, Outcome::is_refusal);
    }
    for pid in [channel.pid(), mind, polls] {
        let of = |what: &str| fs::read(format!("/proc/{pid}/{what}")).expect("it runs");
        let shown = [of("cmdline"), of("environ")].concat();
        assert!(!String::from_utf8_lossy(&shown).contains(token));
    }
    assert!(fs::read(format!("/proc/{polls}/environ")).expect("it runs").is_empty());
    for pid in [mind, polls] {
        let open = fs::read_dir(format!("/proc/{pid}/fd")).expect("it runs");
        let open: Vec<_> = open.filter_map(|fd| fs::read_link(fd.ok()?.path()).ok()).collect();
        let is_held = |to: &std::path::PathBuf| to.to_string_lossy().contains("memfd");
        assert!(!open.iter().any(is_held), "{open:?}");
        if pid == polls {
            assert!(!open.iter().any(|to| to.starts_with(world.home().root())), "{open:?}");
        }
    }
    channel
}

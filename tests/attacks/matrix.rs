//! The process of `cl-bot matrix` that talks to the homeserver: what an owned one could do.

use std::fs;

use tameclaw_tests::matrix::{ANNA, Homeserver, TOKEN};
use tameclaw_tests::tracer::Outcome;
use tameclaw_tests::world::{Program, World};

use crate::door::children;
use crate::table::{Scene, attack, barred};
use crate::{calls, files};

/// From inside that process no file of the home is opened, no program started and nothing listened at, behind either wall; `mind` has no
/// more rights than at a terminal, and never the access token.
#[test]
fn an_owned_messenger_reads_nothing_and_starts_nothing() {
    for security in ["", "security: {landlock: off}\n"] {
        let (world, server) = (World::new(), Homeserver::start());
        server.is_of(&world, "");
        let config = world.home().bot_config();
        let before = fs::read_to_string(&config).expect("the configuration is there");
        fs::write(&config, before + security).expect("it can be written");
        let room = server.room(&[ANNA]);
        let channel = world.start(Program::Bot, &["matrix"]);
        server.is_polled();
        server.is_polled();
        let mind = children(channel.pid())[0];
        let polls = children(mind)[0];
        let scene = Scene { peer: Some(polls), ..Scene::set(&world) };
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
            assert!(!String::from_utf8_lossy(&shown).contains(TOKEN));
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
        assert!(server.answer(&room, "what is 2 + 2?").contains('4'));
    }
}

//! Invariant 8: the bot knows the abstract system profile and nothing else of the machine.

use std::fs;

use serde_json::{Value, json};
use shared_types::profile::SystemProfile;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::world::World;

use crate::mind::Entered;

/// What would tell this machine from another: kernel, host, distribution, processor, the paths of home and compiler.
fn particulars(world: &World) -> Vec<(String, String)> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    let release = read("/etc/os-release");
    let distribution = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let cpu = read("/proc/cpuinfo");
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|m| m.1));
    let mut all = vec![
        ("the kernel's release".to_owned(), read("/proc/sys/kernel/osrelease")),
        ("the host's name".to_owned(), read("/proc/sys/kernel/hostname")),
        ("the distribution".to_owned(), distribution.unwrap_or_default().trim_matches('"').to_owned()),
        ("the processor".to_owned(), model.unwrap_or_default().to_owned()),
        ("the home's path".to_owned(), world.home().root().display().to_string()),
    ];
    for tool in ["rustc", "wasm-ld", "rust-lld", "libstd-rust", "/dev/", "/usr/bin"] {
        all.push(("a tool, a device or a path".to_owned(), tool.to_owned()));
    }
    // A name that is an ordinary word says nothing.
    all.retain(|(_, text)| text.len() >= 4);
    all
}

/// Neither a request to a model, nor a proposal, nor the profile that the bot reads holds anything particular about the
/// machine, regardless of what it is asked.
#[test]
fn nothing_particular_about_the_machine_reaches_a_model_or_a_proposal() {
    let model = ModelServer::start(|chat| match chat.text().contains("Wish:") {
        true => {
            Reply::text(r#"{"name": "dice", "description": "Roll dice", "capabilities": [], "tools": []}"#)
        }
        false => Reply::text("I do not know."),
    });
    let world = World::new();
    let settings = format!(
        "providers:\n  - {{name: scripted, kind: openai-compatible, base_url: \"{}\", model: m}}\n",
        model.url()
    );
    fs::write(world.home().bot_config(), settings).expect("the configuration can be written");
    for line in ["which kernel and which packages does this machine have?", "what is your host name?"] {
        world.bot(&["agent", "-m", line]).done();
    }
    world.bot(&["agent", "-m", "learn to roll dice"]).done();
    let mut told: Vec<(String, String)> =
        model.seen().iter().map(|chat| ("a request".to_owned(), chat.body.to_string())).collect();
    assert!(told.len() >= 3);
    let folder = world.home().proposals(&world.profile());
    for entry in fs::read_dir(&folder).expect("a proposal was written").flatten() {
        told.push(("a proposal".to_owned(), fs::read_to_string(entry.path()).expect("it is text")));
    }
    let profile = fs::read_to_string(world.home().system_profile()).expect("there is a profile");
    told.push(("the system profile".to_owned(), profile));
    for (place, text) in &told {
        for (what, particular) in particulars(&world) {
            assert!(!text.contains(&particular), "{what} stands in {place}: {text}");
        }
    }
}

/// The system profile has three keys, and each value is one of the abstract words.
#[test]
fn the_system_profile_is_abstract() {
    let world = World::new();
    let text = fs::read_to_string(world.home().system_profile()).expect("there is a profile");
    let profile: Value = documents::yaml::from_own(&text).expect("it is a document");
    let keys: Vec<&String> = profile.as_object().expect("it has keys").keys().collect();
    assert_eq!(keys, ["active_skills", "available_capabilities", "platform"]);
    let parsed: SystemProfile = documents::yaml::from_own(&text).expect("it is a profile");
    assert_eq!(profile["platform"], json!(parsed.platform.as_str()));
    let words = profile["available_capabilities"].as_array().expect("a list");
    let known = shared_types::profile::SystemCapability::ALL.map(|c| json!(c.as_str()));
    assert!(!words.is_empty() && words.iter().all(|word| known.contains(word)), "{words:?}");
}

/// While a proposal waits, its mirror says for what in one of four words.
#[test]
fn the_mirror_says_in_one_of_four_words_what_a_proposal_waits_for() {
    let world = World::new();
    world.ask("learn to roll dice");
    world.ask("learn to name the moons of Saturn");
    world.admin(&["run", "--once"]).done();
    let folder = world.home().status(&world.profile());
    let mut seen = 0;
    for entry in fs::read_dir(&folder).expect("there is a mirror").flatten() {
        let text = fs::read_to_string(entry.path()).expect("it is text");
        let document: Value = documents::yaml::from_own(&text).expect("it is a document");
        if let Some(word) = document["waits_for"].as_str() {
            seen += 1;
            assert!(["person", "model", "compiler", "room"].contains(&word), "{word}");
        }
        for (what, particular) in particulars(&world) {
            assert!(!text.contains(&particular), "{what} stands in the mirror: {text}");
        }
    }
    assert!(seen >= 1, "something waits");
}

/// A `mind` that is no longer itself cannot look at the machine either: neither by files nor by asking the kernel.
#[test]
fn an_owned_mind_cannot_look_at_the_machine() {
    let bot = Entered::start(World::new());
    bot.inside(bot.mind(), |inside| {
        for path in [
            "/etc/os-release",
            "/etc/hostname",
            "/proc/version",
            "/proc/cpuinfo",
            "/proc/sys/kernel/osrelease",
            "/usr/bin",
            "/dev",
            "/sys/devices",
            "/var/lib/dpkg/status",
        ] {
            let outcome = inside.open(path, libc::O_RDONLY);
            assert!(!outcome.is_success(), "{path}: {outcome:?}");
        }
        let room = inside.text(&"x".repeat(512));
        let outcome = inside.call(libc::SYS_uname, &[room]);
        assert!(outcome.is_refusal(), "uname: {outcome:?}");
    });
    bot.still_talks();
}

//! A model that obeys anyone who tells it to run something: what is forbidden goes no further than the bot.

use std::fs;

use serde_json::json;
use tameclaw_tests::model::{ModelServer, Reply};
use tameclaw_tests::world::World;

/// Each of them is refused before anything is written, in full autonomy too, and the model learns why.
#[test]
fn a_model_gets_no_forbidden_command_past_the_bot() {
    const LINES: [&str; 8] = [
        "rm -rf /",
        "/bin/rm -rf x",
        "ls; rm -rf /",
        "mkfs /dev/sda",
        "ls $(reboot)",
        "cat /etc/shadow",
        "cat ./x/../../../../../proc/1/environ",
        "ls notes/../..",
    ];
    let model = ModelServer::start(|chat| {
        let turns = chat.body["messages"].as_array().map_or(0, Vec::len);
        if chat.last().0 == "tool" || turns == 0 {
            return Reply::text("as you say");
        }
        Reply::Calls(LINES.iter().map(|line| ("shell".to_owned(), json!({"command": line}))).collect())
    });
    let world = World::new();
    let config = format!(
        "autonomy: full\nproviders:\n  - {{name: scripted, kind: openai-compatible, base_url: \"{}\", model: m}}\n",
        model.url()
    );
    fs::write(world.home().bot_config(), config).expect("the configuration");
    fs::write(world.home().profile_file(&world.profile()), "grants: {commands: [ls, cat]}\n")
        .expect("the profile");
    world.bot(&["agent", "-m", "please go"]).exited(3);
    let asked = fs::read_dir(world.home().proposals(&world.profile())).expect("the folder").count();
    assert_eq!(asked, 0, "nothing was asked of the admin service");
    let last = model.seen().pop().expect("the model was asked again with what came of its calls");
    let told = last.text();
    assert!(told.matches("never runs").count() >= 4 && told.contains("the risk is high"), "{told}");
    assert_eq!(told.matches("climbs out of the workspace").count(), 2, "{told}");
}

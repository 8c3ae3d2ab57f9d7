//! Configurations with servers of the tests.

use std::fs;

use tameclaw_tests::model::{Chat, ModelServer, Reply};
use tameclaw_tests::weather::WeatherServer;
use tameclaw_tests::world::{Program, World, workspace};

use crate::wishes::Wish;

/// Lets the bot ask a model server first, and name a weather service.
pub(crate) fn bot_asks(world: &World, url: &str, weather: Option<&WeatherServer>) {
    let mut text = format!(
        "providers:\n  - {{name: scripted, kind: openai-compatible, base_url: \"{url}\", model: scripted-1, \
         models: [tiny-2], timeout_seconds: 20}}\n  - {{name: companion, kind: embedded}}\n"
    );
    if let Some(weather) = weather {
        text.push_str(&weather_settings(weather));
    }
    fs::write(world.home().bot_config(), text).expect("the configuration can be written");
}

fn weather_settings(weather: &WeatherServer) -> String {
    let host = weather.host();
    format!(
        "network:\n  local: [\"{host}\"]\nservices:\n  - topic: weather\n    host: \"{host}\"\n    \
         url: \"http://{host}/now?town={{place}}\"\n    words: [weather, forecast]\n"
    )
}

/// Lets the admin's implementers be these; `scripted` is a model server.
pub(crate) fn admin_asks(world: &World, implementers: &str, url: &str) {
    let text = format!(
        "implementers: [{implementers}]\nmax_repairs: 1\nproviders:\n  - {{name: scripted, kind: openai-compatible, \
         base_url: \"{url}\", model: scripted-1, timeout_seconds: 2}}\n"
    );
    fs::write(world.home().admin_config(), text).expect("the configuration can be written");
}

/// A source of the fixtures.
pub(crate) fn fixture(name: &str) -> String {
    let path = workspace().join("tests/fixtures/skills").join(format!("{name}.rs"));
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Whether a request asks for a skill's source.
pub(crate) fn asks_for_source(chat: &Chat) -> bool {
    chat.text().contains("skill_sdk")
}

/// A source as a model writes it.
pub(crate) fn as_source(source: &str) -> Reply {
    Reply::text(format!("Here is the skill.\n\n```rust\n{source}\n```\n"))
}

/// A model that writes the skill of each wish, calls the right tool for each question, and says what the tool said.
pub(crate) fn capable_model(wishes: Vec<Wish>, weather: Option<String>) -> ModelServer {
    ModelServer::start(move |chat| {
        let text = chat.text();
        if asks_for_source(chat) {
            let wish = wishes.iter().find(|w| text.contains(w.wish));
            let Some(wish) = wish else { return Reply::text("INFEASIBLE: nobody asked for this") };
            let source = fixture(wish.source);
            return as_source(&source.replace("WEATHER_HOST", weather.as_deref().unwrap_or("localhost")));
        }
        let (role, last) = chat.last();
        if role == "tool" {
            return Reply::text(last);
        }
        if let Some(subject) = last.strip_prefix("Tell a short bedtime story about ") {
            return Reply::text(format!("Once upon a time there was {subject} The end."));
        }
        let questions = wishes.iter().flat_map(|w| &w.questions);
        for question in questions.filter(|q| last.contains(&q.line)) {
            let tool = chat.tools().into_iter().find(|name| name.ends_with(question.call.0));
            if let Some(tool) = tool {
                return Reply::call(&tool, question.call.1.clone());
            }
        }
        Reply::text("I have nothing to say about that.")
    })
}

/// A grant that the policy never lets through, and what the configuration forbids on top: each is reported where it is set
/// and where it has an effect.
#[test]
fn a_grant_without_effect_is_told_and_what_the_profile_forbids_is_refused() {
    let world = World::without_kit();
    let file = world.home().profile_file(&world.profile());
    let folder = world.home().profile(&world.profile()).join("workspace/private");
    fs::create_dir_all(&folder).expect("a folder can be made");
    fs::write(folder.join("a.txt"), "the diary").expect("it can be written");
    let grants = |rest: &str| {
        let text = format!("grants:\n  files: {{read: [\"**\"], write: [\"**\"]}}\n{rest}");
        fs::write(&file, text).expect("it can be written");
    };
    let read = ["tool", "run", "file_read", "--json", r#"{"path": "private/a.txt"}"#];
    grants("  commands: [rm, ls, cat, mv]\n");
    let told = "note: ";
    world
        .bot(&["config", "validate"])
        .done()
        .says(told)
        .says("`rm` has no effect")
        .hides("`ls` has no effect");
    world.bot(&["agent", "-m", "hi"]).done().says("grants.commands: `rm` has no effect");
    world.bot(&read).done().prints("the diary");
    grants(
        "  commands: [ls, cat, mv]\n  forbidden_paths: [\"private/**\", /srv/data]\n  forbidden_commands: [mv]\n",
    );
    world.bot(&["config", "validate"]).done().says("`mv` has no effect").hides("`rm`");
    world.bot(&read).exited(3).says("grants.forbidden_paths").hides("the diary");
    world.bot(&["tool", "run", "file_list"]).done().hides("private");
    for (line, rule) in [
        ("cat private/a.txt", "forbidden-path"),
        ("ls private", "forbidden-path"),
        ("ls /srv/data/x", "forbidden-path"),
        ("mv a b", "forbidden-command"),
    ] {
        world.bot(&["agent", "-m", &format!("run {line}")]).exited(3).prints(rule);
    }
    grants("  forbidden_paths: [\"${GHOST_OF_A_NAME}/x\"]\n");
    let unset = "the environment variable GHOST_OF_A_NAME is not set";
    world.bot(&["config", "validate"]).exited(2).says("grants.forbidden_paths").says(unset);
    grants("  forbidden_paths: [../up]\n");
    world
        .bot(&["config", "validate"])
        .exited(2)
        .says("grants.forbidden_paths: `../up` is not a pattern of paths");
}

/// A provider's `temperature` goes along with every request; without it nothing is said of it.
#[test]
fn a_temperature_is_sent_where_one_is_set() {
    let world = World::without_kit();
    let model = ModelServer::start(|_| Reply::text("Hello."));
    bot_asks(&world, &model.url(), None);
    world.ask("hello there");
    let text = fs::read_to_string(world.home().bot_config()).expect("a configuration");
    let text = text.replace("model: scripted-1,", "model: scripted-1, temperature: 0.25,");
    fs::write(world.home().bot_config(), text).expect("it can be written");
    world.ask("hello there");
    let sent: Vec<_> = model.seen().iter().map(|chat| chat.body["temperature"].as_f64()).collect();
    assert_eq!((sent.first(), sent.last()), (Some(&None), Some(&Some(0.25))));
}

/// `up` needs somebody who types; without, it says why it ends, and leaves nothing running.
#[test]
fn up_without_a_terminal_says_why_it_ends() {
    let world = World::new();
    let ran = world.typed(Program::Admin, &["up"], "").done();
    let _ = ran
        .says("the chat read standard input to its end, so `up` ends as well")
        .says("the service is stopped");
    assert!(!world.home().admin().join("service.sock").exists());
}

/// What the parser advises programmers is not advice for the author of a file.
#[test]
fn a_key_that_is_there_twice_is_told_without_words_of_a_library() {
    let world = World::without_kit();
    let again = |path: std::path::PathBuf, line: &str| {
        let text = fs::read_to_string(&path).expect("a file");
        fs::write(path, format!("{text}\n{line}\n{line}\n")).expect("it can be written");
    };
    again(world.home().bot_config(), "autonomy: full");
    world.bot(&["config", "validate"]).exited(2).says("duplicate mapping key `autonomy`").hides("Policy");
    again(world.home().admin_config(), "max_repairs: 1");
    world.admin(&["list"]).done();
    let ran = world.admin(&["schedule", "list"]).exited(2).says("duplicate mapping key").hides("Policy");
    // The hint leads somewhere: that command writes the shipped file.
    assert!(ran.stderr.contains("cl-admin --home FOLDER init"), "{}", ran.report());
}

//! Configurations with servers of the tests.

use std::fs;

use tameclaw_tests::model::{Chat, ModelServer, Reply};
use tameclaw_tests::weather::WeatherServer;
use tameclaw_tests::world::{World, workspace};

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

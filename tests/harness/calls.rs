//! A model that makes given calls of tools, and the result that it gets for each.

use std::fs;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::model::{Chat, ModelServer, Reply};
use crate::run::Ran;
use crate::world::World;

/// Has a scripted model make these calls in its first answer, in a one-shot conversation of a new provider whose line names
/// their addresses; answers the result that it got for each, and the run. `more` are further lines of the configuration.
#[track_caller]
pub fn told(world: &World, calls: &[(&str, Value)], more: &str) -> (Vec<String>, Ran) {
    let (model, heard) =
        caller(calls.iter().map(|(tool, args)| ((*tool).to_owned(), args.clone())).collect());
    ask(world, &model, more);
    let typed: Vec<&str> = calls.iter().filter_map(|(_, args)| args["url"].as_str()).collect();
    let ran = world.bot(&["-m", &format!("please go {}", typed.join(" "))]);
    let heard = heard.lock().expect("no script panics").clone();
    (heard, ran)
}

/// A model that makes these calls in its first answer, and keeps the results that it gets.
pub fn caller(calls: Vec<(String, Value)>) -> (ModelServer, Arc<Mutex<Vec<String>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&heard);
    let model = ModelServer::start(move |chat| {
        let results = results(chat);
        if results.is_empty() {
            return Reply::Calls(calls.clone());
        }
        *kept.lock().expect("no script panics") = results;
        Reply::text("that is all")
    });
    (model, heard)
}

/// Makes a model server the only provider of a home.
pub fn ask(world: &World, model: &ModelServer, more: &str) {
    let text = format!(
        "providers:\n  - {{name: scripted, kind: openai-compatible, base_url: \"{}\", model: m}}\n{more}\n",
        model.url()
    );
    fs::write(world.home().bot_config(), text).expect("the configuration can be written");
}

/// Writes the file of the one profile.
pub fn profile(world: &World, text: &str) {
    fs::write(world.home().profile_file(&world.profile()), text).expect("the profile can be written");
}

/// The results of tool calls that a request carries.
fn results(chat: &Chat) -> Vec<String> {
    let messages = chat.body["messages"].as_array().cloned().unwrap_or_default();
    let tools = messages.iter().filter(|m| m["role"] == "tool");
    tools.map(|m| m["content"].as_str().unwrap_or_default().to_owned()).collect()
}

//! A model that obeys every order that it reads, regardless of who gave it.
//!
//! A line, a page or a file gives orders as `DO tool {arguments}`; each is obeyed once, in the order in which it stands.

use std::collections::BTreeSet;
use std::sync::Mutex;

use serde_json::Value;

use crate::model::{Chat, ModelServer, Reply};

/// Starts one that makes the ordered calls one after the other, each in a round of its own, and repeats at the end what the
/// tools answered last. `fill` completes the arguments by what the model read so far, or waits.
pub fn obedient(fill: impl Fn(&str, &str) -> Option<String> + Send + Sync + 'static) -> ModelServer {
    let done = Mutex::new(BTreeSet::new());
    ModelServer::start(move |chat: &Chat| {
        let read = chat.text();
        let mut done = done.lock().expect("no script panics");
        for (tool, args) in orders(&read) {
            let Some(args) = fill(&read, &args).and_then(|args| serde_json::from_str::<Value>(&args).ok())
            else {
                continue;
            };
            if done.insert((tool.clone(), args.to_string())) {
                return Reply::call(&tool, args);
            }
        }
        Reply::text(format!("This is what I know now:\n{}", chat.last().1))
    })
}

/// One that obeys the orders as they stand.
pub fn literal() -> ModelServer {
    obedient(|_, args| Some(args.to_owned()))
}

/// The orders of a text.
fn orders(text: &str) -> Vec<(String, String)> {
    let order = |rest: &str| {
        let (tool, args) = rest.split_once(' ')?;
        let end = args.rfind('}')?;
        Some((tool.to_owned(), args[..=end].to_owned()))
    };
    text.lines().flat_map(|line| line.split("DO ").skip(1)).filter_map(order).collect()
}

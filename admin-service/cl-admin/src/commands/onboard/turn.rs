//! A real turn: the chat program is asked something, as anybody would.

use std::process::{Command, Stdio};

use base::home::Home;
use base::layout::Users;
use nix::unistd::geteuid;
use serde_json::Value;
use shared_types::text;

use super::person::{Person, Stop};
use crate::commands::others;
use crate::commands::up::bot_program;

/// The most of an answer that is shown.
const SHOWN: usize = 600;

/// What came of a turn.
pub(super) enum Turn {
    /// Somebody answered.
    Answered(Answer),
    /// Nobody did, for this reason, in the program's own words.
    Silent(String),
}

pub(super) struct Answer {
    /// `answered`, `proposed`, ...
    pub(super) outcome: String,
    /// What it said.
    pub(super) reply: String,
    /// Who said it.
    pub(super) who: String,
    /// How many tools it called.
    pub(super) calls: u64,
}

/// Asks one thing; `provider` alone, where one is named.
pub(super) fn ask(
    home: &Home,
    provider: Option<&str>,
    message: &str,
    person: &Person<'_>,
) -> Result<Turn, Stop> {
    let program = bot_program().map_err(|e| person.stop(e))?;
    let mut command = Command::new(&program);
    command.arg("--home").arg(home.root()).args(["agent", "--json", "--timeout", "300"]);
    if let Some(provider) = provider {
        command.args(["--provider", provider]);
    }
    let ran = command.args(["-m", message]).stdin(Stdio::null()).output();
    person.goes_on()?;
    let ran = match ran {
        Ok(ran) => ran,
        Err(why) => return Ok(Turn::Silent(format!("{}: {why}", program.display()))),
    };
    let said: Option<Value> = serde_json::from_slice(&ran.stdout).ok();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if let Some(said) = said.as_ref().filter(|said| said["reply"].is_string()) {
        let who = match said["model"].as_str() {
            Some(model) if !model.is_empty() => model.to_owned(),
            _ => word(&said["provider"]),
        };
        let reply = text::cut(&text::line(&word(&said["reply"])), SHOWN);
        let calls = said["calls"].as_u64().unwrap_or_default();
        return Ok(Turn::Answered(Answer { outcome: word(&said["outcome"]), reply, who, calls }));
    }
    let failed = said.as_ref().map(|said| word(&said["failed"])).filter(|why| !why.is_empty());
    let why = failed.unwrap_or_else(|| String::from_utf8_lossy(&ran.stderr).into_owned());
    Ok(Turn::Silent(text::cut(&text::line(why.trim()), SHOWN)))
}

/// Whether only another user may open the chat; then it is left to do, with that user's command.
pub(super) fn is_anothers(home: &Home, person: &mut Person<'_>) -> Result<bool, Stop> {
    let bot = Users::of(home).map_err(|e| person.stop(e))?.bot;
    let Some(bot) = bot.filter(|bot| bot.uid != geteuid().as_raw()) else { return Ok(false) };
    let command = others::sudo(home, &bot.name, "cl-bot", "agent");
    person.leave(person.words.fill("onboard-left-other", &[("user", &bot.name), ("command", &command)]));
    Ok(true)
}

/// The first turn; the provider that is configured first answers it, or it did not work.
pub(super) fn first(home: &Home, person: &mut Person<'_>) -> Result<bool, Stop> {
    let own = person.own.take();
    let _server = own.map(|own| super::own::started(home, &own, person)).transpose()?;
    let words = person.words;
    let message = words.say("onboard-turn-message");
    person.say(&format!("\n{}", words.fill("onboard-turn", &[("message", message)])));
    let provider = super::model::first(home)?;
    let why = match ask(home, provider.as_deref(), message, person)? {
        Turn::Answered(answer) if answer.outcome == "answered" => {
            let facts = [("who", answer.who.as_str()), ("answer", answer.reply.as_str())];
            person.say(&words.fill("onboard-turn-answer", &facts));
            return Ok(true);
        }
        Turn::Answered(answer) => answer.reply,
        Turn::Silent(why) => why,
    };
    person.say(&words.fill("onboard-turn-failed", &[("why", &why)]));
    person.leave(words.fill("onboard-left-turn", &[("command", &person.command)]));
    Ok(false)
}

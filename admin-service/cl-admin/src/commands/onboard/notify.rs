//! Who tells that something waits: tried by a test message before it is written down.

use base::change::{change, planned};
use base::config::{Config, NotifierConfig, Way as Telling};
use base::error::Error;
use base::home::Home;
use documents::edit::Change;
use models::Endpoint;
use serde_json::json;
use service::notify::{Digest, make};
use shared_types::text;

use super::args::{Args, Way};
use super::files::or_by_hand;
use super::person::{Again, Person, Stop};

/// A notifier that was written and is not read.
#[derive(Debug, thiserror::Error)]
#[error("the new notifier is not in the configuration")]
struct NotThere;

/// Asks by which notifier the person wants to be notified.
pub(super) fn choose(home: &Home, args: &Args, person: &mut Person<'_>) -> Result<(), Stop> {
    let words = person.words;
    let config = Config::read(home).map_err(|e| person.stop(e))?;
    let way = match &args.notify {
        Some(way) => way.clone(),
        None if !person.asks => Way::Keep,
        None => asked(&config, person)?,
    };
    let (kind, address) = match way {
        Way::Keep | Way::None => {
            person.say(words.say("onboard-notify-unchanged"));
            return Ok(());
        }
        Way::To(kind, address) => (kind, address),
    };
    let has = |notifier: &NotifierConfig| {
        let (Telling::Webhook(post) | Telling::Ntfy(post)) = &notifier.way else { return false };
        let is_own = notifier.person.is_some();
        !is_own
            && notifier.way.kind() == kind
            && matches!(&post.url, base::config::Place::Url(url) if *url == address)
    };
    let path = home.admin_config();
    let (name, changes) = match config.telling.notifiers.iter().find(|notifier| has(notifier)) {
        Some(there) => (there.name.clone(), vec![]),
        None => {
            let taken: Vec<&str> = config.telling.notifiers.iter().map(|n| n.name.as_str()).collect();
            let base = if kind == "ntfy" { "phone" } else { "hook" };
            let numbered = (2..).map(|number| format!("{base}-{number}"));
            let mut names = std::iter::once(base.to_owned()).chain(numbered);
            let name = names.find(|name| !taken.contains(&name.as_str())).expect("some number is free");
            let entry = json!({"name": name, "kind": kind, "url": address.to_string()});
            (name, vec![("/notifiers", Change::Last(entry))])
        }
    };
    let new = match planned(&path, &changes).and_then(|text| Config::parse(&path, &text)) {
        Ok(new) => new,
        Err(error) => return or_by_hand(person, &path, Err(error)).map(drop),
    };
    let notifier = new.telling.notifiers.iter().find(|notifier| notifier.name == name);
    let Some(notifier) = notifier else {
        return Err(Stop::Failed(Error::failed(NotThere)));
    };
    person.say(words.say("onboard-notify-testing"));
    let sent = make(notifier).send(&Digest::test(new.telling.page.clone()));
    person.goes_on()?;
    let shown = address.host().to_owned();
    if let Err(fault) = &sent {
        person.say(&words.fill("onboard-notify-failed", &[("why", &text::line(&fault.0))]));
        let keeps = person.asks
            && person.agrees(
                words.say("onboard-notify-anyway"),
                words.say("onboard-notify-anyway-why"),
                false,
            )?;
        if !keeps {
            person.say(words.say("onboard-notify-unchanged"));
            person.leave(words.say("onboard-left-notify").to_owned());
            return Ok(());
        }
        person.leave(words.say("onboard-left-notify").to_owned());
    } else {
        person.say(&words.fill("onboard-notify-sent", &[("address", &shown)]));
    }
    let changed = change(&path, 0o600, &changes, |text| Config::parse(&path, text).map(drop));
    or_by_hand(person, &path, changed).map(drop)
}

fn asked(config: &Config, person: &mut Person<'_>) -> Result<Way, Stop> {
    let words = person.words;
    let others: Vec<&str> = config
        .telling
        .notifiers
        .iter()
        .filter(|notifier| notifier.person.is_none() && !matches!(notifier.way, Telling::Cli))
        .map(|notifier| notifier.name.as_str())
        .collect();
    let keep = match others.as_slice() {
        [] => words.say("onboard-notify-terminal").to_owned(),
        others => words.fill("onboard-notify-keep", &[("names", &others.join(", "))]),
    };
    let options = [keep, words.say("onboard-notify-ntfy").into(), words.say("onboard-notify-webhook").into()];
    let why = words.say("onboard-notify-why");
    let kind = match person.choose(words.say("onboard-notify"), why, &options, 0)? {
        0 => return Ok(Way::Keep),
        1 => "ntfy",
        _ => "webhook",
    };
    let address: Endpoint = person.line(words.say("onboard-notify-address"), |typed| {
        typed.parse().map_err(|e: models::config::EndpointError| {
            Again(words.fill("onboard-model-bad-address", &[("why", &e.to_string())]))
        })
    })?;
    Ok(Way::To(kind, address))
}

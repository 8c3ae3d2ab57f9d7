//! The language, the home, and the country of the help lines.

use base::change::change;
use base::config::Config;
use base::error::Error;
use base::folders::READABLE_FILE;
use base::home::Home;
use documents::edit::Change;
use review::words::Words;
use serde_json::{Value, json};
use service::init::{self, Region};
use shared_types::region::REGIONS;

use super::args::Args;
use super::files::{or_by_hand, present};
use super::person::{Again, Person, Stop};

/// Asks for the language; it is written down once there is a home.
pub(super) fn language(home: &Home, args: &Args, person: &mut Person<'_>) -> Result<(), Stop> {
    if person.asks && args.language.is_none() {
        let all: Vec<Words> = Words::all().collect();
        let names: Vec<String> = all.iter().map(|words| words.say("onboard-name").to_owned()).collect();
        let present = all.iter().position(|words| *words == person.words).unwrap_or_default();
        let words = person.words;
        let why = words.say("onboard-language-why");
        person.words = all[person.choose(words.say("onboard-language"), why, &names, present)?];
    }
    if home.trust().exists() && (person.asks || args.language.is_some()) {
        keep_language(home, person)?;
    }
    let words = person.words;
    if person.asks {
        person.say(&format!("\n{}", words.say("onboard-hello")));
    }
    Ok(())
}

fn keep_language(home: &Home, person: &mut Person<'_>) -> Result<(), Stop> {
    let path = home.admin_config();
    let code = person.words.code();
    let present = Config::read(home).map_err(Stop::Failed)?.language;
    if present == code {
        return Ok(());
    }
    let changes = [("/language", Change::Put(json!(code)))];
    let changed = change(&path, 0o600, &changes, |text| Config::parse(&path, text).map(drop));
    or_by_hand(person, &path, changed).map(drop)
}

/// Makes the home if it does not exist.
pub(super) fn make(home: &Home, args: &Args, person: &mut Person<'_>) -> Result<(), Stop> {
    let words = person.words;
    let place = home.root().display().to_string();
    let facts = [("place", place.as_str())];
    if home.trust().exists() {
        if let Some(closed) = owners::closed::on_the_way(&home.config()) {
            return Err(Stop::Failed(Error::Closed(closed)));
        }
        init::make(home, None, &Region::of_locale()).map_err(|e| person.stop(e))?;
        person.say(&words.fill("onboard-home-found", &facts));
        return Ok(());
    }
    if person.asks
        && !person.agrees(&words.fill("onboard-home", &facts), words.say("onboard-home-why"), true)?
    {
        person.say(words.say("onboard-home-needed"));
        return Err(Stop::Left);
    }
    let region = match args.region.as_deref() {
        Some(code) => Region::named(code),
        None => Region::of_locale(),
    };
    init::make(home, None, &region).map_err(|e| person.stop(e))?;
    keep_language(home, person)?;
    person.say(&words.fill("onboard-home-made", &facts));
    person.goes_on()
}

/// Asks for the country where the configuration names none; in a new home the locale may have told it.
pub(super) fn region(home: &Home, args: &Args, person: &mut Person<'_>) -> Result<(), Stop> {
    let words = person.words;
    let path = home.bot_config();
    let present = present(&path)?;
    let set = present.pointer("/help_lines/region").and_then(Value::as_str).map(str::to_owned);
    let chosen = match (&args.region, &set) {
        (Some(code), _) => code.clone(),
        (None, Some(code)) => code.clone(),
        (None, None) if !person.asks => "all".to_owned(),
        (None, None) => {
            person.say(&format!("\n{}\n{}", words.say("onboard-region"), words.say("onboard-region-why")));
            let known = REGIONS.join(" ");
            let prompt = format!("{known} [{}]: ", words.say("onboard-region-all"));
            person.line(&prompt, |typed| match typed.to_lowercase().as_str() {
                "" | "all" => Ok("all".to_owned()),
                code if REGIONS.contains(&code) => Ok(code.to_owned()),
                _ => Err(Again(known.clone())),
            })?
        }
    };
    let change_of = match chosen.as_str() {
        "all" => Change::Remove,
        code => Change::Put(json!(code)),
    };
    let changed = change(&path, READABLE_FILE, &[("/help_lines/region", change_of)], |_| Ok(()));
    if or_by_hand(person, &path, changed)? {
        let shown = if chosen == "all" { words.say("onboard-region-all").to_owned() } else { chosen };
        person.say(&words.fill("onboard-region-set", &[("region", &shown)]));
    }
    Ok(())
}

//! The people: a profile each.

use base::home::Home;
use base::profiles;
use language::Language;
use review::approvers;
use review::ask::Source;
use shared_types::audience::Audience;
use shared_types::id::ProfileId;

use super::args::{Args, NewPerson};
use super::key;
use super::person::{Again, Person, Stop};
use crate::commands::profile::{self, PIN_OPTION};

/// Adds those whom the flags name, or asks for them one by one.
pub(super) fn add(home: &Home, args: &Args, person: &mut Person<'_>) -> Result<(), Stop> {
    let words = person.words;
    for new in &args.people {
        let pin = args.pins.iter().find(|pin| pin.id == new.id).map(|pin| pin.file.clone());
        if home.profile_file(&new.id).exists() {
            // It was added before: this can be run again.
            continue;
        }
        let pin = pin.map(|file| Source { file: Some(file), option: PIN_OPTION });
        make(home, new, pin.as_ref(), person)?;
    }
    if person.asks && args.people.is_empty() && !args.no_person {
        say_profiles(home, person)?;
        let mut question = words.say("onboard-people");
        while person.agrees(question, words.say("onboard-people-why"), false)? {
            one(home, args, person)?;
            question = words.say("onboard-people-more");
        }
    }
    say_profiles(home, person)
}

fn say_profiles(home: &Home, person: &Person<'_>) -> Result<(), Stop> {
    let words = person.words;
    let listed = profiles::list(home).map_err(|e| person.stop(e))?;
    let shown: Vec<String> = listed
        .into_iter()
        .map(|listed| match listed.settings {
            Ok(settings) => format!("{} ({})", listed.id, settings.audience),
            Err(_) => listed.id.to_string(),
        })
        .collect();
    person.say(&words.fill("onboard-people-there", &[("profiles", &shown.join(", "))]));
    Ok(())
}

/// Asks for one person and makes the profile at the end, all of it or nothing.
fn one(home: &Home, args: &Args, person: &mut Person<'_>) -> Result<(), Stop> {
    let words = person.words;
    let id = person.line(words.say("onboard-person-id"), |typed| {
        let id: ProfileId = typed.parse().map_err(|e| Again(format!("{e}")))?;
        if home.profile_file(&id).exists() {
            return Err(Again(words.fill("onboard-person-taken", &[("id", id.as_str())])));
        }
        Ok(id)
    })?;
    let audiences = [
        words.say("onboard-audience-child"),
        words.say("onboard-audience-teen"),
        words.say("onboard-audience-adult"),
        words.say("onboard-audience-work"),
    ];
    let why = words.say("onboard-person-audience-why");
    let audience =
        person.choose(words.say("onboard-person-audience"), why, &audiences.map(str::to_owned), 2)?;
    let audience = Audience::ALL[audience];
    if audience.is_minor() && !key::is_set(home, person)? {
        person.say(words.say("onboard-person-guarded"));
        if !person.agrees(words.say("onboard-key"), words.say("onboard-key-why"), true)? {
            person.say(words.say("onboard-person-left-out"));
            return Ok(());
        }
        key::set(home, args, person)?;
    }
    let languages: Vec<&str> = Language::all().map(Language::code).collect();
    let mut options = vec![words.say("onboard-person-any").to_owned()];
    options.extend(languages.iter().map(|code| (*code).to_owned()));
    let own = languages.iter().position(|code| *code == words.code()).map_or(0, |at| at + 1);
    let default = if audience.is_minor() { own } else { 0 };
    let why = words.say("onboard-person-language-why");
    let chosen = person.choose(words.say("onboard-person-language"), why, &options, default)?;
    let language = chosen.checked_sub(1).map(|at| languages[at].to_owned());
    let wants_pin =
        person.agrees(words.say("onboard-person-pin"), words.say("onboard-person-pin-why"), false)?;
    let pin = wants_pin.then_some(Source { file: None, option: PIN_OPTION });
    make(home, &NewPerson { id, audience, language }, pin.as_ref(), person)
}

fn make(home: &Home, new: &NewPerson, pin: Option<&Source>, person: &Person<'_>) -> Result<(), Stop> {
    let done = profile::make(home, &new.id, new.audience, new.language.clone(), vec![], pin)
        .map_err(|e| person.stop(e))?;
    person.say(&done);
    let words = person.words;
    if new.audience.is_minor()
        && approvers::read(home).map_err(|e| person.stop(e))?.all_have_passphrases().is_err()
    {
        person.say(words.say("onboard-person-guarded"));
    }
    person.goes_on()
}

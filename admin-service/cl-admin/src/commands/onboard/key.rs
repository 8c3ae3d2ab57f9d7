//! The passphrase of the approver's key.

use base::home::Home;
use base::keys;
use review::ask::Source;

use super::args::Args;
use super::person::{Person, Stop};
use crate::commands::approver;

/// Gives the key a passphrase where it has none and the person wants one.
pub(super) fn passphrase(home: &Home, args: &Args, person: &mut Person<'_>) -> Result<(), Stop> {
    if is_set(home, person)? {
        let words = person.words;
        person.say(words.say("onboard-key-set"));
        return Ok(());
    }
    let words = person.words;
    let wants = match (&args.passphrase_file, args.no_passphrase) {
        (Some(_), _) => true,
        (None, true) => false,
        (None, false) => {
            person.asks && person.agrees(words.say("onboard-key"), words.say("onboard-key-why"), true)?
        }
    };
    if wants {
        return set(home, args, person);
    }
    person.say(words.say("onboard-key-open"));
    Ok(())
}

/// Asks for the new passphrase, twice, or takes it from the file.
pub(super) fn set(home: &Home, args: &Args, person: &mut Person<'_>) -> Result<(), Stop> {
    let words = person.words;
    if args.passphrase_file.is_none() {
        person.say(words.say("onboard-key-typed"));
    }
    let source = Source::passphrase(args.passphrase_file.clone());
    let owner = service::init::owner();
    approver::set_passphrase(home, owner, words.say("onboard-key-new"), None, &source)
        .map_err(|e| person.stop(e))?;
    person.say(words.say("onboard-key-set"));
    person.goes_on()
}

/// Whether the owner's key has one; a key that is kept elsewhere does not concern this program.
pub(super) fn is_set(home: &Home, person: &Person<'_>) -> Result<bool, Stop> {
    let path = keys::approver_key(home, &service::init::owner());
    if !path.exists() {
        return Ok(true);
    }
    keys::has_passphrase(&path).map_err(|e| person.stop(e))
}

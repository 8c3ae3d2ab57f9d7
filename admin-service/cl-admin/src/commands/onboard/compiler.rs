//! The compiler for skills.

use base::config::Config;
use base::home::Home;
use builder::toolchain::{ADVICE, Toolchain};

use super::args::Args;
use super::person::{Person, Stop};
use crate::commands::compiler::{install, plan};

/// Finds it, or installs it after a yes; answers whether it is there.
pub(super) fn provide(home: &Home, args: &Args, person: &mut Person<'_>) -> Result<bool, Stop> {
    let words = person.words;
    let configured = Config::read(home).map_err(|e| person.stop(e))?.compiler;
    let why = match Toolchain::find(&configured) {
        Ok(found) => {
            person.say(&words.fill("onboard-compiler-found", &[("version", &found.version)]));
            return Ok(true);
        }
        Err(why) => why.to_string(),
    };
    person.say(&format!("\n{}", words.fill("onboard-compiler-missing", &[("why", &why)])));
    let steps = plan();
    let listed: Vec<String> = steps.iter().map(|step| format!("  {step}")).collect();
    let why = format!("{}\n{}", words.say("onboard-compiler-why"), listed.join("\n"));
    let wants = !steps.is_empty()
        && !args.no_install
        && (args.install || person.asks && person.agrees(words.say("onboard-compiler"), &why, false)?);
    if steps.is_empty() {
        person.say(words.say("onboard-compiler-none"));
    }
    if wants {
        let tell = |step: &crate::commands::compiler::Step| {
            person.say(&words.fill("onboard-compiler-running", &[("command", &step.to_string())]));
        };
        let found = install(&configured, &steps, tell, || person.was_interrupted());
        person.goes_on()?;
        if let Some(found) = found {
            person.say(&words.fill("onboard-compiler-found", &[("version", &found.version)]));
            return Ok(true);
        }
        person.say(words.say("onboard-compiler-failed"));
    }
    let facts = [("advice", ADVICE), ("command", person.command.as_str())];
    person.leave(words.fill("onboard-left-compiler", &facts));
    Ok(false)
}

//! Whether each schedule could run.

use base::config::Config;
use base::home::Home;
use ledger::Ledger;
use service::schedule::pinned;
use shared_types::exit;
use shared_types::text::cut;

use super::look::Look;

/// What keeps a schedule from running.
pub(super) fn schedules(home: &Home) -> Vec<Look> {
    // What is wrong with the configuration or the journal is a line of its own.
    let (Ok(config), Ok(ledger)) = (Config::read(home), Ledger::read(home)) else { return vec![] };
    let mut looks = vec![];
    for schedule in &config.schedules {
        let standing = ledger.schedules().of(&schedule.name);
        let name = &schedule.name;
        if !home.profile_file(&schedule.profile).is_file() {
            let words = format!("{name}: there is no profile `{}`", schedule.profile);
            looks.push(Look::warn("schedules", words, "`cl-admin profile list` shows them"));
        } else if let Err(why) = pinned::allowed(home, schedule, &standing) {
            let next = "nothing runs at its times until then";
            looks.push(Look::warn(
                "schedules",
                format!("{name} waits: {}", cut(&why.to_string(), 300)),
                next,
            ));
        } else if let Some((_, Some(exit::WAITS), words)) = &standing.last {
            let words = format!("{name}: {}", cut(words, 300));
            looks.push(Look::warn("schedules", words, "`cl-bot sop status` shows where that run stands"));
        } else if let Some((due, code, _)) = standing.last.as_ref().filter(|last| last.1 != Some(0)) {
            let code = code.map_or_else(|| "was ended".to_owned(), |code| format!("exit code {code}"));
            let words = format!("{name}: its last run, for {due}, {code}");
            looks.push(Look::warn("schedules", words, "`cl-admin schedule list` shows what it said"));
        } else {
            looks.push(Look::pass("schedules", format!("{name}: {}", schedule.times.written())));
        }
    }
    for unfit in config.unfit(home) {
        looks.push(Look::warn("schedules", unfit.to_string(), "nothing is sent of it until then"));
    }
    looks
}

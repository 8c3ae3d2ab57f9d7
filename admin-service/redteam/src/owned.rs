//! A bot that an attacker owns completely: each probe is tried by the bot's own mind, behind the walls that it has here.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;

use confine::probe::{self, Outcome, Targets};
use confine::terminal;

use super::attack::{Attack, Plan};
use super::range::Range;

/// Runs every probe in a bot of its own, on a terminal.
pub(super) fn run(range: &Range, tell: &mut dyn FnMut(Attack)) {
    let targets = match serde_json::to_string(&targets(range)) {
        Ok(targets) => targets,
        Err(error) => {
            const ALL: Plan = Plan::new(
                "owned",
                "everything that an owned bot would try",
                "I try what an owned bot would try.",
            );
            return tell(Attack::skipped(&ALL, error.to_string()));
        }
    };
    for probe in probe::all() {
        let plan = Plan {
            name: format!("owned.{}", probe.name).into(),
            what: probe.what.into(),
            told: probe.told.into(),
        };
        tell(match attempt(range, probe.name, &targets) {
            Ok(Outcome::Refused(why)) => Attack::held(&plan, why),
            Ok(Outcome::Succeeded(got)) => Attack::broke(&plan, got),
            Err(why) => Attack::skipped(&plan, why.to_string()),
        });
    }
}

fn targets(range: &Range) -> Targets {
    let (home, profile) = (&range.home, &range.profile);
    Targets {
        process: i32::try_from(std::process::id()).unwrap_or(0),
        admin: vec![home.admin(), range.real.admin()],
        config: home.config(),
        skills: home.skills(),
        status: home.status(profile),
        secrets: vec![
            home.credentials().unguarded_path(),
            home.net().unguarded_path(),
            home.keys(),
            range.real.credentials().unguarded_path(),
            range.real.keys(),
        ],
        workspace: home.workspace(profile).unguarded_path(),
        other: home.profile(&range.other).unguarded_path(),
        other_proposals: home.proposals(&range.other).unguarded_path(),
    }
}

/// A bot that did not come as far as its probe.
#[derive(Debug, thiserror::Error)]
enum NotTried {
    #[error(transparent)]
    Terminal(#[from] std::io::Error),
    #[error("the bot does not start here: {0}")]
    NotStarted(String),
}

/// One probe.
fn attempt(range: &Range, name: &str, targets: &str) -> Result<Outcome, NotTried> {
    // The command goes at once, and with it this side's hold on the bot's side of the terminal.
    let mut on = terminal::start(&mut range.bot(&["probe", name, targets]), 24, 80)?;
    let mut said = Vec::new();
    // The other side of a terminal that is gone answers with an error, which is the end.
    let mut chunk = [0_u8; 4096];
    while let Ok(n) = on.master.read(&mut chunk) {
        if n == 0 || said.len() > 1 << 20 {
            break;
        }
        said.extend_from_slice(&chunk[..n]);
    }
    let ended = on.child.wait()?;
    let said = String::from_utf8_lossy(&said);
    let answer = said.lines().rev().find_map(|line| serde_json::from_str(line.trim()).ok());
    match (answer, ended.signal(), ended.success()) {
        (Some(outcome), ..) => Ok(outcome),
        (None, Some(signal), _) => Ok(Outcome::Refused(format!("ended by signal {signal}"))),
        // It became another program, which ended well.
        (None, None, true) => Ok(Outcome::Succeeded("it did not come back".to_owned())),
        (None, None, false) => Err(NotTried::NotStarted(said.trim().to_owned())),
    }
}

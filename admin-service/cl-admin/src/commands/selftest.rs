//! `cl-admin selftest`

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use base::error::Error;
use base::home::Home;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use redteam::{self, Attack, Group, Verdict};
use shared_types::exit;
use shared_types::text::line;

use crate::commands::out::{self, outln};

/// Attack this installation, on a throw-away copy of its home, and say what held.
///
/// Everything is tried by the bot's own user behind the bot's own walls. Nothing of yours is changed, no credential is used,
/// and nothing leaves this machine. It takes about half a minute.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Try what an attacker would who owns the bot completely
    #[arg(long, required = true)]
    redteam: bool,
    /// Only the attacks of this group; given again, one group more
    #[arg(long, value_name = "GROUP", value_parser = PossibleValuesParser::new(Group::ALL.map(Group::as_str)).map(group))]
    only: Vec<Group>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Tell each attack live, a line each in plain words, for somebody who has two minutes
    #[arg(long, conflicts_with = "json")]
    show: bool,
}

/// The least time between two lines that are printed on a terminal, so that each can be read.
const PACE: Duration = Duration::from_millis(1200);
/// What `--show` says first.
const FIRST: &str = "I own the chat program now: everything that it may do, I may do. I attack a copy of this home that is \
                     thrown away; nothing of yours is changed.";

/// The group of this name; the parser before lets no other word through.
fn group(name: String) -> Group {
    Group::ALL.into_iter().find(|group| group.as_str() == name).expect("one of the names of the groups")
}

/// Runs the attacks; exit 1 when one got through, or could not be tried.
///
/// # Errors
/// A throw-away home that cannot be made.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let (mut held, mut broke, mut untried) = (0, 0, 0);
    let mut stage = args.show.then(Stage::open);
    let groups = if args.only.is_empty() { &Group::ALL[..] } else { &args.only };
    redteam::run(home, groups, &mut |attack| {
        match attack.verdict {
            Verdict::Pass => held += 1,
            Verdict::Fail => broke += 1,
            Verdict::Skipped => untried += 1,
        }
        if let Some(stage) = &mut stage {
            stage.tell(&attack);
        } else if args.json {
            out::json(&attack);
        } else {
            outln!("{:7} {:28} {}", attack.verdict.as_str(), attack.name, attack.what);
            if attack.verdict != Verdict::Pass {
                outln!("        {}", attack.why);
            }
        }
    })?;
    let words = format!("{held} attacks were kept out, {broke} got through, {untried} could not be tried");
    match stage {
        Some(_) => outln!("That was all, {} in number: {words}.", held + broke + untried),
        None => eprintln!("{words}"),
    }
    Ok(if broke + untried == 0 { exit::DONE } else { exit::FAILED })
}

/// Where the attacks are reported live: on a terminal paced, and coloured unless `NO_COLOR` is set; on a pipe plain lines.
struct Stage {
    terminal: bool,
    colour: bool,
    last: Instant,
}

impl Stage {
    fn open() -> Stage {
        let terminal = std::io::stdout().is_terminal();
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        outln!("{FIRST}");
        Stage { terminal, colour: terminal && !plain, last: Instant::now() }
    }

    fn tell(&mut self, attack: &Attack) {
        if self.terminal {
            std::thread::sleep(PACE.saturating_sub(self.last.elapsed()));
        }
        outln!("{}", told(attack, self.colour));
        self.last = Instant::now();
    }
}

/// One attack as a line: what was tried, and what came of it.
fn told(attack: &Attack, colour: bool) -> String {
    let (words, code) = match attack.verdict {
        Verdict::Pass => ("kept out, because", "32"),
        Verdict::Fail => ("GOT THROUGH:", "31;1"),
        Verdict::Skipped => ("could not be tried:", "33"),
    };
    let words = if colour { format!("\u{1b}[{code}m{words}\u{1b}[0m") } else { words.to_owned() };
    let (tried, why) = (line(attack.told.trim_end_matches('.')), line(&attack.why));
    format!("{tried}: {words} {}.", why.trim_end_matches('.'))
}

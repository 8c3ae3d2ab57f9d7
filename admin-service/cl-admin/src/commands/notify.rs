//! `cl-admin notify`

use base::config::Config;
use base::error::Error;
use base::home::Home;
use serde_json::json;
use service::notify::{Digest, make, state};
use shared_types::exit;
use shared_types::text::line;

use crate::commands::out::{self, listed, outln};

/// A name that is of no notifier.
#[derive(Debug, thiserror::Error)]
#[error("admin.yaml does not have this notifier; it has: {}", listed(.there, " "))]
struct Unknown {
    there: Vec<String>,
}

/// Who is notified that something waits for you: try the notifiers of admin.yaml, and see how they stand.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Send a test message and say what happened; exit 1 if one failed
    Test {
        /// The notifier's name [default: all of them]
        name: Option<String>,
    },
    /// List the notifiers, when each last told something, and what keeps it from telling
    List {
        /// Print one JSON value a line
        #[arg(long)]
        json: bool,
    },
}

/// Tests or lists.
///
/// # Errors
/// A configuration with faults, or a notifier that is not there.
pub fn run(home: &Home, verb: &Verb) -> Result<u8, Error> {
    let telling = Config::read(home)?.telling;
    match verb {
        Verb::List { json } => {
            for state in state(home, &telling) {
                let (since, why) = state.fault.clone().unzip();
                if *json {
                    out::json(&json!({"name": state.name, "kind": state.kind, "told_at": state.told_at,
                               "failing_since": since, "why": why}));
                    continue;
                }
                let told =
                    state.told_at.map_or_else(|| "told nothing yet".into(), |at| format!("last told {at}"));
                outln!("{:16} {:8} {told}", state.name, state.kind);
                if let Some((since, why)) = state.fault {
                    outln!("                 fails since {since}: {}", line(&why));
                }
            }
            Ok(exit::DONE)
        }
        Verb::Test { name } => {
            let chosen: Vec<_> = telling
                .notifiers
                .iter()
                .filter(|n| name.as_ref().is_none_or(|name| n.name == *name))
                .collect();
            if chosen.is_empty() {
                let there = telling.notifiers.iter().map(|n| n.name.to_string()).collect();
                return Err(Error::usage(Unknown { there }));
            }
            let mut failed = false;
            for config in chosen {
                // The pages of the review are not for the person of a profile.
                let page = telling.page.clone().filter(|_| config.person.is_none());
                match make(config).send(&Digest::test(page)) {
                    Ok(()) => outln!("{}: sent", config.name),
                    Err(fault) => {
                        failed = true;
                        outln!("{}: not sent: {}", config.name, line(&fault.0));
                    }
                }
            }
            Ok(if failed { exit::FAILED } else { exit::DONE })
        }
    }
}

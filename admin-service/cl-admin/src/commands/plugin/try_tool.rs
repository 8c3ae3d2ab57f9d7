//! `cl-admin plugin try`

use std::time::Duration;

use actions::plugins::run::{Call, call, weigh};
use actions::plugins::servers::Servers;
use base::error::Error;
use base::home::Home;
use base::stop;
use ledger::Ledger;
use nix::sys::signal::Signal;
use shared_types::action::{DEFAULT_SECONDS, MAX_SECONDS};
use shared_types::id::{ProfileId, SkillName, ToolName};
use shared_types::text::block;

use crate::commands::out::{self, outln};

/// Arguments that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("--json: {0}; a JSON object is wanted, as in {{\"text\": \"hi\"}}")]
struct NotJson(serde_json::Error);

/// Call a tool of an installed plugin by hand, in the jail in which the assistant's calls run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The plugin
    plugin: SkillName,
    /// Its tool
    tool: ToolName,
    /// The arguments, a JSON object; given again, the tool is called again, by the same server if it is one
    #[arg(long, value_name = "ARGS", default_value = "{}")]
    json: Vec<String>,
    /// How long a call may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_SECONDS, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SECONDS)))]
    timeout: u32,
    /// The profile whose workspace it may read, where it may
    #[arg(long, value_name = "NAME", default_value = "default")]
    profile: ProfileId,
    /// Print one JSON object a call instead of text
    #[arg(long)]
    json_out: bool,
}

/// Calls the tool.
///
/// # Errors
/// Arguments that do not fit, an unknown plugin or tool, or a plugin that changed since it was approved.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let cancel =
        confine::stop::on_signals(&[Signal::SIGINT, Signal::SIGTERM]).map_err(Error::step("signals"))?;
    let ledger = Ledger::read(home)?;
    let servers = Servers::default();
    let mut well = true;
    for text in &args.json {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|e| Error::usage(NotJson(e)))?;
        let wanted = Call {
            profile: &args.profile,
            plugin: &args.plugin,
            tool: &args.tool,
            args: &value,
            timeout: Duration::from_secs(args.timeout.into()),
        };
        let (installed, _) = weigh(&ledger, &wanted)?;
        let result = stop::during(home, Some(&args.profile), cancel, |cancel| {
            call(home, &servers, &installed, &wanted, cancel)
        })?;
        well &= result.exit == Some(0);
        if args.json_out {
            out::json(&result);
            continue;
        }
        outln!("{}", block(&result.stdout));
        if !result.stderr.is_empty() {
            eprintln!("{}", block(&result.stderr));
        }
        for reached in &result.network {
            let why = reached.refused.as_deref().map(|why| format!("; refused: {why}")).unwrap_or_default();
            eprintln!("{}", block(&format!("{reached}{why}")));
        }
        if let Some(why) = &result.ended {
            eprintln!("{}", block(why));
        }
    }
    Ok(if well { shared_types::exit::DONE } else { shared_types::exit::FAILED })
}

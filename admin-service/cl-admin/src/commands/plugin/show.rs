//! `cl-admin plugin show`

use actions::plugins::{page, removal};
use base::error::Error;
use base::home::Home;
use ledger::Ledger;
use serde_json::json;
use shared_types::id::SkillName;
use shared_types::text::line;

use super::list::{decided, row};
use crate::commands::out::{self, outln};

/// Show a plugin: what runs, what it can reach, its tools with the text that the assistant reads.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name
    name: SkillName,
    /// Print one JSON value
    #[arg(long)]
    json: bool,
}

/// Shows the plugin.
///
/// # Errors
/// No plugin of that name.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    let installed = removal::installed(&ledger, &args.name)?;
    let (plugin, facts) = (&installed.plugin, &installed.facts);
    if args.json {
        let mut value = row(installed);
        value["facts"] = json!(facts);
        value["tools"] = json!(plugin.tools);
        out::json(&value);
        return Ok(shared_types::exit::DONE);
    }
    let (by, at) = decided(installed);
    outln!("{} version {} ({})", plugin.name, line(&plugin.version), facts.kind.as_str());
    outln!("installed since {at}, by {by}, for: {}", plugin.recipients);
    outln!("\nWhat runs\n  {}", page::runs(facts).join("\n  "));
    for pinned in &facts.pinned {
        outln!("  pinned: {}  sha256 {}", line(&pinned.path.display().to_string()), pinned.sha256);
    }
    outln!("\nWhat it can reach\n  {}", page::reaches(facts).join("\n  "));
    outln!("  capabilities: {}", facts.tokens());
    outln!("\nText that the assistant reads\n  | {}", line(&plugin.description));
    for tool in &plugin.tools {
        outln!(
            "  tool {}.{}   risk {}\n    | {}",
            plugin.name,
            tool.name,
            tool.risk,
            line(&tool.description)
        );
        let parameters = serde_json::to_string(&tool.parameters).unwrap_or_default();
        outln!("    | parameters {}", line(&parameters));
    }
    Ok(shared_types::exit::DONE)
}

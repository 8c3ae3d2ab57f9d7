//! `cl-admin plugin list`

use actions::plugins::credential;
use actions::plugins::offered::{Offered, offered};
use base::error::Error;
use base::home::Home;
use ledger::Ledger;
use ledger::facts::Installed;
use serde_json::json;
use shared_types::text::line;

use crate::commands::out::{self, outln};

/// List the plugins: version, capabilities, tools with their risks, since when and by whom; then what `plugins/` of the home offers.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Lists the plugins.
///
/// # Errors
/// A journal that cannot be read.
pub fn run(home: &Home, args: &Args) -> Result<u8, Error> {
    let ledger = Ledger::read(home)?;
    for installed in ledger.plugins().values() {
        let missing: Vec<String> =
            credential::missing(home, &installed.facts).iter().map(ToString::to_string).collect();
        if args.json {
            let mut row = row(installed);
            row["secrets"] = json!(credential::secrets(&installed.facts));
            row["secrets_missing"] = json!(missing);
            out::json(&row);
            continue;
        }
        let plugin = &installed.plugin;
        let (by, at) = decided(installed);
        outln!("{}  version {}  {}", plugin.name, line(&plugin.version), installed.facts.kind.as_str());
        outln!("    may: {}", plugin.capabilities);
        let tools: Vec<String> = plugin.tools.iter().map(|t| format!("{} ({})", t.name, t.risk)).collect();
        outln!("    tools: {}", tools.join(" "));
        outln!("    since {at}, by {by}");
        for why in missing {
            outln!("    its calls fail: {}", line(&why));
        }
    }
    if ledger.plugins().is_empty() && !args.json {
        eprintln!("no plugin is installed; `cl-admin plugin install FOLDER` installs one");
    }
    let is_installed = |found: &Offered| {
        found.form.as_ref().is_ok_and(|form| {
            ledger.plugins().get(&form.name).is_some_and(|known| known.plugin.version == form.version)
        })
    };
    for found in offered(home)?.iter().filter(|found| !is_installed(found)) {
        tell(found, args.json);
    }
    Ok(shared_types::exit::DONE)
}

/// Tells of a folder in `plugins/` that is not installed in this version.
fn tell(found: &Offered, as_json: bool) {
    let folder = line(&found.folder.display().to_string());
    match (&found.form, as_json) {
        (Ok(form), true) => {
            out::json(
                &json!({"name": form.name, "version": form.version, "installed": false, "folder": folder}),
            );
        }
        (Err(why), true) => {
            out::json(&json!({"installed": false, "folder": folder, "fault": line(&why.to_string())}));
        }
        (Ok(form), false) => {
            outln!("{}  version {}  not installed", form.name, line(&form.version));
            outln!("    `cl-admin plugin install {folder}` shows it and asks");
        }
        (Err(why), false) => outln!("{folder}  cannot be installed: {}", line(&why.to_string())),
    }
}

/// A plugin as JSON.
pub(super) fn row(installed: &Installed) -> serde_json::Value {
    let (plugin, facts) = (&installed.plugin, &installed.facts);
    let (by, at) = decided(installed);
    let tools: Vec<_> = plugin.tools.iter().map(|t| json!({"name": t.name, "risk": t.risk})).collect();
    json!({
        "name": plugin.name, "version": plugin.version, "kind": facts.kind, "description": plugin.description,
        "capabilities": plugin.capabilities, "tools": tools, "tree_sha256": facts.tree_sha256,
        "facts_sha256": plugin.facts_sha256, "since": at, "by": by, "recipients": plugin.recipients,
    })
}

/// Who decided, and when.
pub(super) fn decided(installed: &Installed) -> (String, String) {
    let decision = installed.plugin.decision.read();
    decision.map_or_else(|_| ("?".into(), "?".into()), |d| (d.approver.to_string(), d.decided_at))
}

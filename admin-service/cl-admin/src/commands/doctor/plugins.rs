//! Whether the secrets of each plugin are set.

use actions::plugins::credential;
use base::home::Home;
use ledger::Ledger;

use super::look::Look;

/// What keeps the calls of a plugin from getting their credential.
pub(super) fn plugins(home: &Home) -> Vec<Look> {
    // What is wrong with the journal is a line of its own.
    let Ok(ledger) = Ledger::read(home) else { return vec![] };
    let with_secret = ledger.plugins().values().filter(|p| !credential::secrets(&p.facts).is_empty());
    let look = |plugin: &ledger::facts::Installed| {
        let name = &plugin.facts.name;
        let missing = credential::missing(home, &plugin.facts);
        if missing.is_empty() {
            return vec![Look::pass("plugins", format!("{name}: its secrets are set"))];
        }
        let warn = |why: &credential::NotFilled| {
            Look::warn("plugins", format!("{name}: {why}"), "the calls of this plugin fail until then")
        };
        missing.iter().map(warn).collect()
    };
    with_secret.flat_map(look).collect()
}

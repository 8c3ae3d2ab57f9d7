//! What a built-in skill may do beyond its tokens.

use serde::{Deserialize, Serialize};

/// One ability that no token grants. Which built-in skill has which stands in a table of the program; no learned skill and no
/// plugin has any, and the manifest may only take some away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Power {
    /// Reads and keeps the person's facts and conversations, with `memory:read` and `memory:write`.
    KeepFacts,
    /// Has the whole workspace, of which the profile's grants say how much, and the further folders that the configuration opens,
    /// with `file:read` and `file:write`.
    WholeWorkspace,
    /// Reads pages of granted hosts, with `network:read`.
    Pages,
    /// Puts proposals into the profile's folder and nothing else, with `file:write`.
    Outbox,
    /// Asks the admin service for an effect and has no files itself, with `file:write`.
    Actions,
    /// Calls tools for the conversation, with `llm:call`.
    CallTools,
    /// Shows and asks under the name of the skill that sends it an event, so that reaching it reaches nothing more.
    ShowForOthers,
}

impl Power {
    /// Every power, in reading order.
    pub const ALL: [Power; 7] = [
        Power::KeepFacts,
        Power::WholeWorkspace,
        Power::Pages,
        Power::Outbox,
        Power::Actions,
        Power::CallTools,
        Power::ShowForOthers,
    ];
}

/// What one built-in skill may do beyond its tokens: a row of the program's table, as far as the manifest leaves it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Powers<'a> {
    table: &'a [Power],
    named: Option<&'a [Power]>,
}

impl<'a> Powers<'a> {
    /// What the program's table says, narrowed to what the manifest names, where it names any.
    pub fn new(table: &'a [Power], named: Option<&'a [Power]>) -> Powers<'a> {
        Powers { table, named }
    }

    /// Whether the skill has a power.
    pub fn has(&self, power: Power) -> bool {
        self.table.contains(&power) && self.named.is_none_or(|named| named.contains(&power))
    }

    /// Whether the program's table lists the power. Such a skill gets no usual files in its place, also where the manifest
    /// takes the power away.
    pub fn is_made_for(&self, power: Power) -> bool {
        self.table.contains(&power)
    }
}

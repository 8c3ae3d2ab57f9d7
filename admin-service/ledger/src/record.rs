//! What the journal can say.

mod action;
mod active;
mod home;
mod people;
mod proposal;
mod watch;

use durable::FromJson;
use serde::{Deserialize, Serialize};
use shared_types::id::ProposalId;

pub use action::{ActionRecord, ActionTaken};
pub use active::{PluginRecord, SkillRecord};
pub use home::RestoredRecord;
pub use people::{Countersigned, PeopleRecord, ProfileRecord};
pub use proposal::{Given, IntakeRecord, ProposalEvent, ProposalRecord, Received, Recommendation, Reviewed};
pub use watch::{AlarmRecord, ScheduleRecord};

/// One record, by what it is about; together with its time it is one line of the journal. On the disk all kinds are at one
/// level, each with its name under `record`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Record {
    /// A file was looked at.
    Intake(IntakeRecord),
    /// A proposal that was taken in.
    Proposal(ProposalRecord),
    /// An action.
    Action(ActionRecord),
    /// The active skills.
    Skill(SkillRecord),
    /// A plugin.
    Plugin(PluginRecord),
    /// A profile.
    Profile(ProfileRecord),
    /// Those who decide.
    People(PeopleRecord),
    /// The watch over the chains of evidence.
    Alarm(AlarmRecord),
    /// A schedule.
    Schedule(ScheduleRecord),
    /// The home itself.
    Restored(RestoredRecord),
}

/// A line of the journal: a record with its time.
#[derive(Debug, Serialize)]
pub(crate) struct Entry {
    pub(crate) at: String,
    #[serde(flatten)]
    pub(crate) record: Record,
}

/// What is read of a line first.
#[derive(Deserialize)]
struct Head {
    at: String,
    record: About,
}

/// Reads the line twice: to try one group of kinds after the other would be slower, and would name no culprit.
impl FromJson for Entry {
    fn from_json(json: &[u8]) -> Result<Entry, serde_json::Error> {
        let Head { at, record } = serde_json::from_slice(json)?;
        let record = match record {
            About::Intake => Record::Intake(serde_json::from_slice(json)?),
            About::Proposal => Record::Proposal(serde_json::from_slice(json)?),
            About::Action => Record::Action(serde_json::from_slice(json)?),
            About::Skill => Record::Skill(serde_json::from_slice(json)?),
            About::Plugin => Record::Plugin(serde_json::from_slice(json)?),
            About::Profile => Record::Profile(serde_json::from_slice(json)?),
            About::People => Record::People(serde_json::from_slice(json)?),
            About::Alarm => Record::Alarm(serde_json::from_slice(json)?),
            About::Schedule => Record::Schedule(serde_json::from_slice(json)?),
            About::Restored => Record::Restored(serde_json::from_slice(json)?),
        };
        Ok(Entry { at, record })
    }
}

/// What a record is about, by the name of its kind.
#[derive(Deserialize)]
enum About {
    #[serde(rename = "taken", alias = "refused")]
    Intake,
    #[serde(
        rename = "moved",
        alias = "waits",
        alias = "written",
        alias = "wanting",
        alias = "edited",
        alias = "edit-dropped",
        alias = "held",
        alias = "sent-back",
        alias = "noted",
        alias = "changed",
        alias = "recurred",
        alias = "spent",
        alias = "compiled",
        alias = "reviewed",
        alias = "first-yes",
        alias = "decided",
        alias = "installed"
    )]
    Proposal,
    #[serde(
        rename = "action-taken",
        alias = "action-decided",
        alias = "action-rejected",
        alias = "action-started",
        alias = "action-done",
        alias = "allowance-removed"
    )]
    Action,
    #[serde(rename = "builtins", alias = "uninstalled")]
    Skill,
    #[serde(rename = "plugin-installed", alias = "plugin-removed")]
    Plugin,
    #[serde(
        rename = "profile-added",
        alias = "profile-removed",
        alias = "profile-erased",
        alias = "door-token-added",
        alias = "door-token-removed",
        alias = "door-address-set"
    )]
    Profile,
    #[serde(
        rename = "approvers-changed",
        alias = "countersigned",
        alias = "passphrase-set",
        alias = "codes-set",
        alias = "codes-removed",
        alias = "code-used",
        alias = "code-wrong",
        alias = "page-token-added",
        alias = "page-token-removed"
    )]
    People,
    #[serde(rename = "alarm", alias = "acknowledged")]
    Alarm,
    #[serde(rename = "schedule")]
    Schedule,
    #[serde(rename = "restored")]
    Restored,
}

impl ProposalEvent {
    /// The record that it happened to this proposal.
    pub fn of(self, id: &ProposalId) -> Record {
        Record::Proposal(ProposalRecord { id: id.clone(), event: self })
    }
}

/// Lets a record of each group be appended as it is.
macro_rules! records {
    ($($group:ident($of:ident))*) => {
        $(impl From<$of> for Record {
            fn from(record: $of) -> Record {
                Record::$group(record)
            }
        })*
    };
}

records! {
    Intake(IntakeRecord) Action(ActionRecord) Skill(SkillRecord) Plugin(PluginRecord) Profile(ProfileRecord)
    People(PeopleRecord) Alarm(AlarmRecord) Schedule(ScheduleRecord) Restored(RestoredRecord)
}

#[cfg(test)]
mod tests;

//! What the emergency stop says to each request. A new request does not compile before it has a row here.

use super::Request;
use super::door;
use super::people::Asked;

/// What the emergency stop says to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum StopPolicy {
    /// It is done all the same; why.
    Allowed(&'static str),
    /// It is refused while the stop holds; what it would bring.
    Refused(&'static str),
    /// It is done where the approvers only lose by it; what it would bring otherwise.
    OnlyLess(&'static str),
}

impl Request {
    /// Its name, as in the log of the service.
    pub fn name(&self) -> &'static str {
        match self {
            Request::Approve { .. } => "approve",
            Request::Reject { .. } => "reject",
            Request::Reopen { .. } => "reopen",
            Request::AddProfile { .. } => "add-profile",
            Request::RemoveProfile { .. } => "remove-profile",
            Request::EraseProfile { .. } => "erase-profile",
            Request::Door(..) => "door",
            Request::PassphraseSet { .. } => "passphrase-set",
            Request::Edit { .. } => "edit",
            Request::Note { .. } => "note",
            Request::OpenGate { .. } => "open-gate",
            Request::RemoveSkill { .. } => "remove-skill",
            Request::RollBackSkill { .. } => "roll-back-skill",
            Request::ImportSkill { .. } => "import-skill",
            Request::Learn { .. } => "learn",
            Request::Acknowledge { .. } => "acknowledge",
            Request::People(..) => "people",
            Request::AllowAction { .. } => "allow-action",
            Request::InstallPlugin { .. } => "install-plugin",
            Request::RemoveAllowance { .. } => "remove-allowance",
            Request::RemovePlugin { .. } => "remove-plugin",
            Request::Metrics { .. } => "metrics",
            Request::RunSchedule { .. } => "run-schedule",
            Request::PinSchedule { .. } => "pin-schedule",
        }
    }

    /// Whether answering it reads what the bot wrote, which may be gigabytes.
    pub fn reads_much(&self) -> bool {
        matches!(self, Request::Acknowledge { .. })
    }

    /// Whether it is answered from what is known and changes nothing, so that nobody is woken by it.
    pub fn only_reads(&self) -> bool {
        matches!(self, Request::Metrics { .. })
    }

    /// What the emergency stop says to this request.
    pub fn stop_policy(&self) -> StopPolicy {
        use StopPolicy::{Allowed, OnlyLess, Refused};
        match self {
            Request::Approve { .. } => Refused("a skill would be installed"),
            Request::AllowAction { .. } => Refused("a command or a call would run"),
            Request::Reopen { .. } => Refused("a rejected package could be approved again"),
            Request::Edit { .. } => Refused("a source would be compiled and tried"),
            Request::OpenGate { .. } => Refused("the next stage would begin"),
            Request::RollBackSkill { .. } => Refused("an earlier version would be compiled and tried"),
            Request::ImportSkill { .. } => Refused("a source would be compiled and tried"),
            Request::Learn { .. } => Refused("a source would be written, compiled and tried"),
            Request::InstallPlugin { .. } => Refused("a plugin would be installed"),
            Request::AddProfile { .. } => Refused("one more person could start the bot"),
            Request::Door(door::Asked::AddToken { .. }) => Refused("one more program could ask the bot"),
            Request::Door(door::Asked::Listen { address: Some(_), .. }) => {
                Refused("the bot could be asked at an address")
            }
            Request::RunSchedule { .. } => Refused("a run would begin"),
            Request::PinSchedule { .. } => Refused("a text would be allowed to run"),
            Request::People(Asked::Change { .. }) => OnlyLess("somebody could approve who could not before"),
            Request::People(Asked::RemoveCodes { .. }) => {
                Refused("a yes would need no one-time code any more")
            }
            Request::People(Asked::AddPageToken { .. }) => {
                Refused("one more device could look at proposals and reject them")
            }
            Request::People(Asked::RemovePageToken { .. }) => Allowed("a token ends"),
            Request::People(Asked::SetCodes { .. }) => Allowed("a yes needs more than before"),
            Request::People(Asked::Countersign { .. }) => {
                Allowed("what is installed gets one more signature")
            }
            Request::PassphraseSet { .. } => Allowed("a key needs more than before"),
            Request::Reject { .. } => Allowed("a proposal ends"),
            Request::RemoveProfile { .. } => Allowed("a profile ends"),
            Request::EraseProfile { .. } => Allowed("a profile ends"),
            Request::Door(door::Asked::RemoveToken { .. }) => Allowed("a token ends"),
            Request::Door(door::Asked::Listen { address: None, .. }) => {
                Allowed("the bot is asked at no address any more")
            }
            Request::RemoveSkill { .. } => Allowed("a skill ends"),
            Request::RemovePlugin { .. } => Allowed("a plugin ends"),
            Request::RemoveAllowance { .. } => Allowed("a standing permission ends"),
            Request::Metrics { .. } => Allowed("figures are read"),
            Request::Note { .. } => Allowed("a note starts nothing"),
            Request::Acknowledge { .. } => Allowed("an alarm is read; nothing starts by it"),
        }
    }
}

//! The exact bytes of each kind of record: a journal that was written by an earlier version is read by every later one.

use std::collections::BTreeSet;

use serde_json::Value;

use super::*;

/// Lines as they are on the disk: each kind of record, with what may be missing and without it.
const GOLDEN: &str = include_str!("golden.jsonl");

/// The name of each kind. A kind that is not listed does not compile.
macro_rules! kinds {
    ($($kind:pat => $name:literal)*) => {
        const KINDS: &[&str] = &[$($name),*];

        fn kind_of(record: &Record) -> &'static str {
            match record {
                $($kind => $name,)*
            }
        }
    };
}

kinds! {
    Record::Proposal(ProposalRecord { event: ProposalEvent::Moved { .. }, .. }) => "moved"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Waits { .. }, .. }) => "waits"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Written { .. }, .. }) => "written"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Wanting { .. }, .. }) => "wanting"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Edited { .. }, .. }) => "edited"
    Record::Proposal(ProposalRecord { event: ProposalEvent::EditDropped { .. }, .. }) => "edit-dropped"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Held { .. }, .. }) => "held"
    Record::Proposal(ProposalRecord { event: ProposalEvent::SentBack { .. }, .. }) => "sent-back"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Noted { .. }, .. }) => "noted"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Changed { .. }, .. }) => "changed"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Recurred { .. }, .. }) => "recurred"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Spent { .. }, .. }) => "spent"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Compiled { .. }, .. }) => "compiled"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Reviewed { .. }, .. }) => "reviewed"
    Record::Proposal(ProposalRecord { event: ProposalEvent::FirstYes { .. }, .. }) => "first-yes"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Decided { .. }, .. }) => "decided"
    Record::Proposal(ProposalRecord { event: ProposalEvent::Installed { .. }, .. }) => "installed"
    Record::Intake(IntakeRecord::Taken { .. }) => "taken"
    Record::Intake(IntakeRecord::Refused { .. }) => "refused"
    Record::Action(ActionRecord::Taken { .. }) => "action-taken"
    Record::Action(ActionRecord::Decided { .. }) => "action-decided"
    Record::Action(ActionRecord::Rejected { .. }) => "action-rejected"
    Record::Action(ActionRecord::Started { .. }) => "action-started"
    Record::Action(ActionRecord::Done { .. }) => "action-done"
    Record::Action(ActionRecord::AllowanceRemoved { .. }) => "allowance-removed"
    Record::Skill(SkillRecord::Builtins { .. }) => "builtins"
    Record::Skill(SkillRecord::Uninstalled { .. }) => "uninstalled"
    Record::Plugin(PluginRecord::Installed { .. }) => "plugin-installed"
    Record::Plugin(PluginRecord::Removed { .. }) => "plugin-removed"
    Record::Profile(ProfileRecord::Added { .. }) => "profile-added"
    Record::Profile(ProfileRecord::Removed { .. }) => "profile-removed"
    Record::Profile(ProfileRecord::Erased { .. }) => "profile-erased"
    Record::Profile(ProfileRecord::DoorTokenAdded { .. }) => "door-token-added"
    Record::Profile(ProfileRecord::DoorTokenRemoved { .. }) => "door-token-removed"
    Record::Profile(ProfileRecord::DoorAddressSet { .. }) => "door-address-set"
    Record::People(PeopleRecord::ApproversChanged { .. }) => "approvers-changed"
    Record::People(PeopleRecord::Countersigned { .. }) => "countersigned"
    Record::People(PeopleRecord::PassphraseSet { .. }) => "passphrase-set"
    Record::People(PeopleRecord::CodesSet { .. }) => "codes-set"
    Record::People(PeopleRecord::CodesRemoved { .. }) => "codes-removed"
    Record::People(PeopleRecord::CodeUsed { .. }) => "code-used"
    Record::People(PeopleRecord::CodeWrong { .. }) => "code-wrong"
    Record::People(PeopleRecord::PageTokenAdded { .. }) => "page-token-added"
    Record::People(PeopleRecord::PageTokenRemoved { .. }) => "page-token-removed"
    Record::Alarm(AlarmRecord::Raised { .. }) => "alarm"
    Record::Alarm(AlarmRecord::Acknowledged { .. }) => "acknowledged"
    Record::Schedule(ScheduleRecord { .. }) => "schedule"
    Record::Restored(RestoredRecord { .. }) => "restored"
}

fn read(line: &str) -> Result<Entry, String> {
    Entry::from_json(line.as_bytes()).map_err(|e| e.to_string())
}

/// The bytes as the log writes them.
fn written(entry: &Entry) -> String {
    serde_json::to_value(entry).unwrap().to_string()
}

#[test]
fn each_kind_of_record_is_read_and_written_byte_by_byte_as_ever() {
    for line in GOLDEN.lines() {
        let entry = read(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        assert_eq!(written(&entry), line);
        assert!(line.contains(&format!(r#""record":"{}""#, kind_of(&entry.record))), "{line}");
    }
    let seen: BTreeSet<&str> = GOLDEN.lines().map(|line| kind_of(&read(line).unwrap().record)).collect();
    assert_eq!(seen, KINDS.iter().copied().collect());
}

#[test]
fn what_no_kind_has_is_skipped_and_what_stands_there_twice_is_refused() {
    for line in GOLDEN.lines() {
        let mut more: Value = line.parse().unwrap();
        more["added later"] = "by somebody".into();
        assert_eq!(written(&read(&more.to_string()).unwrap()), line);
        for field in ["at", "record"] {
            let again = line.replacen('{', &format!("{{\"{field}\":{},", more[field]), 1);
            assert!(read(&again).unwrap_err().contains(&format!("duplicate field `{field}`")), "{again}");
        }
    }
}

#[test]
fn a_line_of_no_kind_is_refused_with_the_kinds_that_there_are() {
    let unknown = read(r#"{"at":"2026-01-02T03:04:05.678Z","record":"invented"}"#).unwrap_err();
    assert!(unknown.starts_with("unknown variant `invented`, expected one of `"), "{unknown}");
    for line in GOLDEN.lines() {
        let entry: Value = line.parse().unwrap();
        assert!(unknown.contains(entry["record"].as_str().unwrap()), "{line}: {unknown}");
        for field in ["at", "record"] {
            let mut less = entry.clone();
            less.as_object_mut().unwrap().remove(field);
            assert!(read(&less.to_string()).unwrap_err().contains(&format!("missing field `{field}`")));
        }
    }
    let incomplete = r#"{"at":"2026-01-02T03:04:05.678Z","record":"code-wrong"}"#;
    assert!(read(incomplete).unwrap_err().contains("missing field `approver`"));
}

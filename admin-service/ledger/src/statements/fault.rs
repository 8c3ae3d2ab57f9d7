//! Why a statement that a person signed does not take effect.

use base::error::Error;
use shared_types::capability::TokenSet;
use shared_types::id::{ApproverId, ProposalId, SkillName};
use shared_types::recipients::Recipients;
use shared_types::signature::SignatureError;
use shared_types::status::Status;

/// A signed decision, edit, removal or change of the approvers that is refused.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// The signed text is not a statement of its kind.
    #[error("the {kind} cannot be read: {why}")]
    Unreadable {
        /// The kind: `decision`, `removal`, `change`.
        kind: &'static str,
        /// What the reader says.
        why: serde_json::Error,
    },
    /// Nobody of that name may sign.
    #[error("`{0}` is not an approver")]
    NotAnApprover(ApproverId),
    /// The signature under a skill's decision does not hold.
    #[error("{skill}, signed by `{by}`: {why}")]
    Countersignature {
        skill: SkillName,
        /// Who is said to have signed.
        by: ApproverId,
        /// What does not hold.
        why: SignatureError,
    },
    /// The package differs from the one that was shown.
    #[error("the package has changed since it was shown: look at it again")]
    PackageChanged,
    /// The decision differs from the one that follows from the review.
    #[error("the decision is not for the package as it was reviewed: look at it again")]
    NotAsReviewed,
    /// The action differs from the one that was shown.
    #[error("the action is not what was shown any more: look again")]
    ActionChanged,
    /// The decision names another action than the waiting one.
    #[error("the decision is for another action than the one that waits: look again")]
    OtherAction,
    /// A program that is allowed for longer has other bytes by now.
    #[error("a program changed since the decision was made: look again")]
    ProgramChanged,
    /// The proposal has no review yet.
    #[error("{id} was not reviewed yet (it is in {status})")]
    NotReviewed {
        /// The proposal.
        id: ProposalId,
        /// Where it stands.
        status: Status,
    },
    /// The proposal is in a state in which this statement has no place.
    #[error("{name} is in {status}; only what waits for a decision can be edited")]
    NotEditable {
        /// The proposal's name.
        name: SkillName,
        /// Where it stands.
        status: Status,
    },
    /// The package breaks a rule that no yes overrides.
    #[error("the package has a violation: {0}; reject or edit it")]
    Violation(String),
    /// The decision names another manifest than the one in force.
    #[error(
        "the decision is for manifest {decided}, but manifest {in_force} is in force: look at the package again"
    )]
    OtherManifest {
        /// The serial that was decided on.
        decided: u64,
        /// The serial in force.
        in_force: u64,
    },
    /// Fewer approvers signed than the rules ask for.
    #[error("too few of the present approvers signed the decision")]
    TooFewSigners,
    /// The same person says both yeses.
    #[error("`{0}` has said yes already; the second yes is another approver's")]
    SecondOfTheSame(ApproverId),
    /// The first yes is for other profiles.
    #[error("the first yes is for {0}; the second one is for the same profiles: --for {0}")]
    OtherRecipients(Recipients),
    /// The second yes is not beside the first one.
    #[error("`{0}` cannot say the second yes in this way: another approver signs the same decision")]
    NotBesideTheFirst(ApproverId),
    /// Two signatures where one person is asked.
    #[error("each of two approvers says yes alone: look at it again")]
    Together,
    /// The proposal is approved, and its installation continues.
    #[error("{0} was approved, and its installation is being ended")]
    Installing(SkillName),
    /// The proposal is installed.
    #[error("{0} is installed, so it can no longer be rejected; `cl-admin skill remove {0}` removes it")]
    Installed(SkillName),
    /// The proposal is not held at a gate.
    #[error("{0} waits at no gate")]
    NotHeld(SkillName),
    /// The proposal is held, and can only be rejected or edited.
    #[error("{0} has a violation by now: reject it, or edit it")]
    HeldByViolation(SkillName),
    /// The approvers change while an approved proposal is not installed yet.
    #[error("{0} was approved and is not installed yet: `cl-admin run --once` ends that first")]
    Unfinished(SkillName),
    /// The first signed list names other approvers than the unsigned one.
    #[error("that is not the list of this home")]
    OtherList,
    /// A countersignature of somebody who did not sign the change.
    #[error("`{0}` did not sign the change")]
    DidNotSign(ApproverId),
    /// A countersignature for a skill that is not there.
    #[error("{0} is not installed")]
    NotInstalled(SkillName),
    /// The change would end the decisions of installed skills.
    #[error(
        "the decisions of {0} would not count any more; another approver signs them first: `cl-admin approver countersign`"
    )]
    DecisionsLost(String),
    /// The removal is for another version or another manifest.
    #[error(
        "the removal is for version {version} under manifest {manifest}; in force are version {present} and manifest \
         {in_force}: decide again"
    )]
    OtherVersion {
        /// The version that was decided on.
        version: u32,
        /// The manifest that was decided on.
        manifest: u64,
        /// The installed version.
        present: u32,
        /// The manifest in force.
        in_force: u64,
    },
    /// An installation of the skill was interrupted.
    #[error("the installation of `{0}` is not at its end: `cl-admin run --once` ends it; then decide again")]
    InstallationOpen(SkillName),
    #[error("`{0}` is a part of the bot itself and cannot be removed")]
    BuiltIn(SkillName),
    /// Other skills depend on it.
    #[error("`{name}` is needed by {by}; remove that first")]
    Needed {
        /// The skill.
        name: SkillName,
        /// The skills that need it.
        by: String,
    },
    /// A command may be allowed for longer than once, nothing else.
    #[error("only a command can be allowed for longer than once")]
    OnceOnly,
    /// The network is never allowed for longer than once.
    #[error("the network is given once each time, and never for longer")]
    NetworkOnceOnly,
    /// What a plugin runs differs from the decision.
    #[error("what runs is not what was decided")]
    PluginDiffers,
    /// The files of a plugin differ from those that were shown.
    #[error("the plugin's files changed since they were looked at")]
    PluginFilesChanged,
    /// The decision was used before.
    #[error("that yes was used already: decide again")]
    UsedBefore,
    /// The removal names another installation of the plugin.
    #[error("the removal is for another installation of `{0}`: decide again")]
    OtherInstallation(SkillName),
    /// A skill has the plugin's name.
    #[error("a skill is called `{0}` already; a plugin needs another name")]
    NameTaken(SkillName),
    /// A rule asks for two persons, and a plugin is decided by one.
    #[error("a two-person rule covers {0}, and a plugin is decided by one person: it cannot be installed")]
    TwoPersons(TokenSet),
}

impl From<StatementError> for Error {
    fn from(why: StatementError) -> Error {
        Error::refused(why)
    }
}

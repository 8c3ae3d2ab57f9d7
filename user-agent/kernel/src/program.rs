//! What the program is to the kernel: it hands over what there is, and does what takes a file, a socket or a clock.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value;
use shared_types::id::{ConversationId, ProfileId, SkillName};
use shared_types::risk::{Autonomy, Risk};
use shared_types::verdict::{Decider, Rule};

use crate::grants::Rights;
use crate::stop::Stopped;

/// A proof that the kernel itself asks: its field is the kernel's, so nothing else can make one. It names the program, so
/// that another [`Program`] cannot pass on the proofs that it gets.
pub struct ByKernel<P>(PhantomData<P>);

impl<P> ByKernel<P> {
    pub(crate) const fn new() -> ByKernel<P> {
        ByKernel(PhantomData)
    }
}

/// One attempted call of a tool.
#[derive(Debug)]
pub struct Attempt<'a> {
    /// The tool, by its full name.
    pub tool: &'a str,
    /// The arguments.
    pub args: &'a Value,
    /// The conversation.
    pub conversation: ConversationId,
    /// Counted from 1 in this process.
    pub number: u64,
}

/// What is reported about an attempted call.
#[derive(Debug)]
pub enum Report<'a> {
    /// It is asked for.
    Requested,
    /// It may be made: the risk at which it was judged, and who let it happen.
    Approved(Risk, &'a Decider),
    /// It answered, after so long.
    Completed(Duration),
    /// It did not, after so long.
    Failed(Duration),
    /// It is not made: the rule.
    Denied(Rule),
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The answer.
    Said(String),
    /// The line was not meant for this tool; another may try.
    NotMine,
    /// It failed; the sentence says why.
    Failed(String),
    /// It was not made: a rule or a person forbids it; the sentence says why and what would be allowed.
    Denied(Rule, String),
}

/// What came of a call, and the identifier of its receipt where one could be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// What came of it.
    pub outcome: Outcome,
    /// The identifier.
    pub receipt_id: Option<String>,
}

/// The program around the kernel.
pub trait Program: Send + Sync + Sized + 'static {
    /// Everything that there is to grant.
    type Services;
    /// The handles of one skill.
    type Handles: Send + Sync;
    /// The handle by which one waits for an effect outside of the sandbox.
    type Actions;
    /// What is left of the limits of a skill that waits for another.
    type Budget: Send + Sync;
    /// Groups what is logged during a call, until it is dropped.
    type Span;
    /// Why the program ends without having done what was asked.
    type Error;

    /// Makes the handles of what was decided, and no other.
    fn handles(by: &ByKernel<Self>, rights: &Rights<'_>, services: &Self::Services) -> Self::Handles;

    /// The profile.
    fn profile(&self) -> &ProfileId;

    /// How much happens without asking.
    fn autonomy(&self) -> Autonomy;

    /// The conversation.
    fn conversation(&self) -> ConversationId;

    /// Takes another conversation up.
    fn turn_to(&self, by: &ByKernel<Self>, conversation: ConversationId);

    /// Becomes true when the person wants the running turn to end.
    fn cancel(&self) -> &Arc<AtomicBool>;

    /// The emergency stop that holds.
    fn stopped(&self) -> Option<Stopped>;

    /// Tells the log of a stop that was met.
    fn met(&self, stopped: &Stopped);

    /// Whether the channel may call a tool of a skill; where not, the key of the configuration that says so.
    fn allows(&self, skill: &SkillName, full_name: &str) -> Result<(), &'static str>;

    /// No active skill has `user:input`, so nobody could talk with the person.
    fn no_driver() -> Self::Error;

    /// Is called before the driver runs.
    ///
    /// # Errors
    /// The channel is switched off.
    fn begin(&self, by: &ByKernel<Self>) -> Result<(), Self::Error>;

    /// Tells the log about a call.
    fn tell(&self, attempt: &Attempt<'_>, told: Report<'_>);

    /// A call begins.
    fn enter(&self, attempt: &Attempt<'_>) -> Self::Span;

    /// Why a call whose effect lasts must not be made now: its receipt could not be written.
    fn no_receipt(&self, by: &ByKernel<Self>) -> Option<String>;

    /// Keeps the receipt of an attempt: what came of it, at which risk, and who let it happen or did not.
    fn keep_receipt(
        &self,
        by: &ByKernel<Self>,
        at: &Attempt<'_>,
        came: Outcome,
        judged: (Risk, &str),
    ) -> Called;

    /// Puts on record that typed words excuse a call; answers whether that could be done.
    fn note_excused(&self, by: &ByKernel<Self>, tool: &str) -> bool;

    /// How many calls typed words excused in a conversation.
    fn excused_in(&self, by: &ByKernel<Self>, conversation: &ConversationId) -> usize;
}

//! The one way to have something done outside of the sandbox: a proposal of `kind: action`, and a wait for what comes of it.
//!
//! The handle is granted with the power to ask for actions, to plugins, and to the gate for a person's yes; nobody else can
//! make one. What the mirror says is the admin's word: the bot cannot write there.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use bot_base::paths::Folder;
use shared_types::action::{Action, ActionResult};
use shared_types::capability::TokenSet;
use shared_types::id::{ProposalId, SkillName};
use shared_types::proposal::{Document, Kind, Proposal, Requirements, Scope};
use shared_types::status::{Status, Wait};
use shared_types::text::cut;

use super::spool::{self, NotWritten};
use crate::{ByKernel, KernelContext};

/// After this time the person reads that nobody has taken the action up.
const SILENCE: Duration = Duration::from_secs(3);
/// The shortest and the longest pause between two looks at the mirror.
const PAUSES: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(50));
/// A look comes after this part of the time that was waited already, so that waiting costs next to nothing.
const SHARE: u32 = 200;

/// The right to ask the admin service for one effect.
#[derive(Clone)]
pub struct Actions {
    proposals: Arc<Folder>,
    status: Option<Arc<Folder>>,
}

/// What is asked for.
pub struct Wish<'a> {
    /// Who asks: the beginning of the file's name.
    pub name: SkillName,
    /// One line about it.
    pub description: String,
    /// The effect.
    pub action: Action,
    /// Why, in the program's words.
    pub rationale: String,
    /// The line that the person typed.
    pub line: &'a str,
}

/// Why an action was not asked for.
#[derive(Debug, thiserror::Error)]
pub enum Unasked {
    /// Nothing could ever answer it.
    #[error(
        "this home has no folder in which the admin service could answer; `cl-admin init` makes it, then start again"
    )]
    NoMirror,
    /// The request is not in the folder.
    #[error("the request to the admin service could not be written: {0}")]
    NotWritten(#[from] NotWritten),
}

/// An action that was put into the folder.
#[derive(Debug, Clone)]
pub struct Placed {
    /// Its identifier.
    pub id: ProposalId,
    name: SkillName,
    /// How long it may run, in seconds.
    seconds: u32,
}

/// What became of an action.
#[derive(Debug, Clone, PartialEq)]
pub enum ActionOutcome {
    /// It was done.
    Done(ActionResult),
    /// A person said yes: who.
    Approved(String),
    /// It was refused.
    Refused {
        /// By whom: an approver, or the admin's policy.
        by: String,
        why: String,
    },
    /// Nobody waits for it any more, and it was withdrawn: why, and what to do.
    Withdrawn(String),
}

/// For whom one waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Service,
    Work,
    Person,
    Room,
    Running,
}

/// No service answers.
const UNANSWERED: &str = "no admin service answers yet; `cl-admin run` or `cl-admin up` starts it";

impl Phase {
    /// For whom one waits; a child reads neither of programs nor of the service.
    fn in_words(self, is_minor: bool) -> &'static str {
        match self {
            Phase::Person if is_minor => "I wait until an adult says yes",
            _ if is_minor => "a moment",
            Phase::Service => "waits for the admin service",
            Phase::Work => "is judged by the admin service",
            Phase::Person => "waits for a person (cl-admin review)",
            Phase::Room => "waits for room in the admin service",
            Phase::Running => "runs",
        }
    }

    fn of(document: &Document) -> Phase {
        match (document.status, document.waits_for) {
            (Status::Accepted, _) => Phase::Running,
            (_, Some(Wait::Person)) | (Status::HumanReview, None) => Phase::Person,
            (_, Some(_)) => Phase::Room,
            (Status::New, None) => Phase::Service,
            (_, None) => Phase::Work,
        }
    }
}

impl Actions {
    /// The handle for one profile's folders.
    pub(crate) fn new(_: &ByKernel, proposals: Arc<Folder>, status: Option<Arc<Folder>>) -> Actions {
        Actions { proposals, status }
    }

    /// For the tests of what has one.
    #[cfg(test)]
    pub(super) fn in_a_test(proposals: Arc<Folder>, status: Option<Arc<Folder>>) -> Actions {
        Actions { proposals, status }
    }

    /// Puts the wish into the folder and waits for what comes of it.
    ///
    /// # Errors
    /// A wish that could not be written, or that could never be answered.
    pub fn ask(&self, wish: Wish<'_>, ctx: &KernelContext) -> Result<ActionOutcome, Unasked> {
        let placed = self.place(wish, ctx)?;
        Ok(self.wait(&placed, ctx))
    }

    /// Puts the wish into the folder.
    ///
    /// # Errors
    /// As [`Actions::ask`].
    pub(super) fn place(&self, wish: Wish<'_>, ctx: &KernelContext) -> Result<Placed, Unasked> {
        if self.status.is_none() {
            return Err(Unasked::NoMirror);
        }
        let seconds = match &wish.action {
            Action::Shell { timeout_s, .. } | Action::Plugin { timeout_s, .. } => *timeout_s,
            Action::Permit { .. } => 0,
        };
        let placed = Placed { id: ProposalId::generate(), name: wish.name.clone(), seconds };
        let proposal = Proposal {
            id: placed.id.clone(),
            kind: Kind::Action,
            name: wish.name,
            description: cut(&wish.description, 160),
            capabilities: TokenSet::new(),
            emits_events: vec![],
            handles_events: vec![],
            dependencies: vec![],
            tools: vec![],
            network: vec![],
            secrets: vec![],
            memory_scope: Scope::Own,
            file_scope: Scope::Own,
            requirements: Requirements::default(),
            action: Some(wish.action),
            rationale: cut(&wish.rationale, 1_900),
            user_context: cut(wish.line, 1_900),
            generated_by: ctx.skill().to_string(),
            generated_at: ctx.shared().timestamp(),
            profile_id: ctx.shared().profile.clone(),
        };
        spool::write(&self.proposals, &Document::new(proposal))?;
        Ok(placed)
    }

    /// Waits for what comes of it, telling for whom; a person who cancels withdraws it.
    pub(super) fn wait(&self, placed: &Placed, ctx: &KernelContext) -> ActionOutcome {
        let begun = Instant::now();
        let (mut phase, mut since) = (Phase::Service, begun);
        let mut stamp = None;
        let mut told = None;
        let mut silent = true;
        let (tongue, is_minor) = (ctx.shared().tongue(), ctx.shared().audience.is_minor());
        loop {
            if let Some(document) = self.news(placed, &mut stamp) {
                if let Some(came) = settled(&document) {
                    // What is over needs no wish any more; the mirror keeps it.
                    let _ = self.proposals.remove(&placed.file());
                    return came;
                }
                let now = Phase::of(&document);
                if now != phase {
                    (phase, since) = (now, Instant::now());
                }
                silent = false;
            }
            if ctx.is_cancelled() {
                return self.withdraw(placed, "cancelled".to_owned());
            }
            if let Some(why) = given_up(phase, since.elapsed(), placed, ctx) {
                return self.withdraw(placed, why);
            }
            if told != Some(phase) && begun.elapsed() > PAUSES.1 {
                told = Some(phase);
                ctx.waiting(self, tongue.say(phase.in_words(is_minor)), phase == Phase::Person);
            }
            if silent && begun.elapsed() > SILENCE {
                silent = false;
                let unanswered = if is_minor {
                    "nobody can be asked right now; please tell an adult at home"
                } else {
                    UNANSWERED
                };
                ctx.waiting(self, tongue.say(unanswered), true);
            }
            std::thread::sleep((begun.elapsed() / SHARE).clamp(PAUSES.0, PAUSES.1));
        }
    }

    /// Every action of that name, oldest first.
    pub(super) fn named(&self, name: &SkillName) -> Vec<Document> {
        let all = spool::begins_with(&self.proposals, self.status.as_deref(), &format!("{name}-"));
        let own =
            |document: &Document| document.proposal.kind == Kind::Action && &document.proposal.name == name;
        all.into_iter().filter(own).collect()
    }

    /// The mirror, where it changed since the last look.
    fn news(&self, placed: &Placed, stamp: &mut Option<(SystemTime, u64)>) -> Option<Document> {
        let status = self.status.as_deref()?;
        let now = status.stamp(&placed.file())?;
        if *stamp == Some(now) {
            return None;
        }
        let document = spool::mirror(status, &placed.file())?;
        *stamp = Some(now);
        let fits = document.proposal.id == placed.id && document.proposal.kind == Kind::Action;
        fits.then_some(document)
    }

    /// Tells the admin that nobody waits any more; what has begun already runs to its end.
    fn withdraw(&self, placed: &Placed, why: String) -> ActionOutcome {
        let name = format!("{}.withdrawn", placed.stem());
        ActionOutcome::Withdrawn(match self.proposals.create_new(&name, b"", spool::MODE) {
            Ok(()) => format!("{why}; action {} was withdrawn", placed.id),
            Err(e) => {
                format!("{why}; action {} could not be withdrawn: {}", placed.id, cut(&e.to_string(), 200))
            }
        })
    }
}

impl Placed {
    /// One that was put there before, and that nothing limits but the patience of who waits.
    pub(super) fn known(name: SkillName, id: ProposalId) -> Placed {
        Placed { id, name, seconds: 0 }
    }

    fn stem(&self) -> String {
        format!("{}-{}", self.name, self.id)
    }

    fn file(&self) -> String {
        format!("{}.yaml", self.stem())
    }
}

/// What came of it, once it is settled. An accepted command without a result still runs.
pub(super) fn settled(document: &Document) -> Option<ActionOutcome> {
    let last = document.history.last();
    match document.status {
        Status::Accepted => match (&document.proposal.action, &document.result) {
            (Some(Action::Permit { .. }), _) => {
                let by = document.history.iter().rev().find(|entry| entry.status == Status::Accepted);
                by.map(|entry| ActionOutcome::Approved(cut(&entry.actor, 80)))
            }
            (_, Some(result)) => Some(ActionOutcome::Done(result.clone())),
            (_, None) => None,
        },
        Status::Rejected | Status::Removed => {
            let why = last.and_then(|entry| entry.reason.as_deref()).unwrap_or("no reason was given");
            let by = last.map_or("policy", |entry| entry.actor.as_str());
            Some(ActionOutcome::Refused { by: cut(by, 80), why: cut(why, 1_000) })
        }
        _ => None,
    }
}

/// Why nobody waits any longer.
fn given_up(phase: Phase, waited: Duration, placed: &Placed, ctx: &KernelContext) -> Option<String> {
    let session = &ctx.shared().session;
    let most = ctx.shared().config.limits.action_wait;
    let own = Duration::from_secs(u64::from(placed.seconds));
    match phase {
        // A person may take as long as the one who asked sits there.
        Phase::Person if session.interactive && !session.scheduled => None,
        Phase::Person => Some(
            "it needs a person's yes, and nobody can wait for that here; ask for it in the chat at a terminal and \
             approve it with `cl-admin review`, or let an approver allow this command for good there"
                .to_owned(),
        ),
        Phase::Running if waited > own + most => {
            Some(format!("there was no result within {} s", (own + most).as_secs()))
        }
        Phase::Running => None,
        Phase::Service if waited > most => Some(format!(
            "no admin service took it up within {} s (`limits.action_wait_seconds`); start it with `cl-admin run` \
             or `cl-admin up`",
            most.as_secs()
        )),
        Phase::Work | Phase::Room if waited > own + most => Some(format!(
            "the admin service {} for more than {} s; `cl-admin status` shows why",
            if phase == Phase::Room { "had no room" } else { "was at it" },
            (own + most).as_secs()
        )),
        Phase::Service | Phase::Work | Phase::Room => None,
    }
}

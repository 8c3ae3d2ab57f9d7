//! The truth about every proposal: an append-only, hash-chained log, and the state that follows from it. This layer uses
//! `compose` and the layers below it.
//!
//! - [`Ledger`]: the state in memory; [`Record`]: what the journal can say
//! - [`ticket`], [`case`], [`cases`]: one proposal, one action, all actions
//! - [`attempt`]: who wrote a source, and the objections to it
//! - [`allowances`], [`schedules`], [`digests`], [`past`], [`facts`], [`judgement`]: more that the journal knows
//! - [`statements`]: what an approver signs
//! - [`manifest`]: the signed list of skills that follows; [`mirror()`]: what the bot reads of a proposal
//! - [`system`]: what the machine offers, in abstract words
//! - [`store`]: what everything that works on a home shares; [`reserve`]: room on the disk for a decision
//!
//! # How it works
//!
//! The journal (`admin/journal/journal.jsonl`) is append-only, synced and hash-chained; state is what a replay of it
//! gives. Each record asks the tables of moves before it is appended and again at each replay (`ledger/src/legal.rs`).
//! A process replays it once: a later look (`Ledger::read_on`) and opening it under the lock (`Ledger::open_on`) follow
//! only the records written since, and begin anew where the record that was read last is not there any more or the
//! published head is an earlier one than was compared. `admin/heads/journal` says up to which record it goes, signed
//! with the manifest's key after each pass and each request: a journal that was shortened or exchanged is refused. Room
//! for what comes next is taken behind its end (1 to 2 MiB), and `admin/journal/reserve` holds 4 MiB that are given up,
//! bit by bit, for a person's decision on a full disk (`ledger/src/reserve.rs`). Every step that leaves something
//! behind has a point in `failpoints.rs` at which a test kills the service; each stage is done again from the start
//! after that, and finds what it has done already. A new step gets a point, and `tests/attacks/i09_crash.rs` a line for
//! it: a test compares the two lists.
//!
//! The manifest is a projection of the journal and is written again at each start if it differs.
//! `pipeline/src/advance.rs` is the only mover; `shared-types/src/status.rs` is its table.
#![forbid(unsafe_code)]

pub mod action_ticket;
pub mod action_tickets;
mod alarms;
pub mod allowances;
pub mod attempt;
pub mod digests;
pub mod facts;
mod head;
pub mod judgement;
mod ledger;
mod legal;
pub mod manifest;
mod mirror;
pub mod past;
mod people;
mod plugins;
mod record;
pub mod reserve;
pub mod schedules;
mod spent;
pub mod statements;
pub mod store;
pub mod system;
pub mod ticket;

pub use alarms::{Alarm, Alarms};
pub use ledger::Ledger;
pub use mirror::{stands as mirror_stands, write as mirror, write_over as mirror_over};
pub use people::{Codes, PageToken, People};
pub use record::{
    ActionRecord, ActionTaken, AlarmRecord, Countersigned, Given, IntakeRecord, PeopleRecord, PluginRecord,
    ProfileRecord, ProposalEvent, ProposalRecord, Received, Recommendation, Record, RestoredRecord, Reviewed,
    ScheduleRecord, SkillRecord,
};
pub use spent::{Looked, Spent};
pub use store::Store;

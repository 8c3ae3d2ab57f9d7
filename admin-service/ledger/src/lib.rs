//! The truth about every proposal: an append-only, hash-chained log, and the state that follows from it. This layer uses
//! `compose` and what lies below.
//!
//! - [`Book`]: the state in memory; [`Record`]: what the journal can say
//! - [`ticket`], [`case`], [`cases`]: one proposal, one action, all actions
//! - [`attempt`]: who wrote a source, and the objections to it
//! - [`allowances`], [`schedules`], [`past`], [`facts`], [`judgement`]: more that the journal knows
//! - [`statements`]: what an approver signs
//! - [`manifest`]: the signed list of skills that follows; [`mirror()`]: what the bot reads of a proposal
//! - [`system`]: what the machine offers, in abstract words
//! - [`store`]: what everything that works on a home shares; [`reserve`]: room on the disk for a decision
#![forbid(unsafe_code)]

mod alarms;
pub mod allowances;
pub mod attempt;
mod book;
pub mod case;
pub mod cases;
pub mod facts;
mod head;
pub mod judgement;
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
pub use book::Book;
pub use mirror::{stands as mirror_stands, write as mirror, write_over as mirror_over};
pub use people::{Codes, PageToken, People};
pub use record::{
    ActionRecord, ActionTaken, AlarmRecord, Countersigned, Given, IntakeRecord, PeopleRecord, PluginRecord,
    ProfileRecord, ProposalEvent, ProposalRecord, Recommendation, Record, RestoredRecord, Reviewed,
    ScheduleRecord, SkillRecord, Taken,
};
pub use spent::{Looked, Spent};
pub use store::Store;

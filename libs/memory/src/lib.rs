//! Facts and conversations: what is remembered, and how it is found again.
//!
//! - [`store`]: the traits [`Recall`] and [`Store`]; two backends keep them
//! - [`Jsonl`]: logs of one record a line, with an index that is made from them and never believed over them
//! - `Sqlite`: one file with FTS5, behind the feature `sqlite`
//! - [`statements`]: what a statement is about, and which statements are worth remembering
//! - [`files`]: how files are opened, left to the program
//!
//! # How it works
//!
//! `libs/memory` keeps facts and conversations behind one trait. `jsonl` appends to two logs, which are the truth;
//! beside them is `index/`, made of pieces that never change (256 lines, 16 times that, 256 times that), each a
//! function of one stretch of the log, so that each maker of a piece makes the same one. A question reads the few
//! postings that it needs and then the best records from the log; what the index says is believed only where the log
//! says so too, and the folder can be removed at any time. `sqlite` is one file with FTS5. The skill `memory` keeps
//! reminders as well (`skills/src/memory/reminders.rs`): one small file, `memory/reminders.jsonl`, replaced under a
//! lock. `reasoning` hands it a typed line that the patterns `remind` of the languages know, before a model or tool;
//! `terminal/src/ready.rs` asks for those that are due between two prompts, while a line is typed, and after an answer
//! over HTTP. What statements are about, and so which contradict each other, is data: `statements.yaml` of each
//! language in `libs/language/data`. `ports/src/talk.rs` judges before each line, behind need alone, whether the
//! profile's `talk` leaves room for it, and counts minutes and tokens in `logs/spent`
//! (`documents/src/profile_file/talk.rs`). What a profile's `memory.keep` no longer covers is removed by
//! `cl-bot/src/start/retention.rs` once it is confined, by a rule of two looks a day apart; the service never opens a
//! memory, so `cl-admin memory keep` only sets the period.
#![forbid(unsafe_code)]

mod aged;
mod error;
pub mod files;
mod hash;
mod index;
pub mod jsonl;
mod rank;
mod shape;
#[cfg(feature = "sqlite")]
pub mod sqlite;
pub mod statements;
pub mod store;

pub use aged::{Aged, OnStays};
pub use error::Error;
pub use files::{Disk, Files};
pub use jsonl::Jsonl;
pub use shared_types::memory::{Fact, Kind, MAX_FACT, Record, Summary, Turn};
#[cfg(feature = "sqlite")]
pub use sqlite::Sqlite;
pub use store::{Imported, Recall, Store, Stored};

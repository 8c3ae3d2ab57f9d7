//! Facts and conversations: what is remembered, and how it is found again.
//!
//! - [`store`]: the traits [`Recall`] and [`Store`]; two backends keep them
//! - [`Jsonl`]: logs of one record a line, with an index that is made from them and never believed over them
//! - `Sqlite`: one file with FTS5, behind the feature `sqlite`
//! - [`statements`]: what a statement is about, and which statements are worth remembering
//! - [`files`]: how files are opened, left to the program
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

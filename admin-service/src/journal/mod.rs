//! The truth about every proposal: an append-only, hash-chained log, and the state that follows from it.

mod alarms;
mod book;
mod head;
mod legal;
mod mirror;
mod people;
mod plugins;
mod record;
pub mod reserve;
mod spent;

pub use alarms::{Alarm, Alarms};
pub use book::Book;
pub use mirror::{stands as mirror_stands, write as mirror};
pub use people::{Codes, Countersigned, People};
pub use record::{ActionTaken, Given, Record, Reviewed, Taken};
pub use spent::{Looked, Spent};

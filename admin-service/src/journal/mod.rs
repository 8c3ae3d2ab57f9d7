//! The truth about every proposal: an append-only, hash-chained log, and the state that follows from it.

mod book;
mod head;
mod mirror;
mod record;
pub mod reserve;
mod spent;

pub use book::Book;
pub(crate) use book::now;
pub use mirror::write as mirror;
pub use record::{Given, Record, Reviewed, Taken};
pub use spent::Spent;

//! Texts that an approver signs and the journal keeps. They are checked elsewhere.

pub mod action;
mod fault;
pub mod key;
pub mod removal;

pub use fault::StatementError;
pub use shared_types::signed::{Signed, Statement};

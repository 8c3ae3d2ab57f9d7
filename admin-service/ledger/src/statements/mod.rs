//! Texts that an approver signs and the journal keeps. They are checked elsewhere.

pub mod action;
pub mod removal;

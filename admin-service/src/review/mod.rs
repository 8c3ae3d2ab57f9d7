//! What a person sees, and the one mint of a person's yes.

pub mod approvers;
pub mod console;
pub mod decision;
pub mod package;
pub mod report;

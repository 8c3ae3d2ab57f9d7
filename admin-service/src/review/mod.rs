//! What a person sees, and the one mint of a person's yes.

pub mod approvers;
pub mod console;
pub mod decision;
pub mod desk;
pub mod package;
pub mod pages;
pub mod removal;
pub mod report;
pub mod sentence;

//! The report of a package, its pages, and the one mint of a person's yes.

pub mod age;
pub mod approvers;
pub mod decision;
pub mod diff;
pub mod package;
pub mod pages;
pub mod removal;
pub mod report;
pub mod sentence;

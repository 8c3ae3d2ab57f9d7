//! The report of a package and its pages.

pub mod age;
pub mod approvers;
pub mod diff;
pub mod package;
pub mod pages;
pub mod report;
pub mod sentence;

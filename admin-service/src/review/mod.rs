//! What a person sees, and the one mint of a person's yes.

pub mod age;
pub mod approvers;

pub mod console;
pub mod decision;
pub mod desk;
pub mod diff;
pub mod editor;
pub mod highlight;
pub mod package;
pub mod pages;
pub mod removal;
pub mod report;
pub mod screen;
pub mod sentence;
pub mod tryout;

//! Workflows: a few steps in a file, run one after the other, through the same gate as everything else.
//!
//! - [`place`]: where they lie, and how much they are trusted
//! - [`state`]: what a run has done so far, as its log tells it
//! - [`log`]: that log on the disk
//! - [`runner`]: does the steps
//!
//! A workflow can do nothing that the conversation could not: its tools are called by `Kernel::call_tool`, its prompts are turns
//! of the skill `reasoning`, and both are judged in a conversation of the run's own. This layer uses `ports` and what lies below.
#![forbid(unsafe_code)]

pub mod log;
pub mod place;
pub mod runner;
pub mod state;

//! Workflows: a few steps in a file, run one after the other, through the same gate as everything else.
//!
//! - [`place`]: where they are, and how much they are trusted
//! - [`state`]: what a run has done so far, as its log tells it
//! - [`log`]: that log on the disk
//! - [`runner`]: does the steps
//!
//! A workflow can do nothing that the conversation could not: its tools are called by `Kernel::call_tool`, its prompts are turns
//! of the skill `reasoning`, and both are judged in a conversation of the run's own. This layer uses `ports` and what is below.
//!
//! # How it works
//!
//! A workflow (`libs/documents/src/sop.rs` reads it, `user-agent/workflows/src` runs it) is not a second way to an
//! effect: its tools are called by `Kernel::call_tool`, its prompts are turns of `reasoning` that are marked as typed
//! by nobody, and both happen in a conversation of the run's own, which holds outside and private content from the
//! start where the file is in the workspace. What a run has done is a log of its own (`logs/workflows/<run>.jsonl`), a
//! record before and after each step; `state.rs` is the table of what may follow what, and a replay of the log through
//! it is the state. A lock on the log keeps two processes apart.
#![forbid(unsafe_code)]

pub mod log;
pub mod place;
pub mod runner;
pub mod state;

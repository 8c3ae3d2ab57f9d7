//! The judgements by which both programs decide what a call may do: values in, values out.
//!
//! - [`verdict`]: risk, autonomy and provenance to run, ask or refuse
//! - [`shell`]: a shell line to the argument vectors that it stands for, and how risky they are
//! - [`typed`]: the words that a person typed, and whether a call says nothing else
//!
//! A judgement is no boundary: whatever was judged, files, processes and the network are confined by the kernel.
#![forbid(unsafe_code)]

pub mod shell;
pub mod typed;
pub mod verdict;

pub use typed::Typed;
pub use verdict::{Circumstances, Verdict, Weight, decide, outlook};

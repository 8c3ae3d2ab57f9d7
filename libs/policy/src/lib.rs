//! The judgements by which both programs decide what a call may do: values in, values out.
//!
//! - [`verdict`]: risk, autonomy and provenance to run, ask or refuse
//! - [`shell`]: a shell line to the argument vectors that it stands for, and how risky they are
//! - [`typed`]: what a person typed: which words a call may repeat, and what of it is private towards a host
//!
//! A judgement is no boundary: whatever was judged, files, processes and the network are confined by the kernel.
#![forbid(unsafe_code)]

pub mod shell;
pub mod typed;
pub mod verdict;

pub use typed::Typed;
pub use verdict::{Because, Circumstances, Verdict, Weight, decide, outlook};

//! The judgements by which both programs decide what a call may do: values in, values out.
//!
//! - [`verdict`]: risk, autonomy and provenance to run, ask or refuse
//! - [`typed`]: the words that a person typed, and whether a call says nothing else
//!
//! A judgement is no boundary: whatever was judged, files, processes and the network are confined by the kernel.
#![forbid(unsafe_code)]

pub mod typed;
pub mod verdict;

pub use typed::Typed;
pub use verdict::{Circumstances, Verdict, Weight, decide, outlook};

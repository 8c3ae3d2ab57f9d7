//! Judges text that comes in and cleans text that goes out. It is advice: nothing may depend on it for safety.
//!
//! - [`judge`]: what a text looks like, how sure that is, and what to do about it
//! - [`verdict`]: the words of the answer
//! - [`output`]: what goes out: no control characters, no secrets, no links that carry data away
//! - `rules/`: the rules as data; `build.rs` makes the tables of `tables` from them
//! - `machine`: finds the rules' patterns in one pass
//! - `words`, `chars`, `hash`, `keys`: what a reader would read, however it was written
//! - [`learned`]: weights of words, for what no rule has words for
//! - `encodings`: what is hidden in base64 and the like
//!
//! # How it works
//!
//! `libs/guard` judges what comes in and cleans what goes out: rules in `libs/guard/rules` become static tables at
//! build time, so nothing is read or compiled when the program starts. It is advice; nothing depends on it for safety.
#![forbid(unsafe_code)]

mod chars;
mod encodings;
mod hash;
pub mod judge;
mod keys;
pub mod learned;
mod machine;
pub mod output;
mod tables;
pub mod verdict;
mod words;

pub use judge::{Judge, MAX_TYPED};
pub use output::{Cleaned, Needles, OutputStream, output};
pub use verdict::{Judgement, Noticed, Source, Verdict};

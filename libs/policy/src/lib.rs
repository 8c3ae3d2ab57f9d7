//! A shell line to the argument vectors that it stands for, and how risky they are: values in, values out ([`shell`]).
//!
//! A judgement is no boundary: whatever was judged, files, processes and the network are confined by the kernel.
#![forbid(unsafe_code)]

pub mod shell;

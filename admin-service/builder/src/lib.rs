//! Model-written code is hostile here: scanned, compiled in a jail, compared with what was declared, tried. This layer uses
//! `base` alone.
//!
//! - [`children`]: the confined children that read hostile bytes
//! - [`scan`]: which source is let through; [`compile`], [`toolchain`]: the compiler in its jail
//! - [`scaffold`]: the file around the functions that somebody else wrote
//! - [`trial`], [`edges`]: the tools of a module called, with odd arguments too
#![forbid(unsafe_code)]

pub mod children;
pub mod compile;
pub mod edges;
pub mod scaffold;
pub mod scan;
pub mod toolchain;
pub mod trial;

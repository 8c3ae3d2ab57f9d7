//! Model-written code is hostile here: scanned, compiled in a jail, compared with what was declared, tried.

pub mod compile;
pub mod edges;
pub mod scan;
pub mod toolchain;
pub mod trial;

//! What the workspace's commands and its tests both need to know of the source tree.
//!
//! - [`inventory`]: every test by its full name
//! - [`cuts`]: the list of controls, each with the source change that cuts it
#![forbid(unsafe_code)]

pub mod cuts;
pub mod inventory;

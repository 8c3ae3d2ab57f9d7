//! What this program is to its kernel, and what handles are made of: files, the way to the admin service, the guard. This layer
//! uses `net` and what lies below.
//!
//! - [`verified`]: the signed manifest and approvers, and modules by their digests
//! - [`program`]: what this program is to its kernel
//! - [`handles`]: by which a skill reaches what it was granted
//! - [`further`]: the further folders that the configuration opens
//! - [`Shared`]: what boot read and every skill may know; [`Places`]: what is open and no skill's to use
//! - [`stop`]: the file of the emergency stop
//! - [`halt`]: whether anybody may talk at all
//! - [`talk`]: how much the profile's person may still talk
//! - [`budget`]: what is left of a learned skill's limits
//! - [`own`]: what built-in skills write in their sources
//! - [`offered`]: the tools that the channel may call
//! - [`spool`]: the files of proposals and of their mirror
//! - [`actions`]: the one way to an effect outside of the sandbox; [`permit`]: a yes from elsewhere
//! - [`receipts`]: what is on record of every attempted call
//! - [`remembered`]: the memory's files
//! - [`guard`]: judges what comes in and goes out
//! - [`deadline`]: a time that ends what takes too long
//! - [`tongue`]: what the program says about its own work, by language
//!
//! What only the kernel may do takes a [`ByKernel`], which nothing else can make.
#![forbid(unsafe_code)]

pub mod actions;
pub mod budget;
pub mod deadline;
mod excused;
pub mod further;
pub mod guard;
pub mod halt;
pub mod handles;
pub mod offered;
pub mod own;
pub mod permit;
pub mod program;
pub mod receipts;
pub mod remembered;
mod session;
mod shared;
pub mod spool;
pub mod stop;
pub mod talk;
pub mod tongue;
mod types;
pub mod verified;

pub use session::{Later, Pictures, Session, Texts};
pub use shared::{Opened, Places, Shared};
pub use types::{ByKernel, Entry, Grants, Kernel, KernelContext};

//! What this program is to its kernel, and what handles are made of: files, the way to the admin service, the guard.
//!
//! - [`verified`]: the signed manifest and approvers, and modules by their digests
//! - [`program`]: what this program is to its kernel
//! - [`handles`]: by which a skill reaches what it was granted
//! - [`Shared`]: what boot read and every skill may know; [`stop`]: the file of the emergency stop
//! - `halt`: whether anybody may talk at all
//! - [`owned`]: folders that are made, and handed over
//! - [`paths`]: opens beneath the allowed roots only
//! - [`offered`]: the tools that the channel may call
//! - [`spool`]: the files of proposals and of their mirror
//! - [`actions`]: the one way to an effect outside of the sandbox; [`permit`]: a yes from elsewhere
//! - [`receipts`]: what is on record of every attempted call
//! - [`remembered`]: the memory's files
//! - [`guard`]: judges what comes in and goes out
//! - [`deadline`]: a time that ends what takes too long
//!
//! What only the kernel may do takes a [`ByKernel`], which nothing else can make.

pub mod actions;
pub mod deadline;
mod excused;
pub mod guard;
pub(crate) mod halt;
pub mod handles;
pub mod offered;
pub mod owned;
pub mod paths;
pub mod permit;
pub mod program;
pub mod receipts;
pub mod remembered;
mod session;
mod shared;
pub mod spool;
pub mod stop;
mod types;
pub mod verified;

pub use session::Session;
pub use shared::Shared;
pub use types::{ByKernel, Entry, Grants, Kernel, KernelContext};

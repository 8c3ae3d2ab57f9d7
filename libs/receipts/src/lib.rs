//! The chain of attempted tool calls.
//!
//! - [`attempt`]: what is recorded of one attempt
//! - [`receipt`]: one link of the chain, as a line of a file
//! - [`files`]: the files of a chain, reached through a trait
//! - [`chain`]: appends; written and synced before it counts
//! - [`walk`]: reads links fast, and names the first that does not hold
//! - [`head`]: up to where a chain goes, signed by the admin
//! - [`audit`]: a whole chain against its head
#![forbid(unsafe_code)]

pub mod attempt;
pub mod audit;
pub mod chain;
pub mod files;
pub mod head;
pub mod receipt;
pub mod walk;

pub use attempt::{Attempt, Status};
pub use audit::{Against, Report, audit};
pub use chain::{Chain, ReceiptError};
pub use files::{Disk, Files};
pub use head::{Head, HeadError};
pub use receipt::link::Flaw;
pub use receipt::{Key, Receipt};
pub use walk::{Fault, Place};

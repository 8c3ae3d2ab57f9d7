//! The chain of attempted tool calls.
//!
//! - [`attempt`]: what is recorded of one attempt
//! - [`receipt`]: one link of the chain, as a line of a file
//! - [`files`]: the files of a chain, reached through a trait
//! - [`chain`]: appends; written and synced before it counts
//! - [`walk`]: reads links fast, and names the first that does not hold
//! - [`head`]: up to where a chain goes, signed by the admin
//! - [`audit`]: a whole chain against its head
//!
//! # How it works
//!
//! Every attempted call of a tool, denied and failed ones too, leaves a receipt (`libs/receipts`,
//! `ports/src/receipts.rs`): one line of canonical JSON in `data/profiles/<id>/logs/receipts.jsonl`, written and synced
//! before anything else happens. The writer keeps nothing in memory: each append takes a lock, reads the last link from
//! the disk and writes the next, so several chats share a chain, and a write that failed leaves nothing to put right.
//! At 16 MiB the file becomes `receipts.1.jsonl`, and so on. `receipts.reserve` holds room for the receipts of calls
//! that were made when the disk turned out to be full; while it cannot be filled, or the last line is not a receipt,
//! calls above low risk are refused (rule `no-receipt`), and low ones continue with a warning. Verifying reads lines in
//! place, in blocks, on two threads.
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

//! Who may change a file of the home, and how a person mends it.
//!
//! - [`closed`]: which folder is closed to this user, and to whom it is open
//! - [`writers`]: who may change a path beside the users that are trusted
//! - [`tree`]: looks through a folder by handles
//! - [`further`]: whether a folder elsewhere can be opened to a profile
//! - [`quote`]: paths in command lines that a person copies into a shell
#![forbid(unsafe_code)]

pub mod closed;
pub mod further;
pub mod quote;
pub mod tree;
pub mod writers;

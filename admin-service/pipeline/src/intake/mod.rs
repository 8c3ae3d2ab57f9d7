//! What the bot wrote, taken in as a stranger's file.
//!
//! - [`open`]: one file beneath its folder's handle
//! - [`names`]: the files of a folder, a bounded number at a time
//! - [`flood`]: how fast files are looked at
//! - [`take`]: from a file to a record of the journal; [`actions`]: the same for an action
//! - [`late`]: what became of a file after it was taken in
//! - [`waiting`]: files that nobody has looked at yet
//! - [`room`]: how much `data/` holds, and what follows
//! - [`watch`]: when to look again

pub mod actions;
pub mod flood;
pub mod late;
pub mod names;
pub mod open;
pub mod room;
pub mod share;
pub mod take;
pub mod waiting;
pub mod watch;

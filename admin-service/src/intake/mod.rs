//! What the bot wrote, taken in as a stranger's file.

pub mod open;
pub mod take;
pub mod watch;

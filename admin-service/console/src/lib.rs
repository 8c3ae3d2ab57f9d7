//! What a person at the gate sees and does: one desk, and two ways to look at it. It asks by values of `api`,
//! and the verb that starts it hands it the functions that answer; of the layers below `api` it uses `review` and `base`.
//!
//! - [`desk`]: everything that can be done, through any view
//! - [`line_mode`]: line by line; [`screen`]: on the whole screen
//! - [`yes`]: what a yes comes to, repeated before it counts
//! - [`editor`]: the person's own editor
//!
//! # How it works
//!
//! All that a person at the gate looks through (full screen, line mode, single verbs) goes through
//! `console/src/desk.rs`, and sees what `review/src/queue.rs` reads; a package is pages of lines
//! (`review/src/pages.rs`), each line with its origin. A rejection is taken back by `decide::reopen`, a move of the
//! table, as long as the files are those that were reviewed. A person's own source is the next attempt
//! (`pipeline/src/edit.rs`): one record keeps it and takes the proposal back to agent-review. One that does not pass is
//! dropped and the package before it comes back; its files are written over only once a new package is complete. Edits
//! count as no repair.
//!
//! The person at the gate sees and does everything through one desk (`console/src/desk.rs`) on pages of lines that say
//! where they come from (`review/src/pages.rs`). Two consoles render them: lines (`console/src/line_mode.rs`), and the
//! whole screen (`console/src/screen/`), where `app.rs` is the state that keys change, `draw.rs` the window, and
//! `terminal.rs` takes the terminal over and gives it back.
#![forbid(unsafe_code)]

pub mod desk;
pub mod editor;
pub mod line_mode;
pub mod screen;
pub mod yes;

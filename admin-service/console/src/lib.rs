//! What a person at the gate sees and does: one desk, and two ways to look at it. It asks by values of `api`,
//! and the verb that starts it hands it the functions that answer; of the layers below `api` it uses `review` and `base`.
//!
//! - [`desk`]: everything that can be done, whatever it is looked at through
//! - [`line_mode`]: line by line; [`screen`]: on the whole screen
//! - [`yes`]: what a yes comes to, repeated before it counts
//! - [`editor`]: the person's own editor
#![forbid(unsafe_code)]

pub mod desk;
pub mod editor;
pub mod line_mode;
pub mod screen;
pub mod yes;

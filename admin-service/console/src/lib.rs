//! What a person at the gate sees and does: one desk, and two ways to look at it. This layer uses `api`, `pipeline` and what lies
//! below; it asks by values of `api`, and the verb that starts it hands it the function that submits them.
//!
//! - [`desk`]: everything that can be done, whatever it is looked at through
//! - [`line_mode`]: line by line; [`screen`]: on the whole screen
//! - [`editor`]: the person's own editor; [`tryout`]: a tool called by hand; [`highlight`]: colours of a source
#![forbid(unsafe_code)]

pub mod desk;
pub mod editor;
pub mod highlight;
pub mod line_mode;
pub mod screen;
pub mod tryout;

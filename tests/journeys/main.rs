//! From a wish to a working skill, as people go that way: one file per story.

mod badinput;
mod guardian;
mod model;
mod offline;
mod profiles;
mod settings;
mod supervision;
mod terminal;
mod unseen;
mod waiting;
mod wishes;

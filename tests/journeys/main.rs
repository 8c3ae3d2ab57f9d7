//! From a wish to a working skill, as people go that way: one file per story.

mod badinput;
mod guard;
mod model;
mod offline;
mod settings;
mod terminal;
mod unseen;
mod waiting;
mod wishes;

//! From a wish to a working skill, as people go that way: one file per story.

mod badinput;
mod conversation;
mod doctor;
mod guard;
mod guardian;
mod guardrails;
mod login;
mod logs;
mod memory;
mod model;
mod offline;
mod oneshot;
mod profiles;
mod providers;
mod real_models;
mod restart;
mod settings;
mod supervision;
mod terminal;
mod unseen;
mod waiting;
mod wishes;

//! Moves a proposal from stage to stage; each stage can be done again without doing it twice.

pub mod actions;
pub mod advance;
pub mod agent_review;
pub mod budget;
pub mod decide;
pub mod decision;
pub mod discover;
pub mod driver;
pub mod edit;
pub mod implement;
pub mod install;
pub mod life;
pub mod people;
pub mod provider;
pub mod removal;

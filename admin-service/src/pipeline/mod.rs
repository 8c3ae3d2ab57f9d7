//! Moves a proposal from stage to stage; each stage can be done again without doing it twice.

pub mod advance;
pub mod agent_review;
pub mod budget;
pub mod discover;
pub mod driver;
pub mod edit;
pub mod implement;
pub mod provider;

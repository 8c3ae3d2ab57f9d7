//! Moves a proposal from stage to stage; each stage can be done again without doing it twice. This layer uses `actions`, `library`
//! and what lies below.
//!
//! - [`intake`]: opens what the bot wrote, as a stranger's file
//! - [`driver`]: which stage is due; [`progress`]: for how long; [`discover`], [`implement`], [`agent_review`], [`install`]: the stages
//! - [`advance`]: the only mover; [`decision`], [`removal`]: the one mint of a person's yes, and of their word that a skill must go
//! - [`decide`], [`edit`], [`people`], [`actions`], [`upkeep`]: what a person asks, carried out
//! - [`tryout`]: a tool of a package, called by hand
//! - [`life`]: an installed skill: taken along, verified, counted, looked at beside its next version
//! - [`budget`], [`provider`]: what may be spent, and on which model
//! - [`profiles`]: adds and removes people's profiles; [`door`]: the tokens and the address of one
//! - [`page`]: the tokens of the page of the review
#![forbid(unsafe_code)]

pub mod actions;
pub mod advance;
pub mod agent_review;
pub mod beside;
pub mod budget;
pub mod decide;
pub mod decision;
pub mod discover;
pub mod door;
pub mod driver;
pub mod edit;
pub mod implement;
pub mod install;
pub mod intake;
pub mod life;
pub mod page;
pub mod people;
pub mod profiles;
pub mod progress;
pub mod provider;
pub mod removal;
pub mod stage;
pub mod tryout;
pub mod upkeep;

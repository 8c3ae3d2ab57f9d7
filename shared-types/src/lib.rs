//! The vocabulary that both services share: no IO, no async.
//!
//! - [`action`]: one effect outside the bot's sandbox, and what came of it
//! - [`audience`]: for whom a profile is
//! - [`capability`]: the tokens, sets of them
//! - [`power`]: what a built-in skill may do beyond its tokens
//! - [`id`]: identifiers, names, digests: parsed once, then trusted
//! - [`schema`]: the subset of JSON Schema for a tool's parameters
//! - [`proposal`]: a proposal, valid by construction
//! - [`status`]: the statuses and the transition table
//! - [`scheduled`]: what the last runs of schedules came to, for their person
//! - [`event`], [`message`]: the only way skills talk, and what the parts of the bot say to each other
//! - [`memory`]: what is remembered
//! - [`described`]: what a skill says about itself
//! - [`plugin`]: an installed plugin
//! - [`manifest`], [`decision`], [`signed`], [`signature`]: what is installed, who said yes, and the proof
//! - [`recipients`]: to whom an approved skill goes
//! - [`approvers`]: who may say yes, as a signed chain
//! - [`passkey`]: keys that never leave a phone, and what they signed
//! - [`profile`]: the abstract system profile
//! - [`risk`], [`grants`], [`provenance`]: how much a call could do, what it may reach, and where content comes from
//! - [`verdict`]: risk, autonomy and provenance to run, ask or refuse
//! - [`typed`]: what a person typed: which words a call may repeat, and what of it is private towards a host
//! - [`taint`]: what a conversation holds
//! - [`home`]: where everything is
//! - [`region`]: the regions whose help lines are shipped
//! - [`settings`]: reads a configuration key by key
//! - [`text`], [`json`]: text and JSON that are safe to show
//! - [`secret`]: a value that cannot be printed
//! - [`door`]: the token with which a program uses a profile's door
//! - [`exit`]: the exit codes of both programs
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod action;
pub mod approvers;
pub mod audience;
pub mod capability;
pub mod decision;
pub mod described;
pub mod door;
pub mod event;
pub mod exit;
pub mod grants;
pub mod home;
pub mod id;
pub mod json;
pub mod manifest;
pub mod memory;
pub mod message;
pub mod passkey;
pub mod plugin;
pub mod power;
pub mod profile;
pub mod proposal;
pub mod provenance;
pub mod recipients;
pub mod region;
pub mod risk;
pub mod scheduled;
pub mod schema;
pub mod secret;
pub mod settings;
pub mod signature;
pub mod signed;
pub mod sorted;
pub mod status;
pub mod taint;
pub mod text;
pub mod typed;
pub mod verdict;

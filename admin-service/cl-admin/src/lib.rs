//! The map of the admin service: from a wish in a file to a skill that a person approved. Its parts lie in layers, each of
//! which uses only those below it; `tests/architecture/layers.rs` holds their order.
//!
//! - [`folders`]: makes folders of a home, with their modes
//! - [`clock`]: the present time as records have it
//! - [`lock`], [`log`], [`bell`]: one service at a time, what it tells, what wakes its threads
//! - [`home`]: the paths of a home; what lies below `data/` is opened by its rules alone
//! - [`intake`]: opens what the bot wrote, as a stranger's file
//! - [`journal`]: the truth about every proposal; [`journal::Book`] is its state in memory
//! - [`plugins`]: programs and MCP servers of others, pinned, approved and jailed
//! - [`pipeline`]: moves a proposal from stage to stage
//! - [`implementer`]: writes the source, by templates or by a model
//! - [`actions`]: effects outside the bot's sandbox: judged, allowed, run in a confined child
//! - [`scratch`]: the folders that programs of others write: bounded, tidied, removed
//! - [`build`]: model-written code is hostile here: scanned, compiled in a jail, compared, tried
//! - [`compose`]: what a skill adds up to beside the others
//! - [`review`]: the report of a package, its pages, and the one mint of a person's yes
//! - [`console`]: the desk of a person at the gate, on the whole screen or line by line
//! - [`layout`]: who owns each folder of a home, and who reads it
//! - [`life`]: an installed skill: taken along, verified, counted, looked at beside its next version
//! - [`api`]: what may be asked of the service
//! - [`service`]: the loop and its socket
//! - [`audit`]: watches what the bot puts on record, signs how far it goes, raises alarms
//! - [`notify`]: tells people that something waits for them
//! - [`profiles`]: adds and removes people's profiles
//! - [`redteam`]: the self-test
//! - [`failpoints`]: the points at which tests end the service; nothing in the shipped program
//! - [`raw`]: the terminal in raw mode
//! - [`ask`]: passphrases and PINs, without echo
//! - [`schedule`]: at configured times a profile's workflow or message runs
//! - [`totp`], [`codes`]: one-time codes, and where they count
//! - [`commands`]: one verb per file
//! - [`children`]: the confined children that read hostile bytes
#![forbid(unsafe_code)]

pub mod actions;
pub mod api;
pub mod ask;
pub mod audit;
pub mod bell;
pub mod build;
pub mod children;
pub mod clock;
pub mod codes;
pub mod commands;
pub mod compose;
pub mod config;
pub mod console;
pub mod error;
pub mod failpoints;
pub mod folders;
pub mod home;
pub mod implementer;
pub mod intake;
pub mod journal;
pub mod keys;
pub mod layout;
pub mod life;
pub mod lock;
pub mod log;
pub mod notify;
pub mod pipeline;
pub mod plugins;
pub mod profiles;
pub mod raw;
pub mod redteam;
pub mod review;
pub mod schedule;
pub mod scratch;
pub mod service;
pub mod stop;
pub mod totp;

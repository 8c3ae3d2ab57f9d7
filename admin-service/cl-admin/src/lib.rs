//! The map of the admin service: from a wish in a file to a skill that a person approved. Its parts are crates in layers, each of
//! which uses only those below it; `tests/architecture/layers.rs` holds their order. From the bottom up:
//!
//! - `base`: a home, its paths, keys and configuration, and what can go wrong
//! - `compose`: what a skill adds up to beside the others
//! - `ledger`: the truth about every proposal; `ledger::Book` is its state in memory
//! - `codes`: one-time codes where they count; passphrases and PINs, without echo
//! - `builder`: model-written code is hostile here: scanned, compiled in a jail, compared, tried
//! - `library`: writes the source, by templates or by a model
//! - `review`: the report of a package, and its pages
//! - `audit`: watches what the bot puts on record, signs how far it goes, raises alarms
//! - `actions`: effects outside the bot's sandbox: judged, allowed, run in a confined child; plugins
//! - `pipeline`: moves a proposal from stage to stage; the one mint of a person's yes
//! - `api`: what may be asked of the service
//! - `service`: the loop and its socket; tells people, and keeps schedules
//! - `console`: the desk of a person at the gate, on the whole screen or line by line
//! - `redteam`: the self-test
//!
//! At the top lies this crate, the program `cl-admin`:
//!
//! - [`commands`]: one verb per file
#![forbid(unsafe_code)]

pub mod commands;

//! The map of the admin service: from a wish in a file to a skill that a person approved. Its parts are crates in layers, each of
//! which uses only those below it; `tests/architecture/layers.rs` holds their order. From the bottom up:
//!
//! - `base`: a home, its paths, keys and configuration, and what can go wrong
//! - `compose`: what a skill adds up to beside the others
//! - `ledger`: the truth about every proposal; `ledger::Ledger` is its state in memory
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
//! At the top is this crate, the program `cl-admin`:
//!
//! - [`commands`]: one verb per file
//!
//! # How it works
//!
//! `cl-admin doctor` (`cl-admin/src/commands/doctor/`) looks: at owners and modes, at the machine, at whether manifest,
//! modules, mirror and list of approvers are what the journal says, at keys and profiles. Each look is a line with its
//! remedy, and a paragraph of `docs/TROUBLESHOOTING.md`. `--fix` (`doctor/fix.rs`) puts right owners, modes, missing
//! places and a dead socket; it makes no key and signs nothing.
//!
//! `cl-admin onboard` (`cl-admin/src/commands/onboard/`) asks plain questions, one file for each step, and keeps each
//! step's settings before the next one. It decides nothing: the first skill goes through the review in lines. A
//! configuration is changed by `libs/documents/src/edit.rs`: one place, by where the parser says that it stands,
//! compared with what was meant, and replaced durably (`admin-service/base/src/change.rs`); `init --bot-user` uses the
//! same. The key of a model server is the one file that the admin writes below `data/`: beneath the handle of
//! `credentials/`, mode 0600, given to the bot's user.
//!
//! `cl-admin up` starts the service and supervises the chat: exit code 75 means the same conversation again, a failure
//! means again after a wait, the third within a minute means with the core skills only, and one more is the end
//! (`cl-admin/src/commands/up/restarts.rs`).
//!
//! `cl-admin provider bench` (`cl-admin/src/commands/provider/bench/`) makes a throw-away home as well. It drives ten
//! wishes through the stages of the pipeline with this installation's configuration, and calls each module with inputs
//! that the model was not shown.
#![forbid(unsafe_code)]

pub mod commands;

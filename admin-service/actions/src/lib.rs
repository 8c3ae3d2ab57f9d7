//! Effects outside the bot's sandbox, asked for by files of `kind: action`. This layer uses `audit`, `review` and what lies below.
//!
//! - [`judge`]: what becomes of one, by the shared policy, the profile's files and what a person always allowed
//! - [`moves`]: the only mover of an action; [`ledger::cases`] holds all of them
//! - [`decision`]: the one mint of a person's yes; [`allow`]: what such a yes may allow for longer than once
//! - [`plan`]: what runs, as argument vectors; [`programs`]: from a name to the file that is executed
//! - [`work`]: who runs now; [`run`]: one command from its folder to its result; [`runner`]: the confined child
//! - [`keep`]: results, and the mirror; [`sweep`]: what runs leave behind
//! - [`pages`]: what a person sees
//! - [`plugins`]: programs and MCP servers of others, pinned, approved and jailed
#![forbid(unsafe_code)]

pub mod allow;
pub mod decision;
pub mod evidence;
pub mod judge;
pub mod keep;
pub mod moves;
pub mod pages;
pub mod plan;
pub mod plugins;
pub mod programs;
pub mod run;
pub mod runner;
pub mod sweep;
pub mod work;

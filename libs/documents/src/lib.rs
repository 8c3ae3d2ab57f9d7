//! Text to values of the shared vocabulary, and back: the files that both services read.
//!
//! - [`yaml`]: YAML within a budget
//! - [`edit`]: changes one place of a YAML text, and no other byte
//! - [`settings`]: a configuration, to be read key by key
//! - [`folders`]: further folders that are open to profiles
//! - [`proposal`]: a proposal or the mirror of one
//! - [`manifest`]: the signed allowlist of skills
//! - [`home_file`]: the version of a home
//! - [`profile_file`], [`pin`]: a person's profile as it is configured, and who may open it
//! - [`releases`]: the signed index of releases
//! - [`sop`]: a workflow, in TOML or YAML
#![forbid(unsafe_code)]

pub mod edit;
pub mod folders;
pub mod home_file;
pub mod manifest;
pub mod pin;
pub mod profile_file;
pub mod proposal;
pub mod releases;
pub mod settings;
pub mod sop;
pub mod yaml;

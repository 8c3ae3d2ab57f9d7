//! Plugins: programs and MCP servers of others, pinned by digest, approved by a person, run in a jail.
//!
//! - [`form`]: what a plugin's maker says of it (`plugin.toml`)
//! - [`tree`]: a plugin's files: copied, counted, digested
//! - [`pin`]: programs outside of them
//! - [`schema`], [`tools`]: what is offered of what a plugin lists
//! - [`arguments`]: arguments validated against the schema of a server's tool
//! - [`jail`]: how one is started, and what it can reach then
//! - [`credential`]: the headers that a server elsewhere gets, and the secrets in them
//! - [`network`]: the hosts that one may reach by name
//! - [`mcp`]: a client for the tools of an MCP server, over pipes or HTTP
//! - [`servers`]: the servers that are kept for the next call
//! - [`run`]: one call
//! - [`offered`]: plugins in `plugins/` of the home that are not installed
//! - `mirrored`: arguments that a server wants in headers as well
//! - [`prepare`]: from a folder to what a person is asked
//! - [`page`]: what the person reads
//! - [`decide`], [`removal`]: a person's yes and no, carried out

pub mod arguments;
pub mod credential;
pub mod decide;
pub mod form;
pub mod jail;
pub mod mcp;
mod mirrored;
pub mod network;
pub mod offered;
pub mod page;
pub mod pin;
pub mod prepare;
pub mod removal;
pub mod run;
pub mod schema;
pub mod servers;
pub mod tools;
pub mod tree;

use std::path::PathBuf;

use base::home::Home;
use shared_types::id::{Digest, SkillName};

/// The folder of all plugins' files.
pub fn folder(home: &Home) -> PathBuf {
    home.admin().join("plugins")
}

/// The folder of one plugin's files; it is named after their digest, so that a name never hides other files.
pub fn place(home: &Home, name: &SkillName, tree: &Digest) -> PathBuf {
    folder(home).join(name.as_str()).join(&tree.as_str()[..16])
}

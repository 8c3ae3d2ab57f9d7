//! The other process: the keys, the hosts, the sockets. This layer uses `base` alone.
//!
//! - [`frames`]: what crosses the socketpair
//! - [`serve`]: the loop of the process that has the network
//! - [`client`]: what the chat process holds instead of a network
//! - [`keys`]: which key a provider gets, and how a login is renewed
//! - [`credentials`]: the folder of key files and logins
//! - [`oauth`]: what is said to an authorization server
//! - [`secrets`]: what skills use and never see
//! - [`records`]: the log of what went through the network
//! - `key_error`: why a key is not there
//! - `visit`: a page for the conversation, hop by hop
//!
//! ```text
//! let (for_mind, for_net) = net::pair()?;        // before the fork
//! child:  confine, then net::serve(for_net, setting)
//! parent: net::Client::new(for_mind), then confine
//! ```
#![forbid(unsafe_code)]

pub mod client;
pub mod credentials;
pub mod frames;
mod key_error;
pub mod keys;
pub mod oauth;
pub mod records;
pub mod secrets;
pub mod serve;
mod visit;

pub use client::{Client, Fetched, Visited};
pub use serve::{NetSetting, serve};

use std::io;
use std::os::fd::OwnedFd;

use nix::sys::socket::{AddressFamily, SockFlag, SockType, socketpair};

/// Makes the two connected ends: the first for `mind`, the second for `net`.
///
/// # Errors
/// What the system says.
pub fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
    Ok(socketpair(AddressFamily::Unix, SockType::Stream, None, flags)?)
}

#[cfg(test)]
#[expect(clippy::disallowed_types, reason = "a small server of the tests' own stands for the network")]
mod tests;

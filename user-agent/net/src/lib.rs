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
//!
//! # How it works
//!
//! Several threads of `mind` ask beside each other. Each request has a number, and of the threads that wait one reads
//! for all (`net/src/client.rs`). At most eight requests run (`frames::MOST_AT_ONCE`); what runs behind the
//! conversation leaves the last place to the person. A line waits until the turn before it is stored, and not for the
//! model that looks for facts in it (`skills/src/reasoning/storing.rs`). Where such facts matter at once (the companion
//! answers, or something is to be forgotten), the rules find them instead.
//!
//! A provider's key comes from a stored login, else a credential file, else the environment. `net` reads all three,
//! after the fork; `mind` knows nothing but that a provider needs one. A file counts only if it is a regular file of
//! the bot's user with mode 0600 or tighter (systemd's `CREDENTIALS_DIRECTORY` is a second place for it). `cl-bot
//! login` is one process, confined as `net` is: it prints an address, takes what the person pastes, exchanges the code
//! and stores the grant. `net` reads the grant anew for each request, renews it before its end and after a 401, and
//! holds a lock meanwhile, so that of several processes one renews and the others take what it brought.
//!
//! A skill writes `{{secret:NAME}}` into a header's value or a query. `net` puts the value in (`cl-admin secret set
//! NAME --for HOST`) if the approver's decision names it for that skill, for that host and port alone, over TLS or to
//! this machine; it follows no redirect, and blanks the value in the answer. A plugin with `kind = "mcp-http"` names
//! such headers too: there `cl-admin` puts the value in by the same rules
//! (`admin-service/actions/src/plugins/credential.rs`).
//!
//! `net` keeps a log that `mind` cannot reach: `data/net/<profile>.0.jsonl` and `.1.jsonl`, at most about 1 MiB each,
//! written in turns, a hash chain. Each exchange leaves a record before its first byte leaves (time, who asked, method,
//! host and port, bytes) and one with its outcome (status and bytes or the kind of failure, milliseconds); never a
//! path, a query, a header or a body. If it cannot be written, nothing is sent. Records survive the end of the program
//! at once; they are synced two seconds later, so a power cut may take the last of them.
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

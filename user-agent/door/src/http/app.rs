//! What every request is answered with.

use std::net::SocketAddr;

use documents::profile_file::Door;

use super::known::Known;
use super::limits::Limits;
use super::link::Link;
use crate::listener::Place;

/// From where the door may be called.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The address, where it is one.
    pub(super) address: Option<SocketAddr>,
    /// Names by which it may be called besides.
    pub(super) hosts: Vec<String>,
}

impl Rules {
    /// The rules of a socket and of a profile's file.
    pub fn of(place: &Place, door: &Door) -> Rules {
        let address = if let Place::Tcp(address) = place { Some(*address) } else { None };
        Rules { address, hosts: door.hosts.clone() }
    }
}

/// What every request is answered with.
pub(super) struct App {
    pub(super) link: Link,
    pub(super) rules: Rules,
    pub(super) limits: Limits,
    /// Which conversation a client of OpenAI's interface goes on with.
    pub(super) known: Known,
}

//! What every request is answered with.

use std::net::SocketAddr;

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
    /// The rules of a socket, with the names that the profile's file has for it.
    pub fn of(place: &Place, hosts: Vec<String>) -> Rules {
        let address = if let Place::Tcp(address) = place { Some(*address) } else { None };
        Rules { address, hosts }
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

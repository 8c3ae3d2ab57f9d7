//! The hosts that a plugin's program may reach: each is an address of a loopback of its own, where a relay of ours listens.

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::error::Error;
use base::home::Home;
use ledger::facts::Facts;
use models::http::relay::{Named, Relay};
use settings::bot::BOT;
use shared_types::action::Reached;
use shared_types::id::HostName;

/// The port of a host that names none.
const PORT: u16 = 443;
/// How often the wait for a child's listeners looks whether anybody still needs them.
const GLANCE: Duration = Duration::from_millis(20);

/// Hosts with their ports, in order and none twice.
pub fn with_ports(hosts: &[HostName]) -> Vec<HostName> {
    let whole = |host: &HostName| match host.port() {
        Some(_) => host.clone(),
        None => format!("{host}:{PORT}").parse().unwrap_or_else(|_| host.clone()),
    };
    let mut hosts: Vec<HostName> = hosts.iter().map(whole).collect();
    hosts.sort();
    hosts.dedup();
    hosts
}

/// Where each host is listened for, in their order: one address for each name, with each of its ports. `localhost` keeps the
/// address that programs take for it without asking.
pub fn places(hosts: &[HostName]) -> Vec<SocketAddrV4> {
    let mut names = vec![];
    let mut place = |host: &HostName| {
        let name = host.host().to_owned();
        if !names.contains(&name) {
            names.push(name.clone());
        }
        let number = names.iter().position(|known| *known == name).unwrap_or_default() + 1;
        let address = match name.as_str() {
            "localhost" => Ipv4Addr::LOCALHOST,
            _ => Ipv4Addr::new(127, 1, 0, u8::try_from(number).unwrap_or(u8::MAX)),
        };
        SocketAddrV4::new(address, host.port().unwrap_or(PORT))
    };
    hosts.iter().map(&mut place).collect()
}

/// The files by which programs find these hosts and no others: names come from the list alone, and no name server is asked.
pub fn files(hosts: &[HostName]) -> Vec<(PathBuf, String)> {
    let mut list = "127.0.0.1 localhost\n".to_owned();
    for (host, place) in hosts.iter().zip(places(hosts)) {
        let line = format!("{} {}\n", place.ip(), host.host());
        if !list.contains(&line) {
            list.push_str(&line);
        }
    }
    vec![
        (PathBuf::from("/etc/hosts"), list),
        (PathBuf::from("/etc/nsswitch.conf"), "hosts: files\n".to_owned()),
    ]
}

/// The relay of one start of a plugin's program, closed at first.
#[derive(Debug)]
pub struct Reach {
    relay: Relay,
    /// Over which the child hands over its listeners.
    socket: UnixStream,
}

impl Reach {
    /// Starts the relay; none for a plugin without hosts.
    ///
    /// # Errors
    /// A configuration that cannot be read, or a system without room.
    pub fn start(home: &Home, facts: &Facts) -> Result<Option<Reach>, Error> {
        if facts.network.is_empty() {
            return Ok(None);
        }
        let allowed = local(home)?;
        let named = |host: &HostName| Named { host: host.clone(), local: allowed.contains(host) };
        let hosts = facts.network.iter().map(named).collect();
        let started = UnixStream::pair().and_then(|(socket, from)| {
            from.set_read_timeout(Some(GLANCE))?;
            Ok(Reach { relay: Relay::start(hosts, move |settled| listeners(&from, settled))?, socket })
        });
        started.map(Some).map_err(Error::step("the network of the plugin"))
    }

    /// What the child gets.
    pub fn socket(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// Carries from now on.
    pub fn open(&self) {
        self.relay.open();
    }

    /// Cuts all connections, and answers what was carried.
    pub fn close(&self) -> Vec<Reached> {
        self.relay.close()
    }
}

/// Waits for the child's listeners.
fn listeners(from: &UnixStream, settled: &AtomicBool) -> Vec<TcpListener> {
    loop {
        // What was handed over before anybody stopped waiting is taken.
        let last = settled.load(Ordering::Relaxed);
        match confine::receive_listeners(from) {
            Ok(listeners) => return listeners.into_iter().map(TcpListener::from).collect(),
            Err(error)
                if !last
                    && matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => return Vec::new(),
        }
    }
}

/// The hosts of this machine and network that the configuration allows.
fn local(home: &Home) -> Result<Vec<HostName>, Error> {
    let path = home.bot_config();
    let text = match std::fs::read_to_string(&path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(Error::io(&path))?,
    };
    // Faults of the file are for the bot to report; a host that cannot be read is not allowed.
    Ok(documents::settings::local_hosts(&mut documents::settings::section(BOT, &text)))
}

#[cfg(test)]
mod tests;

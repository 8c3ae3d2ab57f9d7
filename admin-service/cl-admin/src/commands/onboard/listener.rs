//! Whose process listens on a port of this machine.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use nix::unistd::User;
use shared_types::text;

/// Who listens on a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// The user's name, or the number of one without a name.
    pub user: String,
    /// The process and its program, where this user may see it.
    pub process: Option<(u32, String)>,
}

/// The tables of the kernel (proc_net(5)), for IPv4 and IPv6.
const TABLES: [&str; 2] = ["/proc/net/tcp", "/proc/net/tcp6"];
/// The state of a socket that listens, as these tables write it (`TCP_LISTEN`).
const LISTENS: &str = "0A";

/// Who answers at this port of the loopback address; nothing where the kernel does not tell.
pub fn of_port(port: u16) -> Option<Listener> {
    let tables = TABLES.iter().filter_map(|table| fs::read_to_string(table).ok());
    let (uid, socket) = tables.into_iter().find_map(|table| listens_at(&table, port))?;
    let user = User::from_uid(uid.into()).ok().flatten().map_or_else(|| uid.to_string(), |user| user.name);
    Some(Listener { user: text::line(&user), process: holds(socket) })
}

/// The user and the inode of the socket that listens at a port, by a table's text.
fn listens_at(table: &str, port: u16) -> Option<(u32, u64)> {
    table.lines().skip(1).find_map(|line| {
        let mut columns = line.split_whitespace().skip(1);
        let (address, at) = columns.next()?.split_once(':')?;
        let state = columns.nth(1)?;
        let uid = columns.nth(3)?.parse().ok()?;
        let inode = columns.nth(1)?.parse().ok()?;
        let here = state == LISTENS && u16::from_str_radix(at, 16) == Ok(port) && is_here(address)?;
        here.then_some((uid, inode))
    })
}

/// Whether a connection to 127.0.0.1 reaches this address: words of 32 bits in the order of the machine's bytes.
fn is_here(hex: &str) -> Option<bool> {
    let word = |at: usize| Some(u32::from_str_radix(hex.get(at..at + 8)?, 16).ok()?.to_ne_bytes());
    let address: IpAddr = match hex.len() {
        8 => Ipv4Addr::from(word(0)?).into(),
        _ => Ipv6Addr::from(<[u8; 16]>::try_from([word(0)?, word(8)?, word(16)?, word(24)?].concat()).ok()?)
            .into(),
    };
    Some(match address.to_canonical() {
        IpAddr::V4(address) => address.is_loopback() || address.is_unspecified(),
        IpAddr::V6(address) => address.is_unspecified(),
    })
}

/// The process that holds a socket; only one's own processes can be looked at, unless one is root.
fn holds(socket: u64) -> Option<(u32, String)> {
    let wanted = format!("socket:[{socket}]");
    let processes = fs::read_dir("/proc").ok()?.flatten();
    let mut numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let has = |pid: &u32| {
        let handles = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
        handles
            .filter_map(|handle| fs::read_link(handle.path()).ok())
            .any(|to| to.as_os_str() == wanted.as_str())
    };
    let pid = numbers.find(has)?;
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some((pid, text::line(name.trim())))
}

#[cfg(test)]
mod tests;

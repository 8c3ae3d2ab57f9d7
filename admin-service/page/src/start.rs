//! From the command line to a confined process that answers.

use std::future::pending;
use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;
use confine::{ConfineError, FileRules, Limits, Manner, Role, Wall};
use nix::sys::stat::{Mode, umask};
use shared_types::exit;
use web::rules::Rules;
use web::server::{self, MOST_CONNECTIONS, Socket};

use crate::http::{self, App};
use crate::service::{Connected, Service};

/// Shows the review as pages; `cl-admin page serve` starts it
#[derive(Debug, Parser)]
#[command(name = "cl-review", version, max_term_width = 100)]
pub struct CommandLine {
    /// The socket at which the service answers the page
    #[arg(long, value_name = "FILE")]
    service: PathBuf,

    /// Listen on this address of the loopback; a server with TLS before it makes it reachable
    #[arg(long, value_name = "IP:PORT", value_parser = web::rules::address, default_value = "127.0.0.1:8788")]
    listen: SocketAddr,

    /// A name by which the page may be called besides its address
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,

    /// The address of a proxy before the page, which says in X-Forwarded-For from where a request came
    #[arg(long = "proxy", value_name = "IP")]
    proxies: Vec<IpAddr>,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The service does not answer.
    #[error("the service does not answer at {path}: {why}")]
    NoService {
        /// Its socket.
        path: PathBuf,
        /// The system's reason.
        why: io::Error,
    },
    /// Other machines could reach the address.
    #[error("{0} can be reached from other machines, and the connection has no TLS")]
    Reachable(SocketAddr),
    /// The address cannot be used.
    #[error("{address} cannot be listened at: {why}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        why: io::Error,
    },
    /// A socket of another kind was handed over.
    #[error("the socket that was handed over is not one of TCP: {0}")]
    Given(io::Error),
    /// The process cannot be confined.
    #[error(transparent)]
    Confine(#[from] ConfineError),
    /// The kernel has no seccomp.
    #[error("this kernel has no seccomp, so nobody is answered over HTTP")]
    NoSeccomp,
    /// The service has ended.
    #[error("the service has ended, and the page with it")]
    Ended,
    /// A socket does not work.
    #[error("a socket does not work: {0}")]
    Socket(#[from] io::Error),
}

impl Fault {
    /// The next step.
    pub fn hint(&self) -> &'static str {
        match self {
            Fault::NoService { .. } => {
                "`sudo cl-admin service start` starts the service of the system, and `cl-admin run` that of a home of your own"
            }
            Fault::Reachable(_) => {
                "listen at 127.0.0.1, and put a server with TLS before it, as Caddy or `tailscale serve`"
            }
            Fault::Address { .. } => "choose another address with --listen",
            Fault::Given(_) => {
                "the unit `tameclaw-review.socket` names an address, as ListenStream=127.0.0.1:8788"
            }
            Fault::NoSeccomp => "use a kernel with seccomp",
            Fault::Ended => "start it again once the service runs: `cl-admin page serve`",
            Fault::Confine(_) | Fault::Socket(_) => "",
        }
    }

    /// The exit code.
    pub fn exit(&self) -> u8 {
        match self {
            Fault::Reachable(_) | Fault::Address { .. } | Fault::Given(_) => exit::USAGE,
            Fault::Confine(_) | Fault::NoSeccomp => exit::REFUSED,
            Fault::NoService { .. } | Fault::Ended | Fault::Socket(_) => exit::FAILED,
        }
    }
}

/// Opens the sockets, confines the process, and answers until the service ends.
///
/// # Errors
/// Why there is no page, or none any more.
pub fn run(line: CommandLine) -> Result<(), Fault> {
    umask(Mode::from_bits_truncate(0o077));
    confine::refuse_tracing()?;
    let connected =
        Connected::to(&line.service).map_err(|why| Fault::NoService { path: line.service.clone(), why })?;
    let listener = listen(line.listen)?;
    let address = listener.local_addr()?;
    let _ = writeln!(io::stderr(), "listening at http://{address}");
    confine()?;
    let rules = Rules { address: Some(address), hosts: line.hosts, is_tls: false, proxies: line.proxies };
    serve(connected, listener.into(), rules)
}

/// The socket that a service manager handed over, or one of its own.
fn listen(wanted: SocketAddr) -> Result<TcpListener, Fault> {
    let listener = match confine::handed_over() {
        Some(given) => {
            let given = TcpListener::from(given);
            given.local_addr().map_err(Fault::Given)?;
            given
        }
        None => {
            check(wanted)?;
            TcpListener::bind(wanted).map_err(|why| Fault::Address { address: wanted, why })?
        }
    };
    check(listener.local_addr()?)?;
    Ok(listener)
}

fn check(address: SocketAddr) -> Result<(), Fault> {
    if address.ip().to_canonical().is_loopback() { Ok(()) } else { Err(Fault::Reachable(address)) }
}

/// From here on it opens nothing and connects to nobody. Without the table of calls there is no page.
fn confine() -> Result<(), Fault> {
    let limits = Limits {
        address_space: Some(2 << 30),
        open_files: Some(MOST_CONNECTIONS as u64 + 64),
        file_size: Some(0),
        ..Limits::default()
    };
    let manner = Manner { wall: Wall::Either, ..Manner::default() };
    let held = confine::confine_as(Role::Door, &FileRules::default(), &limits, &manner)?;
    if held.seccomp { Ok(()) } else { Err(Fault::NoSeccomp) }
}

fn serve(connected: Connected, listener: OwnedFd, rules: Rules) -> Result<(), Fault> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
    runtime.block_on(async {
        let (service, ended) = Service::new(connected)?;
        let app = Arc::new(App { service, rules, limits: web::limits::Limits::default() });
        tokio::select! {
            answer = server::answer(Socket::Tcp(listener), http::router(app), pending()) => answer.map_err(Fault::Socket),
            () = ended => Err(Fault::Ended),
        }
    })
}

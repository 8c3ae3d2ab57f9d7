//! The process that holds the keys and the network.

use std::{
    fs,
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use confine::{FileRules, Limits, Role, confine};
use nix::errno::Errno;

use crate::{
    Case,
    attacks::{self, Open, all_refused, call, refused},
};

pub(crate) const CASES: &[Case] = &[
    Case::new("net_connects_to_a_listener", connects),
    Case::new("net_resolves_names", resolves),
    Case::new("net_runs_an_event_loop", event_loop),
    Case::new("net_listens_nowhere", listens),
    Case::new("net_makes_no_socket_but_of_the_internet", sockets),
    Case::new("net_executes_forks_and_signals_nothing", processes),
    Case::new("net_loads_no_code", code),
    Case::new("net_reaches_no_other_process_and_no_odd_part_of_the_kernel", kernel),
    Case::new("net_does_not_touch_the_terminal", terminal),
    Case::landlock("net_reads_and_writes_nothing_outside", outside),
];

fn lay(folder: &Path) {
    let resolver =
        ["/etc/hosts", "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf"];
    let read = resolver.into_iter().map(PathBuf::from).filter(|path| path.exists()).collect();
    let rules = FileRules { read, write: vec![folder.join("in")], ..FileRules::default() };
    let held = confine(Role::Net, &rules, &Limits::default()).expect("confinement can be laid on");
    assert!(held.seccomp && held.no_new_privs);
}

fn connects(folder: &Path) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    lay(folder);
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(5)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    stream.write_all(b"GET /").unwrap();
    assert_eq!(stream.peer_addr().unwrap(), address);
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    refused("accepting", listener.accept());
}

fn resolves(folder: &Path) {
    lay(folder);
    // On a thread, as an asynchronous client does it.
    let found = thread::spawn(|| ("localhost", 80).to_socket_addrs().map(Iterator::collect::<Vec<_>>));
    let found = found.join().unwrap().unwrap();
    assert!(!found.is_empty() && found.iter().all(|address| address.ip().is_loopback()), "{found:?}");
    // A name that no file knows goes to a server, and comes back as an error or not, but without a trap.
    let unknown = ("name.invalid", 80).to_socket_addrs();
    assert!(unknown.is_err());
}

fn event_loop(folder: &Path) {
    lay(folder);
    let epoll = nix::sys::epoll::Epoll::new(nix::sys::epoll::EpollCreateFlags::EPOLL_CLOEXEC).unwrap();
    let wake = nix::sys::eventfd::EventFd::new().unwrap();
    let event = nix::sys::epoll::EpollEvent::new(nix::sys::epoll::EpollFlags::EPOLLIN, 7);
    epoll.add(&wake, event).unwrap();
    wake.write(1).unwrap();
    let mut events = [nix::sys::epoll::EpollEvent::empty()];
    assert_eq!(epoll.wait(&mut events, 1000_u16), Ok(1));
    assert_eq!(events[0].data(), 7);
}

fn listens(folder: &Path) {
    lay(folder);
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    refused("a TCP listener", TcpListener::bind(any));
    refused("a bound UDP socket", UdpSocket::bind(any));
}

fn sockets(folder: &Path) {
    let open = Open::new();
    lay(folder);
    all_refused(attacks::PAIRS, &open);
    all_refused(attacks::OTHER_SOCKETS, &open);
    all_refused(attacks::ODD_SOCKETS, &open);
    refused("a UNIX connection", std::os::unix::net::UnixStream::connect("/run/any.sock"));
}

fn processes(folder: &Path) {
    let open = Open::new();
    lay(folder);
    all_refused(attacks::PROCESSES, &open);
}

fn code(folder: &Path) {
    let open = Open::new();
    lay(folder);
    all_refused(attacks::CODE, &open);
}

fn kernel(folder: &Path) {
    let open = Open::new();
    lay(folder);
    all_refused(attacks::KERNEL, &open);
    all_refused(attacks::MACHINE, &open);
}

fn terminal(folder: &Path) {
    lay(folder);
    for request in [libc::TCGETS, libc::TCSETS, libc::TIOCGWINSZ, libc::TIOCSTI] {
        assert_eq!(
            call(libc::SYS_ioctl, [0, request as usize, 0, 0, 0, 0]),
            Err(Errno::EPERM),
            "{request:#x}"
        );
    }
}

fn outside(folder: &Path) {
    lay(folder);
    fs::write(folder.join("in/log"), "x").unwrap();
    refused("reading", fs::read(folder.join("out/file")));
    refused("writing", fs::write(folder.join("out/file"), "x"));
    let mut own = fs::File::open(folder.join("in/log")).unwrap();
    assert_eq!(own.read(&mut [0; 8]).unwrap(), 1);
}

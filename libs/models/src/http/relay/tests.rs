use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream as Stream};
use std::time::Instant;

use super::super::lookup::Resolving;
use super::*;

/// Leads every name to this machine.
struct Here;

impl Lookup for Here {
    fn addresses(&self, _: &str, port: u16) -> Resolving {
        Box::pin(async move { Ok(vec![SocketAddr::from(([127, 0, 0, 1], port))]) })
    }
}

/// A relay, where it is asked, and the host that it reaches.
struct World {
    relay: Relay,
    inside: SocketAddr,
    outside: Listener,
}

impl World {
    fn new(local: bool, most: u64) -> World {
        let (inside, outside) =
            (Listener::bind("127.0.0.1:0").unwrap(), Listener::bind("127.0.0.1:0").unwrap());
        outside.set_nonblocking(true).unwrap();
        let host = format!("far.example:{}", outside.local_addr().unwrap().port()).parse().unwrap();
        let address = inside.local_addr().unwrap();
        let relay = Relay::with(vec![Named { host, local }], |_| vec![inside], Arc::new(Here), most).unwrap();
        World { relay, inside: address, outside }
    }

    fn asks(&self) -> Stream {
        let stream = Stream::connect(self.inside).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The connection that comes to the host.
    fn answers(&self) -> Stream {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.outside.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false).unwrap();
                    stream.set_read_timeout(Some(PATIENCE)).unwrap();
                    return stream;
                }
                Err(_) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
                Err(e) => panic!("nobody came: {e}"),
            }
        }
    }

    fn nobody_came(&self) {
        assert!(self.outside.accept().is_err());
    }

    /// What was carried, which is about one host here.
    fn closed(&self) -> (u64, u64, String) {
        let mut reached = self.relay.close();
        assert_eq!(reached.len(), 1, "{reached:?}");
        let Reached { sent, received, refused, .. } = reached.remove(0);
        (sent, received, refused.unwrap_or_default())
    }
}

/// Whether a connection was cut.
fn is_cut(stream: &mut Stream) -> bool {
    stream.read(&mut [0; 16]).map_or_else(|e| e.kind() != io::ErrorKind::WouldBlock, |length| length == 0)
}

#[test]
fn bytes_are_carried_and_counted_both_ways_and_an_end_is_told() {
    let world = World::new(true, MOST_BYTES);
    world.relay.open();
    let mut inside = world.asks();
    inside.write_all(b"abc").unwrap();
    let mut outside = world.answers();
    let mut heard = [0; 3];
    outside.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"abc");
    outside.write_all(b"defgh").unwrap();
    drop(outside);
    let mut heard = Vec::new();
    inside.read_to_end(&mut heard).unwrap();
    assert_eq!(heard, b"defgh");
    assert_eq!(world.closed(), (3, 5, String::new()));
    assert_eq!(world.relay.close(), vec![], "bytes are reported once");
}

/// A host that speaks first is heard before the program says anything.
#[test]
fn a_host_may_speak_first() {
    let world = World::new(true, MOST_BYTES);
    world.relay.open();
    let mut inside = world.asks();
    world.answers().write_all(b"220 ready").unwrap();
    let mut heard = [0; 9];
    inside.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"220 ready");
}

#[test]
fn nothing_is_carried_before_it_is_opened_and_everything_is_cut_when_it_is_closed() {
    let world = World::new(true, MOST_BYTES);
    assert!(is_cut(&mut world.asks()));
    world.relay.open();
    let mut inside = world.asks();
    inside.write_all(b"x").unwrap();
    let mut outside = world.answers();
    outside.read_exact(&mut [0]).unwrap();
    assert_eq!(world.closed(), (1, 0, String::new()));
    assert!(is_cut(&mut inside) && is_cut(&mut outside));
    assert!(is_cut(&mut world.asks()));
    world.nobody_came();
    world.relay.open();
    let kept = world.asks();
    let mut outside = world.answers();
    let World { relay, .. } = world;
    drop(relay);
    assert!(is_cut(&mut outside), "it ends with the value");
    drop(kept);
}

#[test]
fn an_address_of_this_network_is_not_connected_to_unless_it_is_allowed() {
    let world = World::new(false, MOST_BYTES);
    world.relay.open();
    assert!(is_cut(&mut world.asks()));
    world.nobody_came();
    let (sent, received, why) = world.closed();
    assert_eq!((sent, received), (0, 0));
    assert!(
        why.contains("resolves to 127.0.0.1, which is this machine") && why.contains("network.local"),
        "{why}"
    );
}

#[test]
fn more_bytes_than_allowed_cut_the_connection_and_a_closing_begins_anew() {
    let world = World::new(true, 100);
    for _ in 0..2 {
        world.relay.open();
        let mut inside = world.asks();
        inside.write_all(&[b'x'; 60]).unwrap();
        let mut outside = world.answers();
        outside.read_exact(&mut [0; 60]).unwrap();
        outside.write_all(&[b'y'; 60]).unwrap();
        assert!(is_cut(&mut inside));
        assert_eq!(world.closed(), (60, 0, "more bytes than a call may exchange".to_owned()));
    }
}

#[test]
fn so_many_connections_and_no_more_are_carried_at_a_time() {
    let world = World::new(true, MOST_BYTES);
    world.relay.open();
    let kept: Vec<_> = (0..MOST_CONNECTIONS).map(|_| (world.asks(), world.answers())).collect();
    assert!(is_cut(&mut world.asks()));
    world.nobody_came();
    drop(kept);
    assert_eq!(world.closed().2, "more than 32 connections at a time");
}

#[test]
fn a_greeting_for_another_host_is_not_carried_to_this_one() {
    let hello = |name: &str| {
        let names = [&[0, 0, name.len() as u8][..], name.as_bytes()].concat();
        let extension = [&[0, 0, 0, names.len() as u8 + 2, 0, names.len() as u8][..], &names].concat();
        let start = [&[3, 3][..], &[7; 32], &[0, 0, 2, 0x13, 1, 1, 0, 0, extension.len() as u8]].concat();
        let message = [&[1, 0, 0, (start.len() + extension.len()) as u8][..], &start, &extension].concat();
        [&[22, 3, 1, 0, message.len() as u8][..], &message].concat()
    };
    let world = World::new(true, MOST_BYTES);
    for (name, carried) in [("far.example", true), ("FAR.example", true), ("near.example", false)] {
        world.relay.open();
        let (mut inside, bytes) = (world.asks(), hello(name));
        let (first, second) = bytes.split_at(bytes.len() - 3);
        inside.write_all(first).unwrap();
        let mut outside = world.answers();
        inside.write_all(second).unwrap();
        let heard = outside.read(&mut [0; 500]).unwrap_or(0);
        assert_eq!(heard, if carried { bytes.len() } else { 0 }, "{name}");
        let (sent, _, why) = world.closed();
        assert_eq!(
            (sent as usize, why.contains("for another host, `near.example`")),
            (heard, !carried),
            "{why}"
        );
    }
}

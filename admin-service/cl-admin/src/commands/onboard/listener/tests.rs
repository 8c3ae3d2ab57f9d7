use super::*;
use std::net::TcpListener;

#[test]
fn a_listener_is_told_with_its_process_and_a_closed_port_is_not() {
    for address in ["127.0.0.1:0", "0.0.0.0:0"] {
        let socket = TcpListener::bind(address).unwrap();
        let port = socket.local_addr().unwrap().port();
        let found = of_port(port).unwrap();
        assert_eq!(found.process.map(|(pid, _)| pid), Some(std::process::id()), "{address}");
        drop(socket);
        assert_eq!(of_port(port), None, "{address}");
    }
}

/// What listens at the same port of another address does not answer at 127.0.0.1.
#[test]
fn only_addresses_that_loopback_reaches_count() {
    let row = |address: &str, state: &str| {
        format!(
            "head\n   0: {address}:1F90 00000000:0000 {state} 00000000:00000000 00:00000000 00000000  1000        0 4242 1\n"
        )
    };
    let word = |bytes: [u8; 4]| format!("{:08X}", u32::from_ne_bytes(bytes));
    let mapped = format!("{0}{0}{1}{2}", word([0; 4]), word([0, 0, 255, 255]), word([127, 0, 0, 1]));
    for (address, state, found) in [
        (word([127, 0, 0, 1]), "0A", true),
        (word([0; 4]), "0A", true),
        (word([0; 4]).repeat(4), "0A", true),
        (mapped, "0A", true),
        (format!("{}{}", word([0; 4]).repeat(3), word([0, 0, 0, 1])), "0A", false),
        (word([192, 168, 0, 7]), "0A", false),
        (word([127, 0, 0, 1]), "01", false),
        ("no address".into(), "0A", false),
    ] {
        assert_eq!(
            listens_at(&row(&address, state), 8080),
            found.then_some((1000, 4242)),
            "{address} {state}"
        );
    }
    assert_eq!(listens_at(&row(&word([0; 4]), "0A"), 8081), None);
}

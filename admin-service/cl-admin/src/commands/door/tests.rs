use super::*;

#[test]
fn a_place_is_an_address_with_its_port_or_off() {
    let at = |text: &str| Place::At(text.parse().unwrap());
    for text in ["127.0.0.1:8787", "[::1]:8787", "0.0.0.0:80"] {
        assert_eq!(text.parse::<Place>().unwrap(), at(text));
    }
    assert_eq!("off".parse::<Place>().unwrap(), Place::Off);
    for text in ["", "Off", "8787", "127.0.0.1", "localhost:8787", "127.0.0.1:99999", "::1:8787", " off"] {
        let fault = text.parse::<Place>().unwrap_err();
        assert!(fault.to_string().contains("IP:PORT"), "{text:?}");
    }
}

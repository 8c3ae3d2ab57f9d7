use super::*;

#[test]
fn only_public_addresses_pass() {
    for public in
        ["1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::101:101"]
    {
        assert_eq!(refusal(public.parse().unwrap()), None, "{public}");
    }
    for other in [
        "0.0.0.0",
        "0.1.2.3",
        "127.0.0.1",
        "127.9.9.9",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.127.0.1",
        "224.0.0.1",
        "239.1.1.1",
        "255.255.255.255",
        "192.0.2.1",
        "198.18.0.1",
        "::",
        "::1",
        "::ffff:8.8.8.8",
        "::ffff:127.0.0.1",
        "fe80::1",
        "fc00::1",
        "fd12::1",
        "ff02::1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2001::1",
        "2001:db8::1",
        "fec0::1",
        "::7f00:1",
        "100::1",
    ] {
        assert!(refusal(other.parse().unwrap()).is_some(), "{other}");
    }
}

#[test]
fn one_private_address_spoils_the_answer() {
    let mixed: Vec<SocketAddr> = vec!["1.1.1.1:443".parse().unwrap(), "10.0.0.7:443".parse().unwrap()];
    let refused = vet("api.example.org", 443, false, mixed.clone()).unwrap_err();
    assert!(
        refused.to_string().contains("`api.example.org` resolves to 10.0.0.7, which is a private network")
    );
    assert_eq!(vet("api.example.org", 443, true, mixed.clone()).unwrap(), mixed);
}

use super::*;

#[test]
fn names_of_the_right_form_are_taken() {
    for name in ["dice-roller", "a1", "x-2-y"] {
        assert!(name.parse::<SkillName>().is_ok(), "{name}");
    }
    for host in ["api.example.org", "127.0.0.1:8080", "localhost:1", "wttr.in"] {
        assert!(host.parse::<HostName>().is_ok(), "{host}");
    }
    for name in ["phone", "7", "-", &"a".repeat(40)] {
        assert!(name.parse::<DoorTokenName>().is_ok(), "{name}");
    }
}

#[test]
fn names_of_another_form_are_refused_and_handed_back() {
    for name in ["", "a", "Dice", "-a", "a/b", "../x", "a\nb", "a.b", "dice roller", "1a"] {
        assert_eq!(name.parse::<SkillName>().unwrap_err().value, name);
    }
    for host in
        ["", "http://x", "x/y", "*.x.org", "a..b", "x:0", "x:99999", "Ä.org", "user@x.org", "x:", "-a.org"]
    {
        assert!(host.parse::<HostName>().is_err(), "{host}");
    }
    for name in ["", "Phone", "my phone", "phone_2", "../x", "é", &"a".repeat(41)] {
        assert_eq!(name.parse::<DoorTokenName>().unwrap_err().value, name);
    }
    for id in ["0193", "../../etc", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"] {
        assert!(id.parse::<ProposalId>().is_err(), "{id}");
    }
}

#[test]
fn a_generated_id_parses_again() {
    let id = ProposalId::generate();
    assert_eq!(id.as_str().parse::<ProposalId>().unwrap(), id);
    let named = ProposalId::of(&Digest::of(b"x"));
    assert_eq!(named.as_str().parse::<ProposalId>().unwrap(), named);
    assert_eq!(named, ProposalId::of(&Digest::of(b"x")));
    assert_ne!(named, ProposalId::of(&Digest::of(b"y")));
}

#[test]
fn the_digest_is_sha_256() {
    // The one-block example of FIPS 180-4 (message "abc").
    assert_eq!(
        Digest::of(b"abc").as_str(),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    let digest = Digest::of(b"abc");
    assert_eq!(digest.bytes()[..4], [0xba, 0x78, 0x16, 0xbf]);
    assert_eq!(Digest::of_bytes(&digest.bytes()), digest);
}

#[test]
fn a_host_of_numbers_or_foreign_letters_is_not_readable() {
    for (host, is_readable) in [
        ("api.open-meteo.com", true),
        ("wttr.in:443", true),
        ("4chan.org", true),
        ("localhost", true),
        ("127.0.0.1:8080", false),
        ("0x7f000001", false),
        ("2130706433", false),
        ("xn--pple-43d.com", false),
        ("api.xn--pple-43d.com", false),
    ] {
        assert_eq!(host.parse::<HostName>().unwrap().is_readable(), is_readable, "{host}");
    }
}

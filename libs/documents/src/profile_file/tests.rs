use super::*;
use shared_types::secret::Secret;

fn parse(text: &str) -> Result<Profile, Vec<Fault>> {
    Profile::parse(text, || vec!["en", "de"], |_| Ok::<_, String>("/home/anna".into()))
}

fn caller(uid: u32, name: &str) -> Caller {
    Caller { uid, name: Some(name.to_owned()) }
}

fn token(name: &str, byte: u8, person: bool) -> DoorToken {
    DoorToken { name: name.to_owned(), digest: [byte; 32], person }
}

fn hash() -> PinHash {
    PinHash::make(&Secret::new("2468".to_owned()), &[3; 16]).unwrap()
}

#[test]
fn an_empty_file_is_a_profile_for_a_grown_up() {
    for text in ["", "{}\n", "# nothing yet\n", "open: {}\n"] {
        assert_eq!(parse(text).unwrap(), Profile::default(), "{text:?}");
    }
}

#[test]
fn what_is_written_is_read_again() {
    let profile = Profile {
        audience: Audience::Child,
        language: Some("de".to_owned()),
        persona: Some("You are: a \"badger\".\nAnd kind.".to_owned()),
        open: Open { users: vec![User::Name("anna".to_owned()), User::Uid(1001)], pin: Some(hash()) },
        door: Door {
            listen: Some("[::1]:8787".parse().unwrap()),
            hosts: vec!["companion.lan".to_owned(), "192.168.1.5".to_owned()],
            proxies: vec![Ipv4Addr::LOCALHOST.into()],
            tls: Some(DoorTls { certificate: "/etc/door.crt".into(), key: "secrets/door.key".into() }),
            tokens: vec![token("phone", 0xba, true), token("7", 0x12, false)],
        },
        ..Profile::default()
    };
    let text = crate::yaml::to_string(&profile).unwrap();
    assert_eq!(parse(&text).unwrap(), profile, "{text}");
}

#[test]
fn every_fault_is_told_at_once_with_what_is_allowed() {
    let faults =
        parse("audience: toddler\nlanguage: tlh\npersona: 3\nopen: {users: [\"\", -1, anna], pin: 2468}\nfavourite: red\n")
            .unwrap_err();
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    for part in [
        "audience: \"toddler\" is not allowed; allowed: child teen adult work",
        "language: \"tlh\" is not allowed; allowed: en de",
        "persona: must be a text",
        "open.users: \"\" is not a user",
        "open.users: \"-1\" is not a user",
        "open.pin: must be an Argon2id hash",
        "favourite: this key is unknown; allowed: audience language persona open",
    ] {
        assert!(told.iter().any(|t| t.contains(part)), "{part} is missing in {told:#?}");
    }
    assert_eq!(told.len(), 7, "{told:#?}");
    assert!(!told.iter().any(|t| t.contains("2468")), "the PIN is repeated: {told:#?}");
}

#[test]
fn a_door_is_read_with_its_address_its_names_and_its_tokens() {
    let digest = "ab".repeat(32);
    let text = format!(
        "door:\n  listen: 127.0.0.1:8787\n  hosts: [companion.lan]\n  tokens:\n    - {{name: phone, sha256: {digest}, \
         person: true}}\n    - {{name: my-printer-2, sha256: \"{}\"}}\n",
        "01".repeat(32)
    );
    let door = parse(&text).unwrap().door;
    assert_eq!(door.listen, Some(SocketAddr::from(([127, 0, 0, 1], 8787))));
    assert_eq!(door.hosts, ["companion.lan"]);
    assert_eq!(door.tokens, [token("phone", 0xab, true), token("my-printer-2", 1, false)]);
    assert!(!door.is_unsaid());
    for text in ["door:\n", "door: {}\n", "door: {tokens: []}\n", "door: {hosts: [], tokens: }\n"] {
        assert!(parse(text).unwrap().door.is_unsaid(), "{text:?}");
    }
}

#[test]
fn each_fault_of_a_door_is_told_with_its_key_and_what_is_allowed() {
    let digest = |byte: &str| format!("\"{}\"", byte.repeat(32));
    let one = |entry: &str| format!("tokens: [{entry}]");
    let two = |second: &str| one(&format!("{{name: a, sha256: {}}}, {second}", digest("ab")));
    let many = |count: usize| {
        let entry = |at: usize| format!("{{name: a{at}, sha256: {}}}", digest(&format!("{at:02x}")));
        one(&(0..count).map(entry).collect::<Vec<_>>().join(", "))
    };
    for (door, told) in [
        (
            "listen: localhost:8787".to_owned(),
            "door.listen: \"localhost:8787\" is not an address; allowed: IP:PORT",
        ),
        ("listen: 127.0.0.1".to_owned(), "door.listen: \"127.0.0.1\" is not an address"),
        ("listen: \"127.0.0.1:99999\"".to_owned(), "door.listen: \"127.0.0.1:99999\" is not an address"),
        ("listen: 8787".to_owned(), "door.listen: must be a text"),
        ("hosts: companion.lan".to_owned(), "door.hosts: must be a list of texts"),
        (
            "proxies: [caddy.lan]".to_owned(),
            "door.proxies: \"caddy.lan\" is not an IP address, as in 127.0.0.1",
        ),
        (
            "hosts: [Companion.lan]".to_owned(),
            "door.hosts: \"Companion.lan\" is not a name of a host; allowed: lower-case ASCII names",
        ),
        ("hosts: [\"*.lan\"]".to_owned(), "door.hosts: \"*.lan\" is not a name of a host"),
        (
            "hosts: [\"companion.lan:8787\"]".to_owned(),
            "door.hosts: \"companion.lan:8787\" is not a name of a host; allowed: lower-case ASCII names and addresses without a port",
        ),
        (
            format!("hosts: [{}]", vec!["a"; MOST_HOSTS + 1].join(", ")),
            "door.hosts: at most 16 entries are allowed",
        ),
        ("tokens: {name: a}".to_owned(), "door.tokens: must be a list"),
        (one("phone"), "door.tokens[0]: must be a mapping"),
        (one(&format!("{{sha256: {}}}", digest("ab"))), "door.tokens[0].name: missing"),
        (one("{name: a}"), "door.tokens[0].sha256: missing"),
        (
            one(&format!("{{name: My phone, sha256: {}}}", digest("ab"))),
            "door.tokens[0].name: `My phone` is not a token's name: 1 to 40 characters, lower-case letters, digits and `-`",
        ),
        (
            one(&format!("{{name: {}, sha256: {}}}", "a".repeat(41), digest("ab"))),
            "is not a token's name: 1 to 40",
        ),
        (
            one(&format!("{{name: a, sha256: {}}}", digest("AB"))),
            "door.tokens[0].sha256: must be the SHA-256 of a token, 64 lower-case hexadecimal digits",
        ),
        (one("{name: a, sha256: \"abab\"}"), "door.tokens[0].sha256: must be the SHA-256 of a token"),
        (
            one(&format!("{{name: a, sha256: {}, person: \"yes\"}}", digest("ab"))),
            "door.tokens[0].person: must be `true` or `false`",
        ),
        (
            one(&format!("{{name: a, sha256: {}, until: 2030}}", digest("ab"))),
            "door.tokens[0].until: this key is unknown; allowed: name sha256 person",
        ),
        (
            two(&format!("{{name: a, sha256: {}}}", digest("cd"))),
            "door.tokens[1].name: `a` is there twice; give each token a name of its own",
        ),
        (
            two(&format!("{{name: b, sha256: {}, person: true}}", digest("ab"))),
            "door.tokens[1].sha256: is that of `a` too",
        ),
        (many(Door::MOST_TOKENS + 1), "door.tokens: at most 32 entries are allowed"),
        ("port: 8787".to_owned(), "door.port: this key is unknown; allowed: listen hosts proxies tls tokens"),
        ("tls: {certificate: /a.crt}".to_owned(), "door.tls.key: is missing"),
    ] {
        let faults = parse(&format!("door: {{{door}}}\n")).unwrap_err();
        let words: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert!(words.len() == 1 && words[0].contains(told), "{door}: {words:#?}");
    }
    assert_eq!(parse(&format!("door: {{{}}}\n", many(Door::MOST_TOKENS))).unwrap().door.tokens.len(), 32);
}

#[test]
fn a_token_that_stands_where_its_digest_belongs_is_not_repeated() {
    let text = "door: {tokens: [{name: a, sha256: tameclaw_Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm8}]}\n";
    let faults = parse(text).unwrap_err();
    assert!(!faults[0].to_string().contains("Zm9v"), "{faults:?}");
}

#[test]
fn without_a_word_on_it_only_the_owner_of_the_data_and_root_get_in() {
    let open = Open::default();
    assert_eq!(open.judge(&caller(0, "root"), &[1000]), Entry::Free);
    assert_eq!(open.judge(&caller(1000, "anna"), &[1000]), Entry::Free);
    assert_eq!(open.judge(&caller(1001, "ben"), &[1000]), Entry::Refused);
}

#[test]
fn who_is_listed_gets_in_and_nobody_else_not_even_root_or_the_owner() {
    let open = Open { users: vec!["anna".parse().unwrap(), "1002".parse().unwrap()], pin: None };
    assert_eq!(open.judge(&caller(1000, "anna"), &[]), Entry::Free);
    assert_eq!(open.judge(&caller(1002, "whoever"), &[]), Entry::Free);
    assert_eq!(open.judge(&Caller { uid: 1000, name: None }, &[]), Entry::Refused);
    assert_eq!(open.judge(&caller(1003, "1002"), &[]), Entry::Refused);
    assert_eq!(open.judge(&caller(1004, "Anna"), &[1004]), Entry::Refused);
    assert_eq!(open.judge(&caller(0, "root"), &[0]), Entry::Refused);
}

#[test]
fn with_a_pin_everybody_who_is_not_listed_is_asked_for_it() {
    let open = Open { users: vec!["anna".parse().unwrap()], pin: Some(hash()) };
    assert_eq!(open.judge(&caller(1000, "anna"), &[]), Entry::Free);
    assert_eq!(open.judge(&caller(1001, "ben"), &[1001]), Entry::ByPin);
    assert_eq!(open.judge(&caller(0, "root"), &[0]), Entry::ByPin);
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_fail(text in "\\PC{0,300}", users in "[\\PC\n]{0,60}") {
        let _ = parse(&text);
        let _ = parse(&format!("open: {{users: [{users}]}}\n"));
    }

    #[test]
    fn a_user_is_what_was_written(text in "\\PC{0,70}") {
        if let Ok(user) = text.parse::<User>() {
            let same = user.to_string() == text || matches!(user, User::Uid(_));
            proptest::prop_assert!(same, "{} became {}", text, user);
        }
    }
}

/// A browser takes two doors for one host by a name of both, an address of both, or `localhost`; names of their own part them.
#[test]
fn two_doors_are_at_one_host_unless_each_has_a_name_or_an_address_of_its_own() {
    let door = |listen: &str, hosts: &[&str]| Door {
        listen: listen.parse().ok(),
        hosts: hosts.iter().map(|&host| host.to_owned()).collect(),
        ..Door::default()
    };
    let host = |one: &Door, other: &Door| {
        assert_eq!(one.shared_host(other).is_some(), other.shared_host(one).is_some());
        one.shared_host(other)
    };
    let anna = door("127.0.0.1:8787", &[]);
    assert_eq!(host(&anna, &door("127.0.0.1:8788", &[])).as_deref(), Some("127.0.0.1"));
    assert_eq!(host(&anna, &door("0.0.0.0:8788", &[])).as_deref(), Some("127.0.0.1"));
    assert_eq!(host(&anna, &door("[::1]:8788", &[])).as_deref(), Some("localhost"));
    assert_eq!(host(&anna, &door("127.0.0.2:8788", &[])), None);
    assert_eq!(host(&anna, &door("192.168.1.5:8788", &[])), None);
    assert_eq!(host(&anna, &door("", &[])), None, "a socket file is at no host");
    let named = door("127.0.0.1:8787", &["anna.lan"]);
    assert_eq!(host(&named, &door("127.0.0.1:8788", &["ben.lan"])), None);
    assert_eq!(host(&named, &door("127.0.0.1:8788", &[])).as_deref(), Some("127.0.0.1"));
    assert_eq!(
        host(&named, &door("", &["Anna.lan"])).map(|name| name.to_lowercase()).as_deref(),
        Some("anna.lan")
    );
}

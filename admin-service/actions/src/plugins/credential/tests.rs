use super::*;

fn headers(name: &str, value: &str) -> BTreeMap<String, String> {
    BTreeMap::from([(name.to_owned(), value.to_owned())])
}

fn sent(spelled: &str) -> Credential {
    let home = Home::new(std::path::PathBuf::from("/nowhere"), None);
    Credential { home, headers: BTreeMap::new(), spellings: spellings(spelled) }
}

#[test]
fn headers_of_the_connection_and_of_the_protocol_are_refused() {
    let names = [
        "Host",
        "content-length",
        "Transfer-Encoding",
        "Connection",
        "Cookie",
        "Mcp-Session-Id",
        "mcp-protocol-version",
        "Accept",
        "Content-Type",
        "Proxy-Authorization",
        "X Y",
        "X:Y",
        "X\r\nY",
        "",
    ];
    for name in names {
        assert!(!faults(&headers(name, "a")).is_empty(), "{name:?}");
    }
    assert!(faults(&headers("X-Team", "blue")).is_empty());
    let twice =
        BTreeMap::from([("X-Team".to_owned(), "a".to_owned()), ("x-team".to_owned(), "b".to_owned())]);
    assert!(faults(&twice).join("\n").contains("twice"));
}

#[test]
fn values_with_control_characters_or_open_braces_are_refused() {
    for value in
        ["a\r\nX: y", "a\nb", "a\0", "\u{202e}x", "é", "", "{{secret:KEY", "{{secret:}}", "{{secret:a b}}"]
    {
        assert!(!faults(&headers("X-Key", value)).is_empty(), "{value:?}");
    }
    assert!(faults(&headers("Authorization", "Bearer {{secret:KEY}}")).is_empty());
    let fixed = faults(&headers("Authorization", "Bearer abc")).join("\n");
    assert!(fixed.contains("cl-admin secret set"), "{fixed}");
}

#[test]
fn a_secret_is_blanked_in_each_of_its_spellings() {
    let credential = sent("s3cr/et+of=the~oracle");
    for spelled in spellings("s3cr/et+of=the~oracle") {
        let mut bytes = format!("you sent {}!", spelled.expose()).into_bytes();
        credential.blank(&mut bytes);
        let shown = String::from_utf8(bytes).unwrap();
        assert!(
            shown.starts_with("you sent ****") && shown.ends_with('!') && !shown.contains(spelled.expose())
        );
    }
    let mut shouted = b"S3CR/ET+OF=THE~ORACLE".to_vec();
    credential.blank(&mut shouted);
    assert_eq!(shouted, [b'*'; 21]);
}

/// `Basic` carries base64 of a name and a password, and a server may repeat what it stands for.
#[test]
fn what_a_secret_in_base64_stands_for_is_blanked_too() {
    let credential = sent(&STANDARD.encode("robin:correct-horse"));
    let mut text = "hello robin:correct-horse, is correct-horse right?".to_owned();
    credential.blank_text(&mut text);
    assert!(!text.contains("correct-horse"), "{text}");
}

#[test]
fn a_secret_that_was_cut_leaves_no_beginning() {
    let credential = sent("s3cr/et+of=the~oracle");
    assert_eq!(credential.unfinished(b"you sent s3cr/et"), 7);
    assert_eq!(credential.unfinished(b"data: {}\n\n"), 0);
    let mut text = "you sent s3cr/et+of".to_owned();
    credential.blank_text(&mut text);
    assert_eq!(text, "you sent **********");
}

#[test]
fn a_server_at_an_ipv6_address_gets_no_secret_and_is_told_why() {
    let home = Home::new(std::path::PathBuf::from("/nowhere"), None);
    let mut credential = Credential { home, headers: headers("X-Key", "{{secret:KEY}}"), spellings: vec![] };
    let refused = credential.fill(&"http://[::1]:8080/mcp".parse().unwrap()).unwrap_err();
    assert!(
        refused.to_string().contains("a host name or an IPv4 address, and the server is [::1]"),
        "{refused}"
    );
}

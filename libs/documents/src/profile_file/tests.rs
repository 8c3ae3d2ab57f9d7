use super::*;
use shared_types::secret::Secret;

fn parse(text: &str) -> Result<Profile, Vec<Fault>> {
    Profile::parse(text, || vec!["en", "de"], |_| Ok::<_, String>("/home/anna".into()))
}

fn caller(uid: u32, name: &str) -> Caller {
    Caller { uid, name: Some(name.to_owned()) }
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
        ..Profile::default()
    };
    let text = crate::yaml::to_string(&profile).unwrap();
    assert_eq!(parse(&text).unwrap(), profile, "{text}");
}

#[test]
fn every_fault_is_told_at_once_with_what_is_allowed() {
    let faults =
        parse("audience: toddler\nlanguage: tlh\npersona: 3\nopen: {users: [\"\", -1, anna], pin: 2468}\ncolour: red\n")
            .unwrap_err();
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    for part in [
        "audience: \"toddler\" is not allowed; allowed: child teen adult work",
        "language: \"tlh\" is not allowed; allowed: en de",
        "persona: must be a text",
        "open.users: \"\" is no user",
        "open.users: \"-1\" is no user",
        "open.pin: must be an Argon2id hash",
        "colour: this key is unknown; allowed: audience language persona open",
    ] {
        assert!(told.iter().any(|t| t.contains(part)), "{part} is missing in {told:#?}");
    }
    assert_eq!(told.len(), 7, "{told:#?}");
    assert!(!told.iter().any(|t| t.contains("2468")), "the PIN is repeated: {told:#?}");
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

use std::path::PathBuf;

use crate::profile_file::Profile;

fn parse(text: &str) -> Result<Profile, String> {
    let home = |_: &str| Err::<PathBuf, &str>("no home");
    Profile::parse(text, || vec!["en"], home)
        .map_err(|faults| faults.into_iter().map(|fault| format!("{fault}\n")).collect())
}

const WHOLE: &str = "telegram:\n  token: TELEGRAM\n  people:\n    - {id: 123456789, may_confirm: true}\n    - {id: 4503599627370495}\n";

#[test]
fn a_whole_section_is_read_and_written_in_the_same_way() {
    let telegram = parse(WHOLE).unwrap().telegram.unwrap();
    assert_eq!(
        (telegram.server.to_string().as_str(), telegram.token.as_str()),
        ("https://api.telegram.org", "TELEGRAM")
    );
    assert!(!telegram.minors && telegram.drafts);
    let people: Vec<_> = telegram.people.iter().map(|user| (user.id, user.may_confirm)).collect();
    assert_eq!(people, [(123_456_789, true), (4_503_599_627_370_495, false)]);
    let written = serde_json::json!({ "telegram": telegram }).to_string();
    assert_eq!(parse(&written).unwrap().telegram, Some(telegram));
    let own = WHOLE.replacen("  token", "  server: http://127.0.0.1:8081/\n  token", 1);
    assert_eq!(parse(&own).unwrap().telegram.unwrap().server.to_string(), "http://127.0.0.1:8081");
}

#[test]
fn without_a_token_and_people_there_is_no_channel() {
    for text in
        ["audience: adult\n", "telegram: {minors: true}\n", "telegram: {server: \"https://x.example\"}\n"]
    {
        assert_eq!(parse(text).unwrap().telegram, None, "{text}");
    }
}

#[test]
fn each_fault_names_its_key_and_what_is_allowed() {
    let faults = |from: &str, to: &str| parse(&WHOLE.replacen(from, to, 1)).unwrap_err();
    assert!(faults("  token", "  server: api.telegram.org\n  token").contains("https://HOST"));
    assert!(faults("  token", "  server: http://x.example\n  token").contains("telegram.server"));
    assert!(faults("token: TELEGRAM", "token: \"no name\"").contains("telegram.token"));
    assert!(faults("  token: TELEGRAM\n", "").contains("telegram.token"));
    assert!(faults("4503599627370495", "123456789").contains("named twice"));
    for id in ["\"@anna\"", "-5", "0", "4503599627370496"] {
        assert!(faults("123456789", id).contains("telegram.people[0].id"), "{id}");
    }
    assert!(faults("id: 123456789, ", "").contains("missing"));
    assert!(parse("telegram: {token: TELEGRAM}\n").unwrap_err().contains("telegram.people"));
    assert!(parse("telegram: {token: TELEGRAM, people: []}\n").unwrap_err().contains("telegram.people"));
}

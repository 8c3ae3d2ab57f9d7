use super::*;

#[test]
fn a_plain_file_name_is_taken() {
    for name in ["work.key", "KEY", "a", "my-key_2"] {
        assert_eq!(name.parse::<CredentialName>().unwrap().as_str(), name);
    }
}

#[test]
fn what_leads_elsewhere_or_belongs_to_a_login_is_refused() {
    let long = "k".repeat(65);
    for name in
        ["", ".", "..", ".hidden", "../key", "a/b", "a b", "a\0", "ü", "p.login.json", "p.login.lock", &long]
    {
        assert_eq!(name.parse::<CredentialName>(), Err(NotACredentialName), "{name:?}");
    }
}

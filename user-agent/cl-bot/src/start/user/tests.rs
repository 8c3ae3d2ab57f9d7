use super::*;

fn user() -> User {
    User::find("4242", Some("4343")).unwrap()
}

#[test]
fn the_bits_of_the_first_class_that_fits_count() {
    assert_eq!(rights(4242, 4343, 0o741, &user()), 7);
    assert_eq!(rights(1, 4343, 0o741, &user()), 4);
    assert_eq!(rights(1, 1, 0o741, &user()), 1);
    // The owner is not helped by what everybody may.
    assert_eq!(rights(4242, 1, 0o077, &user()), 0);
}

#[test]
fn without_a_configured_user_nobody_is_switched_to() {
    let config = bot_base::config::Config::parse("x".as_ref(), "").unwrap();
    assert_eq!(find(&config.security).unwrap(), None);
}

#[test]
fn a_user_that_cannot_be_is_refused_by_policy_with_its_key() {
    for (user, word) in [("root", "is root"), ("nobody-of-that-name", "there is no user")] {
        let text = format!("security: {{user: {user}}}");
        let config = bot_base::config::Config::parse("x".as_ref(), &text).unwrap();
        let error = find(&config.security).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        let report = error.report();
        assert!(report.contains("security.user") && report.contains(word), "{report}");
    }
}

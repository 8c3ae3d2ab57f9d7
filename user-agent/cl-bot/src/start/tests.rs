use bot_testing::SignedHome;

use super::*;

fn options(home: &std::path::Path, profile: &str) -> Options {
    Options { home: Some(home.to_owned()), profile: profile.parse().unwrap(), pin_file: None }
}

fn prepare(home: &SignedHome, profile: &str) -> Result<Prepared, Error> {
    Prepared::read(&options(home.dir.path(), profile))
}

#[test]
fn a_home_is_prepared_and_the_profiles_folders_are_made() {
    let home = SignedHome::new();
    let prepared = prepare(&home, "default").unwrap();
    assert_eq!(prepared.signed.serial(), 1);
    for folder in ["memory", "logs", "workspace"] {
        assert!(home.path("data/profiles/default").join(folder).is_dir());
    }
    assert_eq!(prepared.home, home.home());
}

#[test]
fn a_serial_that_was_seen_is_the_least_that_is_accepted_later() {
    let home = SignedHome::new();
    home.publish(5, vec![]);
    let prepared = prepare(&home, "default").unwrap();
    prepared.folders.remember(&prepared.signed).unwrap();
    home.publish(4, vec![]);
    assert_eq!(prepare(&home, "default").unwrap_err().exit_code(), 4);
    home.publish(6, vec![]);
    prepare(&home, "default").unwrap();
}

#[test]
fn a_profile_that_is_not_configured_is_refused_and_those_that_are_are_named() {
    let home = SignedHome::new();
    let error = prepare(&home, "anna").unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(error.to_string().contains("you may open: default"), "{error}");
    assert!(!home.path("data/profiles/anna").exists());
}

#[test]
fn a_folder_that_is_no_home_names_the_next_step() {
    let dir = tempfile::tempdir().unwrap();
    let error = Prepared::read(&options(dir.path(), "default")).unwrap_err();
    assert_eq!(error.exit_code(), 1);
    assert!(error.report().contains("cl-admin init"), "{}", error.report());
}

#[test]
fn a_broken_configuration_is_wrong_use_and_tells_every_fault_with_its_file() {
    let home = SignedHome::new();
    home.write("config/default.yaml", "securty: {}\nlimits: {max_tool_rounds: many}\n");
    let error = prepare(&home, "default").unwrap_err();
    assert_eq!(error.exit_code(), 2);
    let report = error.report();
    for part in ["config/default.yaml", "securty", "limits.max_tool_rounds"] {
        assert!(report.contains(part), "{part} is missing in {report}");
    }
}

#[test]
fn a_home_that_anybody_may_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let home = SignedHome::new();
    std::fs::set_permissions(home.path("config"), std::fs::Permissions::from_mode(0o777)).unwrap();
    let error = prepare(&home, "default").unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(error.report().contains("everybody"), "{}", error.report());
}

/// The hash of 2468.
fn hash() -> String {
    let pin = shared_types::secret::Secret::new("2468".to_owned());
    documents::pin::PinHash::make(&pin, &[9; 16]).unwrap().as_str().to_owned()
}

fn prepare_with_pin(home: &SignedHome, pin: &str, mode: u32) -> Result<Prepared, Error> {
    use std::os::unix::fs::PermissionsExt;
    home.write("pin", pin);
    std::fs::set_permissions(home.path("pin"), std::fs::Permissions::from_mode(mode)).unwrap();
    Prepared::read(&Options { pin_file: Some(home.path("pin")), ..options(home.dir.path(), "anna") })
}

#[test]
fn a_profile_that_lists_others_is_refused_and_nothing_of_it_is_made() {
    let home = SignedHome::new();
    home.write("config/profiles/anna.yaml", "open: {users: [4294967294]}\n");
    let error = prepare(&home, "anna").unwrap_err();
    assert!(matches!(error, Error::NotYours { .. }), "{error}");
    assert_eq!(error.exit_code(), 3);
    assert!(error.report().contains("open.users"), "{}", error.report());
    assert!(!home.path("data/profiles/anna").exists());
}

#[test]
fn a_profile_that_lists_the_caller_opens() {
    let home = SignedHome::new();
    home.write("config/profiles/anna.yaml", &format!("open: {{users: [{}]}}\n", nix::unistd::getuid()));
    prepare(&home, "anna").unwrap();
}

#[test]
fn an_unknown_profile_names_only_those_that_the_caller_may_open() {
    let home = SignedHome::new();
    home.write("config/profiles/anna.yaml", "open: {users: [4294967294]}\n");
    home.write("config/profiles/ben.yaml", &format!("open: {{pin: \"{}\"}}\n", hash()));
    home.write("config/profiles/broken.yaml", "open: 3\n");
    let error = prepare(&home, "carla").unwrap_err();
    assert!(error.to_string().ends_with("you may open: ben default"), "{error}");
}

#[test]
fn a_pin_from_a_file_opens_and_a_wrong_one_is_counted() {
    let home = SignedHome::new();
    home.write("config/profiles/anna.yaml", &format!("open: {{pin: \"{}\"}}\n", hash()));
    let error = prepare_with_pin(&home, "1357\n", 0o600).unwrap_err();
    assert!(matches!(error, Error::WrongPin(_)), "{error}");
    assert_eq!(home.read("data/profiles/anna/logs/wrong_pins").lines().count(), 1);
    prepare_with_pin(&home, "2468\n", 0o600).unwrap();
    assert_eq!(home.read("data/profiles/anna/logs/wrong_pins"), "");
}

#[test]
fn a_pin_in_a_file_that_others_may_read_is_not_taken() {
    let home = SignedHome::new();
    home.write("config/profiles/anna.yaml", &format!("open: {{pin: \"{}\"}}\n", hash()));
    let error = prepare_with_pin(&home, "2468\n", 0o644).unwrap_err();
    assert!(matches!(error, Error::OpenSecret { .. }), "{error}");
    assert_eq!(error.exit_code(), 3);
}

#[test]
fn a_minors_profile_waits_for_the_approvers_passphrase() {
    let home = SignedHome::new();
    let approvers = home.read("config/approvers.yaml");
    for audience in ["child", "teen"] {
        home.write("config/profiles/anna.yaml", &format!("audience: {audience}\n"));
        home.write("config/approvers.yaml", &approvers);
        let error = prepare(&home, "anna").unwrap_err();
        assert!(matches!(error, Error::Unguarded { .. }), "{error}");
        assert_eq!(error.exit_code(), 3);
        assert!(error.report().contains("cl-admin approver passphrase"), "{}", error.report());
        home.write("config/approvers.yaml", &format!("{approvers}passphrases: [owner]\n"));
        assert!(prepare(&home, "anna").unwrap().settings.audience.is_minor());
        home.write("config/approvers.yaml", "approvers: []\n");
        assert!(prepare(&home, "anna").is_err(), "without any approver");
    }
    home.write("config/approvers.yaml", &approvers);
    home.write("config/profiles/anna.yaml", "audience: work\n");
    prepare(&home, "anna").unwrap();
}

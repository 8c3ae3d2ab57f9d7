use super::*;
use crate::testing::SignedHome;

fn prepare(home: &SignedHome, profile: &str) -> Result<Prepared, Error> {
    Prepared::read(&Options { home: Some(home.dir.path().to_owned()), profile: profile.parse().unwrap() })
}

#[test]
fn a_home_is_prepared_and_the_profiles_folders_are_made() {
    let home = SignedHome::new();
    let prepared = prepare(&home, "default").unwrap();
    assert_eq!(prepared.verified.manifest.serial, 1);
    for folder in ["memory", "logs", "workspace"] {
        assert!(home.path("data/profiles/default").join(folder).is_dir());
    }
    assert_eq!(prepared.home, home.home());
}

#[test]
fn a_serial_that_was_seen_is_the_least_that_is_accepted_later() {
    let home = SignedHome::new();
    home.publish(5, vec![]);
    prepare(&home, "default").unwrap().folders.remember_serial(5).unwrap();
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
    assert!(error.to_string().contains("configured: default"), "{error}");
    assert!(!home.path("data/profiles/anna").exists());
}

#[test]
fn a_folder_that_is_no_home_names_the_next_step() {
    let dir = tempfile::tempdir().unwrap();
    let options = Options { home: Some(dir.path().to_owned()), profile: "default".parse().unwrap() };
    let error = Prepared::read(&options).unwrap_err();
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

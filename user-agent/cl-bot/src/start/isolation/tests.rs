use bot_base::config::Config;
use nix::errno::Errno;

use super::*;

fn security(text: &str) -> Security {
    Config::parse("x".as_ref(), &format!("security: {{{text}}}")).unwrap().security
}

fn without_landlock(view: View) -> Confinement {
    Confinement { view, seccomp: true, no_new_privs: true, no_capabilities: true, ..Confinement::default() }
}

#[test]
fn what_is_missing_is_told_with_its_reason_and_its_remedy() {
    let refused = without_landlock(View::Refused { step: "a user namespace", errno: Errno::EPERM });
    let error = too_little(Tier::Degraded, &security("minimum_isolation: full"), &refused, false);
    let report = error.report();
    for part in [
        "isolation `degraded` is less than `security.minimum_isolation: full`",
        "no Landlock of version 3",
        "a user namespace was refused: Operation not permitted",
        "Hint: a kernel with Landlock",
        "a user of its own: start it as another user",
        "config/default.yaml",
    ] {
        assert!(report.contains(part), "{part} is missing in {report}");
    }
    assert_eq!(error.exit_code(), 3);
}

#[test]
fn a_switch_that_is_off_is_named_as_the_reason() {
    let error = too_little(Tier::Namespace, &security("landlock: off"), &without_landlock(View::Own), true);
    let report = error.report();
    assert!(
        report.contains("`security.landlock` is off") && report.contains("Hint: `security.landlock: on`")
    );
    assert!(!report.contains("user of its own"), "{report}");
}

#[test]
fn nothing_is_said_where_nothing_is_weak() {
    let held = Confinement { landlock_abi: Some(7), ..without_landlock(View::Shared) };
    assert_eq!(warnings(Tier::Full, &security(""), &held, true), [""; 0]);
}

#[test]
fn a_degraded_start_and_a_switch_that_is_off_are_told_loudly() {
    let refused = without_landlock(View::Refused { step: "mount", errno: Errno::EPERM });
    let told = warnings(Tier::Degraded, &security("landlock: off"), &refused, false);
    assert_eq!(told.len(), 2);
    assert!(told[0].contains("is off") && told[1].contains("DEGRADED"), "{told:?}");
}

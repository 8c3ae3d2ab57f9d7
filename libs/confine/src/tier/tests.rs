use nix::errno::Errno;

use super::*;
use crate::View;

fn all() -> Confinement {
    Confinement {
        landlock_abi: Some(6),
        view: View::Shared,
        seccomp: true,
        no_new_privs: true,
        mdwe: true,
        no_capabilities: true,
        ..Confinement::default()
    }
}

#[test]
fn an_own_user_with_file_rules_and_seccomp_is_full() {
    assert_eq!(tier(&all(), true), Tier::Full);
}

#[test]
fn a_shared_user_is_never_more_than_process() {
    assert_eq!(tier(&all(), false), Tier::Process);
}

fn by_namespace(view: View) -> Confinement {
    Confinement { landlock_abi: None, view, ..all() }
}

#[test]
fn an_own_user_with_a_mount_namespace_in_place_of_file_rules_is_namespace() {
    assert_eq!(tier(&by_namespace(View::Own), true), Tier::Namespace);
    assert_eq!(tier(&by_namespace(View::Given), true), Tier::Namespace);
}

#[test]
fn a_mount_namespace_under_a_shared_user_is_process() {
    assert_eq!(tier(&by_namespace(View::Own), false), Tier::Process);
}

#[test]
fn a_mount_namespace_that_was_refused_is_none() {
    let refused = View::Refused { step: "mount", errno: Errno::EPERM };
    assert_eq!(tier(&by_namespace(refused), true), Tier::Degraded);
}

#[test]
fn any_missing_wall_degrades_whoever_the_user_is() {
    let without = [
        Confinement { landlock_abi: None, ..all() },
        Confinement { seccomp: false, ..all() },
        Confinement { no_new_privs: false, ..all() },
        Confinement { no_capabilities: false, ..all() },
        Confinement { seccomp: false, ..by_namespace(View::Own) },
    ];
    for held in without {
        assert_eq!(tier(&held, true), Tier::Degraded, "{held}");
    }
}

#[test]
fn an_old_kernel_without_write_xor_execute_keeps_its_tier() {
    assert_eq!(tier(&Confinement { mdwe: false, ..all() }, true), Tier::Full);
}

#[test]
fn tiers_are_ordered_from_least_to_most() {
    assert!(
        Tier::Degraded < Tier::Process && Tier::Process < Tier::Namespace && Tier::Namespace < Tier::Full
    );
}

#[test]
fn words_are_read_back_and_others_refused() {
    for tier in [Tier::Degraded, Tier::Process, Tier::Namespace, Tier::Full] {
        assert_eq!(tier.to_string().parse(), Ok(tier));
    }
    assert_eq!("Full".parse::<Tier>(), Err(UnknownTier("Full".into())));
}

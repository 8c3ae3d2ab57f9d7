use std::collections::BTreeSet;

use super::architecture::Architecture;
use super::row::Value;
use super::*;

mod grid;
mod machine;
mod verdicts;

const ROLES: [Role; 9] = [
    Role::Mind,
    Role::Net,
    Role::Door,
    Role::Pins,
    Role::Worker,
    Role::Compiler,
    Role::Action,
    Role::Online,
    Role::Server,
];

fn rows(role: Role) -> impl Iterator<Item = &'static Row> {
    Policy::of(role).tables.iter().flat_map(|table| table.rows)
}

fn names(role: Role) -> BTreeSet<&'static str> {
    rows(role).map(|row| row.name).collect()
}

#[test]
fn no_call_has_two_rows_in_one_role() {
    for role in ROLES {
        let mut seen = BTreeSet::new();
        for row in rows(role) {
            assert!(seen.insert(row.call), "{role:?}: {} twice", row.name);
        }
        assert!(!seen.is_empty(), "{role:?}");
    }
}

#[test]
fn every_row_has_a_reason() {
    for role in ROLES {
        for row in rows(role) {
            assert!(row.reason.len() > 2, "{role:?}: {}", row.name);
        }
    }
}

#[test]
fn every_condition_can_hold() {
    for role in ROLES {
        for row in rows(role) {
            for test in row.when.iter().flat_map(|all| all.iter()) {
                let Value::Is(value) = test.value else { continue };
                assert_eq!(value & !test.mask, 0, "{role:?}: {}", row.name);
                assert!(test.arg < 6, "{role:?}: {}", row.name);
            }
        }
    }
}

#[test]
fn what_would_break_the_confinement_is_in_no_list_of_allowed_calls() {
    let never = [
        "SYS_execve",
        "SYS_execveat",
        "SYS_fork",
        "SYS_vfork",
        "SYS_ptrace",
        "SYS_process_vm_readv",
        "SYS_process_vm_writev",
        "SYS_mount",
        "SYS_bpf",
        "SYS_keyctl",
        "SYS_add_key",
        "SYS_io_uring_setup",
        "SYS_bind",
        "SYS_listen",
        "SYS_accept",
        "SYS_accept4",
        "SYS_kill",
        "SYS_tkill",
        "SYS_memfd_create",
        "SYS_personality",
        "SYS_pidfd_open",
        "SYS_unshare",
        "SYS_setns",
        "SYS_userfaultfd",
        "SYS_perf_event_open",
        "SYS_open_by_handle_at",
        "SYS_seccomp",
        "SYS_chmod",
        "SYS_fchmod",
        "SYS_fchmodat",
        "SYS_pkey_mprotect",
        "SYS_shmat",
        "SYS_linkat",
        "SYS_symlinkat",
        "SYS_mknodat",
    ];
    for role in [Role::Mind, Role::Net, Role::Door, Role::Pins, Role::Worker] {
        let names = names(role);
        // To accept is what a door is for, and what the pins have beside their lines.
        let accepts = |role| matches!(role, Role::Door | Role::Pins);
        for call in never.into_iter().filter(|call| !accepts(role) || *call != "SYS_accept4") {
            assert!(!names.contains(call), "{role:?} may {call}");
        }
    }
}

#[test]
fn calls_whose_arguments_decide_are_never_allowed_outright() {
    let decided =
        ["SYS_clone", "SYS_mmap", "SYS_mprotect", "SYS_ioctl", "SYS_socket", "SYS_socketpair", "SYS_prctl"];
    for role in [Role::Mind, Role::Net, Role::Door, Role::Pins, Role::Worker] {
        for row in rows(role).filter(|row| decided.contains(&row.name)) {
            assert!(!row.when.is_empty(), "{role:?}: {}", row.name);
        }
    }
}

#[test]
fn only_net_has_sockets_and_only_mind_sets_the_terminal() {
    let sockets = ["SYS_socket", "SYS_connect", "SYS_sendto", "SYS_recvmsg"];
    assert!(sockets.iter().all(|call| names(Role::Net).contains(call)));
    for role in [Role::Mind, Role::Worker] {
        assert!(!sockets.iter().any(|call| names(role).contains(call)), "{role:?}");
    }
    let sets = |role| {
        let asking = rows(role).filter(|row| row.name == "SYS_ioctl");
        asking
            .flat_map(|row| row.when.iter().flat_map(|all| all.iter()))
            .any(|test| matches!(test.value, Value::Is(value) if value == libc::TCSETS))
    };
    assert!(sets(Role::Mind) && !sets(Role::Net) && !sets(Role::Worker));
}

#[test]
fn a_worker_and_a_door_open_nothing() {
    for role in [Role::Worker, Role::Door, Role::Pins] {
        let names = names(role);
        let opens = |call: &&&str| call.contains("open") || call.contains("stat") && **call != "SYS_fstat";
        assert_eq!(names.iter().find(opens), None, "{role:?}");
    }
}

#[test]
fn a_door_makes_no_socket_and_names_no_address() {
    for role in [Role::Door, Role::Pins] {
        let names = names(role);
        for call in ["socket", "socketpair", "connect", "bind", "listen", "sendmsg", "sendmmsg", "recvmsg"] {
            assert!(!names.contains(format!("SYS_{call}").as_str()), "{call}");
        }
    }
}

/// A line is asked for its level and given one; a chip is asked for nothing, and no line is wired anew.
#[test]
fn pins_alone_reads_and_sets_lines_and_makes_no_other_request_of_a_chip() {
    let gpio = |role| -> Vec<u64> {
        let tests = rows(role).filter(|row| row.name == "SYS_ioctl").flat_map(|row| row.when.iter());
        let values = tests.flat_map(|all| all.iter()).filter_map(|test| match test.value {
            Value::Is(value) if value >> 8 & 0xff == 0xb4 => Some(value),
            _ => None,
        });
        values.collect()
    };
    assert_eq!(gpio(Role::Pins), [0xc010_b40e, 0xc010_b40f]);
    for role in [Role::Mind, Role::Net, Role::Door, Role::Worker] {
        assert!(gpio(role).is_empty(), "{role:?}");
    }
}

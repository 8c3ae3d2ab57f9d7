//! The compiled filters, run by a machine of the tests' own: for both architectures, and beside another compiler.

use std::collections::BTreeMap;
use std::str::FromStr;

use proptest::prelude::*;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};

use super::super::row::{Test, Width};
use super::machine::{Call, run};
use super::*;

const BOTH: [Architecture; 2] = [Architecture::X86_64, Architecture::Aarch64];
const PID: u32 = 4711;

/// The number of a row's call in the list of another project, which knows nothing of these tables.
fn number(on: Architecture, row: &Row) -> u32 {
    listed(on, row).unwrap_or_else(|| panic!("{on:?} has no call {}", row.name))
}

fn listed(on: Architecture, row: &Row) -> Option<u32> {
    let name = row.name.strip_prefix("SYS_").unwrap();
    match (on, name) {
        (Architecture::X86_64, name) => syscalls::x86_64::Sysno::from_str(name).ok().map(|call| call as u32),
        // The kernel's table for newer architectures has dropped the word, the C library has not.
        (Architecture::Aarch64, "newfstatat") => Some(syscalls::aarch64::Sysno::fstatat as u32),
        (Architecture::Aarch64, name) => {
            syscalls::aarch64::Sysno::from_str(name).ok().map(|call| call as u32)
        }
    }
}

/// Those of the roles, and those that are laid on besides.
fn policies() -> Vec<Policy> {
    let besides = [refused::ALONE, refused::QUIET, refused::MODES];
    let besides = besides.map(|tables| Policy { verdict: Verdict::Refuse, tables, absent: refused::ABSENT });
    ROLES.map(Policy::of).into_iter().chain(besides).collect()
}

fn program(role: Role, on: Architecture) -> Vec<sock_filter> {
    filter::compile(&Policy::of(role), |row| number(on, row), on, PID)
}

#[test]
fn every_row_of_an_architecture_names_a_call_that_it_has() {
    for on in BOTH {
        for row in policies().into_iter().flat_map(|policy| policy.rows(on)) {
            assert!(number(on, row) < filter::FIRST_UNKNOWN, "{on:?}: {}", row.name);
        }
    }
}

#[test]
fn the_numbers_that_were_compiled_in_are_those_of_this_architecture() {
    for row in policies().into_iter().flat_map(|policy| policy.rows(OWN)) {
        assert_eq!(own_number(row), number(OWN, row), "{}", row.name);
    }
}

#[test]
fn rows_that_aarch64_lacks_are_marked_and_no_others() {
    for table in policies().into_iter().flat_map(|policy| policy.tables) {
        for row in table.rows {
            let there = listed(Architecture::Aarch64, row).is_some();
            assert_eq!(there, table.only.is_none(), "{}", row.name);
        }
    }
}

#[test]
fn a_call_in_the_convention_of_another_architecture_kills() {
    for (on, other) in
        [(Architecture::X86_64, Architecture::Aarch64), (Architecture::Aarch64, Architecture::X86_64)]
    {
        for role in ROLES {
            // 32-bit programs of the same machine among them.
            for architecture in [other.audit(), 0x4000_0003, 0x4000_0028, 0] {
                let call = Call { number: 0, architecture, args: [0; 6] };
                assert_eq!(run(&program(role, on), &call).0, libc::SECCOMP_RET_KILL_PROCESS);
            }
        }
    }
}

#[test]
fn the_other_numbers_of_x86_64_are_refused_to_every_role() {
    for role in ROLES {
        for number in [0x4000_0000_u32, 0x4000_0000 | 521, u32::MAX] {
            let call = Call { number, architecture: Architecture::X86_64.audit(), args: [0; 6] };
            let refusal = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
            assert_eq!(run(&program(role, Architecture::X86_64), &call).0, refusal);
        }
    }
}

#[test]
fn clone3_does_not_exist_for_any_role() {
    for (role, on) in ROLES.into_iter().flat_map(|role| BOTH.map(|on| (role, on))) {
        let call = Call { number: 435, architecture: on.audit(), args: [0; 6] };
        let absent = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
        assert_eq!(run(&program(role, on), &call).0, absent);
    }
}

/// A later kernel has calls that no table judges, such as `setxattrat` beside `setxattr`: programs of others do without.
#[test]
fn calls_of_later_kernels_exist_for_no_role() {
    for (role, on) in ROLES.into_iter().flat_map(|role| BOTH.map(|on| (role, on))) {
        let errno = if role.runs_others() { libc::ENOSYS } else { libc::EPERM };
        for number in [filter::FIRST_UNKNOWN, 466, 469, 511, 1_023, 0x3fff_ffff] {
            let call = Call { number, architecture: on.audit(), args: [0; 6] };
            let answer = libc::SECCOMP_RET_ERRNO | errno as u32;
            assert_eq!(run(&program(role, on), &call).0, answer, "{role:?} {on:?} {number}");
        }
    }
}

/// The kernel takes 4096 lines; far fewer are quick to install, and few steps are quick to run.
#[test]
fn the_filters_are_short_and_answer_in_a_few_steps() {
    for (role, on) in ROLES.into_iter().flat_map(|role| BOTH.map(|on| (role, on))) {
        let program = program(role, on);
        assert!(program.len() < 400, "{role:?} {on:?}: {}", program.len());
        let steps = |number| run(&program, &Call { number, architecture: on.audit(), args: [u64::MAX; 6] }).1;
        let most = (0..500).map(steps).max().unwrap();
        assert!(most < 70, "{role:?} {on:?}: {most}");
    }
}

/// The same table by the compiler of another project, which asks number after number.
fn oracle(role: Role, on: Architecture) -> BpfProgram {
    let policy = Policy::of(role);
    let mut rules = BTreeMap::new();
    for row in policy.rows(on) {
        let chain = row.when.iter().map(|all| rule(all)).collect();
        rules.insert(i64::from(number(on, row)), chain);
    }
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let (otherwise, listed) = match policy.verdict {
        Verdict::Allow => (refuse, SeccompAction::Allow),
        Verdict::Refuse => (SeccompAction::Allow, refuse),
    };
    let target = match on {
        Architecture::X86_64 => TargetArch::x86_64,
        Architecture::Aarch64 => TargetArch::aarch64,
    };
    SeccompFilter::new(rules, otherwise, listed, target).unwrap().try_into().unwrap()
}

fn rule(all: &[Test]) -> SeccompRule {
    let condition = |test: &Test| {
        let width = match test.width {
            Width::Int => SeccompCmpArgLen::Dword,
            Width::Long => SeccompCmpArgLen::Qword,
        };
        let (compare, value) = match test.value {
            Value::Is(value) => (SeccompCmpOp::MaskedEq(test.mask), value),
            Value::Not(value) => (SeccompCmpOp::Ne, value),
            Value::OwnPid => (SeccompCmpOp::MaskedEq(test.mask), u64::from(PID)),
        };
        SeccompCondition::new(test.arg, width, compare, value).unwrap()
    };
    SeccompRule::new(all.iter().map(condition).collect()).unwrap()
}

fn oracle_says(program: &BpfProgram, call: &Call) -> u32 {
    let program: Vec<sock_filter> = program
        .iter()
        .map(|line| sock_filter { code: line.code, jt: line.jt, jf: line.jf, k: line.k })
        .collect();
    run(&program, call).0
}

/// Values that rows ask for, and their neighbours in every bit, so that most tests are nearly met.
fn interesting() -> Vec<u64> {
    let mut values = vec![0, 1, u64::MAX, u64::from(PID), 1 << 32];
    for test in ROLES.into_iter().flat_map(rows).flat_map(|row| row.when.iter().flat_map(|all| all.iter())) {
        if let Value::Is(value) | Value::Not(value) = test.value {
            values.push(value);
        }
    }
    values
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn both_compilers_agree_on_every_call(
        role in prop::sample::select(ROLES.to_vec()),
        on in prop::sample::select(BOTH.to_vec()),
        number in 0_u32..480,
        args in prop::array::uniform6(prop::sample::select(interesting())),
        flips in prop::array::uniform6(prop_oneof![3 => Just(0_u64), 1 => (0_u32..64).prop_map(|bit| 1 << bit)]),
    ) {
        let args = std::array::from_fn(|index| args[index] ^ flips[index]);
        let call = Call { number, architecture: on.audit(), args };
        let (answer, _) = run(&program(role, on), &call);
        if number != 435 && number < filter::FIRST_UNKNOWN {
            prop_assert_eq!(answer, oracle_says(&oracle(role, on), &call), "{:?} {:?} {:?}", role, on, call);
        }
    }
}

#[test]
fn both_compilers_agree_on_every_number() {
    for (role, on) in ROLES.into_iter().flat_map(|role| BOTH.map(|on| (role, on))) {
        let (ours, theirs) = (program(role, on), oracle(role, on));
        for number in (0..filter::FIRST_UNKNOWN).filter(|number| *number != 435) {
            for args in [[0; 6], [1; 6], [2; 6], [u64::from(PID); 6], [u64::MAX; 6]] {
                let call = Call { number, architecture: on.audit(), args };
                assert_eq!(run(&ours, &call).0, oracle_says(&theirs, &call), "{role:?} {on:?} {call:?}");
            }
        }
    }
}

//! What a table of calls is made of.

use super::architecture::Architecture;

/// One system call, when it is meant, and why it is in the table.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) call: i64,
    /// Only for the tests, which say which row is wrong.
    #[cfg_attr(not(test), expect(dead_code, reason = "the kernel knows numbers only"))]
    pub(super) name: &'static str,
    /// Any of these, each a list of tests that must all hold; without any, always.
    pub(super) when: &'static [&'static [Test]],
    /// For the reader of the table.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by people"))]
    pub(super) reason: &'static str,
}

/// Rows, and where their calls exist.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) rows: &'static [Row],
    pub(super) only: Option<Architecture>,
}

/// Rows of calls that every architecture has.
pub(super) const fn everywhere(rows: &'static [Row]) -> Table {
    Table { rows, only: None }
}

/// Rows of calls that only x86-64 has, most of them older forms of others.
pub(super) const fn x86_64(rows: &'static [Row]) -> Table {
    Table { rows, only: Some(Architecture::X86_64) }
}

/// Whether an argument, after masking, has a value.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) arg: u8,
    pub(super) width: Width,
    pub(super) mask: u64,
    pub(super) value: Value,
}

/// How much of an argument the kernel looks at; a filter that looks at more can be walked around.
#[derive(Debug)]
pub(super) enum Width {
    Int,
    Long,
}

#[derive(Debug)]
pub(super) enum Value {
    Is(u64),
    /// Anything else than this; for a whole `int` argument only.
    Not(u64),
    OwnPid,
}

/// An `int` argument has a value.
pub(super) const fn int(arg: u8, value: u64) -> Test {
    masked_int(arg, 0xffff_ffff, value)
}

/// The request of an `ioctl`, whose type differs from one C library to the other.
pub(super) const fn request(value: libc::Ioctl) -> Test {
    int(1, value as u32 as u64)
}

/// An `int` argument has another value.
pub(super) const fn other_than(arg: u8, value: u64) -> Test {
    Test { arg, width: Width::Int, mask: 0xffff_ffff, value: Value::Not(value) }
}

/// The masked bits of an `int` argument have a value.
pub(super) const fn masked_int(arg: u8, mask: u64, value: u64) -> Test {
    Test { arg, width: Width::Int, mask, value: Value::Is(value) }
}

/// The masked bits of a `long` argument have a value.
pub(super) const fn masked(arg: u8, mask: u64, value: u64) -> Test {
    Test { arg, width: Width::Long, mask, value: Value::Is(value) }
}

/// An `int` argument is the number of this very process.
pub(super) const fn own_pid(arg: u8) -> Test {
    Test { arg, width: Width::Int, mask: 0xffff_ffff, value: Value::OwnPid }
}

/// The numbers of calls, with those that the `libc` crate lacks for a processor.
pub(super) mod numbers {
    pub(crate) use libc::*;

    /// The number of the generic table, `include/uapi/asm-generic/unistd.h` of Linux 6.6.
    #[cfg(target_arch = "aarch64")]
    #[expect(non_upper_case_globals, reason = "named as the crate names the others")]
    pub(crate) const SYS_fchmodat2: c_long = 452;
}

/// Writes a table: `call => "reason"`, or `call if TESTS => "reason"`.
macro_rules! rows {
    ($($call:ident $(if $when:expr)? => $reason:literal,)*) => {
        &[$(Row {
            call: $crate::seccomp::row::numbers::$call,
            name: stringify!($call),
            when: rows!(@when $($when)?),
            reason: $reason,
        }),*]
    };
    (@when) => { &[] };
    (@when $when:expr) => { $when };
}
pub(super) use rows;

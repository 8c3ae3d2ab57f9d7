//! A table of calls as a program of the kernel's filter machine.
//!
//! The kernel runs a new filter once for every call that exists, to learn which calls it need not ask about again. So
//! the numbers are found by halving, neighbours with the same answer are one range, and only the rows that name
//! arguments read any: installing such a filter takes a third of the time of one that asks number after number.

use libc::sock_filter as Line;

use super::architecture::Architecture;
use super::policy::{Policy, Verdict};
use super::row::{Row, Test, Value, Width};

/// What a number out of a range of numbers is answered.
enum Answer<'a> {
    Return(u32),
    /// Any of these tests holds: the first answer, else the second.
    Judge(&'a [&'a [Test]], u32, u32),
}

/// Compiles a policy; `number` says what a row's call is on that architecture, `own` which process the rows mean.
pub(super) fn compile(
    policy: &Policy,
    number: impl Fn(&Row) -> u32,
    architecture: Architecture,
    own: u32,
) -> Vec<Line> {
    let (listed, otherwise) = match policy.verdict {
        Verdict::Allow => (ALLOW, REFUSE),
        Verdict::Refuse => (REFUSE, ALLOW),
    };
    let answer = |row: &Row| match row.when {
        [] => Answer::Return(listed),
        when => Answer::Judge(when, listed, otherwise),
    };
    let mut calls: Vec<(u32, Answer)> =
        policy.rows(architecture).map(|row| (number(row), answer(row))).collect();
    calls.extend(policy.absent.iter().map(|row| (number(row), Answer::Return(ABSENT))));
    calls.sort_by_key(|(number, _)| *number);
    // A list of refusals cannot know the calls of later kernels: they do not exist, and programs use the older ones.
    let unknown = match policy.verdict {
        Verdict::Allow => REFUSE,
        Verdict::Refuse => ABSENT,
    };
    let ranges = ranges(calls, otherwise, unknown);
    let mut program = vec![
        line(LOAD, 0, 0, ARCHITECTURE_AT),
        // Another convention has other numbers: a call in another convention is refused by ending the process.
        line(IF_EQUAL, 1, 0, architecture.audit()),
        line(RETURN, 0, 0, libc::SECCOMP_RET_KILL_PROCESS),
        line(LOAD, 0, 0, NUMBER_AT),
    ];
    program.extend(halve(&ranges, own));
    program
}

/// The answer from each number on, up to the next: neighbours with the same answer are joined.
fn ranges(calls: Vec<(u32, Answer<'_>)>, otherwise: u32, unknown: u32) -> Vec<(u32, Answer<'_>)> {
    let mut ranges = vec![(0, Answer::Return(otherwise))];
    let mut next = 0;
    for (number, answer) in calls {
        if number > next {
            push(&mut ranges, next, Answer::Return(otherwise));
        }
        push(&mut ranges, number, answer);
        next = number + 1;
    }
    push(&mut ranges, next, Answer::Return(otherwise));
    push(&mut ranges, FIRST_UNKNOWN, Answer::Return(unknown));
    // Of x86_64: the same calls under other numbers, with which a list of refusals could be walked around.
    push(&mut ranges, X32, Answer::Return(REFUSE));
    ranges
}

fn push<'a>(ranges: &mut Vec<(u32, Answer<'a>)>, from: u32, answer: Answer<'a>) {
    if ranges.last().is_some_and(|(start, _)| *start == from) {
        ranges.pop();
    }
    let same =
        |last: &(u32, Answer)| matches!((&last.1, &answer), (Answer::Return(a), Answer::Return(b)) if a == b);
    if !ranges.last().is_some_and(same) {
        ranges.push((from, answer));
    }
}

/// Finds the range of the loaded number by halving.
fn halve(ranges: &[(u32, Answer<'_>)], own: u32) -> Vec<Line> {
    match ranges {
        [(_, Answer::Return(answer))] => vec![line(RETURN, 0, 0, *answer)],
        [(_, Answer::Judge(any, holds, fails))] => judge(any, *holds, *fails, own),
        _ => {
            let (low, high) = ranges.split_at(ranges.len() / 2);
            let (low, high_lines) = (halve(low, own), halve(high, own));
            let mut lines = match u8::try_from(low.len()) {
                Ok(over) => vec![line(IF_AT_LEAST, over, 0, high[0].0)],
                // A condition jumps 255 lines at most; a jump without one as far as it likes.
                Err(_) => vec![
                    line(IF_AT_LEAST, 0, 1, high[0].0),
                    line(JUMP, 0, 0, u32::try_from(low.len()).expect("a filter has some hundred lines")),
                ],
            };
            lines.extend(low);
            lines.extend(high_lines);
            lines
        }
    }
}

/// Whether any of the lists of tests holds.
fn judge(any: &[&[Test]], holds: u32, fails: u32, own: u32) -> Vec<Line> {
    let mut lines = match one_of(any) {
        Some((arg, values)) => among(arg, &values, holds),
        None => any.iter().flat_map(|all| every(all, holds, own)).collect(),
    };
    lines.push(line(RETURN, 0, 0, fails));
    lines
}

/// The argument and the values, if all that is asked is whether one `int` is among some.
fn one_of(any: &[&[Test]]) -> Option<(u8, Vec<u32>)> {
    let arg = any.first()?.first()?.arg;
    let value = |all: &&[Test]| match all {
        [Test { arg: this, width: Width::Int, mask, value: Value::Is(value) }]
            if *this == arg && low(*mask) == u32::MAX =>
        {
            Some(low(*value))
        }
        _ => None,
    };
    any.iter().map(value).collect::<Option<_>>().map(|values| (arg, values))
}

/// Returns if the argument is one of the values, else falls through to what follows; it is loaded once.
fn among(arg: u8, values: &[u32], holds: u32) -> Vec<Line> {
    let mut lines = vec![line(LOAD, 0, 0, low_half_at(arg))];
    for (at, value) in values.iter().enumerate() {
        let after = u8::try_from(values.len() - at - 1).expect("a row has a few values");
        lines.push(line(IF_EQUAL, after, u8::from(after == 0), *value));
    }
    lines.push(line(RETURN, 0, 0, holds));
    lines
}

/// Returns if all of the tests hold, else falls through to what follows.
fn every(all: &[Test], holds: u32, own: u32) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut negated = Vec::new();
    for test in all {
        let value = match test.value {
            Value::Is(value) | Value::Not(value) => value,
            Value::OwnPid => u64::from(own),
        };
        part(&mut lines, low_half_at(test.arg), low(test.mask), low(value));
        if matches!(test.width, Width::Long) {
            part(&mut lines, low_half_at(test.arg) + 4, high(test.mask), high(value));
        }
        if matches!(test.value, Value::Not(_)) {
            negated.push(lines.len() - 1);
        }
    }
    lines.push(line(RETURN, 0, 0, holds));
    let length = lines.len();
    for (at, line) in lines.iter_mut().enumerate().filter(|(_, line)| line.code == IF_EQUAL) {
        let fails = u8::try_from(length - at - 1).expect("a list of tests has a few lines");
        if negated.contains(&at) { line.jt = fails } else { line.jf = fails }
    }
    lines
}

/// One half of an argument, if its mask asks for any of it.
fn part(lines: &mut Vec<Line>, at: u32, mask: u32, value: u32) {
    if mask == 0 {
        return;
    }
    lines.push(line(LOAD, 0, 0, at));
    if mask != u32::MAX {
        lines.push(line(AND, 0, 0, mask));
    }
    lines.push(line(IF_EQUAL, 0, 0, value));
}

const fn line(code: u16, jt: u8, jf: u8, k: u32) -> Line {
    Line { code, jt, jf, k }
}

const fn low(value: u64) -> u32 {
    (value & 0xffff_ffff) as u32
}

const fn high(value: u64) -> u32 {
    (value >> 32) as u32
}

/// Where the low half of an argument is in the kernel's `seccomp_data`; both architectures are little-endian.
const fn low_half_at(arg: u8) -> u32 {
    16 + 8 * arg as u32
}

/// The first call that the tables do not judge, on both architectures: `setxattrat`, of Linux 6.13.
pub(super) const FIRST_UNKNOWN: u32 = 463;
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
const X32: u32 = 0x4000_0000;
const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const ABSENT: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
const REFUSE: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
const IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const IF_AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

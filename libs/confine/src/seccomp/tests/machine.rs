//! The kernel's filter machine, as far as filters of calls use it: classic BPF over `seccomp_data`.

use libc::sock_filter;

/// One call, as a filter sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) number: u32,
    pub(super) architecture: u32,
    pub(super) args: [u64; 6],
}

impl Call {
    fn word(&self, at: u32) -> u32 {
        let half = |value: u64, high: bool| if high { (value >> 32) as u32 } else { value as u32 };
        match at {
            0 => self.number,
            4 => self.architecture,
            8 | 12 => 0,
            16..=60 => half(self.args[(at as usize - 16) / 8], at % 8 == 4),
            _ => panic!("no word of seccomp_data lies at {at}"),
        }
    }
}

/// What the program answers, and in how many steps.
pub(super) fn run(program: &[sock_filter], call: &Call) -> (u32, usize) {
    let (mut accumulator, mut at, mut steps) = (0_u32, 0, 0);
    loop {
        let line = &program[at];
        at += 1;
        steps += 1;
        let jump = |holds: bool| usize::from(if holds { line.jt } else { line.jf });
        match line.code {
            0x20 => accumulator = call.word(line.k),
            0x54 => accumulator &= line.k,
            0x05 => at += line.k as usize,
            0x15 => at += jump(accumulator == line.k),
            0x25 => at += jump(accumulator > line.k),
            0x35 => at += jump(accumulator >= line.k),
            0x45 => at += jump(accumulator & line.k != 0),
            0x06 => return (line.k, steps),
            code => panic!("{code:#x} is no instruction that a filter here uses"),
        }
    }
}

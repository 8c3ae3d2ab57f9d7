//! The tracer for x86-64.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt as _;

use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use super::Outcome;

const SYSCALL: [u8; 2] = [0x0f, 0x05];
/// Room for what is placed, at the lowest end of the stack.
const SCRATCH: usize = 8192;

/// A stopped process into which calls can be injected; it continues when the value is dropped.
///
/// The operating system ties a tracer to its thread, so the value must stay in the thread that made it.
#[derive(Debug)]
pub struct Tracer {
    pid: Pid,
    saved: libc::user_regs_struct,
    instruction: u64,
    memory: File,
    scratch: u64,
    saved_scratch: Vec<u8>,
    placed: usize,
    alive: bool,
}

impl Tracer {
    /// Stops a process and makes ready.
    ///
    /// # Errors
    /// The reason why this process cannot be traced here.
    pub fn attach(pid: u32) -> Result<Tracer, String> {
        let pid = Pid::from_raw(i32::try_from(pid).map_err(|e| e.to_string())?);
        ptrace::seize(pid, Options::PTRACE_O_TRACESYSGOOD).map_err(|e| format!("ptrace: {e}"))?;
        ptrace::interrupt(pid).map_err(|e| format!("ptrace: {e}"))?;
        wait_for_stop(pid)?;
        let saved = ptrace::getregs(pid).map_err(|e| format!("its registers: {e}"))?;
        let memory = OpenOptions::new().read(true).write(true).open(format!("/proc/{pid}/mem"));
        let memory = memory.map_err(|e| format!("its memory: {e}"))?;
        let maps = fs::read_to_string(format!("/proc/{pid}/maps")).map_err(|e| format!("its maps: {e}"))?;
        let instruction = find_syscall(&maps, &memory).ok_or("no `syscall` instruction is mapped")?;
        let (scratch, _) = ranges(&maps, "[stack]").next().ok_or("it has no stack")?;
        let mut saved_scratch = vec![0; SCRATCH];
        memory.read_exact_at(&mut saved_scratch, scratch).map_err(|e| format!("its stack: {e}"))?;
        Ok(Tracer { pid, saved, instruction, memory, scratch, saved_scratch, placed: 0, alive: true })
    }

    /// Makes the process do one system call.
    pub fn call(&mut self, number: i64, arguments: &[u64]) -> Outcome {
        let argument = |index: usize| arguments.get(index).copied().unwrap_or(0);
        let mut registers = self.saved;
        registers.rax = number.cast_unsigned();
        // Else the kernel would restart the call that the stop interrupted instead.
        registers.orig_rax = u64::MAX;
        registers.rip = self.instruction;
        registers.rdi = argument(0);
        registers.rsi = argument(1);
        registers.rdx = argument(2);
        registers.r10 = argument(3);
        registers.r8 = argument(4);
        registers.r9 = argument(5);
        ptrace::setregs(self.pid, registers).expect("registers of a stopped process can be set");
        ptrace::step(self.pid, None).expect("a stopped process can be stepped");
        loop {
            match waitpid(self.pid, Some(WaitPidFlag::__WALL)).expect("a traced process can be waited for") {
                WaitStatus::Exited(_, code) => return self.died(code),
                WaitStatus::Signaled(_, signal, _) => return self.died(signal as i32),
                WaitStatus::Stopped(_, Signal::SIGTRAP) => break,
                // Another signal came first: it is held back, or its handler would run in place of the call.
                WaitStatus::Stopped(..) | WaitStatus::PtraceEvent(..) => {
                    ptrace::step(self.pid, None).expect("a stopped process can be stepped");
                }
                other => panic!("an unexpected stop: {other:?}"),
            }
        }
        let result = ptrace::getregs(self.pid).expect("registers of a stopped process can be read").rax;
        Outcome::Returned(result.cast_signed())
    }

    /// Puts bytes into the process' memory and answers their address; they stay until the value is dropped.
    pub fn place(&mut self, bytes: &[u8]) -> u64 {
        assert!(self.placed + bytes.len() <= SCRATCH, "the scratch room is full");
        let address = self.scratch + self.placed as u64;
        self.memory.write_all_at(bytes, address).expect("a traced process' memory can be written");
        self.placed = (self.placed + bytes.len()).next_multiple_of(16);
        address
    }

    fn died(&mut self, how: i32) -> Outcome {
        self.alive = false;
        Outcome::Killed(how)
    }
}

impl Drop for Tracer {
    fn drop(&mut self) {
        if self.alive {
            // The process may have been killed meanwhile; then there is nothing to put back.
            let _ = self.memory.write_all_at(&self.saved_scratch, self.scratch);
            let _ = ptrace::setregs(self.pid, self.saved);
            let _ = ptrace::detach(self.pid, None);
        }
    }
}

fn wait_for_stop(pid: Pid) -> Result<(), String> {
    match waitpid(pid, Some(WaitPidFlag::__WALL)) {
        Ok(WaitStatus::PtraceEvent(..) | WaitStatus::Stopped(..)) => Ok(()),
        other => Err(format!("it did not stop: {other:?}")),
    }
}

fn find_syscall(maps: &str, memory: &File) -> Option<u64> {
    ["[vdso]", "libc.so", ""].iter().find_map(|name| {
        ranges(maps, name).find_map(|(start, end)| {
            let mut code = vec![0; usize::try_from(end - start).ok()?];
            memory.read_exact_at(&mut code, start).ok()?;
            let at = code.windows(2).position(|window| window == SYSCALL)?;
            Some(start + at as u64)
        })
    })
}

/// The mapped ranges whose name holds a word: for the stack any, for others the executable ones.
fn ranges<'a>(maps: &'a str, name: &'a str) -> impl Iterator<Item = (u64, u64)> + 'a {
    maps.lines().filter_map(move |line| {
        let mut words = line.split_whitespace();
        let (range, rights) = (words.next()?, words.next()?);
        let fits = line.contains(name) && (name == "[stack]" || rights.contains('x'));
        let (start, end) = range.split_once('-')?;
        let number = |text| u64::from_str_radix(text, 16).ok();
        if fits { Some((number(start)?, number(end)?)) } else { None }
    })
}

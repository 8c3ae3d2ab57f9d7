//! The parts of root's power, given up one and all.

use nix::errno::Errno;

use crate::ConfineError;

/// Empties every set of capabilities that this process or a program it executes could draw from.
///
/// Root without capabilities is a user like any other, who happens to own the system's files.
pub(crate) fn drop_all() -> Result<(), ConfineError> {
    drop_bounding()?;
    ambient_cleared().map_err(refused)?;
    if read().map_err(refused)? != NONE {
        write(&NONE).map_err(refused)?;
    }
    Ok(())
}

/// Lets what is permitted outlast the change from root to another user; what is in force does not.
pub(crate) fn outlast_change_of_user() -> Result<(), ConfineError> {
    // What programs inherit can be named only as long as it is within the bounding set, which is emptied first of all.
    let mut sets = read().map_err(refused)?;
    sets[0].inheritable |= 1 << DAC_READ_SEARCH;
    write(&sets).map_err(refused)?;
    // SAFETY: this prctl takes integers only and touches no memory of ours.
    let answer = unsafe { libc::prctl(libc::PR_SET_KEEPCAPS, 1, 0, 0, 0) };
    Errno::result(answer).map(drop).map_err(refused)
}

/// Gives up everything but the power to read and to search folders, which programs that are executed inherit.
pub(crate) fn keep_reading() -> Result<(), ConfineError> {
    drop_bounding()?;
    ambient_cleared().map_err(refused)?;
    let one = 1 << DAC_READ_SEARCH;
    let mut sets = NONE;
    sets[0] = Sets { effective: one, permitted: one, inheritable: one };
    write(&sets).map_err(refused)?;
    // SAFETY: this prctl takes integers only and touches no memory of ours.
    let answer =
        unsafe { libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_RAISE, DAC_READ_SEARCH, 0, 0) };
    Errno::result(answer).map(drop).map_err(refused)
}

/// Empties the set that bounds what an executed program may gain; only who has the power for it can, so it comes before
/// a change of user.
pub(crate) fn drop_bounding() -> Result<(), ConfineError> {
    if has(SETPCAP) { bounding_cleared().map_err(refused) } else { Ok(()) }
}

fn refused(source: Errno) -> ConfineError {
    ConfineError::Switch { switch: "empty capability sets", source }
}

/// Whether the effective set holds a capability, such as 21 for the one that mounts.
pub(crate) fn has(number: u32) -> bool {
    read().is_ok_and(|sets| sets[(number / 32) as usize].effective & (1 << (number % 32)) != 0)
}

/// The capability that mounts, and makes namespaces.
pub(crate) const SYS_ADMIN: u32 = 21;
/// The capability that reads and searches regardless of the modes.
const DAC_READ_SEARCH: u64 = 2;
/// The capability that changes sets of capabilities.
const SETPCAP: u32 = 8;

fn ambient_cleared() -> Result<(), Errno> {
    // SAFETY: this prctl takes integers only and touches no memory of ours.
    let answer = unsafe { libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) };
    match Errno::result(answer) {
        // A kernel before 4.3 does not have this set.
        Ok(_) | Err(Errno::EINVAL) => Ok(()),
        Err(errno) => Err(errno),
    }
}

/// Takes every capability out of the set that bounds what an executed program may gain.
fn bounding_cleared() -> Result<(), Errno> {
    for number in 0..=63_u64 {
        // SAFETY: this prctl takes integers only and touches no memory of ours.
        match Errno::result(unsafe { libc::prctl(libc::PR_CAPBSET_DROP, number, 0, 0, 0) }) {
            Ok(_) => {}
            // Beyond the last that this kernel knows.
            Err(Errno::EINVAL) => break,
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}

fn read() -> Result<[Sets; 2], Errno> {
    let mut sets = NONE;
    // SAFETY: with version 3 the kernel writes exactly two of these structs, and reads the header.
    let answer = unsafe { libc::syscall(libc::SYS_capget, &raw const OWN_PROCESS, sets.as_mut_ptr()) };
    Errno::result(answer).map(|_| sets)
}

fn write(sets: &[Sets; 2]) -> Result<(), Errno> {
    // SAFETY: with version 3 the kernel reads exactly two of these structs, and the header.
    let answer = unsafe { libc::syscall(libc::SYS_capset, &raw const OWN_PROCESS, sets.as_ptr()) };
    Errno::result(answer).map(drop)
}

/// The kernel's `__user_cap_header_struct`.
#[repr(C)]
struct Header {
    version: u32,
    pid: libc::c_int,
}

/// The kernel's `__user_cap_data_struct`: 32 of the capabilities.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sets {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}

static OWN_PROCESS: Header = Header { version: 0x2008_0522, pid: 0 };
const NONE: [Sets; 2] = [Sets { effective: 0, permitted: 0, inheritable: 0 }; 2];
